// SPDX-License-Identifier: Apache-2.0
// Charging, placement, the queue and its buddies, yield.
#include "impl/cfs/fair.h"

#include "impl/base/check.h"

namespace impl::cfs {

FairClass::FairClass(const MachineShape& shape, const Request& request, bool balance, MoveLog& log)
    : tunables_(resolve(request, shape.cpus)),
      clock_(tunables_.clock_base),
      smp_(shape.cpus > 1),
      balances_(balance && shape.cpus > 1),
      scales_charge_(tunables_.scales_charge()),
      places_by_depth_(tunables_.tree_penalty && tunables_.depth_rule == DepthRule::place),
      log_(log) {
  for (int cpu = 0; cpu < shape.cpus; ++cpu) {
    Runqueue& rq = queues_.emplace_back();
    rq.cpu = cpu;
    rq.min_vruntime = tunables_.vruntime_base;
    rq.avg_idle = 2 * static_cast<u64>(tunables_.migration_cost);
  }
  build_domains(shape);
}

void FairClass::init_task(Task& task) const {
  set_weight(task);
  task.vruntime = tunables_.vruntime_base;
  task.averages.wakeup = tunables_.wakeup_granularity;
}

// --- time and keys ---------------------------------------------------------------------------

u64 FairClass::calc_delta_unequal(u64 delta, const Task& task) const {
  if (IMPL_FAULT(A09_weight_for_inverse)) return delta * task.load.weight / nice_0_load;
  LoadWeight load = task.load;
  return calc_delta(tunables_.arithmetic, delta, nice_0_load, load);
}

u64 FairClass::period(u64 nr) const {
  return nr > tunables_.nr_latency ? tunables_.min_granularity * nr : tunables_.latency;
}

u64 FairClass::slice(const Runqueue& rq, const Task& task) const {
  LoadWeight load = rq.load;  // a private copy: the task may have to be added
  u64 nr = rq.nr_running;
  if (!task.on_rq && !IMPL_FAULT(P12_newcomer_not_counted)) {
    load.add(task.load.weight);
    ++nr;
  }
  if (IMPL_FAULT(A12_inverse_not_invalidated)) load.inverse = lazy_inverse(rq.load.weight);
  const u64 share = calc_delta(tunables_.arithmetic, period(nr), task.load.weight, load);
  return tunables_.base_slice ? std::max(share, least_slice(rq, task)) : share;
}

u64 FairClass::vslice(const Runqueue& rq, const Task& task) const {
  if (IMPL_FAULT(A10_vslice_without_unit)) return slice(rq, task) / task.load.weight;
  return calc_delta_fair(slice(rq, task), task);
}

void FairClass::update_min_vruntime(Runqueue& rq, u64 charged) const {
  u64 floor = rq.min_vruntime;
  const Task* left = rq.timeline.leftmost();
  // 2.6 still counts a current that has just blocked.
  if (rq.curr != nullptr && (rq.curr->on_rq || !tunables_.is_6_1())) {
    floor = rq.curr->vruntime;
    if (left != nullptr && !IMPL_FAULT(O05_min_follows_current_only)) {
      floor = IMPL_FAULT(O06_min_follows_tree_only) ? left->vruntime
                                                    : earlier_of(floor, left->vruntime);
    }
  } else if (left != nullptr) {
    floor = left->vruntime;
  }
  if (tunables_.dyn_min_vruntime && charged != 0) {
    rq.min_vruntime += calc_delta(tunables_.arithmetic, charged, nice_0_load, rq.load);
  }
  rq.min_vruntime = later_of(rq.min_vruntime, floor);
}

void FairClass::update_curr(Runqueue& rq) {
  Task* curr = rq.curr;
  if (curr == nullptr) return;
  const u64 delta = (clock_ - curr->exec_start) & tunables_.word_mask;
  if (delta == 0) return;
  if (IMPL_FAULT(C16_lone_run_dropped) && rq.nr_running == 1) {
    curr->exec_start = clock_;
    return;
  }
  curr->sum_exec += delta;
  rq.exec_clock += delta;
  u64 virtual_delta = calc_delta_fair(delta, *curr);
  if (scales_charge_) virtual_delta = scaled_charge(*curr, virtual_delta);
  curr->vruntime += virtual_delta;
  if (IMPL_FAULT(O14_charge_moves_minimum)) rq.min_vruntime += calc_delta_fair(delta, *curr);
  update_min_vruntime(rq, delta);
  curr->exec_start = clock_;
}

u64 FairClass::sleeper_credit(const Task& task) const {
  const bool granted = tunables_.fair_sleepers ||
                       (tunables_.fair_sleepers_interactive && task.woken_by_input) ||
                       (tunables_.fair_sleepers_timer && task.woken_by_timer);
  if (!granted) return 0;
  const bool idle = task.policy == TaskPolicy::idle;
  u64 credit = tunables_.is_6_1() && idle ? tunables_.min_granularity : tunables_.latency;
  if (tunables_.normalized_sleeper && !idle) credit = calc_delta_fair(credit, task);
  return tunables_.gentle_fair_sleepers ? credit >> 1 : credit;
}

void FairClass::place_entity(const Runqueue& rq, Task& task, bool initial) const {
  u64 vruntime = rq.min_vruntime;
  if (initial) {
    if (tunables_.start_debit && !task.expedited) vruntime += vslice(rq, task);
  } else {
    vruntime -= sleeper_credit(task);
  }
  if (places_by_depth_) vruntime += task.depth * vslice(rq, task);
  if (IMPL_FAULT(A03_unsigned_max_placement) && !initial) {
    task.vruntime = std::max(task.vruntime, vruntime);
  } else if (IMPL_FAULT(P01_sleeper_moved_back) && !initial) {
    task.vruntime = vruntime;
  } else {
    task.vruntime = later_of(task.vruntime, vruntime);
  }
}

void FairClass::check_spread(Runqueue& rq, const Task& task) const {
  i64 off = distance(task.vruntime, rq.min_vruntime);
  if (off < 0) off = static_cast<i64>(-static_cast<u64>(off));
  if (off > static_cast<i64>(3 * tunables_.latency)) ++rq.nr_spread_over;
}

// --- the queue -------------------------------------------------------------------------------

void FairClass::enqueue_task(Runqueue& rq, Task& task, EnqueueFlags flags) {
  if (!flags.wakeup || flags.waking) task.vruntime += rq.min_vruntime;
  if (flags.wakeup && tunables_.has_averages()) note_enqueued(task);
  if (!IMPL_FAULT(W02_wakeup_on_stale_clock) || !flags.wakeup) update_curr(rq);
  rq.load.add(task.load.weight);
  rq.tasks.push_front(task);
  ++rq.nr_running;
  if (task.policy == TaskPolicy::idle) ++rq.nr_idle_policy;
  if (IMPL_FAULT(I52d15521eb75_counted_again_at_renice) && &task == rq.curr) ++rq.nr_running;
  task.on_rq = true;
  if (flags.wakeup && !IMPL_FAULT(O09_placed_in_the_tree)) place_entity(rq, task, false);
  if (IMPL_FAULT(O17_renice_places_anew) && &task == rq.curr) place_entity(rq, task, true);
  check_spread(rq, task);
  if (&task != rq.curr) rq.timeline.insert(task);
  if (IMPL_FAULT(O09_placed_in_the_tree) && flags.wakeup) place_entity(rq, task, false);
}

void FairClass::dequeue_task(Runqueue& rq, Task& task, bool sleep) {
  const bool uncharged =
      (IMPL_FAULT(S09_no_charge_at_sleep) && sleep) ||
      (IMPL_FAULT(I11b1b8bc2b98_charged_at_new_weight) && !sleep && &task == rq.curr);
  if (sleep) {
    if (tunables_.has_averages()) note_sleep(task);
    task.woken_by_input = task.woken_by_timer = false;
  }
  if (!uncharged) update_curr(rq);
  if (!IMPL_FAULT(B12_buddy_left_at_dequeue)) clear_buddies(rq, task);
  if (&task != rq.curr) rq.timeline.erase(task);
  if (!IMPL_FAULT(C24_load_kept_at_block) || !sleep) rq.load.subtract(task.load.weight);
  rq.tasks.erase(task);
  --rq.nr_running;
  if (task.policy == TaskPolicy::idle) --rq.nr_idle_policy;
  task.on_rq = false;
  if (!IMPL_FAULT(O08_minimum_kept_at_dequeue) || &task != rq.curr) update_min_vruntime(rq);
  if (!sleep) task.vruntime -= rq.min_vruntime;
}

void FairClass::renice_task(Runqueue& rq, Task& curr, int nice) {
  if (tunables_.is_6_1()) return renice_task_61(rq, curr, nice);
  dequeue_task(rq, curr, false);
  curr.nice = nice;
  set_weight(curr);
  enqueue_task(rq, curr, {});
  rq.need_resched = true;
}

void FairClass::yield_task(Runqueue& rq) {
  Task& curr = *rq.curr;
  if (rq.nr_running == 1) return;
  clear_buddies(rq, curr);
  if (tunables_.is_6_1()) return yield_task_61(rq);
  if (!tunables_.compat_yield && curr.policy != TaskPolicy::batch) {
    update_curr(rq);
    if (IMPL_FAULT(W35_yield_pays_a_slice)) curr.vruntime += vslice(rq, curr);
    return;
  }
  const Task* right = rq.timeline.rightmost();
  if (right == nullptr || is_before(right->vruntime, curr.vruntime)) return;
  if (!IMPL_FAULT(W32_yield_overwritten)) curr.vruntime = right->vruntime + 1;
}

void FairClass::clear_buddies(Runqueue& rq, const Task& task) {
  if (rq.last == &task) rq.last = nullptr;
  if (rq.next == &task) rq.next = nullptr;
  if (rq.skip == &task) rq.skip = nullptr;
}

void FairClass::set_buddy(Task*& buddy, Task& task) const {
  if (task.policy != TaskPolicy::idle || IMPL_FAULT(B11_idle_policy_nominated)) buddy = &task;
}

void FairClass::put_prev_task(Runqueue& rq, Task& task) {
  if (tunables_.has_averages()) note_put(task);
  if (!tunables_.is_6_1()) return put_prev_entity(rq, task);
  // 6.1 puts the current back only when the pick is another.
  if (task.on_rq) update_curr(rq);
}

void FairClass::put_prev_entity(Runqueue& rq, Task& task) {
  if (task.on_rq) update_curr(rq);
  check_spread(rq, task);
  if (task.on_rq) rq.timeline.insert(task);
  rq.curr = nullptr;
}

void FairClass::set_next_entity(Runqueue& rq, Task& task) {
  if (!IMPL_FAULT(B08_buddy_kept_when_picked)) clear_buddies(rq, task);
  // The seeded fault may pick a task that has left: that one is in no tree of this CPU.
  const bool here = !IMPL_FAULT(B12_buddy_left_at_dequeue) || (task.on_rq && task.cpu == rq.cpu);
  if (here) rq.timeline.erase(task);
  task.exec_start = clock_;
  task.prev_sum_exec = task.sum_exec;
  rq.curr = &task;
}

bool FairClass::buddy_allowed(const Runqueue& rq, const Task& buddy, const Task& left) const {
  if (IMPL_FAULT(B02_buddy_lead_unlimited)) return true;
  if (IMPL_FAULT(B01_buddy_granularity_of_queue)) {
    LoadWeight load = rq.load;
    const u64 granularity =
        calc_delta(tunables_.arithmetic, tunables_.wakeup_granularity, nice_0_load, load);
    return distance(buddy.vruntime, left.vruntime) <= static_cast<i64>(granularity);
  }
  return wakeup_preempt_entity(buddy, left) < 1;
}

Pick FairClass::pick_next_task(Runqueue& rq) {
  if (tunables_.is_6_1()) return pick_next_task_61(rq);
  Task* left =
      IMPL_FAULT(O01_pick_skips_leftmost) ? rq.timeline.rightmost() : rq.timeline.leftmost();
  if (left == nullptr) return {};
  Pick pick{left, Reason::leftmost};
  if (rq.next != nullptr && buddy_allowed(rq, *rq.next, *left)) pick = {rq.next, Reason::next};
  if (rq.last != nullptr && buddy_allowed(rq, *rq.last, *left)) pick = {rq.last, Reason::last};
  if (rq.nr_running == 1) pick.why = Reason::only;
  set_next_entity(rq, *pick.task);
  return pick;
}

}  // namespace impl::cfs
