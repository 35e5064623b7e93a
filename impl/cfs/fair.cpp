// SPDX-License-Identifier: Apache-2.0
// Charging, placement, the queue and its buddies, preemption, the tick, fork and yield.
#include "impl/cfs/fair.h"

#include "impl/base/check.h"

namespace impl::cfs {
namespace {
struct WeightRow {
  u64 weight, inverse;
};
// Nice -20 to 19. The reciprocals are data, not computed: four rows are truncated.
constexpr WeightRow weights[40] = {
    {88761, 48388},  {71755, 59856},  {56483, 76040},  {46273, 92818},  {36291, 118348},
    {29154, 147320}, {23254, 184698}, {18705, 229616}, {14949, 287308}, {11916, 360437},
    {9548, 449829},  {7620, 563644},  {6100, 704093},  {4904, 875809},  {3906, 1099582},
    {3121, 1376151}, {2501, 1717300}, {1991, 2157191}, {1586, 2708050}, {1277, 3363326},
    {1024, 4194304}, {820, 5237765},  {655, 6557202},  {526, 8165337},  {423, 10153587},
    {335, 12820798}, {272, 15790321}, {215, 19976592}, {172, 24970740}, {137, 31350126},
    {110, 39045157}, {87, 49367440},  {70, 61356676},  {56, 76695844},  {45, 95443717},
    {36, 119304647}, {29, 148102320}, {23, 186737708}, {18, 238609294}, {15, 286331153},
};
constexpr u64 nice_0_load = 1024;
}  // namespace

LoadWeight weight_of(int nice, TaskPolicy policy) {
  if (policy == TaskPolicy::idle) return {3, 1431655765};
  const WeightRow& row = weights[nice + 20];
  if (IMPL_FAULT(A11_inverse_digit_dropped) && nice == 1) return {row.weight, 237765};
  return {row.weight, row.inverse};
}

FairClass::FairClass(const MachineShape& shape, const Request& request, bool balance, MoveLog& log)
    : tunables_(resolve(request, shape.cpus)),
      clock_(tunables_.clock_base),
      smp_(shape.cpus > 1),
      balances_(balance && shape.cpus > 1),
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
}

// --- time and keys ---------------------------------------------------------------------------

u64 FairClass::calc_delta_fair(u64 delta, const Task& task) {
  if (task.load.weight == nice_0_load) return delta;
  if (IMPL_FAULT(A09_weight_for_inverse)) return delta * task.load.weight / nice_0_load;
  LoadWeight load = task.load;
  return calc_delta(delta, nice_0_load, load);
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
  return calc_delta(period(nr), task.load.weight, load);
}

u64 FairClass::vslice(const Runqueue& rq, const Task& task) const {
  if (IMPL_FAULT(A10_vslice_without_unit)) return slice(rq, task) / task.load.weight;
  return calc_delta_fair(slice(rq, task), task);
}

void FairClass::update_min_vruntime(Runqueue& rq) {
  u64 floor = rq.min_vruntime;
  const Task* left = rq.timeline.leftmost();
  if (rq.curr != nullptr) {
    floor = rq.curr->vruntime;
    if (left != nullptr && !IMPL_FAULT(O05_min_follows_current_only)) {
      floor = IMPL_FAULT(O06_min_follows_tree_only) ? left->vruntime
                                                    : earlier_of(floor, left->vruntime);
    }
  } else if (left != nullptr) {
    floor = left->vruntime;
  }
  rq.min_vruntime = later_of(rq.min_vruntime, floor);
}

void FairClass::update_curr(Runqueue& rq) {
  Task* curr = rq.curr;
  if (curr == nullptr) return;
  const u64 delta = clock_ - curr->exec_start;
  if (delta == 0) return;
  if (IMPL_FAULT(C16_lone_run_dropped) && rq.nr_running == 1) {
    curr->exec_start = clock_;
    return;
  }
  curr->sum_exec += delta;
  rq.exec_clock += delta;
  curr->vruntime += calc_delta_fair(delta, *curr);
  if (IMPL_FAULT(O14_charge_moves_minimum)) rq.min_vruntime += calc_delta_fair(delta, *curr);
  update_min_vruntime(rq);
  curr->exec_start = clock_;
}

