// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "impl/base/core.h"
#include "impl/base/fault.h"
#include "impl/base/fixed_point.h"
#include "impl/base/timeline.h"

namespace impl::cfs {

/// What 2.6.32 to 2.6.34 remember of a task's past. ns. Source: cfs-semantics section 15.
struct Averages {
  u64 last_wakeup = 0;    ///< sum_exec at the last wakeup it issued; 0: none since it woke
  u64 start_runtime = 0;  ///< sum_exec at its own last wakeup
  u64 wakeup = 0;         ///< CPU time between wakeups that it issues
  u64 overlap = 0;        ///< how long it goes on after a wakeup that it issues
  u64 running = 0;        ///< length of its runs, 2.6.32 only
};

/// A task of the fair class; it is its own scheduling entity (there are no groups). Times in ns.
struct Task : TaskCore {
  LoadWeight load;
  u64 vruntime = 0;  ///< relative to its queue's min_vruntime while it changes queues
  u64 exec_start = 0;
  u64 sum_exec = 0;
  u64 prev_sum_exec = 0;  ///< sum_exec when last put on the CPU
  TreeHook tree_hook;
  ListHook list_hook;
  // What only some versions and switches read.
  bool woken_by_input = false, woken_by_timer = false;  ///< labels of this runnable period
  bool expedited = false;                               ///< a child that is spared START_DEBIT
  bool penalized = false;                               ///< START_NICE's window is open
  u64 penalty_end = 0;                                  ///< of the window, in sum_exec
  u64 depth = 0;                                        ///< below the root of the fork tree
  Averages averages;
};

struct VruntimeBefore {
  bool operator()(const Task& a, const Task& b) const {
    if (IMPL_FAULT(A28_unsigned_vruntime_compare)) return a.vruntime < b.vruntime;
    if (IMPL_FAULT(O11_equal_keys_go_left)) return distance(a.vruntime, b.vruntime) <= 0;
    return is_before(a.vruntime, b.vruntime);
  }
};

/// One level of a CPU's sched-domain hierarchy: what is fixed. Source: cfs-semantics section 22.
struct DomainRules {
  u64 min_interval = 1, max_interval = 4;  ///< ms; balancing starts with the first
  u64 busy_factor = 64;
  u64 imbalance_pct = 125;
  u64 cache_nice_tries = 1;
  int busy_idx = 2, idle_idx = 0, newidle_idx = 0, wake_idx = 0, forkexec_idx = 0;
  bool balance_newidle = true, balance_fork = true, wake_affine = true;
  bool shares_power = false, shares_cache = false, serialize = false, prefer_sibling = false;
};

struct Group {
  std::vector<int> cpus;  ///< ascending
  CpuMask mask;
  u64 power = 0;
};

/// The CPUs of one set of one level, shared by the domains of its members.
struct Span {
  int level = 0;  ///< of the topology
  std::vector<int> cpus;
  CpuMask mask;
  std::vector<Group> groups;
};

/// One level of one CPU: what changes. Jiffies and ms.
struct Domain {
  const Span* span = nullptr;
  const DomainRules* rules = nullptr;
  bool child_prefers_siblings = false;
  u64 last_balance = 0;
  u64 balance_interval = 1;
  u64 nr_balance_failed = 0;
};

/// One CPU's queue.
struct Runqueue : RunqueueCore<Task> {
  // Fair queue.
  LoadWeight load;
  Timeline<Task, &Task::tree_hook, VruntimeBefore> timeline;  ///< without the current task
  TaskList<Task, &Task::list_hook> tasks;                     ///< runnable, last enqueued first
  u64 min_vruntime = 0;
  u64 exec_clock = 0;
  unsigned nr_idle_policy = 0;  ///< SCHED_IDLE tasks among nr_running
  Task* next = nullptr;
  Task* last = nullptr;
  Task* skip = nullptr;  ///< 6.1: has yielded
  u64 nr_spread_over = 0;
  // Balancing.
  std::array<u64, 5> cpu_load = {};
  u64 power = 1024;
  u64 next_balance = 1;  ///< jiffies
  u64 idle_stamp = 0;
  u64 avg_idle = 0;
  bool idle_at_tick = false;
  std::vector<Domain> domains;  ///< bottom up
};

}  // namespace impl::cfs
