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
  const std::uint64_t delta = rc::in_word(clock_ - current.exec_start, config_.word);
  if (delta == 0) return;
  current.sum_exec += delta;
  q.exec_clock += delta;
  current.vruntime += cost(current, delta);
  update_min(q, delta);
  current.exec_start = clock_;
}

std::uint64_t Work::virtual_time(std::uint64_t delta, const Task& p) const {
  return config_.linux_6_1 ? rules::cfs61::fair(delta, load_of(p))
                           : rc::fair(delta, load_of(p), config_.word);
}

/// Virtual time of a charge, with TREE_PENALTY and then START_NICE (25.8, 25.2). sum_exec has it.
std::uint64_t Work::cost(Task& p, std::uint64_t delta) {
  std::uint64_t out = virtual_time(delta, p);
  if (config_.tree_penalty) out = rc::depth_charge(config_.depth_rule, out, p.depth);
  const auto nice = rc::start_nice(
      out, p.penalized, p.penalty_end, p.sum_exec, config_.start_nice == StartNice::v2);
  p.penalized = nice.penalized;
  return nice.virtual_ns;
}

/// Section 8. `charged`: by the charge that this belongs to, 0 without one (25.3).
void Work::update_min(Queue& q, std::uint64_t charged) {
  const bool has_current = !q.curr.idle() && (!config_.linux_6_1 || task(q.curr).on_rq);
  const bool has_leftmost = !q.tree.empty();
  std::uint64_t advance = 0;
  if (config_.dyn_min_vruntime && charged != 0) {
    advance = config_.linux_6_1
                  ? rules::cfs61::scaled(
                        charged, rc::nice_0_weight, {q.load, rules::cfs61::queue_inverse(q.load)})
                  : rc::floor_advance(charged, q.load, config_.word);
  }
  q.min_vruntime = rc::updated_min_dynamic(q.min_vruntime,
                                           advance,
                                           has_current,
                                           has_current ? task(q.curr).vruntime : 0,
                                           has_leftmost,
                                           has_leftmost ? q.tree.front().vruntime : 0);
}

/// Section 11.2. `normalised`: vruntime has had the old queue's min_vruntime taken off.
void Work::enqueue(Task& p, bool wakeup, bool normalised) {
  Queue& q = queue(p.cpu);
  if (wakeup) average_wakee(p);
  if (!wakeup || normalised) p.vruntime += q.min_vruntime;
  charge(q);
  q.load += p.weight;
  ++q.nr_running;
  q.list.push_back(p.id);
  p.on_rq = true;
  if (wakeup) place_woken(q, p);
  check_spread(q, p);
  if (q.curr != p.id) insert(q, p);
}

/// Sections 10, 25.4 and 25.8; the task is counted already.
void Work::place_woken(Queue& q, Task& p) {
  const bool idle_policy = p.sched_class == SchedClass::idle;
  std::uint64_t credit = 0;
  if (rc::gets_credit(config_.fair_sleepers, config_.credit_by_label, p.labels)) {
    std::uint64_t latency =
        config_.linux_6_1 && idle_policy ? config_.min_granularity_ns : config_.latency_ns;
    if (config_.normalized_sleeper && !idle_policy) {
      latency = rc::normalized_latency(latency, load_of(p), config_.word);
    }
    credit = rc::sleeper_credit(latency, config_.gentle_fair_sleepers);
  }
  std::uint64_t offset = 0;
  if (config_.tree_penalty) {
    offset = rc::depth_offset(config_.depth_rule, p.depth, virtual_slice(q, p));
  }
  p.vruntime = rc::placed_at_wakeup(p.vruntime, q.min_vruntime + offset, credit);
}

/// Sections 10, 25.6 and 25.8; the child is not counted yet.
void Work::place_child(Queue& q, Task& child, bool expedited) {
  const std::uint64_t part = virtual_slice(q, child);
  std::uint64_t later = config_.start_debit && !expedited ? part : 0;
  if (config_.tree_penalty) later += rc::depth_offset(config_.depth_rule, child.depth, part);
  child.vruntime = rc::placed_at_fork(child.vruntime, q.min_vruntime, later);
}

