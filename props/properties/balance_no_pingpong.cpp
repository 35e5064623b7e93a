// SPDX-License-Identifier: Apache-2.0
#include "props/properties/balance_no_pingpong.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// Two claims. Everywhere: a pull takes a waiting task from a queue of at least two to the CPU that
/// balances. And with one level, equal weights and no affinity: of a difference of d tasks at most
/// (d + 1) / 2 move. For the amount is at most half the difference of the (biased, so closer)
/// loads, the last task may exceed it by half its weight, and the small fix moves one task where d
/// >= 1. With unequal weights or several levels 2.6.36 does not promise that.
class BalanceNoPingpong final : public Checker {
 public:
  bool applies(const Setup& setup) override {
    if (setup.topology.cpus < 2 || !setup.balance) return false;
    equal_ =
        setup.topology.levels.size() == 1 && setup.topology.levels.front().kind != LevelKind::smt;
    for (const TaskDef& task : setup.workload.tasks) {
      equal_ = equal_ && task.nice == 0 && task.sched_class != SchedClass::idle && !task.cpus;
      for (const Phase& phase : task.phases) equal_ = equal_ && !phase.nice && !phase.cpus;
    }
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::balance && m.stimulus.kind != StimulusKind::schedule) {
      return std::nullopt;
    }
    for (const Decision& d : m.decisions) {
      if (d.kind != DecisionKind::migrate || (d.why != Why::periodic && d.why != Why::newidle)) {
        continue;
      }
      if (auto bad = pulled(m, d)) return bad;
    }
    return std::nullopt;
  }

 private:
  std::optional<Violation> pulled(const Moment& m, const Decision& d) {
    reach();
    const TaskView* was = cfs::find(m.before, d.task);
    const CpuView& source = cfs::cpu_of(m.before, d.from);
    if (d.cpu != m.stimulus.cpu)
      return told("destination", d, "went to a CPU that does not balance");
    if (was == nullptr || was->state != TaskState::queued) {
      return told("running", d, "was moved though it was not waiting");
    }
    if (source.nr_running < 2) return told("lone", d, "was the only one of its queue");
    const int difference = source.nr_running - cfs::cpu_of(m.before, d.cpu).nr_running;
    if (equal_ && 2 * pulls_from(m, d.from) > difference + 1) {
      return told("too_many", d, "is one of more than half the difference");
    }
    return std::nullopt;
  }

  static int pulls_from(const Moment& m, CpuId source) {
    int out = 0;
    for (const Decision& d : m.decisions) {
      out += d.kind == DecisionKind::migrate && d.from == source &&
             (d.why == Why::periodic || d.why == Why::newidle);
    }
    return out;
  }

  static std::optional<Violation> told(const char* kind, const Decision& d, const char* what) {
    return cfs::violation(kind,
                          d.task,
                          fmt::format("pull of task {} from CPU {} to CPU {}: it {}",
                                      d.task.value,
                                      d.from.value,
                                      d.cpu.value,
                                      what));
  }

  bool equal_ = false;
};

}  // namespace

std::unique_ptr<Checker> make_balance_no_pingpong() {
  return std::make_unique<BalanceNoPingpong>();
}

}  // namespace fw::props
