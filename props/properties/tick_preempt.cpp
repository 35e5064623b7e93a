// SPDX-License-Identifier: Apache-2.0
#include "props/properties/tick_preempt.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class TickPreempt final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::tick) return std::nullopt;
    const CpuView& cpu = cfs::cpu_of(m.before, m.stimulus.cpu);
    const cfs::Charge charge =
        cfs::charge_of(m.before, m.stimulus.cpu, rules().clock_at(m.stimulus.t));
    if (charge.task == nullptr) return std::nullopt;
    const Why due = cpu.marked ? Why::none : rule(m, cpu, charge);
    const Decision* record = cfs::decision(m, DecisionKind::preempt);
    const Why taken = record == nullptr ? Why::none : record->why;
    const bool marked = cfs::cpu_of(m.after, m.stimulus.cpu).marked;
    if (taken == due && marked == (cpu.marked || due != Why::none)) return std::nullopt;
    return cfs::violation(
        due == Why::none     ? "undue"
        : taken == Why::none ? "missing"
                             : "why",
        charge.task->id,
        fmt::format("tick on CPU {}: task {} is preempted for {}, the rule says {}",
                    m.stimulus.cpu.value,
                    charge.task->id.value,
                    why_name(taken),
                    why_name(due)));
  }

 private:
  Why rule(const Moment& m, const CpuView& cpu, const cfs::Charge& charge) {
    if (cpu.nr_running <= 1 && rules().wakeup_preempt) return Why::none;
    const std::uint64_t ideal =
        rules().slice(cpu.nr_running, cpu.load, cfs::row_of(*charge.task).weight);
    const std::uint64_t ran =
        charge.task->sum_exec_ns + charge.delta - cfs::get(*charge.task, cfs::prev_sum_exec);
    if (cpu.nr_running > 1) reach();
    if (ran > ideal) return Why::slice;
    if (!rules().wakeup_preempt || ran < rules().min_granularity_ns || cpu.nr_running <= 1 ||
        cpu.queue.empty()) {
      return Why::none;
    }
    const TaskView* left = cfs::find(m.before, cpu.queue.front());
    if (left == nullptr) return Why::none;
    const std::int64_t lead = exact::ahead(charge.vruntime, cfs::vr(*left));
    const bool beyond = rules().tick_unsigned ? static_cast<std::uint64_t>(lead) > ideal
                                              : lead > static_cast<std::int64_t>(ideal);
    return beyond ? Why::leftmost : Why::none;
  }
};

}  // namespace

std::unique_ptr<Checker> make_tick_preempt() { return std::make_unique<TickPreempt>(); }

}  // namespace fw::props
