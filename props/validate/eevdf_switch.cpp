// SPDX-License-Identifier: Apache-2.0
// EEVDF: who leaves and how, who is picked.
#include <fmt/format.h>

#include "props/validate/eevdf_replay.h"
#include "props/validate/queue.h"

namespace fw::validate {

namespace me = model::eevdf;
using rules::s64;

void EevdfReplay::leave(Cpu& c, const Event& event, TaskId id) {
  const bool all_known = queue_known(c);
  known(id).lag = all_known;
  known(id).lag_shown = false;
  const model::Event out = stimulus(StimulusKind::block, event, c, id);
  // Dead, stopped, traced and parked tasks are never delayed.
  const bool special = known(id).exited || event.prev_state == 'T' || event.prev_state == 't' ||
                       event.prev_state == 'P' || event.prev_state == 'X' ||
                       event.prev_state == 'Z';
  apply(out, special ? without_delay_ : settings_.config);
  if (task(id).delayed) known(id).lag = false;
}

/// Whether the leaver stayed on the queue, and the lag that it took with it.
void EevdfReplay::check_leaver(Cpu& c, std::size_t at, TaskId id, u64 marker, bool sure) {
  const input::TraceProbe* const probe = probe_of(at);
  if (probe == nullptr || !probe->entity.vlag_ns || !c.offset) return;
  const Event& event = trace_.events[at];
  const s64 printed = *probe->entity.vlag_ns;
  // Who stays keeps the marker of its last pick, which is no lag.
  const bool stays = static_cast<u64>(printed) - *c.offset == marker;
  Task& p = task(id);
  if (!known(id).exited) {
    check(Rule::delayed_dequeue,
          sure,
          p.delayed == stays,
          settings_.config.delay_dequeue && count(c) > 0,
          event,
          id,
          fmt::format("must {}stay on the queue: {}", p.delayed ? "" : "not ", describe(c)));
  }
  if (stays || p.delayed) return;
  check(Rule::lag,
        sure,
        p.vlag == printed,
        printed != 0,
        event,
        id,
        fmt::format("leaves with lag {}; the kernel has {}", p.vlag, printed));
  p.vlag = printed;
  known(id).lag = known(id).lag_shown = true;
}

void EevdfReplay::read_switch(Cpu& c, std::size_t at, TaskId prev, TaskId next) {
  const input::TraceProbe* const probe = probe_of(at);
  if (probe == nullptr) return;
  const auto read = [&](TaskId id, const input::EntityValues& values) {
    if (id.idle() || !values.vruntime_ns || !values.deadline_ns) return;
    if (!c.offset) {
      if (!known(id).keys) return;
      c.offset = static_cast<u64>(*values.vruntime_ns) - task(id).vruntime;
    }
    set_keys(c,
             id,
             static_cast<u64>(*values.vruntime_ns) - *c.offset,
             static_cast<u64>(*values.deadline_ns) - *c.offset);
  };
  if (!prev.idle() && task(prev).queued()) read(prev, probe->entity);
  read(next, probe->next);
  if (!next.idle() && c.offset && probe->next.vlag_ns &&
      !settings_.config.since(me::Profile::e618)) {
    task(next).protection = static_cast<u64>(*probe->next.vlag_ns) - *c.offset;
    known(next).protection = true;
  }
}

/// schedule(): the model's pick against the task that the line names; `taken` runs afterwards.
void EevdfReplay::pick(Cpu& c, std::size_t at, TaskId taken, bool skipped) {
  const Event& event = trace_.events[at];
  const bool sure = queue_known(c) && (current(c) == nullptr || known(queue(c).curr).protection);
  const std::size_t candidates = count(c);
  const std::string before = describe(c);
  std::vector<TaskId> delayed;
  for (const me::Waiting& each : queue(c).tree) {
    if (task(each.task).delayed) delayed.push_back(each.task);
  }
  if (const Task* const p = current(c); p != nullptr && p->delayed) delayed.push_back(p->id);
  me::State old = state_;
  apply(stimulus(StimulusKind::schedule, event, c, idle_task));
  const TaskId picked = queue(c).curr;
  const std::string why(why_name(log_.back().why));
  if (skipped) {
    tally_.skip(Rule::pick, "a yield that was not traced");
  } else {
    check(Rule::pick,
          sure,
          picked == taken,
          candidates > 1,
          event,
          taken,
          fmt::format("the model picks {} ({}): {}", describe(picked), why, before));
  }
  if (picked != taken) {
    state_ = std::move(old);
    force_current(c, taken, event);
  } else {
    for (const TaskId id : delayed) {
      const bool gone = !task(id).delayed;
      if (gone) known(id).lag = sure, known(id).lag_shown = false;
    }
  }
  known(taken).protection = known(taken).keys;
}

/// The mark went without a switch: schedule() took the running task again.
void EevdfReplay::check_kept(Cpu& c, const Event& event) {
  Queue& q = queue(c);
  if (!c.fair || current(c) == nullptr) return;
  const TaskId running = q.curr;
  const bool sure = queue_known(c) && known(running).protection;
  const std::string before = describe(c);
  const bool contested = count(c) > 1;
  me::State old = state_;
  apply(stimulus(StimulusKind::schedule, event, c, idle_task));
  const TaskId picked = q.curr;
  check(Rule::pick,
        sure,
        picked == running,
        contested,
        event,
        running,
        fmt::format("the model picks {} ({}): {}",
                    describe(picked),
                    why_name(log_.back().why),
                    before));
  if (picked != running) state_ = std::move(old);
}

void EevdfReplay::switched(std::size_t at) {
  const Event& event = trace_.events[at];
  Cpu& c = cpu(event.cpu);
  const bool stays = event.prev_state == 'R';
  const bool unseen_yield = stays && !event.preempted && trace_.yields.empty() && c.fair &&
                            cpus_.size() == 1 && !c.marks.marked && event.need_resched != '?' &&
                            queue_known(c);
  if (unseen_yield) c.yielded = true;
  if (stays && !c.yielded) {
    c.marks.outcome(tally_, true, false);
  } else {
    c.marks.hide(tally_, stays ? "a yield hides it" : "a block hides it");
  }
  TaskId prev = idle_task;
  u64 marker = 0;
  bool sure = false;
  if (event.pid != 0 && is_fair(event.prio)) {
    prev = find(event.pid, event.name, c.number);
    if (queue(c).curr != prev || current(c) == nullptr) {
      tally_.resynchronized("a switch is missing");
      known(prev).keys = known(prev).protection = false;
      force_current(c, prev, event);
    }
    see_prio(prev, event.prio);
    marker = task(prev).protection;
    sure = queue_known(c) && known(prev).protection;
    if (c.yielded && count(c) > 1) {
      apply(stimulus(StimulusKind::yield, event, c, prev));
      known(prev).keys = false;
    }
    if (!stays) leave(c, event, prev);
  } else {
    put_current(c);
  }
  TaskId taken = idle_task;
  if (event.other_pid > 0 && is_fair(event.other_prio)) {
    taken = find(event.other_pid, event.other_name, c.number);
    if (!task(taken).queued()) {
      tally_.resynchronized("a task runs that no line has woken");
      c.complete = false;
      known(taken).keys = false;
    }
    see_prio(taken, event.other_prio);
    pick(c, at, taken, unseen_yield);
  } else if (event.other_pid == 0) {
    apply(stimulus(StimulusKind::schedule, event, c, idle_task));
    if (!queue(c).curr.idle()) {
      tally_.resynchronized("the CPU goes idle although a task should be runnable");
      put_current(c);
      Queue& q = queue(c);
      for (const me::Waiting& each : q.tree) {
        Task& p = task(each.task);
        p.on_rq = p.delayed = false;
        known(each.task).keys = known(each.task).lag = false;
      }
      q.tree.clear();
      q.nr_running = q.load = 0;
    }
    c.complete = !settings_.grouped;  // an idle CPU has an empty queue
  } else {
    if (event.other_pid > 0) tally_.skip(Rule::pick, "another class");
    put_current(c);
  }
  if (!prev.idle() && !stays) check_leaver(c, at, prev, marker, sure);
  read_switch(c, at, prev, taken);
  check_average(c, at);
  if (!prev.idle() && !stays && known(prev).exited) forget(prev);
  c.on_cpu = event.other_pid;
  c.fair = !taken.idle();
  c.yielded = false;
  c.deferred.reset();
  c.regrouped.reset();
  c.marks.marked = c.marks.seen = queue(c).marked = false;
}

}  // namespace fw::validate
