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

/// The completely fair class of Linux 2.6.32 to 2.6.36, of 6.1, and of the patches of 2009 and
/// 2010, with the load balancer of 2.6, for all CPUs of one machine. The machine around it owns
/// tasks and marks time; every call acts at clock().
/// Source:  cfs-semantics sections 3 to 25, eevdf-semantics section 6, simulator sections D and H.
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
  /// Labels the wakeup that is about to be enqueued.
  static void label_wakeup(Task& task, bool input, bool timer) {
    task.woken_by_input = input;
    task.woken_by_timer = timer;
  }
  void enqueue_task(Runqueue& rq, Task& task, EnqueueFlags flags);
  void enqueue_woken(Runqueue& rq, Task& task) { enqueue_task(rq, task, {true, smp_}); }
  /// The task has woken another, which is on its queue, but has preempted nobody yet.
  void task_woke(Task& waker) const {
    if (tunables_.has_averages()) note_wakeup_issued(waker);
  }
  void dequeue_task(Runqueue& rq, Task& task, bool sleep);
  /// Of the current task.
  void renice_task(Runqueue& rq, Task& curr, int nice);
  void yield_task(Runqueue& rq);
  void check_preempt_curr(Runqueue& rq, Task& task, bool fork);
  Pick pick_next_task(Runqueue& rq);
  void put_prev_task(Runqueue& rq, Task& task);
  /// Charges the current task; gives slice or leftmost when it sets the mark, else none.
  Reason task_tick(Runqueue& rq);
  void task_fork(Runqueue& rq, Task& child);
  /// Puts the child of the current task of `from`, after task_fork(), on the queue it goes to.
  void enqueue_forked(Runqueue& from, Runqueue& to, Task& child);
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
  u64 calc_delta_fair(u64 delta, const Task& task) const {
    if (task.load.weight == nice_0_load) return delta & tunables_.word_mask;
    return calc_delta_unequal(delta, task);
  }
  void place_entity(const Runqueue& rq, Task& task, bool initial) const;
  u64 sleeper_credit(const Task& task) const;
  u64 wakeup_gran(const Task& curr, const Task& challenger) const;
  int wakeup_preempt_entity(const Task& curr, const Task& challenger) const;
  /// Whether a buddy may be picked before the leftmost.
  bool buddy_allowed(const Runqueue& rq, const Task& buddy, const Task& left) const;
  void update_curr(Runqueue& rq);
  /// `charged`: the real time for which the current task was just charged.
  void update_min_vruntime(Runqueue& rq, u64 charged = 0) const;
  Reason check_preempt_tick(Runqueue& rq, Task& curr);
  bool task_hot(const Task& task, const Runqueue& source, const Runqueue& destination) const;

  // averages.cpp: 2.6.32 to 2.6.34.
  void note_enqueued(Task& task) const { task.averages.start_runtime = task.sum_exec; }
  void note_sleep(Task& task) const;
  void note_put(Task& task) const;
  void note_wakeup_issued(Task& waker) const;
  u64 wakeup_gran_by_averages(const Task& curr, const Task& challenger) const;
  u64 adaptive_gran(const Task& curr, const Task& challenger) const;

 private:
  friend struct Balancing;
  static constexpr u64 nice_0_load = 1024;

  u64 calc_delta_unequal(u64 delta, const Task& task) const;
  static void clear_buddies(Runqueue& rq, const Task& task);
  void set_buddy(Task*& buddy, Task& task) const;
  void put_prev_entity(Runqueue& rq, Task& task);
  void set_next_entity(Runqueue& rq, Task& task);
  bool nominated(const Task& woken, bool big, bool fork) const;
  bool preempts_by_wakeup(Runqueue& rq, Task& curr, Task& woken, bool nominee, bool& keeps_last);
  void place_forked(Runqueue& rq, Task& parent, Task& child);

  // fork_switches.cpp: START_NICE, TREE_PENALTY, expedited forks.
  u64 scaled_charge(Task& task, u64 virtual_delta) const;
  void open_fork_window(const Runqueue& from, Task& parent, const Runqueue& to, Task& child) const;
  bool expedites(const Task& parent) const;

  // linux61.cpp.
  u64 least_slice(const Runqueue& rq, const Task& task) const;
  Pick pick_next_task_61(Runqueue& rq);
  Task* choose_61(const Runqueue& rq, Task* curr, Reason& why) const;
  void renice_task_61(Runqueue& rq, Task& curr, int nice);
  void yield_task_61(Runqueue& rq);
  Reason check_preempt_tick_61(Runqueue& rq, Task& curr);

  // select_cpu_old.cpp: 2.6.32 to 2.6.34.
  int select_woken_cpu_old(const Task& task, int waking_cpu) const;
  bool wake_affine_old(const Domain& domain, const Task& task, int this_cpu, int prev_cpu) const;

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
  bool buddy_is_hot(const Runqueue& source, const Runqueue& destination) const;
  void active_balance(Runqueue& busiest, Runqueue& to);

  Tunables tunables_;
  u64 clock_ = 0;
  u64 jiffies_ = 0;
  bool smp_ = false;
  bool balances_ = false;
  bool scales_charge_ = false;    ///< START_NICE, TREE_PENALTY
  bool places_by_depth_ = false;  ///< TREE_PENALTY with depth_rule=place
  MoveLog& log_;
  std::deque<Runqueue> queues_;  // not movable
  std::vector<DomainRules> rules_;
  std::deque<Span> spans_;
  std::vector<int> serialized_by_;  // per level: the CPU that balanced it at this instant
};

}  // namespace impl::cfs
