// SPDX-License-Identifier: Apache-2.0
#include "props/properties/work_conservation.h"

#include <algorithm>

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// 1. No CPU lets time pass idle while its own queue holds a task: any machine.
/// 2. No CPU stays idle beyond a delay while another queue holds two or more. The delay is derived
/// from
///    the balancing rules of 2.6.36 and holds where those rules must move a task: one MC level,
///    nice 0 and no affinity throughout (the busiest queue then lies above the average, the amount
///    is at least one task), default nr_migrate with few enough tasks. An idle CPU's first attempt
///    may have to wait for a next_balance that was set while it was busy (balance_interval *
///    busy_factor, at most HZ * CPUs / 10); two attempts may fail for cache heat, the third ignores
///    it.
/// 3. On such a machine no wakeup goes to a busy CPU while another idles: all CPUs are siblings by
///    cache, and the idle ones are looked for first.
class WorkConservation final : public cfs::RulesChecker {
 public:
  bool applies(const Setup& setup) override {
    pulls_ = cfs::RulesChecker::applies(setup);
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (pulls_ && cfs::is_wakeup(m.stimulus.kind)) {
      if (auto bad = woken(m)) return bad;
    }
    if (m.stimulus.t <= last_) return std::nullopt;
    last_ = m.stimulus.t;
    // The state between the two instants is the one before this stimulus.
    const View& view = m.before;
    if (idle_since_.empty()) idle_since_.resize(view.cpus.size(), -1);
    bool crowded = false;
    for (std::size_t c = 0; c < view.cpus.size(); ++c) {
      const CpuView& cpu = view.cpus[c];
      crowded = crowded || cpu.nr_running >= 2;
      if (!cpu.curr.idle() || cpu.nr_running == 0) continue;
      return cfs::violation(
          "own_queue",
          cpu.queue.empty() ? idle_task : cpu.queue.front(),
          fmt::format("CPU {} idles with {} runnable on its own queue", c, cpu.nr_running));
    }
    if (view.cpus.size() == 1) {
      if (view.cpus[0].nr_running > 0) reach();
      return std::nullopt;
    }
    return pulls_ ? watch_idle(view, crowded) : std::nullopt;
  }

  std::optional<Extreme> extreme() const override {
    if (!pulls_) return std::nullopt;
    return Extreme{static_cast<double>(worst_), static_cast<double>(delay_ns_), "ns"};
  }

 private:
  bool in_scope(const Setup& setup) override {
    const Topology& topology = setup.topology;
    if (!setup.balance || topology.cpus < 2 || topology.levels.size() != 1) return false;
    if (topology.levels.front().kind != LevelKind::mc) return false;
    // One domain over the whole machine.
    for (const int set : topology.levels.front().set_of_cpu) {
      if (set != 0) return false;
    }
    if (rules().nr_migrate != 32) return false;
    std::int64_t tasks = 0;
    for (const TaskDef& task : setup.workload.tasks) {
      if (task.nice != 0 || task.sched_class == SchedClass::idle || task.cpus) return false;
      tasks += task.instances;
      for (const Phase& phase : task.phases) {
        if (phase.nice || phase.cpus) return false;
        for (const Op& op : phase.ops) {
          if (op.kind == OpKind::fork) return false;
        }
      }
    }
    if (tasks > 32) return false;
    const auto jiffies = [this](std::int64_t ms) {
      return std::max<std::int64_t>(1, (ms * rules().hz + 999) / 1000);
    };
    const std::int64_t cap = std::max<std::int64_t>(1, rules().hz * topology.cpus / 10);
    const std::int64_t busy = std::min(jiffies(4 * 64), cap);
    const std::int64_t idle = std::min(jiffies(4), cap);
    delay_ns_ = (busy + 3 * idle + 4) * rules().tick_ns();
    return true;
  }

  static std::optional<Violation> woken(const Moment& m) {
    const TaskView* task = cfs::find(m.after, m.stimulus.task);
    if (task == nullptr || cfs::cpu_of(m.before, task->cpu).curr.idle()) return std::nullopt;
    for (std::size_t c = 0; c < m.before.cpus.size(); ++c) {
      // A marked one without a current need not be idle: its task may have just been taken.
      if (!m.before.cpus[c].curr.idle() || m.before.cpus[c].marked) continue;
      return cfs::violation("idle_passed_over",
                            task->id,
                            fmt::format("task {} was woken on busy CPU {} while CPU {} idles",
                                        task->id.value,
                                        task->cpu.value,
                                        c));
    }
    return std::nullopt;
  }

  std::optional<Violation> watch_idle(const View& view, bool crowded) {
    const std::int64_t now = last_.ns;
    for (std::size_t c = 0; c < view.cpus.size(); ++c) {
      std::int64_t& since = idle_since_[c];
      if (!crowded || !view.cpus[c].curr.idle()) {
        since = -1;
        continue;
      }
      // The state holds since the last instant at the latest.
      if (since < 0) since = previous_;
      reach();
      const std::int64_t waited = now - since;
      worst_ = std::max(worst_, waited);
      if (waited <= delay_ns_) continue;
      return cfs::violation("idle_beyond_delay",
                            idle_task,
                            fmt::format("CPU {} has idled for {} ns beside a queue of two or more; "
                                        "balancing must pull within {}",
                                        c,
                                        waited,
                                        delay_ns_));
    }
    previous_ = now;
    return std::nullopt;
  }

  bool pulls_ = false;
  std::int64_t delay_ns_ = 0;
  std::int64_t worst_ = 0;
  std::int64_t previous_ = 0;
  Instant last_{-1};
  std::vector<std::int64_t> idle_since_;  ///< ns; -1: busy, or nothing to pull
};

}  // namespace

std::unique_ptr<Checker> make_work_conservation() { return std::make_unique<WorkConservation>(); }

}  // namespace fw::props
