// SPDX-License-Identifier: Apache-2.0
// Wakeups, forks and migrations.
#include <fmt/format.h>

#include <algorithm>

#include "props/validate/replay.h"

namespace fw::validate {

namespace rc = rules::cfs;
using Where = Entity::Where;

bool Replay::preempts(Cpu& c, Entity& woken, bool fork, bool marked) {
  Queue& queue = c.queue;
  if (!c.fair) return c.on_cpu == 0 || marked;  // idle always gives way, other classes never
  if (queue.curr == nullptr || queue.curr == &woken) return marked;
  const bool many = queue.many();
  bool next_set = false;
  if (settings_.next_buddy && many && !fork) {
    queue.next = &woken;
    next_set = true;
  }
  if (marked && !FW_FAULT(V08_wakeup_ignores_mark)) return true;
  if (!settings_.wakeup_preemption) return marked;
  if (!queue.overtakes(*queue.curr, woken)) return marked;
  if (!next_set && !FW_FAULT(V09_next_only_by_feature)) queue.next = &woken;
  const bool left = !queue.curr->on_rq();
  if (!left && settings_.last_buddy && (many || FW_FAULT(V10_last_on_short_queues))) {
    queue.last = queue.curr;
  }
  return true;
}

void Replay::enqueue_sleeper(Cpu& c, Entity& task) {
  Queue& queue = c.queue;
  if (task.relative) task.v += queue.min();
  task.relative = false;
  // A guess is as good as knowledge once the floor has risen above any lead the task could have.
  const u64 risen = queue.min() - task.guessed_at;
  if (task.guessed && risen >= 2 * settings_.tunables.latency) task.known = true;
  if (!task.known && !task.guessed && queue.min_sure()) {
    task.guessed = true;
    task.guessed_at = queue.min();
  }
  Placement out;
  out.rule = Rule::wakeup_placement;
  out.own = task.v;
  out.min = queue.min();
  out.shift = 0 - queue.credit();
  out.placed = task.known ? rc::placed_at_wakeup(task.v, queue.min(), queue.credit())
                          : queue.min() - queue.credit();
  out.contested = out.placed != out.own;
  out.sure = task.known && queue.min_sure();
  out.learns_min = task.known;
  out.skip_cause =
      task.known ? "min_vruntime not yet known" : "unknown history: taken for a long sleeper";
  task.placement = out;
  task.v = out.placed;
  task.known = out.sure;
  task.where = Where::queued;
  queue.insert(task);
}

void Replay::wakeup(const Event& event) {
  Cpu& writer = cpu(event.cpu);
  Cpu& c = cpu(event.target_cpu >= 0 ? event.target_cpu : event.cpu);
  const bool local = &c == &writer;
  const bool seen = event.need_resched == 'y';
  if (!local) resolve(writer, event);
  // The line shows the mark after the wakeup's own check; a schedule() before it took it off.
  if (local && !seen && c.marks.seen) check_kept(c, event);
  if (!c.arriving.empty()) arrive(c);
  if (!is_fair(event.prio)) {
    if (local) c.marks.hide(tally_, "a wakeup of another class hides it");
    tally_.skip(Rule::wakeup_preemption, "another class");
    c.marks.marked = c.marks.marked || event.prio < 100;
    if (local) c.marks.marked = c.marks.seen = seen;
    return;
  }
  Entity& task = entity(event.pid, event.name);
  see_prio(task, event.prio);
  if (task.where == Where::away) {
    task.cpu = event.target_cpu;
    enqueue_sleeper(c, task);
  }
  const bool before = c.marks.marked;
  const bool after = preempts(c, task, false, before);
  if (!local) {
    c.marks.marked = after;
    return tally_.skip(Rule::wakeup_preemption, "the mark of another CPU is not on the line");
  }
  if (event.need_resched == '?') {
    tally_.skip(Rule::wakeup_preemption, "the format has no flags");
    c.marks.marked = after;
    return;
  }
  if (c.marks.waiting()) {
    const bool other = after && !before;
    if (seen && other) {
      c.marks.hide(tally_, "a wakeup's mark hides it");
    } else {
      c.marks.outcome(tally_, seen, event.hard_interrupt);
    }
  }
  const bool contested = c.fair && !before && c.queue.curr != nullptr && c.queue.curr != &task &&
                         rules::later(c.queue.curr->v, task.v);
  if (!c.fair) {
    tally_.skip(Rule::wakeup_preemption, "the CPU was idle or in another class");
  } else if (before) {
    tally_.skip(Rule::wakeup_preemption, "already marked");
  } else if (!task.known || (c.queue.curr != nullptr && !c.queue.curr->known)) {
    tally_.skip(Rule::wakeup_preemption, "unknown history");
  } else if (seen == after) {
    tally_.explained(Rule::wakeup_preemption, contested);
  } else {
    tally_.unexplained(miss(Rule::wakeup_preemption,
                            event,
                            task,
                            fmt::format("woken with v {}, must {}preempt: {}; the kernel did {}",
                                        task.v,
                                        after ? "" : "not ",
                                        describe(c.queue),
                                        seen ? "" : "not ")),
                       contested);
  }
  c.marks.marked = c.marks.seen = seen;
  remember_fork_base(c, event);
}

/// The fork hook acts on the parent's queue as its last event in task context left it, or charges
/// first (then this is called again).
void Replay::remember_fork_base(Cpu& c, const Event& event) {
  if (event.context != input::TraceContext::task || c.queue.curr == nullptr) return;
  c.queue.curr->child = c.queue.born();
}

void Replay::fork(const Event& event) {
  resolve(cpu(event.cpu), event);
  Entity& parent = entity(event.other_pid, event.other_name);
  Entity& child = entity(event.pid);
  for (auto& [number, c] : cpus_) {  // a pid used again
    c->queue.remove(child);
    c->queue.clear_buddies(child);
    if (c->queue.curr == &child) c->queue.curr = nullptr;
  }
  child = Entity{};
  child.pid = event.pid;
  child.name = trace_.name(event.name);
  child.prio = parent.prio;
  child.load = parent.load;
  child.cpu = event.cpu;
  child.relative = true;
  Placement placement;
  placement.rule = Rule::fork_placement;
  placement.skip_cause = "min_vruntime not yet known";
  if (parent.child) {
    const Born& born = *parent.child;
    child.v = born.placed - born.min;
    child.known = born.sure;
    placement.sure = born.sure;
    placement.contested = born.contested;
    placement.own = born.own - born.min;  // relative until it is queued
    placement.shift = born.shift;
    placement.learns_min = true;
  } else {
    placement.skip_cause = "unknown history";
    const Queue& queue = cpu(event.cpu).queue;
    child.v = parent.known ? parent.v - queue.min() : 0;
  }
  child.placement = placement;
}

void Replay::wakeup_new(const Event& event) {
  Cpu& writer = cpu(event.cpu);
  resolve(writer, event);
  Cpu& c = cpu(event.target_cpu >= 0 ? event.target_cpu : event.cpu);
  if (!c.arriving.empty()) arrive(c);
  Entity& task = entity(event.pid, event.name);
  if (!is_fair(event.prio) || task.where != Where::away) return;
  see_prio(task, event.prio);
  if (task.relative) {
    task.v += c.queue.min();
    if (task.placement) {
      task.placement->own += c.queue.min();
      task.placement->placed = task.v;
      task.placement->min = c.queue.min();
      if (!c.queue.min_sure()) task.known = task.placement->sure = false;
    }
  } else {
    task.known = false;
  }
  task.relative = false;
  task.where = Where::queued;
  task.cpu = event.target_cpu;
  c.queue.insert(task);
  const bool before = c.marks.marked;
  const bool after = preempts(c, task, true, before);
  if (&c == &writer) remember_fork_base(c, event);
  if (&c != &writer) {
    c.marks.marked = after;
    return tally_.skip(Rule::wakeup_preemption, "the mark of another CPU is not on the line");
  }
  if (!c.fair || before || !task.known || !c.queue.all_known()) {
    tally_.skip(Rule::wakeup_preemption, before ? "already marked" : "unknown history");
    c.marks.marked = after;
    return;
  }
  Expectation expected;
  expected.rule = Rule::wakeup_preemption;
  expected.marked = after;
  expected.contested = c.queue.curr != nullptr && rules::later(c.queue.curr->v, task.v);
  expected.line = event.line;
  expected.task = c.queue.curr == nullptr ? std::string() : describe(*c.queue.curr);
  expected.t = event.t;
  expected.text = fmt::format("new task {} with v {} must {}preempt: {}",
                              describe(task),
                              task.v,
                              after ? "" : "not ",
                              describe(c.queue));
  c.marks.expect(std::move(expected));
  c.marks.marked = after;
}

/// Runnable tasks leave their queue with its min_vruntime taken off; a waking one had left before.
void Replay::migrate(const Event& event) {
  resolve(cpu(event.cpu), event);
  if (!is_fair(event.prio)) return;
  Entity& task = entity(event.pid, event.name);
  Cpu& from = cpu(event.from_cpu);
  Cpu& to = cpu(event.target_cpu);
  if (task.where == Where::away) {
    if (task.cpu >= 0 && !task.relative) {
      task.v -= from.queue.min();
      task.relative = true;
      task.known = task.known && from.queue.min_sure() && from.queue.all_known();
    }
    task.cpu = event.target_cpu;
    return;
  }
  // A CPU that pulls for itself in task context has nothing left: its current has been dequeued.
  Entity* const puller = to.queue.curr;
  if (event.target_cpu == event.cpu && event.context == input::TraceContext::task &&
      puller != nullptr && puller != &task && puller->pid == event.context_pid &&
      to.queue.tree.empty()) {
    puller->where = Where::away;
    to.queue.clear_buddies(*puller);
    to.queue.update_min(event.t);
  }
  from.queue.clear_buddies(task);
  from.queue.remove(task);
  if (from.queue.curr == &task) {
    from.queue.curr = nullptr;
    from.on_cpu = -1;
    from.fair = false;
  }
  const bool sure = from.queue.min_sure() && from.queue.all_known() && to.queue.min_sure();
  task.v -= from.queue.min();
  from.queue.update_min(event.t);
  task.relative = true;
  task.where = Where::away;
  task.cpu = event.target_cpu;
  if (!sure) {
    task.known = false;
    if (task.placement) task.placement->sure = false;
  }
  to.arriving.push_back(&task);
}

void Replay::arrive(Cpu& c) {
  // The balancer attaches in the reverse order of detaching.
  const std::vector<Entity*> arriving(c.arriving.rbegin(), c.arriving.rend());
  c.arriving.clear();
  for (Entity* task : arriving) {
    if (!task->relative) continue;
    const u64 min = c.queue.min();
    task->v += min;
    task->relative = false;
    if (task->placement) task->placement->placed = task->v;
    task->where = Where::queued;
    c.queue.insert(*task);
    c.marks.marked = preempts(c, *task, false, c.marks.marked);
  }
}

}  // namespace fw::validate
