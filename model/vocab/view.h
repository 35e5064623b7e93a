// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/vocab/decision.h"
#include "model/vocab/ids.h"
#include "model/vocab/time.h"
#include "model/vocab/workload.h"

namespace fw {

/// One stimulus: what a step of a side did. A side advances by one stimulus at a time, so that the
/// two can be compared after each. `idle_tick` and `balance` without a move do not count as events
/// (product.md, "Words used in figures").
enum class StimulusKind {
  start,
  wake,
  fork,
  block,
  exit,
  yield,
  renice,
  affinity,
  tick,
  idle_tick,
  balance,
  schedule
};
std::string_view stimulus_name(StimulusKind kind);

struct Stimulus {
  Instant t;
  CpuId cpu;  ///< whose round it belongs to
  StimulusKind kind = StimulusKind::schedule;
  TaskId task;         ///< who blocks, wakes, is forked, ...; idle_task for tick, balance, schedule
  bool counts = true;  ///< counts as an event
  friend bool operator==(const Stimulus&, const Stimulus&) = default;
};

enum class TaskState { running, queued, blocked };

/// Room for a task's policy integers; their names are in the policy's PolicySchema.
inline constexpr std::size_t max_task_ints = 8;

/// A live task, as one side sees it between two stimuli. `running` = the current task of its CPU
/// (a task that blocked at this instant is `blocked` although its CPU has not switched yet).
struct TaskView {
  TaskId id;
  TaskState state = TaskState::blocked;
  CpuId cpu;
  int nice = 0;
  SchedClass sched_class = SchedClass::normal;
  std::uint64_t weight = 0;
  std::uint64_t sum_exec_ns = 0;
  std::array<std::int64_t, max_task_ints> ints = {};  ///< u64 values are stored bit for bit
  friend bool operator==(const TaskView&, const TaskView&) = default;
};

struct CpuView {
  TaskId curr;          ///< the queue's current, also when it has just blocked; idle_task for none
  bool marked = false;  ///< reschedule mark
  int nr_running = 0;
  std::uint64_t load = 0;          ///< sum of the weights of the runnable tasks
  std::vector<std::int64_t> ints;  ///< PolicySchema::cpu_ints, then domain_ints per level
  std::vector<TaskId> queue;       ///< waiting tasks in the order the policy keeps them
  friend bool operator==(const CpuView&, const CpuView&) = default;
};

/// A side's whole visible state. Live tasks only, by ascending id.
struct View {
  Instant now;
  std::vector<CpuView> cpus;
  std::vector<TaskView> tasks;
  friend bool operator==(const View&, const View&) = default;
};

/// Names of a policy's integers, for comparing, printing and logging.
struct PolicySchema {
  std::span<const std::string_view> task_ints;
  std::span<const std::string_view> cpu_ints;
  /// Repeated for each sched-domain level of the CPU, bottom up.
  std::span<const std::string_view> domain_ints;
  /// Decision-log keys after the common ones; the first `task_log_keys` belong to the task, the
  /// rest to the CPU's queue.
  std::span<const std::string_view> log_keys;
  std::size_t task_log_keys = 0;
};

}  // namespace fw
