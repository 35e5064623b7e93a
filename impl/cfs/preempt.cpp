// SPDX-License-Identifier: Apache-2.0
// Preemption: by a wakeup, by the tick. Source: cfs-semantics sections 13 to 16, 25.5, 25.6;
// eevdf-semantics section 6.
#include "impl/cfs/fair.h"

namespace impl::cfs {

u64 FairClass::wakeup_gran(const Task& curr, const Task& challenger) const {
  if (tunables_.has_averages()) return wakeup_gran_by_averages(curr, challenger);
  const u64 granularity = calc_delta_fair(tunables_.wakeup_granularity, challenger);
  const bool boosted = challenger.load.weight > nice_0_load;
  return IMPL_FAULT(A08_boosted_granularity_shifted) && boosted ? granularity >> 10 : granularity;
}

int FairClass::wakeup_preempt_entity(const Task& curr, const Task& challenger) const {
  const i64 lead = distance(curr.vruntime, challenger.vruntime);
  if (lead <= 0) return -1;
  return lead > static_cast<i64>(wakeup_gran(curr, challenger)) ? 1 : 0;
}

void FairClass::check_preempt_curr(Runqueue& rq, Task& task, bool fork) {
  if (rq.runs_idle()) {
    if (!IMPL_FAULT(W30_no_mark_on_idle_cpu)) rq.need_resched = true;
  } else if (rq.curr != nullptr) {
    check_preempt_wakeup(rq, task, fork);
  }
}

/// Whether the woken task becomes the next buddy whatever it preempts.
bool FairClass::nominated(const Task& woken, bool big, bool fork) const {
  if (fork) return woken.expedited;
  return (tunables_.next_buddy && big) || (tunables_.interactive && woken.woken_by_input) ||
         (tunables_.timer && woken.woken_by_timer);
}

void FairClass::check_preempt_wakeup(Runqueue& rq, Task& woken, bool fork) {
  Task& curr = *rq.curr;
  const bool big = rq.nr_running >= tunables_.nr_latency;
  if (tunables_.version == Version::v32) update_curr(rq);
  if (&woken == &curr) return;
  if (IMPL_FAULT(B17_next_buddy_blocks_preemption) && rq.next != nullptr) return;
  const bool nominee = nominated(woken, big, fork);
  if (nominee) set_buddy(rq.next, woken);
  if (IMPL_FAULT(B16_nomination_preempts) && rq.next == &woken) rq.need_resched = true;
  if (rq.need_resched) return;
  bool keeps_last = true;
  if (!preempts_by_wakeup(rq, curr, woken, nominee, keeps_last)) return;
  rq.need_resched = true;
  if (keeps_last && curr.on_rq && tunables_.last_buddy && big) set_buddy(rq.last, curr);
}

/// `keeps_last` false: the preempted task does not become the last buddy.
bool FairClass::preempts_by_wakeup(
    Runqueue& rq, Task& curr, Task& woken, bool nominee, bool& keeps_last) {
  const bool is_32 = tunables_.version == Version::v32;
  const bool idle_curr =
      curr.policy == TaskPolicy::idle && !IMPL_FAULT(Ifaa42d29419d_idle_policy_runner_kept);
  if (tunables_.is_6_1() && idle_curr && woken.policy != TaskPolicy::idle) return true;
  if (woken.policy != TaskPolicy::normal) return false;
  if (idle_curr) {
    keeps_last = !is_32;
    return true;
  }
  const auto cost = static_cast<u64>(tunables_.migration_cost);
  if (tunables_.wakeup_overlap && curr.averages.overlap < cost && woken.averages.overlap < cost) {
    keeps_last = !is_32;
    return true;
  }
  if (tunables_.wakeup_running && woken.averages.running < curr.averages.running) {
    set_buddy(rq.next, woken);
    keeps_last = false;
    return true;
  }
  if (!tunables_.wakeup_preempt) return false;
  if (!IMPL_FAULT(W02_wakeup_on_stale_clock)) update_curr(rq);
  const bool by_nice = IMPL_FAULT(W01_preempt_on_nice) && woken.nice < curr.nice;
  if (wakeup_preempt_entity(curr, woken) != 1 && !by_nice) return false;
  if (tunables_.is_6_1() && !nominee) set_buddy(rq.next, woken);
  return true;
}

Reason FairClass::task_tick(Runqueue& rq) {
  const u64 stamp = rq.curr->exec_start;
  update_curr(rq);
  if (IMPL_FAULT(C20_charged_twice_at_tick)) rq.curr->exec_start = stamp;
  const unsigned alone = IMPL_FAULT(W34_tick_check_skipped_for_two) ? 2
                         : IMPL_FAULT(W17_lone_task_preempted)      ? 0
                                                                    : 1;
  const bool checks_alone = !tunables_.wakeup_preempt && !tunables_.is_6_1();
  if (rq.nr_running <= alone && !checks_alone) return Reason::none;
  const bool was_marked = rq.need_resched;
  const Reason why = check_preempt_tick(rq, *rq.curr);
  if (why != Reason::none) rq.need_resched = true;
  return was_marked ? Reason::none : why;
}

Reason FairClass::check_preempt_tick(Runqueue& rq, Task& curr) {
  if (tunables_.is_6_1()) return check_preempt_tick_61(rq, curr);
  const u64 in_wall_time = slice(rq, curr);
  const u64 ideal = IMPL_FAULT(W06_slice_weighted_twice)
                        ? in_wall_time * curr.load.weight / nice_0_load
                        : in_wall_time;
  const u64 ran = (curr.sum_exec - curr.prev_sum_exec) & tunables_.word_mask;
  if (ran > ideal || (IMPL_FAULT(W19_slice_ends_at_equal) && ran == ideal)) {
    if (!IMPL_FAULT(B12_buddy_kept_at_expiry)) clear_buddies(rq, curr);
    return Reason::slice;
  }
  if (!tunables_.wakeup_preempt || ran < tunables_.min_granularity) return Reason::none;
  if (rq.nr_running <= 1) return Reason::none;
  const i64 lead = distance(curr.vruntime, rq.timeline.leftmost()->vruntime);
  // 64-bit mainline compares as unsigned: a negative lead counts as larger than any slice.
  const bool too_far =
      tunables_.tick_unsigned ? static_cast<u64>(lead) > ideal : lead > static_cast<i64>(ideal);
  return too_far ? Reason::leftmost : Reason::none;
}

}  // namespace impl::cfs