void FairClass::place_entity(const Runqueue& rq, Task& task, bool initial) const {
  u64 vruntime = rq.min_vruntime;
  if (initial) {
    if (tunables_.start_debit) vruntime += vslice(rq, task);
  } else {
    u64 credit = tunables_.latency;
    if (tunables_.gentle_fair_sleepers) credit >>= 1;
    vruntime -= credit;
  }
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
  if (!IMPL_FAULT(W02_wakeup_on_stale_clock) || !flags.wakeup) update_curr(rq);
  rq.load.add(task.load.weight);
  rq.tasks.push_front(task);
  ++rq.nr_running;
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
  if (!uncharged) update_curr(rq);
  if (!IMPL_FAULT(B12_buddy_left_at_dequeue)) clear_buddies(rq, task);
  if (&task != rq.curr) rq.timeline.erase(task);
  if (!IMPL_FAULT(C24_load_kept_at_block) || !sleep) rq.load.subtract(task.load.weight);
  rq.tasks.erase(task);
  --rq.nr_running;
  task.on_rq = false;
  if (!IMPL_FAULT(O08_minimum_kept_at_dequeue) || &task != rq.curr) update_min_vruntime(rq);
  if (!sleep) task.vruntime -= rq.min_vruntime;
}

void FairClass::yield_task(Runqueue& rq) {
  Task& curr = *rq.curr;
  if (rq.nr_running == 1) return;
  clear_buddies(rq, curr);
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
}

void FairClass::set_buddy(Task*& buddy, Task& task) const {
  if (task.policy != TaskPolicy::idle || IMPL_FAULT(B11_idle_policy_nominated)) buddy = &task;
}

void FairClass::put_prev_task(Runqueue& rq, Task& task) {
  if (task.on_rq) update_curr(rq);
  check_spread(rq, task);
  if (task.on_rq) rq.timeline.insert(task);
  rq.curr = nullptr;
}

bool FairClass::buddy_allowed(const Runqueue& rq, const Task& buddy, const Task& left) const {
  if (IMPL_FAULT(B02_buddy_lead_unlimited)) return true;
  if (IMPL_FAULT(B01_buddy_granularity_of_queue)) {
    LoadWeight load = rq.load;
    const u64 granularity = calc_delta(tunables_.wakeup_granularity, nice_0_load, load);
    return distance(buddy.vruntime, left.vruntime) <= static_cast<i64>(granularity);
  }
  return wakeup_preempt_entity(buddy, left) < 1;
}

Pick FairClass::pick_next_task(Runqueue& rq) {
  Task* left =
      IMPL_FAULT(O01_pick_skips_leftmost) ? rq.timeline.rightmost() : rq.timeline.leftmost();
  if (left == nullptr) return {};
  Pick pick{left, Reason::leftmost};
  if (rq.next != nullptr && buddy_allowed(rq, *rq.next, *left)) pick = {rq.next, Reason::next};
  if (rq.last != nullptr && buddy_allowed(rq, *rq.last, *left)) pick = {rq.last, Reason::last};
  if (rq.nr_running == 1) pick.why = Reason::only;
  Task& task = *pick.task;
  if (!IMPL_FAULT(B08_buddy_kept_when_picked)) clear_buddies(rq, task);
  // The seeded fault may pick a task that has left: that one is in no tree of this CPU.
  const bool here = !IMPL_FAULT(B12_buddy_left_at_dequeue) || (task.on_rq && task.cpu == rq.cpu);
  if (here) rq.timeline.erase(task);
  task.exec_start = clock_;
  task.prev_sum_exec = task.sum_exec;
  rq.curr = &task;
  return pick;
}

// --- preemption ------------------------------------------------------------------------------

