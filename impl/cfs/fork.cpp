// SPDX-License-Identifier: Apache-2.0
// New tasks, and the switches about them. Source: cfs-semantics sections 17, 25.2, 25.6, 25.8;
// choices N7, N11, N14, N15.
#include <utility>

#include "impl/cfs/fair.h"

namespace impl::cfs {

void FairClass::task_fork(Runqueue& rq, Task& child) {
  Task& parent = *rq.curr;
  child.expedited = expedites(parent);
  if (tunables_.version == Version::v32) {  // places at the wakeup; until then it is a copy
    child.vruntime = parent.vruntime;
    return;
  }
  update_curr(rq);
  open_fork_window(rq, parent, rq, child);
  child.vruntime = IMPL_FAULT(P07_child_without_max_of_parent) ? rq.min_vruntime : parent.vruntime;
  if (IMPL_FAULT(P25_child_of_parents_weight)) child.load = parent.load;
  if (!IMPL_FAULT(S18_child_inherits_credit)) place_entity(rq, child, true);
  if (tunables_.child_runs_first && is_before(parent.vruntime, child.vruntime)) {
    std::swap(parent.vruntime, child.vruntime);
    rq.need_resched = true;
  }
  child.vruntime -= rq.min_vruntime;
}

void FairClass::enqueue_forked(Runqueue& from, Runqueue& to, Task& child) {
  if (tunables_.version == Version::v32) {
    child.vruntime -= from.min_vruntime;
    child.vruntime += to.min_vruntime;
    update_curr(to);
    open_fork_window(from, *from.curr, to, child);
    if (to.curr != nullptr) child.vruntime = to.curr->vruntime;
    place_entity(to, child, true);
    if (tunables_.child_runs_first && &to == &from &&
        is_before(to.curr->vruntime, child.vruntime)) {
      std::swap(to.curr->vruntime, child.vruntime);
      to.need_resched = true;
    }
    child.vruntime -= to.min_vruntime;  // that the enqueue adds again
  }
  enqueue_task(to, child, {});
}

bool FairClass::expedites(const Task& parent) const {
  return (tunables_.interactive_fork_expedited && parent.woken_by_input) ||
         (tunables_.timer_fork_expedited && parent.woken_by_timer);
}

/// From here on parent and child pay double, each for its first slice. Call before the child is
/// queued.
void FairClass::open_fork_window(const Runqueue& from,
                                 Task& parent,
                                 const Runqueue& to,
                                 Task& child) const {
  if ((!tunables_.start_nice && !tunables_.start_nice_v2) || child.expedited) return;
  parent.penalized = true;
  parent.penalty_end = parent.sum_exec + slice(from, parent);
  child.penalized = true;
  child.penalty_end = child.sum_exec + slice(to, child);
}

u64 FairClass::scaled_charge(Task& task, u64 virtual_delta) const {
  if (tunables_.tree_penalty && tunables_.depth_rule == DepthRule::rate) {
    virtual_delta *= task.depth + 1;
  } else if (tunables_.tree_penalty && tunables_.depth_rule == DepthRule::shift) {
    virtual_delta <<= std::min<u64>(task.depth, 10);
  }
  if (!task.penalized) return virtual_delta;
  const bool crossed = distance(task.sum_exec, task.penalty_end) > 0;
  if (crossed) task.penalized = false;
  // v2 spares the charge that crosses the end of the window.
  return crossed && !tunables_.start_nice ? virtual_delta : 2 * virtual_delta;
}

}  // namespace impl::cfs
