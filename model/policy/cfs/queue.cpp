// SPDX-License-Identifier: Apache-2.0
// One runqueue: charging, enqueue and dequeue, preemption tests, pick (sections 5 to 16).
#include <algorithm>

#include "model/policy/cfs/work.h"

namespace fw::model::cfs {

namespace rc = rules::cfs;

/// Section 7.
void Work::charge(Queue& q) {
  if (q.curr.idle()) return;
  Task& current = task(q.curr);
  const std::uint64_t delta = clock_ - current.exec_start;
  if (delta == 0) return;
  current.sum_exec += delta;
  q.exec_clock += delta;
  current.vruntime = config_.linux_6_1
                         ? current.vruntime + rules::cfs61::fair(delta, load_of(current))
                         : rc::charged(current.vruntime, delta, load_of(current));
  update_min(q);
  current.exec_start = clock_;
}

/// Section 8.
void Work::update_min(Queue& q) {
  const bool has_current = !q.curr.idle() && (!config_.linux_6_1 || task(q.curr).on_rq);
  const bool has_leftmost = !q.tree.empty();
  q.min_vruntime = rc::updated_min(q.min_vruntime,
                                   has_current,
                                   has_current ? task(q.curr).vruntime : 0,
                                   has_leftmost,
                                   has_leftmost ? q.tree.front().vruntime : 0);
}

/// Section 11.2. `normalised`: vruntime has had the old queue's min_vruntime taken off.
void Work::enqueue(Task& p, bool wakeup, bool normalised) {
  Queue& q = queue(p.cpu);
  if (!wakeup || normalised) p.vruntime += q.min_vruntime;
  charge(q);
  q.load += p.weight;
  ++q.nr_running;
  q.list.push_back(p.id);
  p.on_rq = true;
  if (wakeup) {
    const bool small = config_.linux_6_1 && p.sched_class == SchedClass::idle;
    const std::uint64_t credit = rc::sleeper_credit(
        small ? config_.min_granularity_ns : config_.latency_ns, config_.gentle_fair_sleepers);
    p.vruntime = rc::placed_at_wakeup(p.vruntime, q.min_vruntime, credit);
  }
  check_spread(q, p);
  if (q.curr != p.id) insert(q, p);
}

/// Section 11.3.
void Work::dequeue(Task& p, bool sleep) {
  Queue& q = queue(p.cpu);
  charge(q);
  clear_buddies(q, p.id);
  if (q.curr != p.id) {
    const auto found = std::find_if(
        q.tree.begin(), q.tree.end(), [&](const Waiting& entry) { return entry.task == p.id; });
    q.tree.erase(found);
  }
  q.load -= p.weight;
  --q.nr_running;
  q.list.erase(std::find(q.list.begin(), q.list.end(), p.id));
  p.on_rq = false;
  update_min(q);
  if (!sleep) p.vruntime -= q.min_vruntime;
}

/// Section 9: behind all entries whose key is not larger.
void Work::insert(Queue& q, const Task& p) {
  const auto key = [&](std::uint64_t vruntime) {
    return static_cast<std::int64_t>(vruntime - q.min_vruntime);
  };
  auto place = q.tree.end();
  while (place != q.tree.begin() && key((place - 1)->vruntime) > key(p.vruntime)) --place;
  q.tree.insert(place, Waiting{p.vruntime, p.id});
}

void Work::check_spread(Queue& q, const Task& p) {
  if (rc::spread_over(p.vruntime, q.min_vruntime, config_.latency_ns)) ++q.nr_spread_over;
}

void Work::clear_buddies(Queue& q, TaskId id) {
  if (q.last == id) q.last = idle_task;
  if (q.next == id) q.next = idle_task;
  if (q.skip == id) q.skip = idle_task;
}

/// Section 16: SCHED_IDLE tasks never become buddies.
void Work::set_buddy(TaskId& buddy, const Task& p) {
  if (p.sched_class != SchedClass::idle) buddy = p.id;
}

/// Section 12 step 4.
void Work::put_current(Queue& q) {
  if (q.curr.idle()) return;
  Task& current = task(q.curr);
  if (current.on_rq) charge(q);
  check_spread(q, current);
  if (current.on_rq) insert(q, current);
  q.curr = idle_task;
}

/// Section 5; a task that is not queued counts as an extra.
std::uint64_t Work::slice(const Queue& q, const Task& p) {
  const std::uint64_t extra = p.on_rq ? 0 : 1;
  if (config_.linux_6_1) {
    return rules::cfs61::slice(
        config_.tunables_6_1, q.nr_running + extra, p.weight, q.load + extra * p.weight);
  }
  const std::uint64_t period = rc::period(
      q.nr_running + extra, config_.nr_latency, config_.latency_ns, config_.min_granularity_ns);
  return rc::slice(period, p.weight, q.load + extra * p.weight);
}

bool Work::gran_overtaken(const Task& current, const Task& challenger) {
  if (config_.linux_6_1) {
    return rules::cfs61::overtakes(
        config_.tunables_6_1, current.vruntime, challenger.vruntime, load_of(challenger));
  }
  const std::uint64_t gran = rc::granularity(config_.wakeup_granularity_ns, load_of(challenger));
  return rc::overtakes(current.vruntime, challenger.vruntime, gran);
}

/// Section 14.
void Work::check_preempt(int cpu, Task& woken, bool fork) {
  Queue& q = queue(cpu);
  if (q.on_cpu.idle()) return resched(q);
  if (q.on_cpu != q.curr) return;  // its current was moved away: not a fair task runs there
  if (q.on_cpu == woken.id) return;
  if (config_.linux_6_1) return check_preempt_61(q, woken, fork);
  Task& current = task(q.curr);
  const bool big = rc::many_runnable(q.nr_running, config_.nr_latency);
  if (config_.next_buddy && big && !fork) set_buddy(q.next, woken);
  if (q.marked) return;
  if (woken.sched_class != SchedClass::normal) return;
  bool preempts = current.sched_class == SchedClass::idle;
  if (!preempts) {
    if (!config_.wakeup_preempt) return;
    charge(q);
    preempts = gran_overtaken(current, woken);
  }
  if (!preempts) return;
  resched(q);
  if (current.on_rq && config_.last_buddy && big) set_buddy(q.last, current);
}

/// Section 13, for a queue where the tick may take the CPU away.
void Work::check_tick(int cpu) {
  if (config_.linux_6_1) return check_tick_61(cpu);
  Queue& q = queue(cpu);
  const Task& current = task(q.curr);
  const std::uint64_t ideal = slice(q, current);
  const std::uint64_t ran = current.sum_exec - current.prev_sum_exec;
  Why why = Why::none;
  if (rc::slice_expired(ran, ideal)) {
    why = Why::slice;
    clear_buddies(q, current.id);
  } else if (config_.wakeup_preempt && q.nr_running > 1 &&
             rc::tick_verdict(ran,
                              ideal,
                              config_.min_granularity_ns,
                              current.vruntime,
                              q.tree.front().vruntime,
                              config_.tick_unsigned) != 0) {
    why = Why::leftmost;
  }
  if (why == Why::none || q.marked) return;
  resched(q);
  record(DecisionKind::preempt, cpu, &current).why = why;
}

/// Section 12 step 5 with section 16: takes the next current out of the tree; `idle` if none.
Why Work::pick(int cpu) {
  Queue& q = queue(cpu);
  if (q.tree.empty()) return Why::idle;
  const Task& left = task(q.tree.front().task);
  TaskId chosen = left.id;
  Why why = Why::leftmost;
  if (!q.next.idle() && !gran_overtaken(task(q.next), left)) {
    chosen = q.next;
    why = Why::next;
  }
  if (!q.last.idle() && !gran_overtaken(task(q.last), left)) {
    chosen = q.last;
    why = Why::last;
  }
  clear_buddies(q, chosen);
  q.tree.erase(std::find_if(
      q.tree.begin(), q.tree.end(), [&](const Waiting& entry) { return entry.task == chosen; }));
  Task& current = task(chosen);
  current.exec_start = clock_;
  current.prev_sum_exec = current.sum_exec;
  q.curr = chosen;
  return q.nr_running == 1 ? Why::only : why;
}

}  // namespace fw::model::cfs
