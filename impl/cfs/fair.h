// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <span>
#include <vector>

#include "impl/base/fault.h"
#include "impl/cfs/runqueue.h"
#include "impl/cfs/tunables.h"

namespace impl::cfs {

struct EnqueueFlags {
  bool wakeup = false;  ///< place as a sleeper
  bool waking = false;  ///< vruntime is relative: the waking hook was called
};

struct Pick {
  Task* task = nullptr;
  Reason why = Reason::idle;
};

/// The weight pair of a task of that nice and policy. Source: cfs-semantics section 2.
LoadWeight weight_of(int nice, TaskPolicy policy);

/// The completely fair class of Linux 2.6.35 to 2.6.36 with its load balancer, for all CPUs of one
/// machine. The machine around it owns tasks and marks time; every call acts at clock().
/// Source:  cfs-semantics sections 3 to 22, simulator sections D and H.
class FairClass {
 public:
  using Task = cfs::Task;
  using Runqueue = cfs::Runqueue;
  using Config = Request;

  FairClass(const MachineShape& shape, const Request& request, bool balance, MoveLog& log);
  FairClass(const FairClass&) = delete;
  FairClass& operator=(const FairClass&) = delete;

  int cpus() const { return static_cast<int>(queues_.size()); }
  Runqueue& queue(int cpu) { return queues_[static_cast<std::size_t>(cpu)]; }
  const Runqueue& queue(int cpu) const { return queues_[static_cast<std::size_t>(cpu)]; }
  const Tunables& tunables() const { return tunables_; }
  int hz() const { return tunables_.hz; }
  /// Sets the time for everything that follows: ns since the start, and the tick count.
  void set_time(i64 now, u64 jiffies) {
    clock_ = tunables_.clock_base + static_cast<u64>(now);
    if (jiffies != jiffies_) {
      jiffies_ = jiffies;
      for (auto& by : serialized_by_) by = -1;
    }
  }
  u64 clock() const { return clock_; }

  // The class's verbs.
  void init_task(Task& task) const;  ///< weight by nice and policy; asleep since t = 0
  void set_weight(Task& task) const {
    if (IMPL_FAULT(P24_weight_kept_at_renice) && task.load.weight != 0) return;
    task.load = weight_of(task.nice, task.policy);
  }
  void enqueue_task(Runqueue& rq, Task& task, EnqueueFlags flags);
  void enqueue_woken(Runqueue& rq, Task& task) { enqueue_task(rq, task, {true, smp_}); }
  void dequeue_task(Runqueue& rq, Task& task, bool sleep);
  void yield_task(Runqueue& rq);
  void check_preempt_curr(Runqueue& rq, Task& task, bool fork);
  Pick pick_next_task(Runqueue& rq);
  void put_prev_task(Runqueue& rq, Task& task);
  /// Charges the current task; gives slice or leftmost when it sets the mark, else none.
  Reason task_tick(Runqueue& rq);
  void task_fork(Runqueue& rq, Task& child);
  void task_waking(Task& task);
  int select_task_rq(const Task& task, int waking_cpu, bool fork);
  void end_idle_period(Runqueue& rq);

  // Balancing.
  void update_cpu_load(Runqueue& rq);
  bool balance_due(const Runqueue& rq) const { return balances_ && jiffies_ >= rq.next_balance; }
  bool rebalance(Runqueue& rq);     ///< the periodic pass; true when something moved
  void idle_balance(Runqueue& rq);  ///< inside schedule(), nothing runnable

  /// Decision-log state after an operation: v and min, relative to vruntime_base.
  std::array<i64, 4> log_state(const Task* task, const Runqueue& rq) const {
    return {task == nullptr ? 0 : distance(task->vruntime, tunables_.vruntime_base),
            distance(rq.min_vruntime, tunables_.vruntime_base),
            0,
            0};
  }

  // What a side of the lockstep shows; order and names as in the policy's schema.
  static void task_ints(const Task& task, std::span<i64> out);
  void cpu_ints(const Runqueue& rq, std::vector<i64>& out) const;
  static void waiting(const Runqueue& rq, std::vector<int>& out);

  // The rules one by one, for the vectors of the dossier.
  u64 period(u64 nr) const;
  u64 slice(const Runqueue& rq, const Task& task) const;
  u64 vslice(const Runqueue& rq, const Task& task) const;
  static u64 calc_delta_fair(u64 delta, const Task& task);
  void place_entity(const Runqueue& rq, Task& task, bool initial) const;
  u64 wakeup_gran(const Task& challenger) const;
  int wakeup_preempt_entity(const Task& curr, const Task& challenger) const;
  /// Whether a buddy may be picked before the leftmost.
  bool buddy_allowed(const Runqueue& rq, const Task& buddy, const Task& left) const;
  void update_curr(Runqueue& rq);
  static void update_min_vruntime(Runqueue& rq);
  Reason check_preempt_tick(Runqueue& rq, Task& curr);
  bool task_hot(const Task& task, const Runqueue& source, const Runqueue& destination) const;

 private:
  friend struct Balancing;

  static void clear_buddies(Runqueue& rq, const Task& task);
  void set_buddy(Task*& buddy, Task& task) const;
  void check_spread(Runqueue& rq, const Task& task) const;
  void check_preempt_wakeup(Runqueue& rq, Task& woken, bool fork);
  bool wake_affine(const Domain& domain, const Task& task, int this_cpu, int prev_cpu) const;
  int select_idle_sibling(const Task& task, int waking_cpu, int target) const;
  int find_idlest_cpu(const Task& child, int this_cpu) const;
  u64 source_load(int cpu, int index) const;
  u64 target_load(int cpu, int index) const;
  void build_domains(const MachineShape& shape);
  u64 interval_jiffies(const Domain& domain, bool busy) const;
  void pull_task(Runqueue& from, Task& task, Runqueue& to, Reason why);
  void active_balance(Runqueue& busiest, Runqueue& to);

  Tunables tunables_;
  u64 clock_ = 0;
  u64 jiffies_ = 0;
  bool smp_ = false;
  bool balances_ = false;
  MoveLog& log_;
  std::deque<Runqueue> queues_;  // not movable
  std::vector<DomainRules> rules_;
  std::deque<Span> spans_;
  std::vector<int> serialized_by_;  // per level: the CPU that balanced it at this instant
};

}  // namespace impl::cfs
