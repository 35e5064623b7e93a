// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/policy/event.h"
#include "model/policy/o1/config.h"

/// The O(1) scheduler as a value: everything that changes during a run, in vectors.
namespace fw::model::o1 {

/// Where a task stands, as the log's key `array` gives it.
enum class Place { none, active, expired };

struct Task {
  TaskId id;
  TaskId parent;  ///< who forked it; idle_task for a started one
  int cpu = 0;    ///< the CPU it belongs to
  int nice = 0;
  Place place = Place::none;
  bool dead = false;  ///< ended; kept until its CPU has switched away
  bool first_time_slice = false;
  std::uint64_t prio = 0;
  std::uint64_t time_slice = 0;       ///< ticks left
  std::uint64_t sleep_avg = 0;        ///< ticks
  std::uint64_t sleep_timestamp = 0;  ///< jiffies
  Instant exec_start;
  std::uint64_t sum_exec_ns = 0;
  CpuSet allowed;
  friend bool operator==(const Task&, const Task&) = default;
};

struct Entry {
  std::uint64_t prio = 0;
  TaskId task;
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Queue {
  TaskId curr;    ///< the queue's current task, also when it has just left; none: idle_task
  TaskId on_cpu;  ///< what the CPU runs; differs from curr when its current was moved away
  bool marked = false;
  bool left = false;         ///< the current has blocked, ended or yielded at this instant
  bool balance_due = false;  ///< this instant's tick asks for load balancing
  /// By priority, first in first out among equals; the running task is among them.
  std::vector<Entry> active;
  std::vector<Entry> expired;
  std::uint64_t expired_timestamp = 0;  ///< jiffies; 0: unset
  std::uint64_t nr_balanced = 0;
  std::vector<std::uint64_t> prev_nr_running;  ///< by CPU
  std::vector<std::uint64_t> prev_node_load;   ///< by node
  std::uint64_t nr_running() const { return active.size() + expired.size(); }
  friend bool operator==(const Queue&, const Queue&) = default;
};

struct State {
  Instant now;
  std::vector<Task> tasks;  ///< by ascending id
  std::vector<Queue> queues;
  friend bool operator==(const State&, const State&) = default;
};

/// The position of a task in `state.tasks`; its size if the task is gone.
std::size_t find(const State& state, TaskId task);
/// The same for a task that must be there.
std::size_t index_of(const State& state, TaskId task);

/// One line: time, then each queue with its arrays.
std::string text(const State& state);

State initial(const Config& config, const std::vector<NewTask>& newcomers);

/// The one transition. `storage` is cleared and comes back as the decisions.
Step<State> step(const Config& config,
                 State&& state,
                 const Event& event,
                 std::vector<Decision>&& storage = {});

void look(const Config& config, const State& state, View& out);

}  // namespace fw::model::o1

namespace fw::model {

/// The O(1) scheduler as the reference machine takes it (model/policy/event.h).
struct O1 : QueuePolicyBase<o1::Config, o1::State, o1::configure, o1::initial, o1::step, o1::look> {
  static std::string refusal(const Setup& setup) { return o1::refusal(setup.workload); }
  static bool balance_due(const Config&, const State& state, CpuId cpu, std::uint64_t) {
    return state.queues[static_cast<std::size_t>(cpu.value)].balance_due;
  }
};

}  // namespace fw::model
