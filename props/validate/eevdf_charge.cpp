// SPDX-License-Identifier: Apache-2.0
// EEVDF: charges, deadlines, the mark that a charge sets.
#include <fmt/format.h>

#include <algorithm>

#include "props/validate/eevdf_replay.h"

namespace fw::validate {

namespace re = rules::eevdf;
using Kind = input::TraceEventKind;
using rules::s64;

/// Putting a delayed sleeper back charges nobody; the test whether it preempts does, and then its
/// line is printed.
bool EevdfReplay::opens_delayed_wakeup(std::size_t at) {
  const std::size_t next = following_[at];
  if (next >= trace_.events.size()) return false;
  const Event& event = trace_.events[at];
  const Event& ahead = trace_.events[next];
  constexpr Duration near{100'000};
  if (ahead.kind != Kind::wakeup || ahead.target_cpu != event.cpu || ahead.t - event.t > near) {
    return false;
  }
  const auto found = ids_.find(ahead.pid);
  return found != ids_.end() && task(found->second).delayed;
}

void EevdfReplay::runtime(std::size_t at) {
  const Event& event = trace_.events[at];
  Cpu& writer = cpu(event.cpu);
  resolve(writer, event);
  if (event.runtime_ns < 0) return;
  const TaskId id = find(event.pid, event.name, writer.number);
  Cpu& c = cpu(task(id).cpu);
  if (queue(c).curr != id || current(c) == nullptr) {
    tally_.resynchronized("charged without being current");
    known(id).keys = known(id).lag = false;
    return;
  }
  if (opens_delayed_wakeup(at)) {
    c.deferred = at;
    return;
  }
  renice_before(c, at, id);
  const Task& p = task(id);
  const Keys before{p.vruntime, p.deadline, p.weight.weight};
  const bool was_marked = queue(c).marked;
  const bool sure = queue_known(c) && known(id).protection;
  const model::Event tick = stimulus(StimulusKind::tick, event, c, id);
  task(id).exec_start -= static_cast<u64>(event.runtime_ns);
  if (c.regrouped) {
    for (Task& each : c.regrouped->tasks) {
      if (each.id == id) each.exec_start = task(id).exec_start;
    }
    model::eevdf::State plain = state_;
    state_ = std::move(*c.regrouped);
    apply(tick);
    const u64 other = task(id).vruntime;
    std::swap(state_, plain);
    apply(tick);
    c.regrouped.reset();
    const u64 shown = static_cast<u64>(event.vruntime_ns) - c.offset.value_or(0);
    if (task(id).vruntime != shown) {
      if (other == shown) state_ = std::move(plain);
      // As for CFS: what the change of group does to the task is not checked.
      known(id).keys = false;
      tally_.resynchronized("after exit: the task changes its group");
    }
    known(id).regrouped = true;
    tally_.skip(Rule::tick_preemption, "after exit: the task changes its group");
  } else {
    apply(tick);
    expect_mark(c, event, was_marked, sure);
  }
  check_charge(c, at, id, before);
  if (known(id).exited && !known(id).regrouped && prints_vruntime_) {
    // The exiting task leaves its autogroup: off the queue and on again, and marked.
    const model::eevdf::State plain = state_;
    model::Event requeue = stimulus(StimulusKind::renice, event, c, id);
    requeue.nice = task(id).nice;
    apply(requeue);
    c.regrouped = std::move(state_);
    state_ = plain;
    c.marks.hide(tally_, "after exit: the task changes its group");
  }
}

/// A nice that a task gave itself since its last charge: printed as a weight, or seen as the prio of
/// its next switch.
void EevdfReplay::renice_before(Cpu& c, std::size_t at, TaskId id) {
  const Event& event = trace_.events[at];
  const input::TraceProbe* const probe = probe_of(at);
  std::int32_t prio = known(id).prio;
  if (probe != nullptr && probe->entity.weight) {
    for (std::int32_t each = 100; each <= 139; ++each) {
      const auto weight = static_cast<s64>(re::weight_of_nice(each - 120).weight);
      if (weight == *probe->entity.weight / 1024) prio = each;
    }
  } else {
    for (std::size_t i = following_[at]; i < trace_.events.size(); i = following_[i]) {
      const Event& ahead = trace_.events[i];
      if (ahead.kind != Kind::sched_switch) continue;
      if (ahead.pid == event.pid && ahead.prio >= 100 && ahead.prio <= 139) prio = ahead.prio;
      break;
    }
  }
  if (prio == known(id).prio) return;
  model::Event renice = stimulus(StimulusKind::renice, event, c, id);
  renice.nice = prio - 120;
  apply(renice);
  known(id).prio = prio;
  known(id).keys = known(id).keys && queue_known(c);
  queue(c).marked = c.marks.marked;
}

void EevdfReplay::expect_mark(Cpu& c, const Event& event, bool was_marked, bool sure) {
  Queue& q = queue(c);
  c.marks.marked = q.marked;
  if (was_marked) return tally_.skip(Rule::tick_preemption, "already marked");
  if (!sure) {
    return tally_.skip(Rule::tick_preemption,
                       settings_.grouped ? "task groups, or tasks that are not shown"
                                         : "unknown history");
  }
  Expectation out;
  out.rule = Rule::tick_preemption;
  out.marked = q.marked;
  out.contested = !q.tree.empty();
  out.line = event.line;
  out.t = event.t;
  out.task = describe(q.curr);
  out.text = fmt::format("charged for {} ns, must {}be marked: {}",
                         event.runtime_ns,
                         q.marked ? "" : "not ",
                         describe(c));
  c.marks.expect(std::move(out));
}

void EevdfReplay::check_charge(Cpu& c, std::size_t at, TaskId id, Keys before) {
  const Event& event = trace_.events[at];
  const input::TraceProbe* const probe = probe_of(at);
  const std::optional<s64> printed = probe != nullptr && probe->entity.vruntime_ns
                                         ? probe->entity.vruntime_ns
                                     : event.vruntime_ns != -1
                                         ? std::optional<s64>(event.vruntime_ns)
                                         : std::nullopt;
  Task& p = task(id);
  if (!printed) return tally_.skip(Rule::vruntime_step, "the trace prints no vruntime");
  if (!c.offset) {
    // The queues' common origin is arbitrary; who is not in line with it becomes unknown.
    c.offset = static_cast<u64>(*printed) - p.vruntime;
    if (!known(id).keys) {
      for (Known& each : known_) each.keys = false;
    }
    tally_.skip(Rule::vruntime_step, "the first one printed: the origin");
  } else if (known(id).placed) {
    check_shown_placement(c, at, id, static_cast<u64>(*printed) - *c.offset);
  } else {
    check(Rule::vruntime_step,
          known(id).keys,
          p.vruntime + *c.offset == static_cast<u64>(*printed),
          before.weight != 1024,
          event,
          id,
          fmt::format("{} ns at weight {} take vruntime {} to {}; the kernel has {}",
                      event.runtime_ns,
                      before.weight,
                      before.vruntime + *c.offset,
                      p.vruntime + *c.offset,
                      *printed));
  }
  const u64 shown = static_cast<u64>(*printed) - *c.offset;
  if (probe == nullptr || !probe->entity.deadline_ns) {
    p.vruntime = shown;
    known(id).keys = true;
    return;
  }
  const u64 deadline = static_cast<u64>(*probe->entity.deadline_ns) - *c.offset;
  // By the v that the kernel has: each decision by itself.
  const bool expired = re::expired(shown, before.deadline);
  const u64 expected = p.vruntime == shown ? p.deadline
                       : expired           ? shown + re::vdelta(p.slice, p.weight)
                                           : before.deadline;
  check(Rule::deadline,
        known(id).keys,
        expected == deadline,
        expired,
        event,
        id,
        fmt::format("deadline {}{} after v {}; the kernel has {}",
                    expected + *c.offset,
                    expired ? " (renewed)" : "",
                    *printed,
                    *probe->entity.deadline_ns));
  p.vruntime = shown;
  p.deadline = deadline;
  known(id).keys = true;
  if (probe->entity.vlag_ns && !settings_.config.since(model::eevdf::Profile::e618)) {
    p.protection = static_cast<u64>(*probe->entity.vlag_ns) - *c.offset;
    known(id).protection = true;
  }
}

/// A placement that no line printed: v at the task's first charge less what it was charged.
void EevdfReplay::check_shown_placement(Cpu& c, std::size_t at, TaskId id, u64 shown) {
  const Event& event = trace_.events[at];
  const Placed placed = *known(id).placed;
  known(id).placed.reset();
  const Task& p = task(id);
  const input::TraceProbe* const probe = probe_of(at);
  const bool marker = probe != nullptr && probe->entity.vlag_ns &&
                      !settings_.config.since(model::eevdf::Profile::e618);
  const u64 at_pick =
      marker ? static_cast<u64>(*probe->entity.vlag_ns) - *c.offset : placed.deadline;
  check(placed.rule,
        placed.sure,
        p.vruntime == shown && at_pick == placed.deadline,
        placed.contested,
        event,
        id,
        fmt::format("v {} and first deadline {} expected; the kernel has {} and {}",
                    p.vruntime + *c.offset,
                    placed.deadline + *c.offset,
                    shown + *c.offset,
                    at_pick + *c.offset));
}

}  // namespace fw::validate
