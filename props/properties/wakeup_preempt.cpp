// SPDX-License-Identifier: Apache-2.0
#include "props/properties/wakeup_preempt.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class WakeupPreempt final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const StimulusKind kind = m.stimulus.kind;
    if (!cfs::brings_task(kind)) return std::nullopt;
    // The swap of child_runs_first marks the parent by itself.
    if (kind == StimulusKind::fork && rules().child_runs_first) return std::nullopt;
    const TaskView* woken = cfs::find(m.after, m.stimulus.task);
    if (woken == nullptr || !cfs::runnable(*woken)) return std::nullopt;
    const CpuView& before = cfs::cpu_of(m.before, woken->cpu);
    const CpuView& after = cfs::cpu_of(m.after, woken->cpu);
    if (before.marked && !after.marked) {
      return told("mark_lost", *woken, "took away a mark that was set");
    }
    const bool marks = !before.marked && after.marked;
    const Decision* record =
        cfs::decision(m, kind == StimulusKind::fork ? DecisionKind::fork : DecisionKind::wake);
    if (record != nullptr && record->preempt != marks) {
      return told("record", *woken, "is recorded otherwise than the CPU was marked");
    }
    if (before.marked) return std::nullopt;
    const bool due = preempts(m, before, *woken);
    if (due == marks) return std::nullopt;
    return told(due ? "missing" : "undue", *woken, due ? "must preempt" : "must not preempt");
  }

 private:
  bool preempts(const Moment& m, const CpuView& before, const TaskView& woken) {
    if (before.curr.idle()) return true;
    const TaskView* curr = cfs::find(m.after, before.curr);
    if (curr == nullptr || curr->state != TaskState::running || curr->id == woken.id) return false;
    if (woken.sched_class != SchedClass::normal) return false;
    if (curr->sched_class == SchedClass::idle) return true;
    if (!rules().wakeup_preempt) return false;
    reach();
    // The current task's vruntime as it must be after its charge, whatever was done to it.
    const cfs::Charge charge = cfs::charge_of(m.before, woken.cpu, rules().clock_at(m.stimulus.t));
    const std::uint64_t curr_v = charge.task != nullptr ? charge.vruntime : cfs::vr(*curr);
    const std::int64_t lead = exact::ahead(curr_v, cfs::vr(woken));
    return lead > 0 && lead > static_cast<std::int64_t>(rules().granularity(cfs::row_of(woken)));
  }

  static std::optional<Violation> told(const char* kind, const TaskView& woken, const char* what) {
    return cfs::violation(
        kind,
        woken.id,
        fmt::format("the wakeup of task {} on CPU {} {}", woken.id.value, woken.cpu.value, what));
  }
};

}  // namespace

std::unique_ptr<Checker> make_wakeup_preempt() { return std::make_unique<WakeupPreempt>(); }

}  // namespace fw::props
