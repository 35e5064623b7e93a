// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <span>
#include <vector>

#include "impl/base/fault.h"
#include "impl/eevdf/runqueue.h"
#include "impl/eevdf/tunables.h"

namespace impl::eevdf {

struct Pick {
  Task* task = nullptr;
  Reason why = Reason::idle;
};

/// The EEVDF class of Linux 6.6, 6.12 and 6.18 for all CPUs of one machine. The machine around it
/// owns tasks and marks time; every call acts at clock().
/// Source:  eevdf-semantics sections 2 to 5b, simulator section E, the page of choices.
class EevdfClass {
 public:
  using Task = eevdf::Task;
  using Runqueue = eevdf::Runqueue;
  using Config = Request;
  struct EnqueueFlags {};  ///< the task itself knows whether it is new or asleep

  EevdfClass(const MachineShape& shape, const Request& request, bool balance, const MoveLog& log);
  EevdfClass(const EevdfClass&) = delete;
  EevdfClass& operator=(const EevdfClass&) = delete;

  int cpus() const { return static_cast<int>(queues_.size()); }
  Runqueue& queue(int cpu) { return queues_[static_cast<std::size_t>(cpu)]; }
  const Runqueue& queue(int cpu) const { return queues_[static_cast<std::size_t>(cpu)]; }
  const Tunables& tunables() const { return tunables_; }
  int hz() const { return tunables_.hz; }
  /// Sets the time for everything that follows: ns since the start, and the tick count.
  void set_time(i64 now, u64) { clock_ = tunables_.clock_base + static_cast<u64>(now); }
  u64 clock() const { return clock_; }

  // The class's verbs.
  void init_task(Task& task) const;                    ///< weight and slice; asleep with lag 0
  void set_slice(Task& task, i64 requested_ns) const;  ///< a custom one; 0: none
  void enqueue_task(Runqueue& rq, Task& task, EnqueueFlags flags);
  void enqueue_woken(Runqueue& rq, Task& task);
  void dequeue_task(Runqueue& rq, Task& task, bool sleep);
  void exit_task(Runqueue& rq, Task& task);  ///< a dequeue that is never delayed
  void renice_task(Runqueue& rq, Task& task, int nice);
  void yield_task(Runqueue& rq);
  void check_preempt_curr(Runqueue& rq, Task& task, bool fork);
  Pick pick_next_task(Runqueue& rq);
  void put_prev_task(Runqueue& rq, Task& task) { (void)task, update_curr(rq); }
  /// Charges the current task; gives deadline or protection when it sets the mark, else none.
  Reason task_tick(Runqueue& rq);
  void task_fork(Runqueue& rq, Task& child);
  void task_waking(Task&) {}
  int select_task_rq(const Task& task, int waking_cpu, bool fork);
  void end_idle_period(Runqueue&) {}

  // No load balancing: the dossier has none for this class.
  void update_cpu_load(Runqueue&) {}
  bool balance_due(const Runqueue&) const { return false; }
  bool rebalance(Runqueue&) { return false; }
  void idle_balance(Runqueue&) {}

  /// Decision-log state after an operation: v, deadline, lag.
  std::array<i64, 4> log_state(const Task* task, const Runqueue& rq) const;

  // What a side of the lockstep shows; order and names as in the policy's schema.
  static void task_ints(const Task& task, std::span<i64> out);
  void cpu_ints(const Runqueue& rq, std::vector<i64>& out) const;
  static void waiting(const Runqueue& rq, std::vector<int>& out);

  // The rules one by one, for the vectors of the dossier.
  u64 delta_fair(u64 delta, const Task& task) const {
    if (IMPL_FAULT(E09_weight_ignored_in_vtime)) return delta;
    return vdelta(delta, task.load, tunables_.vdelta_kind);
  }
  static u64 average_vruntime(const Runqueue& rq);
  static bool eligible(const Runqueue& rq, u64 vruntime);
  static i64 total_load(const Runqueue& rq);
  i64 lag_limit(const Runqueue& rq, const Task& task) const;
  i64 clamped_lag(const Runqueue& rq, const Task& task) const;
  void place_entity(const Runqueue& rq, Task& task, bool initial) const;
  /// Charges the current task. Gives why the charge asks for a reschedule (and then marks), whether
  /// or not the mark was set before.
  Reason update_curr(Runqueue& rq);
  /// The entity that would be picked; null when there is none. `protect` false: as if the current
  /// one had no protection.
  Pick choose(const Runqueue& rq, bool protect) const;
  void insert_entity(Runqueue& rq, Task& task);
  void erase_entity(Runqueue& rq, Task& task);
  /// Makes a queued task the current one.
  void set_next_entity(Runqueue& rq, Task& task, bool picked);
  /// Section 5 path (b): a queued entity's new weight, in place.
  void reweight_queued(Runqueue& rq, Task& task, const LoadWeight& load);

 private:
  static const Task* current(const Runqueue& rq) {
    return rq.curr != nullptr && rq.curr->queued ? rq.curr : nullptr;
  }
  static i64 key(const Runqueue& rq, u64 vruntime) { return distance(vruntime, rq.base_vruntime); }
  static i64 weight(const Task& task) { return static_cast<i64>(task.load.weight); }
  static void clear_buddy(Runqueue& rq, const Task& task) {
    if (rq.next == &task) rq.next = nullptr;
  }
  static void move_base(Runqueue& rq, u64 to);
  void update_min_vruntime(Runqueue& rq) const;
  static void follow_average(Runqueue& rq) { move_base(rq, average_vruntime(rq)); }
  void store_lag(Runqueue& rq, Task& task) const;
  static wide total_sum(const Runqueue& rq);
  void renew_slice(Task& task) const {
    if (!task.custom_slice) task.slice = tunables_.base_slice;
  }
  bool is_protected(const Task& task) const;
  void cancel_protection(Task& task) const;
  static u64 least_slice(const Runqueue& rq);
  static u64 greatest_slice(const Runqueue& rq, const Task& task);
  void protect(const Runqueue& rq, Task& task) const;
  bool wins_preemption(Runqueue& rq, const Task& woken);
  void requeue_delayed(Runqueue& rq, Task& task);
  void take_out(Runqueue& rq, Task& task);
  void leave(Runqueue& rq, Task& task, bool sleep);
  TreeNode* least_deadline(const Runqueue& rq) const;
  void drop_delayed(Runqueue& rq, Task& task);
  static void set_runnable(Runqueue& rq, Task& task, bool runnable);

  Tunables tunables_;
  u64 clock_ = 0;
  std::deque<Runqueue> queues_;  // not movable
};

}  // namespace impl::eevdf
