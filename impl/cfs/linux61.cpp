// SPDX-License-Identifier: Apache-2.0
// What the fair class of 6.1 does otherwise. Source: eevdf-semantics section 6.
#include "impl/cfs/fair.h"

namespace impl::cfs {
namespace {
constexpr u64 idle_min_granularity = 750'000;  // ns; never scaled
}

/// BASE_SLICE: an idle-policy task beside others may get less.
u64 FairClass::least_slice(const Runqueue& rq, const Task& task) const {
  const bool only_idle = rq.nr_running != 0 && rq.nr_running == rq.nr_idle_policy;
  if (task.policy == TaskPolicy::idle && !only_idle) return idle_min_granularity;
  return tunables_.min_granularity;
}

/// Off the queue and the CPU and on again, but the minimum does not look in between: the vruntime
/// stays. The slice begins anew.
void FairClass::renice_task_61(Runqueue& rq, Task& curr, int nice) {
  update_curr(rq);
  clear_buddies(rq, curr);
  rq.load.subtract(curr.load.weight);
  rq.tasks.erase(curr);
  if (nice > curr.nice) rq.need_resched = true;
  curr.nice = nice;
  set_weight(curr);
  rq.load.add(curr.load.weight);
  rq.tasks.push_front(curr);
  curr.exec_start = clock_;
  curr.prev_sum_exec = curr.sum_exec;
}

void FairClass::yield_task_61(Runqueue& rq) {
  if (rq.curr->policy != TaskPolicy::batch) update_curr(rq);
  rq.skip = rq.curr;
}

Reason FairClass::check_preempt_tick_61(Runqueue& rq, Task& curr) {
  const u64 ideal = slice(rq, curr);
  const u64 ran = curr.sum_exec - curr.prev_sum_exec;
  if (ran > ideal) {
    clear_buddies(rq, curr);
    return Reason::slice;
  }
  if (ran < tunables_.min_granularity) return Reason::none;
  const i64 lead = distance(curr.vruntime, rq.timeline.leftmost()->vruntime);
  return lead > static_cast<i64>(ideal) ? Reason::leftmost : Reason::none;
}

/// `curr`: the running task if it may go on.
Task* FairClass::choose_61(const Runqueue& rq, Task* curr, Reason& why) const {
  auto first = rq.timeline.begin();
  Task* const leftmost = first == rq.timeline.end() ? nullptr : const_cast<Task*>(&*first);
  Task* left = leftmost;
  if (left == nullptr || (curr != nullptr && is_before(curr->vruntime, left->vruntime)))
    left = curr;
  if (left == nullptr) return nullptr;
  why = Reason::leftmost;
  Task* chosen = left;
  if (rq.skip == left) {
    Task* second = leftmost;
    if (left != curr) {
      ++first;
      second = first == rq.timeline.end() ? nullptr : const_cast<Task*>(&*first);
      if (second == nullptr || (curr != nullptr && is_before(curr->vruntime, second->vruntime))) {
        second = curr;
      }
    }
    if (second != nullptr && buddy_allowed(rq, *second, *left)) chosen = second;
  }
  if (rq.next != nullptr && buddy_allowed(rq, *rq.next, *left)) {
    chosen = rq.next;
    why = Reason::next;
  } else if (rq.last != nullptr && buddy_allowed(rq, *rq.last, *left)) {
    chosen = rq.last;
    why = Reason::last;
  }
  return chosen;
}

Pick FairClass::pick_next_task_61(Runqueue& rq) {
  Task* const prev = rq.curr;
  Pick pick;
  pick.task = choose_61(rq, prev != nullptr && prev->on_rq ? prev : nullptr, pick.why);
  if (rq.nr_running == 1) pick.why = Reason::only;
  // Picked again, it goes on as it was: same slice, same buddies.
  if (pick.task == prev) return pick;
  if (prev != nullptr) put_prev_entity(rq, *prev);
  if (pick.task != nullptr) set_next_entity(rq, *pick.task);
  return pick;
}

}  // namespace impl::cfs
