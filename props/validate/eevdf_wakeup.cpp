// SPDX-License-Identifier: Apache-2.0
// EEVDF: wakeups, forks, migrations.
#include <fmt/format.h>

#include "props/validate/eevdf_replay.h"
#include "props/validate/queue.h"

namespace fw::validate {

namespace re = rules::eevdf;
using rules::s64;

/// The lag that a sleeper left with, printed at its wakeup; who was dropped while delayed showed
/// none before.
void EevdfReplay::check_lag_before(Cpu& c, std::size_t at, TaskId id) {
  const input::TraceProbe* const probe = probe_of(at);
  if (probe == nullptr || !probe->entity.vlag_ns) return;
  Known& seen = known(id);
  Task& p = task(id);
  const s64 printed = *probe->entity.vlag_ns;
  if (!seen.lag_shown) {
    check(Rule::lag,
          seen.lag && c.complete,
          p.vlag == printed,
          printed != 0,
          trace_.events[at],
          id,
          fmt::format("left with lag {}; the kernel has {}", p.vlag, printed));
  }
  p.vlag = printed;
  seen.lag = true;
}

void EevdfReplay::check_placement(
    Cpu& c, std::size_t at, TaskId id, Rule rule, bool sure, bool contested) {
  const Event& event = trace_.events[at];
  const input::TraceProbe* const probe = probe_of(at);
  Task& p = task(id);
  known(id).keys = sure;
  if (probe == nullptr || !probe->entity.vruntime_ns || !probe->entity.deadline_ns) {
    if (!prints_vruntime_) {
      return tally_.skip(rule, settings_.grouped ? "task groups, or tasks that are not shown"
                                                 : "the trace prints no vruntime");
    }
    known(id).placed = Placed{rule, sure, contested, p.deadline};
    return;
  }
  if (!c.offset) {
    tally_.skip(rule, "unknown history");
    return;
  }
  const u64 v = static_cast<u64>(*probe->entity.vruntime_ns) - *c.offset;
  const u64 deadline = static_cast<u64>(*probe->entity.deadline_ns) - *c.offset;
  check(rule,
        sure,
        p.vruntime == v && p.deadline == deadline,
        contested,
        event,
        id,
        fmt::format("placed {:+} with deadline {:+} of the kernel's (lag {}, deadline {} behind v "
                    "there): {}",
                    static_cast<s64>(p.vruntime - v),
                    static_cast<s64>(p.deadline - deadline),
                    p.vlag,
                    static_cast<s64>(deadline - v),
                    describe(c)));
  set_keys(c, id, v, deadline);
}

void EevdfReplay::wakeup(std::size_t at) {
  const Event& event = trace_.events[at];
  Cpu& writer = cpu(event.cpu);
  Cpu& c = cpu(event.target_cpu >= 0 ? event.target_cpu : event.cpu);
  const bool local = &c == &writer;
  const bool seen = event.need_resched == 'y';
  if (!local) resolve(writer, event);
  if (local && !seen && c.marks.seen) check_kept(c, event);
  if (!is_fair(event.prio)) {
    if (local) c.marks.hide(tally_, "a wakeup of another class hides it");
    tally_.skip(Rule::wakeup_preemption, "another class");
    if (local) c.marks.marked = c.marks.seen = queue(c).marked = seen;
    return;
  }
  const TaskId id = find(event.pid, event.name, c.number);
  see_prio(id, event.prio);
  if (task(id).on_rq) {
    // It was runnable already: nothing is placed, and a running one is tested against nobody.
    if (local) resolve(c, event);
    return tally_.skip(Rule::wakeup_preemption, "the task was runnable already");
  }
  const bool delayed = task(id).delayed;
  if (delayed && task(id).cpu != c.number) {
    tally_.resynchronized("a delayed sleeper woke on another CPU");
    Queue& old = state_.queues[static_cast<std::size_t>(task(id).cpu)];
    remove(old, id);
    task(id).delayed = false;
    known(id).lag = false;
  }
  if (!task(id).delayed) {
    task(id).cpu = c.number;
    check_lag_before(c, at, id);
  }
  const bool all_known = queue_known(c);
  const bool sure = delayed ? all_known && known(id).keys : all_known && known(id).lag;
  const bool was_marked = queue(c).marked;
  const TaskId running = queue(c).curr;
  Keys before;
  if (!running.idle()) {
    const Task& p = task(running);
    before = {p.vruntime, p.deadline, p.weight.weight};
  }
  const model::Event wake = stimulus(StimulusKind::wake, event, c, id);
  if (c.deferred && !running.idle()) {
    task(running).exec_start -= static_cast<u64>(trace_.events[*c.deferred].runtime_ns);
  }
  apply(wake);
  if (c.deferred && !running.idle()) check_charge(c, *c.deferred, running, before);
  c.deferred.reset();
  const bool placed_again = delayed && task(id).vlag == 0;
  check_placement(
      c, at, id, Rule::wakeup_placement, sure, delayed ? placed_again : task(id).vlag != 0);
  known(id).lag_shown = false;
  check_average(c, at);
  if (!local) {
    c.marks.marked = queue(c).marked;
    return tally_.skip(Rule::wakeup_preemption, "the mark of another CPU is not on the line");
  }
  check_wakeup_mark(c, event, id, was_marked, sure);
}

/// The line shows the mark after the wakeup's own test.
void EevdfReplay::check_wakeup_mark(
    Cpu& c, const Event& event, TaskId id, bool was_marked, bool sure) {
  Queue& q = queue(c);
  const bool seen = event.need_resched == 'y';
  const bool expected = q.marked;
  if (event.need_resched == '?') {
    tally_.skip(Rule::wakeup_preemption, "the format has no flags");
    c.marks.hide(tally_, "the format has no flags");
    c.marks.marked = expected;
    return;
  }
  if (c.marks.waiting()) {
    if (seen && expected && !was_marked) {
      c.marks.hide(tally_, "a wakeup's mark hides it");
    } else {
      c.marks.outcome(tally_, seen, event.hard_interrupt);
    }
  }
  if (!c.fair) {
    tally_.skip(Rule::wakeup_preemption, "the CPU was idle or in another class");
  } else if (was_marked) {
    tally_.skip(Rule::wakeup_preemption, "already marked");
  } else {
    const Task* const running = current(c);
    const bool ahead = running != nullptr && rules::later(running->deadline, task(id).deadline);
    check(Rule::wakeup_preemption,
          sure && running != nullptr && known(running->id).protection,
          seen == expected,
          ahead,
          event,
          id,
          fmt::format("must {}preempt: {}; the kernel did {}",
                      expected ? "" : "not ",
                      describe(c),
                      seen ? "" : "not "));
  }
  c.marks.marked = c.marks.seen = q.marked = seen;
}

/// The child is queued by sched_wakeup_new; here its pid begins anew.
void EevdfReplay::fork(const Event& event) {
  Cpu& c = cpu(event.cpu);
  resolve(c, event);
  const auto old = ids_.find(event.pid);
  if (old == ids_.end()) return;
  Task* const p = &task(old->second);
  if (p->queued()) {
    tally_.resynchronized("a pid begins anew while its task is queued");
    Queue& q = state_.queues[static_cast<std::size_t>(p->cpu)];
    remove(q, p->id);
    if (p->on_rq) --q.nr_running, q.load -= p->weight.weight;
    if (q.curr == p->id) q.curr = q.on_cpu = idle_task;
    p->on_rq = p->delayed = false;
  }
  ids_.erase(old);
}

void EevdfReplay::wakeup_new(std::size_t at) {
  const Event& event = trace_.events[at];
  Cpu& writer = cpu(event.cpu);
  resolve(writer, event);
  if (!is_fair(event.prio) || event.context_pid <= 0) return;
  Cpu& c = cpu(event.target_cpu >= 0 ? event.target_cpu : event.cpu);
  const TaskId parent = find(event.context_pid, event.context_name, writer.number);
  const TaskId id{static_cast<std::int32_t>(known_.size())};
  Known& made = known_.emplace_back();
  made.pid = event.pid;
  made.name = trace_.name(event.name);
  made.prio = event.prio;
  ids_[event.pid] = id;
  model::NewTask child;
  child.id = id;
  child.nice = event.prio - 120;
  child.allowed = c.number == task(parent).cpu ? CpuSet::first(settings_.config.cpus) : CpuSet{};
  child.allowed.insert(CpuId{c.number});
  const bool sure = queue_known(c);
  const bool was_marked = queue(c).marked;
  model::Event fork = stimulus(StimulusKind::fork, event, writer, parent);
  fork.child = &child;
  apply(fork);
  task(id).allowed = CpuSet::first(settings_.config.cpus);
  check_placement(c, at, id, Rule::fork_placement, sure, count(c) > 1);
  check_average(c, at);
  c.marks.marked = queue(c).marked;
  if (&c != &writer) {
    return tally_.skip(Rule::wakeup_preemption, "the mark of another CPU is not on the line");
  }
  if (was_marked || !c.fair) {
    return tally_.skip(Rule::wakeup_preemption,
                       was_marked ? "already marked" : "the CPU was idle or in another class");
  }
  const Task* const running = current(c);
  if (!sure || running == nullptr || !known(running->id).protection) {
    return tally_.skip(Rule::wakeup_preemption,
                       settings_.grouped ? "task groups, or tasks that are not shown"
                                         : "unknown history");
  }
  Expectation expected;
  expected.rule = Rule::wakeup_preemption;
  expected.marked = queue(c).marked;
  expected.contested = rules::later(running->deadline, task(id).deadline);
  expected.line = event.line;
  expected.t = event.t;
  expected.task = describe(id);
  expected.text =
      fmt::format("new task must {}preempt: {}", expected.marked ? "" : "not ", describe(c));
  c.marks.expect(std::move(expected));
}

/// Which task the balancer moves is taken from the trace; its lag travels with it.
void EevdfReplay::migrate(const Event& event) {
  resolve(cpu(event.cpu), event);
  if (!is_fair(event.prio)) return;
  Cpu& from = cpu(event.from_cpu);
  Cpu& to = cpu(event.target_cpu);
  const TaskId id = find(event.pid, event.name, from.number);
  Task& p = task(id);
  if (p.queued()) {
    Queue& old = state_.queues[static_cast<std::size_t>(p.cpu)];
    remove(old, id);
    if (p.on_rq) --old.nr_running, old.load -= p.weight.weight;
    if (old.curr == id) old.curr = old.on_cpu = idle_task;
    const bool runnable = p.on_rq;
    p.on_rq = p.delayed = false;
    known(id).keys = known(id).lag = false;
    p.cpu = to.number;
    if (!runnable) return;
    Queue& now = queue(to);
    p.on_rq = true;
    ++now.nr_running;
    now.load += p.weight.weight;
    insert(now, p);
    return;
  }
  p.cpu = to.number;
}

}  // namespace fw::validate
