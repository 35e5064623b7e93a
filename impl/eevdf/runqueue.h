// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "impl/base/core.h"
#include "impl/base/fixed_point.h"
#include "impl/eevdf/ordered_tree.h"
#include "impl/eevdf/weights.h"

namespace impl::eevdf {

/// A task of the EEVDF class; it is its own scheduling entity (there are no groups). Times in ns.
/// `on_rq` says runnable; `queued` counts in the averages, which a delayed sleeper does, too.
struct Task : TaskCore, TreeNode {
  LoadWeight load;
  u64 vruntime = 0;
  u64 deadline = 0;  ///< relative to vruntime while rel_deadline
  i64 vlag = 0;      ///< as stored when it left
  u64 slice = 0;
  u64 protection = 0;  ///< until 6.12 the deadline at the pick, later a vruntime to run up to
  u64 exec_start = 0;
  u64 sum_exec = 0;
  u64 prev_sum_exec = 0;  ///< sum_exec when last put on the CPU
  bool custom_slice = false;
  bool queued = false;
  bool delayed = false;
  bool rel_deadline = false;
  bool initial = false;  ///< forked, not yet placed
};

/// One CPU's queue.
struct Runqueue : RunqueueCore<Task> {
  LoadWeight load;   ///< of the runnable tasks
  OrderedTree tree;  ///< queued entities without the current one
  /// Sums over the tree: (vruntime - base) * weight, and weight.
  wide avg_vruntime = 0;
  i64 avg_load = 0;
  u64 base_vruntime = 0;   ///< min_vruntime, later zero_vruntime
  unsigned nr_queued = 0;  ///< the current one and delayed sleepers included
  Task* next = nullptr;    ///< buddy
  bool idle_at_tick = false;
};

}  // namespace impl::eevdf
