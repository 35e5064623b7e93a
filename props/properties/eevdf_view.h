// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/cfs_view.h"

/// Reading a View of the eevdf policy: places of its integers (the catalogue's PolicySchema, in
/// order). Look-ups that do not depend on the policy are cfs_view.h's.
namespace fw::props::eevdf {

enum TaskInt : std::size_t {
  vruntime,
  deadline,
  slice,
  vlag,
  exec_start,
  prev_sum_exec,
  protection,
  delayed
};

enum CpuInt : std::size_t {
  clock,
  base_vruntime,
  avg_vruntime,
  avg_load,
  weighted_sum,
  next,
  nr_queued,
  cpu_ints
};

inline std::uint64_t get(const TaskView& task, TaskInt which) {
  return static_cast<std::uint64_t>(task.ints[which]);
}
inline std::uint64_t get(const CpuView& cpu, CpuInt which) {
  return static_cast<std::uint64_t>(cpu.ints[which]);
}
inline bool is_delayed(const TaskView& task) { return task.ints[delayed] != 0; }
/// Counts in its queue's averages.
inline bool is_queued(const TaskView& task) { return cfs::runnable(task) || is_delayed(task); }
inline bool idle_policy(const TaskView& task) { return task.sched_class == SchedClass::idle; }

}  // namespace fw::props::eevdf
