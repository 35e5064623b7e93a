// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/policy/cfs/config.h"
#include "model/policy/event.h"

/// CFS as a value: everything that changes during a run, in vectors.
namespace fw::model::cfs {

struct Task {
  TaskId id;
  int cpu = 0;  ///< the CPU it belongs to
  int nice = 0;
  SchedClass sched_class = SchedClass::normal;
  bool on_rq = false;
  bool dead = false;  ///< ended; kept until its CPU has switched away
  std::uint64_t weight = 0;
  std::uint64_t inverse = 0;
  std::uint64_t vruntime = 0;  ///< normalised by min_vruntime while it moves between queues
  std::uint64_t exec_start = 0;
  std::uint64_t sum_exec = 0;
  std::uint64_t prev_sum_exec = 0;
  CpuSet allowed;
  // Averages of 2.6.32 to 2.6.34 (section 15).
  std::uint64_t avg_wakeup = 0;
  std::uint64_t avg_overlap = 0;
  std::uint64_t avg_running = 0;  ///< 2.6.32
  std::uint64_t last_wakeup = 0;
  std::uint64_t start_runtime = 0;
  // Section 25.
  bool input = false;         ///< its wakeups deliver input
  rules::cfs::Labels labels;  ///< of the wakeup that started the present runnable period
  bool penalized = false;     ///< START_NICE: until it has run for penalty_end
  std::uint64_t penalty_end = 0;
  std::uint64_t depth = 0;  ///< below the root of its fork tree
  friend bool operator==(const Task&, const Task&) = default;
};

/// An entry of the tree; the vruntime of a waiting task does not change.
struct Waiting {
  std::uint64_t vruntime = 0;
  TaskId task;
  friend bool operator==(const Waiting&, const Waiting&) = default;
};

struct DomainState {
  std::uint64_t last_balance = 0;  ///< jiffies
  std::uint64_t balance_interval_ms = 0;
  std::uint64_t nr_balance_failed = 0;
  friend bool operator==(const DomainState&, const DomainState&) = default;
};

struct Queue {
  TaskId curr;    ///< the queue's current entity, also when it has just left; none: idle_task
  TaskId on_cpu;  ///< what the CPU runs; differs from curr when its current was moved away
  bool marked = false;
  bool left = false;  ///< the current has blocked, ended or yielded at this instant
  std::uint64_t nr_running = 0;
  std::uint64_t load = 0;
  std::uint64_t min_vruntime = 0;
  std::uint64_t exec_clock = 0;
  std::uint64_t nr_spread_over = 0;
  TaskId next;
  TaskId last;
  TaskId skip;                ///< 6.1: who yielded last
  std::vector<Waiting> tree;  ///< in order, leftmost first, first in first out among equals
  std::vector<TaskId> list;   ///< runnable tasks, the balancer's front (newest) last
  std::array<std::uint64_t, 5> cpu_load = {};
  std::uint64_t avg_idle = 0;
  std::uint64_t idle_stamp = 0;    ///< 0: not idle since
  std::uint64_t next_balance = 1;  ///< jiffies
  std::vector<DomainState> domains;
  friend bool operator==(const Queue&, const Queue&) = default;
};

struct State {
  Instant now;
  std::vector<Task> tasks;  ///< by ascending id
  std::vector<Queue> queues;
  std::vector<std::uint64_t> serialized;  ///< by topology level: jiffies of its last serial balance
  friend bool operator==(const State&, const State&) = default;
};

/// The position of a task in `state.tasks`; it must be there.
std::size_t index_of(const State& state, TaskId task);

/// One line: time, then each queue with its tasks.
std::string text(const State& state);

State initial(const Config& config, const std::vector<NewTask>& newcomers);

/// The one transition. `storage` is cleared and comes back as the decisions.
Step<State> step(const Config& config,
                 State&& state,
                 const Event& event,
                 std::vector<Decision>&& storage = {});

void look(const Config& config, const State& state, View& out);

}  // namespace fw::model::cfs

namespace fw::model {

/// CFS as the reference machine takes it (model/policy/event.h).
struct Cfs
    : QueuePolicyBase<cfs::Config, cfs::State, cfs::configure, cfs::initial, cfs::step, cfs::look> {
  static bool balance_due(const Config& config,
                          const State& state,
                          CpuId cpu,
                          std::uint64_t jiffies) {
    const auto at = static_cast<std::size_t>(cpu.value);
    return config.balance && jiffies >= state.queues[at].next_balance;
  }
};

}  // namespace fw::model
