// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_protection.h"

#include <algorithm>

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class Protection final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const StimulusKind kind = m.stimulus.kind;
    if (kind == StimulusKind::idle_tick) return std::nullopt;
    const TaskView* set = nullptr;
    const TaskId curr = eevdf::cpu_of(m.after, m.stimulus.cpu).curr;
    if (kind == StimulusKind::schedule && curr != eevdf::cpu_of(m.before, m.stimulus.cpu).curr) {
      set = eevdf::find(m.after, curr);
    } else if (kind == StimulusKind::renice && !rules().vprot_at_pick_only) {
      set = eevdf::find(m.after, m.stimulus.task);
    }
    if (set != nullptr) {
      if (auto bad = check_set(m, *set)) return bad;
    }
    return unchanged(m, set);
  }

 private:
  std::optional<Violation> check_set(const Moment& m, const TaskView& task) {
    const std::uint64_t own = eevdf::get(task, eevdf::slice);
    const std::uint64_t due = eevdf::get(task, eevdf::deadline);
    std::uint64_t wanted = due;
    if (rules().since(eevdf::Profile::e618)) {
      const std::uint64_t span = rules().run_to_parity
                                     ? std::min(own, book(m.after, task.cpu).least_slice())
                                     : std::min(own, rules().unscaled_slice_ns);
      if (span != own) {
        reach();
        wanted = exact::earlier(
            due, eevdf::get(task, eevdf::vruntime) + rules().vdelta(span, eevdf::row_of(task)));
      }
    }
    const std::uint64_t is = eevdf::get(task, eevdf::protection);
    if (is == wanted) return std::nullopt;
    return eevdf::violation(
        "set",
        task.id,
        fmt::format("task {} is protected until {}; the rule gives {} (deadline {})",
                    task.id.value,
                    eevdf::wide(is),
                    eevdf::wide(wanted),
                    eevdf::wide(due)));
  }

  std::optional<Violation> unchanged(const Moment& m, const TaskView* set) const {
    // A preemption test may end the protection of the running task of the CPU it is made on.
    const StimulusKind kind = m.stimulus.kind;
    const bool tests = eevdf::brings_task(kind) || kind == StimulusKind::affinity;
    TaskId tested = idle_task;
    if (tests) {
      const TaskView* came = eevdf::find(m.after, m.stimulus.task);
      if (came != nullptr) tested = eevdf::cpu_of(m.before, came->cpu).curr;
    }
    for (const TaskView& task : m.after.tasks) {
      if (&task == set || task.id == tested) continue;
      const TaskView* was = eevdf::find(m.before, task.id);
      const std::int64_t old = was == nullptr ? 0 : was->ints[eevdf::protection];
      if (task.ints[eevdf::protection] == old) continue;
      return eevdf::violation(
          "changed",
          task.id,
          fmt::format("the protection of task {} went from {} to {} at a {} that does not set it",
                      task.id.value,
                      old,
                      task.ints[eevdf::protection],
                      stimulus_name(kind)));
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_protection() { return std::make_unique<Protection>(); }

}  // namespace fw::props
