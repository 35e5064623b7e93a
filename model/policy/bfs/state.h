// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/policy/bfs/config.h"
#include "model/policy/event.h"

/// BFS as a value: one global queue, and what each CPU runs.
namespace fw::model::bfs {

/// Queue indices (section 1). Nothing a workload can say makes a task real-time or ISO.
inline constexpr std::uint64_t normal_prio = 101;
inline constexpr std::uint64_t idle_policy_prio = 102;
inline constexpr std::uint64_t idle_prio = 103;

enum class Place { asleep, queued, running };

struct Task {
  TaskId id;
  TaskId parent;  ///< who forked it; idle_task for a started one
  int cpu = 0;    ///< where it last ran; until then its lowest allowed CPU or its parent's
  int nice = 0;
  SchedClass sched_class = SchedClass::normal;
  Place place = Place::asleep;
  bool dead = false;              ///< ended; kept until its CPU has switched away
  bool first_time_slice = false;  ///< generation J: never refilled since its fork
  std::uint64_t depth = 0;        ///< forks of processes between it and a started task
  std::uint64_t deadline = 0;     ///< ns; generation J: jiffies
  std::int64_t time_slice = 0;    ///< left, about us
  Instant last_ran;               ///< of the last charge, switch-in or reschedule
  Instant exec_start;
  std::uint64_t sum_exec_ns = 0;
  CpuSet allowed;
  friend bool operator==(const Task&, const Task&) = default;
};

struct Cpu {
  TaskId curr;    ///< what it runs, also when that has just left; none: idle_task
  TaskId on_cpu;  ///< differs from curr when its current was moved away
  bool marked = false;
  bool left = false;  ///< the current has blocked, ended or yielded at this instant
  bool dither = false;
  /// The CPU's copies of what it runs; they outlast it until the next schedule() pass.
  std::uint64_t rq_prio = idle_prio;
  std::uint64_t rq_deadline = 0;
  friend bool operator==(const Cpu&, const Cpu&) = default;
};

struct State {
  Instant now;
  std::vector<Task> tasks;  ///< by ascending id
  std::vector<Cpu> cpus;
  std::vector<TaskId> normal;       ///< queued at normal_prio, the longest queued first
  std::vector<TaskId> idle_policy;  ///< queued at idle_policy_prio
  std::size_t qnr() const { return normal.size() + idle_policy.size(); }
  friend bool operator==(const State&, const State&) = default;
};

/// The position of a task in `state.tasks`; its size if the task is gone.
std::size_t find(const State& state, TaskId task);
/// The same for a task that must be there.
std::size_t index_of(const State& state, TaskId task);

/// Tasks that run or are queued, on the whole machine.
int nr_running(const State& state);

/// One line: time, the queue, then each CPU.
std::string text(const State& state);

State initial(const Config& config, const std::vector<NewTask>& newcomers);

/// The one transition. `storage` is cleared and comes back as the decisions.
Step<State> step(const Config& config,
                 State&& state,
                 const Event& event,
                 std::vector<Decision>&& storage = {});

void look(const Config& config, const State& state, View& out);

}  // namespace fw::model::bfs

namespace fw::model {

/// BFS as the reference machine takes it (model/policy/event.h).
struct Bfs
    : PolicyBase<bfs::Config, bfs::State, bfs::configure, bfs::initial, bfs::step, bfs::look> {
  /// One queue for all: there is nothing to balance.
  static bool balance_due(const Config&, const State&, CpuId, std::uint64_t) { return false; }
  static TaskId current(const State& state, CpuId cpu) {
    const bfs::Cpu& at = state.cpus[static_cast<std::size_t>(cpu.value)];
    return at.left ? idle_task : at.curr;
  }
  static bool ticks(const State& state, CpuId cpu) { return !current(state, cpu).idle(); }
  static bool marked(const State& state, CpuId cpu) {
    return state.cpus[static_cast<std::size_t>(cpu.value)].marked;
  }
};

}  // namespace fw::model