/// Section 11.3.
void Work::dequeue(Task& p, bool sleep) {
  Queue& q = queue(p.cpu);
  if (sleep) average_sleeper(p);
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
  if (sleep) p.labels = {};
  update_min(q, 0);
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
  average_put(current);
  if (current.on_rq) charge(q);
  check_spread(q, current);
  if (current.on_rq) insert(q, current);
  q.curr = idle_task;
}

/// Section 5; a task that is not queued counts as an extra.
std::uint64_t Work::slice(const Queue& q, const Task& p) {
  const std::uint64_t extra = p.on_rq ? 0 : 1;
  if (config_.linux_6_1) {
    return rules::cfs61::slice(config_.tunables_6_1,
                               q.nr_running + extra,
                               p.weight,
                               q.load + extra * p.weight,
                               idle_beside_others(q, p));
  }
  const std::uint64_t period = rc::period(
      q.nr_running + extra, config_.nr_latency, config_.latency_ns, config_.min_granularity_ns);
  return rc::slice(period, p.weight, q.load + extra * p.weight, config_.word);
}

bool Work::gran_overtaken(const Task& current, const Task& challenger) {
  if (config_.linux_6_1) {
    return rules::cfs61::overtakes(
        config_.tunables_6_1, current.vruntime, challenger.vruntime, load_of(challenger));
  }
  std::uint64_t gran = config_.wakeup_granularity_ns;
  if (config_.adaptive_gran && !queue(current.cpu).curr.idle()) {
    gran = rc::adaptive_granularity(current.sum_exec - current.prev_sum_exec,
                                    challenger.avg_wakeup,
                                    queue(challenger.cpu).nr_running,
                                    gran);
  }
  gran = rc::granularity(gran, load_of(config_.asym_gran ? challenger : current), config_.word);
  return rc::overtakes(current.vruntime, challenger.vruntime, gran);
}

/// Section 14.
void Work::check_preempt(int cpu, Task& woken, Birth birth) {
  Queue& q = queue(cpu);
  if (q.on_cpu.idle()) return resched(q);
  if (q.on_cpu != q.curr) return;  // its current was moved away: not a fair task runs there
  if (config_.version == Version::v2_6_32) charge(q);
  if (q.on_cpu == woken.id) return;
  if (config_.linux_6_1) return check_preempt_61(q, woken, birth);
  Task& current = task(q.curr);
  const bool big = rc::many_runnable(q.nr_running, config_.nr_latency);
  if (becomes_next(woken, birth, big)) set_buddy(q.next, woken);
  if (q.marked) return;
  if (woken.sched_class != SchedClass::normal) return;
  bool sets_last = true;
  if (!gives_way(q, current, woken, sets_last)) return;
  resched(q);
  if (current.on_rq && config_.last_buddy && big && sets_last) set_buddy(q.last, current);
}

/// Sections 14 step 4, 25.5 and 25.6: the woken task becomes `next`.
bool Work::becomes_next(const Task& woken, Birth birth, bool big) const {
  return rc::becomes_next(config_.next_buddy,
                          big,
                          birth != Birth::none,
                          config_.buddy_by_label,
                          woken.labels,
                          birth == Birth::expedited);
}

bool Work::gives_way(Queue& q, const Task& current, const Task& woken, bool& sets_last) {
  sets_last = config_.version != Version::v2_6_32;  // there only the comparison of vruntimes does
  if (current.sched_class == SchedClass::idle) return true;
  if (config_.wakeup_overlap &&
      rc::both_overlap_little(current.avg_overlap, woken.avg_overlap, config_.migration_cost_ns)) {
    return true;
  }
  if (config_.wakeup_running && woken.avg_running < current.avg_running) {
    set_buddy(q.next, woken);
    return true;
  }
  if (!config_.wakeup_preempt) return false;
  charge(q);
  sets_last = true;
  return gran_overtaken(current, woken);
}

/// Section 13, for a queue where the tick may take the CPU away.
void Work::check_tick(int cpu) {
  if (config_.linux_6_1) return check_tick_61(cpu);
  Queue& q = queue(cpu);
  const Task& current = task(q.curr);
  const std::uint64_t ideal = slice(q, current);
  const std::uint64_t ran = rc::in_word(current.sum_exec - current.prev_sum_exec, config_.word);
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
