// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_charge.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfCharge final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    for (const TaskView& task : m.after.tasks) {
      const TaskView* was = eevdf::find(m.before, task.id);
      if (was == nullptr) continue;
      if (auto bad =
              was->state == TaskState::running ? ran(m, *was, task) : waited(m, *was, task)) {
        return bad;
      }
    }
    return std::nullopt;
  }

 private:
  /// Stimuli after which the running task of their CPU has been charged.
  static bool must_charge(const Moment& m, const TaskView& was) {
    if (was.cpu != m.stimulus.cpu) return false;
    const StimulusKind kind = m.stimulus.kind;
    return kind == StimulusKind::tick || kind == StimulusKind::block ||
           kind == StimulusKind::renice || kind == StimulusKind::fork ||
           kind == StimulusKind::schedule;
  }

  std::optional<Violation> ran(const Moment& m, const TaskView& was, const TaskView& is) {
    eevdf::Book& all = charged_book(m, was.cpu);
    const std::uint64_t spent = is.sum_exec_ns - was.sum_exec_ns;
    const std::uint64_t due = all.delta;
    if (spent != due && (spent != 0 || must_charge(m, was))) {
      return eevdf::violation(
          "time",
          is.id,
          fmt::format("task {} ran {} ns since its last charge and was charged {}",
                      is.id.value,
                      due,
                      spent));
    }
    const StimulusKind kind = m.stimulus.kind;
    const bool replaced =
        is.id == m.stimulus.task && (kind == StimulusKind::renice ||
                                     kind == StimulusKind::affinity || kind == StimulusKind::yield);
    if (replaced) return std::nullopt;
    const eevdf::Entry* entry = all.current();
    std::uint64_t vruntime = eevdf::get(was, eevdf::vruntime);
    std::uint64_t deadline = eevdf::get(was, eevdf::deadline);
    if (spent != 0 && entry != nullptr) {
      vruntime = entry->vruntime;
      deadline = entry->deadline;
      if (all.expired) reach();
    }
    return same(is, vruntime, deadline);
  }

  std::optional<Violation> waited(const Moment& m, const TaskView& was, const TaskView& is) {
    if (is.sum_exec_ns != was.sum_exec_ns) {
      return eevdf::violation(
          "idle", is.id, fmt::format("task {} was charged without running", is.id.value));
    }
    if (was.state != TaskState::queued || is.id == m.stimulus.task) return std::nullopt;
    return same(is, eevdf::get(was, eevdf::vruntime), eevdf::get(was, eevdf::deadline));
  }

  static std::optional<Violation> same(const TaskView& is,
                                       std::uint64_t vruntime,
                                       std::uint64_t deadline) {
    const std::uint64_t v = eevdf::get(is, eevdf::vruntime);
    const std::uint64_t d = eevdf::get(is, eevdf::deadline);
    if (v == vruntime && d == deadline) return std::nullopt;
    return eevdf::violation(
        v != vruntime ? "vruntime" : "deadline",
        is.id,
        fmt::format("task {} has v {} and deadline {}; the charge gives {} and {}",
                    is.id.value,
                    eevdf::wide(v),
                    eevdf::wide(d),
                    eevdf::wide(vruntime),
                    eevdf::wide(deadline)));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_charge() { return std::make_unique<EevdfCharge>(); }

}  // namespace fw::props
