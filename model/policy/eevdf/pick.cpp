// SPDX-License-Identifier: Apache-2.0
// Who runs next, and who may take the CPU at once (section 4, section 5's preemption test).
#include "model/policy/eevdf/work.h"

namespace fw::model::eevdf {

namespace re = rules::eevdf;
using rules::u64;

/// CHOICE 14. The answer may be a delayed sleeper.
Work::Choice Work::pick(Queue& q, bool with_protection) {
  const Task* c = current(q);
  if (c == nullptr && q.tree.empty()) return {};
  if (config_.since(Profile::e612) && count(q) == 1) {
    return {c != nullptr ? c->id : q.tree.front().task, Why::earliest_deadline};
  }
  const Totals all = totals(state_, q);
  if (config_.pick_buddy && !q.next.idle() && eligible(q, all, task(q.next).vruntime)) {
    return {q.next, Why::next};
  }
  if (c != nullptr && !eligible(q, all, c->vruntime)) c = nullptr;
  if (c != nullptr && with_protection && is_protected(*c)) return {c->id, Why::protected_};
  return {earliest(q, all, c), Why::earliest_deadline};
}

/// The least deadline of the eligible; `c` is the current if it is eligible.
TaskId Work::earliest(const Queue& q, const Totals& all, const Task* c) const {
  if (config_.since(Profile::e612)) {
    for (const Waiting& entry : q.tree) {
      if (c != nullptr && rules::later(entry.deadline, c->deadline)) break;
      if (eligible(q, all, entry.vruntime)) return entry.task;
    }
    FW_ASSERT(c != nullptr);
    return c->id;
  }
  TaskId best = c != nullptr ? c->id : idle_task;
  u64 least = c != nullptr ? c->deadline : 0;
  for (const Waiting& entry : q.tree) {
    if (!eligible(q, all, entry.vruntime)) break;  // ordered by v
    if (best.idle() || rules::later(least, entry.deadline)) {
      best = entry.task;
      least = entry.deadline;
    }
  }
  FW_ASSERT(!best.idle());
  return best;
}

/// CHOICE 17.
void Work::check_preempt(int cpu, Task& woken, bool fork) {
  Queue& q = queue(cpu);
  if (q.on_cpu.idle()) {
    q.marked = true;
    return;
  }
  if (q.on_cpu != q.curr || q.curr == woken.id) return;
  Task& c = task(q.curr);
  const bool idle_policy = woken.sched_class == SchedClass::idle;
  if (config_.next_buddy && !fork && !idle_policy) q.next = woken.id;
  if (q.marked) return;
  if (c.sched_class == SchedClass::idle && !idle_policy) {
    if (config_.since(Profile::e618) && is_protected(c)) c.protection = c.vruntime;
    q.marked = true;
    return;
  }
  if (woken.sched_class != SchedClass::normal || !config_.wakeup_preemption) return;
  charge(q);
  if (overtakes(q, c, woken)) q.marked = true;
}

/// Section 5, after the charge: is the woken entity the one to be picked now?
bool Work::overtakes(Queue& q, Task& c, const Task& woken) {
  const bool shorter = config_.preempt_short && woken.slice < c.slice;
  if (!config_.since(Profile::e618)) {
    const bool cancels = shorter && eligible(q, woken) &&
                         (rules::later(c.deadline, woken.deadline) || !eligible(q, c));
    if (cancels && c.protection == c.deadline) c.protection = c.deadline + 1;
    return pick(q, true).task == woken.id;
  }
  const bool first = pick(q, !shorter).task == woken.id;
  if (!shorter) return first;
  if (first) {
    if (is_protected(c)) c.protection = c.vruntime;
  } else {
    const u64 end = c.vruntime + vdelta(least_slice(q, c.slice), c);
    c.protection = rules::cfs::earlier_of(c.protection, end);
  }
  return first;
}

}  // namespace fw::model::eevdf
