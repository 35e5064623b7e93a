// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/vocab/result.h"

namespace fw::reports {

/// A set of lengths of time in short. Percentiles are nearest-rank: the smallest value that at
/// least p % of the values do not exceed. All zero when `count` is.  Units: ns.
struct Latency {
  std::int64_t count = 0;
  std::int64_t p50_ns = 0, p90_ns = 0, p99_ns = 0, max_ns = 0;
};
/// Units: ns; `values_ns` may be in any order.
Latency latency_of(std::vector<std::int64_t> values_ns);

struct TaskMetrics {
  std::string name;
  std::int64_t runs = 0;       ///< picks after a wait
  std::int64_t run_ns = 0;     ///< time as a CPU's current task
  double share = 0;            ///< of the time that all tasks together ran; 0..1
  std::int64_t wakeups = 0;    ///< wake records, starts included
  std::int64_t preempted = 0;  ///< lost a CPU while runnable
  std::int64_t migrations = 0;
  Latency wait;    ///< each time from becoming runnable (or losing the CPU) to the pick
  Latency wakeup;  ///< each time from a wake record to the pick of that task
  std::int64_t waiting_at_end_ns = 0;  ///< a wait that the run's end cut off; in no percentile
};

/// What `simulate` prints: one run as figures. From the decisions alone, but for the spread.
struct Metrics {
  std::vector<TaskMetrics> tasks;  ///< by TaskId
  std::int64_t end_ns = 0;
  int cpus = 1;
  double busy = 0;            ///< part of cpus x end that tasks ran; 0..1
  std::int64_t switches = 0;  ///< picks of a task other than the previous one, idle included
  std::int64_t migrations = 0;
  Latency wait;  ///< all tasks together
  Latency wakeup;
  std::optional<double> worst_spread;  ///< highest point of the series `spread`
  std::optional<double> spread_bound;  ///< highest point of the series `bound`
  std::string spread_unit;
};

Metrics measure(const Recording& recording);

/// A stretch of time in which one task was current on one CPU.
struct Stretch {
  std::int64_t from_ns = 0, to_ns = 0;
  TaskId task;
  std::size_t pick = 0;  ///< index of the (first) pick in the decisions
};
/// By CPU, in order of time, without idle time; the last ones end at the recording's end.
std::vector<std::vector<Stretch>> stretches(const Recording& recording);

/// A task's name for printing; `idle` for idle_task, `task 7` when the recording has no such name.
std::string task_name(const Recording& recording, TaskId task);

}  // namespace fw::reports
