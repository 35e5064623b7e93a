// SPDX-License-Identifier: Apache-2.0
// The class's verbs: charging, enqueue and dequeue, picks, preemption, yield, fork, renice.
#include "impl/eevdf/eevdf.h"

#include <utility>

#include "impl/base/check.h"

namespace impl::eevdf {

EevdfClass::EevdfClass(const MachineShape& shape, const Request& request, bool, const MoveLog&)
    : tunables_(resolve(request, shape.cpus)), clock_(tunables_.clock_base) {
  for (int cpu = 0; cpu < shape.cpus; ++cpu) {
    Runqueue& rq = queues_.emplace_back();
    rq.cpu = cpu;
    rq.base_vruntime = tunables_.vruntime_base;
  }
}

void EevdfClass::init_task(Task& task) const {
  task.load = weight_of(task.nice, task.policy);
  task.vruntime = task.deadline = tunables_.vruntime_base;
  renew_slice(task);
}

void EevdfClass::set_slice(Task& task, i64 requested_ns) const {
  const u64 slice = clamp_slice(requested_ns);
  task.custom_slice = slice != 0 && tunables_.custom_slices();
  if (task.custom_slice) task.slice = slice;
}

int EevdfClass::select_task_rq(const Task& task, int waking_cpu, bool fork) {
  if (task.delayed) return task.cpu;
  const int chosen = fork ? waking_cpu : task.cpu;
  return task.allowed.test(chosen) ? chosen : task.allowed.first();
}

// --- charging ----------------------------------------------------------------------------------

Reason EevdfClass::update_curr(Runqueue& rq) {
  Task* curr = rq.curr;
  if (curr == nullptr || !curr->queued || clock_ == curr->exec_start) return Reason::none;
  const u64 delta = clock_ - curr->exec_start;
  curr->exec_start = clock_;
  curr->sum_exec += delta;
  curr->vruntime += delta_fair(delta, *curr);
  Reason why = Reason::none;
  const bool used_up = IMPL_FAULT(E03_deadline_renewed_late)
                           ? is_before(curr->deadline, curr->vruntime)
                           : !is_before(curr->vruntime, curr->deadline);
  if (used_up) {
    renew_slice(*curr);
    curr->deadline = curr->vruntime + delta_fair(curr->slice, *curr);
    if (IMPL_FAULT(E08_slice_renewed_thrice)) curr->deadline += 2 * delta_fair(curr->slice, *curr);
    why = Reason::deadline;
  }
  update_min_vruntime(rq);
  if (rq.nr_queued < 2 && !IMPL_FAULT(W17_lone_task_marked)) return Reason::none;
  if (why == Reason::none) {
    bool over = false;
    if (tunables_.has_vprot()) {
      over = !is_protected(*curr);
    } else if (tunables_.preempt_short) {
      over = curr->protection != curr->deadline && !eligible(rq, curr->vruntime);
    }
    if (!over) return Reason::none;
    why = Reason::protection;
  }
  rq.need_resched = true;
  clear_buddy(rq, *curr);
  return why;
}

Reason EevdfClass::task_tick(Runqueue& rq) {
  const bool was_marked = rq.need_resched;
  const Reason why = update_curr(rq);
  return was_marked ? Reason::none : why;
}

// --- the queue ---------------------------------------------------------------------------------

void EevdfClass::set_runnable(Runqueue& rq, Task& task, bool runnable) {
  task.on_rq = runnable;
  if (runnable) {
    ++rq.nr_running;
    rq.load.add(task.load.weight);
  } else {
    --rq.nr_running;
    rq.load.subtract(task.load.weight);
  }
}

void EevdfClass::enqueue_task(Runqueue& rq, Task& task, EnqueueFlags) {
  update_curr(rq);
  const bool from_parent = IMPL_FAULT(P05_child_placed_on_parents_queue) && task.initial;
  const u64 first_half = task.vruntime;
  place_entity(rq, task, std::exchange(task.initial, false));
  if (from_parent) task.vruntime = first_half;
  task.queued = true;
  ++rq.nr_queued;
  if (&task != rq.curr) insert_entity(rq, task);
  set_runnable(rq, task, true);
}

void EevdfClass::enqueue_woken(Runqueue& rq, Task& task) {
  if (task.delayed) {
    requeue_delayed(rq, task);
  } else {
    enqueue_task(rq, task, {});
  }
}

/// Off the queue, whatever its lag.
void EevdfClass::take_out(Runqueue& rq, Task& task) {
  task.queued = false;
  --rq.nr_queued;
  if (&task != rq.curr) erase_entity(rq, task);
  update_min_vruntime(rq);
}

void EevdfClass::requeue_delayed(Runqueue& rq, Task& task) {
  if (tunables_.delay_zero) {
    store_lag(rq, task);
    if (task.vlag > 0 && !IMPL_FAULT(E11_delayed_credit_kept)) {
      take_out(rq, task);
      task.vlag = 0;
      place_entity(rq, task, false);
      task.queued = true;
      ++rq.nr_queued;
      if (&task != rq.curr) insert_entity(rq, task);
    }
  }
  task.delayed = false;
  set_runnable(rq, task, true);
}

void EevdfClass::leave(Runqueue& rq, Task& task, bool sleep) {
  store_lag(rq, task);
  if (!sleep && tunables_.place_rel_deadline && !IMPL_FAULT(O17_deadline_reset_at_requeue)) {
    task.deadline -= task.vruntime;
    task.rel_deadline = true;
  }
  take_out(rq, task);
}

void EevdfClass::dequeue_task(Runqueue& rq, Task& task, bool sleep) {
  update_curr(rq);
  clear_buddy(rq, task);
  set_runnable(rq, task, false);
  if (sleep && tunables_.delay_dequeue &&
      (!eligible(rq, task.vruntime) || IMPL_FAULT(E10_sleepers_always_delayed))) {
    task.delayed = true;
  } else {
    leave(rq, task, sleep);
  }
}

void EevdfClass::exit_task(Runqueue& rq, Task& task) {
  update_curr(rq);
  clear_buddy(rq, task);
  set_runnable(rq, task, false);
  leave(rq, task, true);
}

/// A delayed sleeper was picked: it sleeps for good.
void EevdfClass::drop_delayed(Runqueue& rq, Task& task) {
  clear_buddy(rq, task);
  leave(rq, task, true);
  task.delayed = false;
  if (tunables_.delay_zero && !IMPL_FAULT(E15_dropped_sleeper_keeps_credit))
    task.vlag = std::min<i64>(task.vlag, 0);
}

// --- picking -----------------------------------------------------------------------------------

/// The waiting entity of least deadline among the eligible ones.
TreeNode* EevdfClass::least_deadline(const Runqueue& rq) const {
  const wide sum = total_sum(rq);
  const i64 load = total_load(rq);
  if (IMPL_FAULT(O01_search_stops_at_ineligible) && tunables_.by_deadline() && !rq.tree.empty()) {
    TreeNode* first = rq.tree.first();
    if (eligible(rq, first->value)) return first;
    const u64 least = rq.tree.root()->least_value;  // as if only the end of the search were seen
    if (!eligible(rq, least)) return nullptr;
    return rq.tree.first_with_value([least](u64 value) { return !is_before(least, value); });
  }
  const auto is_eligible = [&](u64 vruntime) {
    if (IMPL_FAULT(E01_equal_lags_not_eligible))
      return sum > static_cast<wide>(key(rq, vruntime)) * load;
    return sum >= static_cast<wide>(key(rq, vruntime)) * load;
  };
  return tunables_.by_deadline() ? rq.tree.first_with_value(is_eligible)
                                 : rq.tree.least_value_with_key(is_eligible);
}

Pick EevdfClass::choose(const Runqueue& rq, bool protect) const {
  if (rq.nr_queued == 0) return {};
  Task* curr = rq.curr != nullptr && rq.curr->queued ? rq.curr : nullptr;
  if (tunables_.knows(Profile::e612) && rq.nr_queued == 1) {
    return {curr != nullptr ? curr : static_cast<Task*>(rq.tree.first()),
            Reason::earliest_deadline};
  }
  const bool uses_hint = tunables_.has_vprot() ? tunables_.pick_buddy : tunables_.next_buddy;
  if (uses_hint && rq.next != nullptr && eligible(rq, rq.next->vruntime)) {
    return {rq.next, Reason::next};
  }
  if (curr != nullptr && !eligible(rq, curr->vruntime)) curr = nullptr;
  if (curr != nullptr && protect && is_protected(*curr) && !IMPL_FAULT(E02_parity_not_kept))
    return {curr, Reason::protected_};
  Task* best = static_cast<Task*>(least_deadline(rq));
  if (curr != nullptr && best != nullptr) {
    const bool current_wins = tunables_.by_deadline() ? is_before(curr->deadline, best->deadline)
                                                      : !is_before(best->deadline, curr->deadline);
    if (current_wins) best = curr;
  } else if (curr != nullptr) {
    best = curr;
  }
  if (IMPL_FAULT(E01_equal_lags_not_eligible) && best == nullptr) return {};
  IMPL_CHECK(best != nullptr);
  return {best, Reason::earliest_deadline};
}

Pick EevdfClass::pick_next_task(Runqueue& rq) {
  Pick pick = choose(rq, true);
  while (pick.task != nullptr && pick.task->delayed) {
    drop_delayed(rq, *pick.task);
    pick = choose(rq, true);
  }
  if (pick.task != nullptr && rq.nr_running == 1) pick.why = Reason::only;
  if (pick.task != nullptr && pick.task == rq.curr) return pick;
  Task* prev = std::exchange(rq.curr, nullptr);
  if (prev != nullptr && prev->queued) insert_entity(rq, *prev);
  if (pick.task != nullptr) set_next_entity(rq, *pick.task, true);
  return pick;
}

// --- preemption --------------------------------------------------------------------------------

void EevdfClass::check_preempt_curr(Runqueue& rq, Task& task, bool fork) {
  if (rq.runs_idle()) {
    rq.need_resched = true;
    return;
  }
  if (rq.curr == nullptr || rq.curr == &task) return;
  Task& curr = *rq.curr;
  const bool is_idle = task.policy == TaskPolicy::idle;
  if (tunables_.next_buddy && !fork && !is_idle) rq.next = &task;
  if (rq.need_resched) return;
  if (curr.policy == TaskPolicy::idle && !is_idle) {
    if (tunables_.has_vprot()) cancel_protection(curr);
    rq.need_resched = true;
    return;
  }
  if (task.policy != TaskPolicy::normal || !tunables_.wakeup_preemption) return;
  update_curr(rq);
  if (wins_preemption(rq, task)) rq.need_resched = true;
}

bool EevdfClass::wins_preemption(Runqueue& rq, const Task& woken) {
  Task& curr = *rq.curr;
  if (IMPL_FAULT(W16_ineligible_runner_forced_off) && !eligible(rq, curr.vruntime)) return true;
  const bool is_shorter = tunables_.preempt_short && woken.slice < curr.slice &&
                          !IMPL_FAULT(E05_short_slice_respects_protection);
  if (!tunables_.has_vprot()) {
    if (is_shorter && eligible(rq, woken.vruntime) &&
        (is_before(woken.deadline, curr.deadline) || !eligible(rq, curr.vruntime))) {
      cancel_protection(curr);
    }
    return choose(rq, true).task == &woken;
  }
  if (choose(rq, !is_shorter).task == &woken) {
    if (is_shorter) cancel_protection(curr);
    return true;
  }
  if (is_shorter) {
    curr.protection =
        earlier_of(curr.protection, curr.vruntime + delta_fair(least_slice(rq), curr));
  }
  return false;
}

// --- yield, fork, renice -----------------------------------------------------------------------

void EevdfClass::yield_task(Runqueue& rq) {
  Task& curr = *rq.curr;
  if (rq.nr_queued == 1) return;
  clear_buddy(rq, curr);
  update_curr(rq);
  if (tunables_.forfeiting_yield) {
    if (!eligible(rq, curr.vruntime) && !IMPL_FAULT(W35_yield_pays_when_not_eligible)) return;
    curr.vruntime = curr.deadline;
  }
  curr.deadline += delta_fair(curr.slice, curr);
}

void EevdfClass::task_fork(Runqueue& rq, Task& child) {
  update_curr(rq);
  if (IMPL_FAULT(P05_child_placed_on_parents_queue)) child.vruntime = average_vruntime(rq);
  child.initial = tunables_.knows(Profile::e612);
}

void EevdfClass::renice_task(Runqueue& rq, Task& task, int nice) {
  dequeue_task(rq, task, false);
  const bool was_running = rq.curr == &task;
  if (was_running) rq.curr = nullptr;
  const bool weaker = nice > task.nice;
  const i64 from = weight(task);
  task.nice = nice;
  task.load = weight_of(nice, task.policy);
  const bool inverted = IMPL_FAULT(E13_rescaled_the_wrong_way);
  const i64 up = inverted ? weight(task) : from;
  const i64 down = inverted ? from : weight(task);
  if (!IMPL_FAULT(P16_lag_kept_at_renice)) task.vlag = scale_toward_zero(task.vlag, up, down);
  if (tunables_.reweight == Reweight::e66) {
    task.rel_deadline = false;
  } else if (task.rel_deadline && tunables_.reweight != Reweight::e612) {
    const auto rest = static_cast<i64>(task.deadline);
    task.deadline = static_cast<u64>(scale_toward_zero(rest, up, down));
  }
  enqueue_task(rq, task, {});
  if (!was_running) return;
  set_next_entity(rq, task, false);
  if (weaker && rq.nr_queued > 1) rq.need_resched = true;
}

}  // namespace impl::eevdf
