// SPDX-License-Identifier: Apache-2.0
// What one runqueue of Linux 6.1 does in another order than 2.6.36 (EEVDF dossier, section 6; what
// recorded kernels show: props/validate). The arithmetic is in model/rules/cfs61.h.
#include <algorithm>
#include <array>

#include "model/policy/cfs/work.h"

namespace fw::model::cfs {

namespace r61 = rules::cfs61;

/// CHOICE page N24.
bool Work::idle_beside_others(const Queue& q, const Task& p) {
  if (p.sched_class != SchedClass::idle) return false;
  return q.list.empty() || std::any_of(q.list.begin(), q.list.end(), [&](TaskId other) {
           return task(other).sched_class != SchedClass::idle;
         });
}

/// check_preempt_wakeup(): a wakeup that preempts makes the woken task `next`, whatever NEXT_BUDDY.
void Work::check_preempt_61(Queue& q, Task& woken, Birth birth) {
  Task& current = task(q.curr);
  const bool big = rules::cfs::many_runnable(q.nr_running, config_.nr_latency);
  const bool next_set = becomes_next(woken, birth, big);
  if (next_set) set_buddy(q.next, woken);
  if (q.marked) return;
  const bool idle_gives_way =
      current.sched_class == SchedClass::idle && woken.sched_class != SchedClass::idle;
  if (!idle_gives_way) {
    if (woken.sched_class != SchedClass::normal || !config_.wakeup_preempt) return;
    charge(q);
    if (!gran_overtaken(current, woken)) return;
    if (!next_set) set_buddy(q.next, woken);
  }
  resched(q);
  if (current.on_rq && config_.last_buddy && big) set_buddy(q.last, current);
}

/// check_preempt_tick(); the signed test, whatever WAKEUP_PREEMPTION.
void Work::check_tick_61(int cpu) {
  Queue& q = queue(cpu);
  const Task& current = task(q.curr);
  const r61::TickVerdict verdict = r61::tick_verdict(config_.tunables_6_1,
                                                     current.sum_exec - current.prev_sum_exec,
                                                     slice(q, current),
                                                     current.vruntime,
                                                     q.tree.front().vruntime);
  if (verdict == r61::TickVerdict::slice) clear_buddies(q, current.id);
  if (verdict == r61::TickVerdict::goes_on || q.marked) return;
  resched(q);
  record(DecisionKind::preempt, cpu, &current).why =
      verdict == r61::TickVerdict::slice ? Why::slice : Why::leftmost;
}

/// The pick of schedule(). The running task takes part without going back into the tree; picked
/// again it keeps its slice and everybody's marks.
Why Work::switch_61(int cpu) {
  Queue& q = queue(cpu);
  Task* const prev = q.curr.idle() || !task(q.curr).on_rq ? nullptr : &task(q.curr);
  if (prev != nullptr) charge(q);
  const auto waiting = [&](std::size_t at) {
    return at < q.tree.size() ? &task(q.tree[at].task) : nullptr;
  };
  /// The earlier of a waiting task and the running one, which must be strictly so.
  const auto first_of = [&](Task* other) {
    const bool own =
        other == nullptr || (prev != nullptr && rules::later(other->vruntime, prev->vruntime));
    return own ? prev : other;
  };
  Task* const left = first_of(waiting(0));
  if (left == nullptr) {
    put_current(q);
    return Why::idle;
  }
  Task* second = nullptr;
  if (q.skip == left->id) second = left == prev ? waiting(0) : first_of(waiting(1));
  Task* const next = q.next.idle() ? nullptr : &task(q.next);
  Task* const last = q.last.idle() ? nullptr : &task(q.last);
  std::array<r61::Ranked, 3> ranked;
  const auto rank = [&](std::size_t at, const Task* of) -> const r61::Ranked* {
    if (of == nullptr) return nullptr;
    ranked[at] = {of->vruntime, load_of(*of)};
    return &ranked[at];
  };
  const r61::Taken taken = r61::pick(config_.tunables_6_1,
                                     {left->vruntime, load_of(*left)},
                                     rank(0, second),
                                     rank(1, next),
                                     rank(2, last));
  Task* const chosen = taken == r61::Taken::next     ? next
                       : taken == r61::Taken::last   ? last
                       : taken == r61::Taken::second ? second
                                                     : left;
  if (chosen != prev) {
    put_current(q);
    clear_buddies(q, chosen->id);
    q.tree.erase(std::find_if(q.tree.begin(), q.tree.end(), [&](const Waiting& entry) {
      return entry.task == chosen->id;
    }));
    chosen->exec_start = clock_;
    chosen->prev_sum_exec = chosen->sum_exec;
    q.curr = chosen->id;
  }
  if (q.nr_running == 1) return Why::only;
  return taken == r61::Taken::next   ? Why::next
         : taken == r61::Taken::last ? Why::last
                                     : Why::leftmost;
}

/// set_user_nice() of the running task: off the queue and on again with its vruntime, a new slice;
/// marked only when it got weaker.
void Work::renice_61(Task& p, int nice) {
  Queue& q = queue(p.cpu);
  charge(q);
  clear_buddies(q, p.id);
  const bool weaker = nice > p.nice;
  q.load -= p.weight;
  p.nice = nice;
  if (p.sched_class != SchedClass::idle) {
    const rules::cfs::Load<std::uint64_t> load = rules::cfs::load_of_nice(nice);
    p.weight = load.weight;
    p.inverse = load.inverse;
  }
  q.load += p.weight;
  std::erase(q.list, p.id);
  q.list.push_back(p.id);
  p.exec_start = clock_;
  p.prev_sum_exec = p.sum_exec;
  if (weaker) resched(q);
  record(DecisionKind::renice, p.cpu, &p).nice = p.nice;
}

}  // namespace fw::model::cfs