u64 FairClass::wakeup_gran(const Task& challenger) const {
  const u64 granularity = calc_delta_fair(tunables_.wakeup_granularity, challenger);
  const bool boosted = challenger.load.weight > nice_0_load;
  return IMPL_FAULT(A08_boosted_granularity_shifted) && boosted ? granularity >> 10 : granularity;
}

int FairClass::wakeup_preempt_entity(const Task& curr, const Task& challenger) const {
  const i64 lead = distance(curr.vruntime, challenger.vruntime);
  if (lead <= 0) return -1;
  return lead > static_cast<i64>(wakeup_gran(challenger)) ? 1 : 0;
}

void FairClass::check_preempt_curr(Runqueue& rq, Task& task, bool fork) {
  if (rq.runs_idle()) {
    if (!IMPL_FAULT(W30_no_mark_on_idle_cpu)) rq.need_resched = true;
  } else if (rq.curr != nullptr) {
    check_preempt_wakeup(rq, task, fork);
  }
}

void FairClass::check_preempt_wakeup(Runqueue& rq, Task& woken, bool fork) {
  Task& curr = *rq.curr;
  const bool big = rq.nr_running >= tunables_.nr_latency;
  if (&woken == &curr) return;
  if (IMPL_FAULT(B17_next_buddy_blocks_preemption) && rq.next != nullptr) return;
  if (tunables_.next_buddy && big && !fork) set_buddy(rq.next, woken);
  if (IMPL_FAULT(B16_nomination_preempts) && rq.next == &woken) rq.need_resched = true;
  if (rq.need_resched) return;
  if (woken.policy != TaskPolicy::normal) return;
  if (curr.policy != TaskPolicy::idle || IMPL_FAULT(Ifaa42d29419d_idle_policy_runner_kept)) {
    if (!tunables_.wakeup_preempt) return;
    if (!IMPL_FAULT(W02_wakeup_on_stale_clock)) update_curr(rq);
    const bool by_nice = IMPL_FAULT(W01_preempt_on_nice) && woken.nice < curr.nice;
    if (wakeup_preempt_entity(curr, woken) != 1 && !by_nice) return;
  }
  rq.need_resched = true;
  if (curr.on_rq && tunables_.last_buddy && big) set_buddy(rq.last, curr);
}

Reason FairClass::task_tick(Runqueue& rq) {
  const u64 stamp = rq.curr->exec_start;
  update_curr(rq);
  if (IMPL_FAULT(C20_charged_twice_at_tick)) rq.curr->exec_start = stamp;
  const unsigned alone = IMPL_FAULT(W34_tick_check_skipped_for_two) ? 2
                         : IMPL_FAULT(W17_lone_task_preempted)      ? 0
                                                                    : 1;
  if (rq.nr_running <= alone && tunables_.wakeup_preempt) return Reason::none;
  const bool was_marked = rq.need_resched;
  const Reason why = check_preempt_tick(rq, *rq.curr);
  if (why != Reason::none) rq.need_resched = true;
  return was_marked ? Reason::none : why;
}

Reason FairClass::check_preempt_tick(Runqueue& rq, Task& curr) {
  const u64 in_wall_time = slice(rq, curr);
  const u64 ideal = IMPL_FAULT(W06_slice_weighted_twice)
                        ? in_wall_time * curr.load.weight / nice_0_load
                        : in_wall_time;
  const u64 ran = curr.sum_exec - curr.prev_sum_exec;
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

void FairClass::task_fork(Runqueue& rq, Task& child) {
  Task& parent = *rq.curr;
  update_curr(rq);
  child.vruntime = IMPL_FAULT(P07_child_without_max_of_parent) ? rq.min_vruntime : parent.vruntime;
  if (IMPL_FAULT(P25_child_of_parents_weight)) child.load = parent.load;
  if (!IMPL_FAULT(S18_child_inherits_credit)) place_entity(rq, child, true);
  if (tunables_.child_runs_first && is_before(parent.vruntime, child.vruntime)) {
    std::swap(parent.vruntime, child.vruntime);
    rq.need_resched = true;
  }
  child.vruntime -= rq.min_vruntime;
}

}  // namespace impl::cfs
