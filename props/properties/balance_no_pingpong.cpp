// SPDX-License-Identifier: Apache-2.0
#include "props/properties/balance_no_pingpong.h"

#include <algorithm>

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// Two claims. Everywhere: a pull takes a waiting task from a queue of at least two to the CPU that
/// balances. And with one level, equal weights and no affinity: of a difference of d tasks at most
/// (d + 1) / 2 move. For the amount is at most half the difference of the (biased, so closer)
/// loads, the last task may exceed it by half its weight, and the small fix moves one task where d
/// >= 1. With unequal weights that limits weights: what was pulled before a task, and half of its
/// own weight, lie within the amount, which is at most half the difference of the loads or, by the
/// small fix, the busiest CPU's mean weight. With several levels 2.6.36 promises neither.
/// And with one level: a task that has just run is pulled after cache_nice_tries + 1 failed
/// attempts only, and an active push comes with the attempt after the next, and only then.
class BalanceNoPingpong final : public Checker {
 public:
  bool applies(const Setup& setup) override {
    if (setup.topology.cpus < 2 || !setup.balance) return false;
    rules_.emplace(setup);
    single_level_ =
        setup.topology.levels.size() == 1 && setup.topology.levels.front().kind != LevelKind::smt;
    equal_ = unpinned_ = single_level_;
    if (single_level_) {
      const LevelKind kind = setup.topology.levels.front().kind;
      nice_tries_ = kind == LevelKind::node || kind == LevelKind::group ? 2 : 1;
    }
    for (const TaskDef& task : setup.workload.tasks) {
      equal_ = equal_ && task.nice == 0 && task.sched_class != SchedClass::idle && !task.cpus;
      unpinned_ = unpinned_ && !task.cpus;
      for (const Phase& phase : task.phases) {
        equal_ = equal_ && !phase.nice && !phase.cpus;
        unpinned_ = unpinned_ && !phase.cpus;
      }
    }
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::balance && m.stimulus.kind != StimulusKind::schedule) {
      return std::nullopt;
    }
    for (const Decision& d : m.decisions) {
      if (d.kind != DecisionKind::migrate) continue;
      if (d.why == Why::active && single_level_) {
        if (auto bad = pushed(m, d)) return bad;
      }
      if (d.why != Why::periodic && d.why != Why::newidle) continue;
      if (auto bad = pulled(m, d)) return bad;
    }
    return unpinned_ && m.stimulus.kind == StimulusKind::balance ? push_made(m) : std::nullopt;
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
    if (single_level_ && too_heavy(m, d, *was)) {
      return told("too_heavy", d, "weighs more than balances the two");
    }
    if (single_level_ && in_cache(m, *was) && failed(m.before, d.cpu) <= nice_tries_) {
      return told("hot", d, "has run just before, and too few attempts have failed");
    }
    return std::nullopt;
  }

  bool in_cache(const Moment& m, const TaskView& task) const {
    const std::int64_t away =
        exact::ahead(rules_->clock_at(m.stimulus.t), cfs::get(task, cfs::exec_start));
    return rules_->restated && rules_->migration_cost_ns > 0 && away < rules_->migration_cost_ns;
  }

  /// Failed attempts of the CPU's only level; large when it has none.
  static std::int64_t failed(const View& view, CpuId cpu) {
    const std::vector<std::int64_t>& ints = cfs::cpu_of(view, cpu).ints;
    constexpr std::size_t place = cfs::place_of(0, cfs::nr_balance_failed);
    return ints.size() > place ? ints[place] : INT64_MAX;
  }

  static bool too_heavy(const Moment& m, const Decision& d, const TaskView& task) {
    const CpuView& from = cfs::cpu_of(m.before, d.from);
    const CpuView& to = cfs::cpu_of(m.before, d.cpu);
    const std::uint64_t half = from.load > to.load ? (from.load - to.load) / 2 : 0;
    const std::uint64_t mean = from.load / static_cast<std::uint64_t>(from.nr_running);
    std::uint64_t earlier = 0;
    for (const Decision& other : m.decisions) {
      if (&other == &d) break;
      if (other.kind != DecisionKind::migrate || other.from != d.from) continue;
      if (const TaskView* moved = cfs::find(m.before, other.task)) earlier += moved->weight;
    }
    return earlier + (task.weight >> 1) > std::max(half, mean);
  }

  std::optional<Violation> pushed(const Moment& m, const Decision& d) const {
    const std::int64_t failures = failed(m.before, d.cpu);
    if (failures >= nice_tries_ + 2) return std::nullopt;
    return cfs::violation("pushed_early",
                          d.task,
                          fmt::format("active push of task {} to CPU {} after {} failed attempts; "
                                      "{} must fail",
                                      d.task.value,
                                      d.cpu.value,
                                      failures + 1,
                                      nice_tries_ + 3));
  }

  /// The count of failures goes back to cache_nice_tries + 1 by a push and in no other way. (With
  /// affinity a push may find nobody, when the current task has just blocked.)
  std::optional<Violation> push_made(const Moment& m) const {
    const std::int64_t was = failed(m.before, m.stimulus.cpu);
    if (was == INT64_MAX || was < nice_tries_ + 2) return std::nullopt;
    if (failed(m.after, m.stimulus.cpu) != nice_tries_ + 1) return std::nullopt;
    for (const Decision& d : m.decisions) {
      if (d.kind == DecisionKind::migrate && d.why == Why::active) return std::nullopt;
    }
    return cfs::violation(
        "push_lost",
        idle_task,
        fmt::format("CPU {} counts an active push to it as done, but nothing was pushed",
                    m.stimulus.cpu.value));
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

  std::optional<cfs::Tunables> rules_;
  bool equal_ = false;
  bool unpinned_ = false;  ///< one level, no affinity
  bool single_level_ = false;
  std::int64_t nice_tries_ = 1;
};

}  // namespace

std::unique_ptr<Checker> make_balance_no_pingpong() {
  return std::make_unique<BalanceNoPingpong>();
}

}  // namespace fw::props
