// SPDX-License-Identifier: Apache-2.0
// sched_stat_runtime: steps, placements that show with them, ticks.
#include <fmt/format.h>

#include "props/validate/replay.h"

namespace fw::validate {

namespace r61 = rules::cfs61;
using Kind = input::TraceEventKind;
using Where = Entity::Where;

/// A timer that wakes somebody charges the running task too, right before it prints the wakeup.
bool Replay::followed_by_wakeup(std::size_t at) const {
  const std::size_t next = following_[at];
  if (next >= trace_.events.size()) return false;
  const Event& event = trace_.events[at];
  const Event& ahead = trace_.events[next];
  constexpr Duration near{100'000};
  return (ahead.kind == Kind::wakeup || ahead.kind == Kind::waking) && ahead.hard_interrupt &&
         ahead.t - event.t < near;
}

void Replay::runtime(const Event& event, std::size_t at) {
  Cpu& writer = cpu(event.cpu);
  resolve(writer, event);
  if (event.vruntime_ns == -1 || event.runtime_ns < 0) return;
  Entity& task = entity(event.pid, event.name);
  const u64 delta = static_cast<u64>(event.runtime_ns);
  const auto after = static_cast<u64>(event.vruntime_ns);
  Cpu& c = task.where == Where::running ? cpu(task.cpu) : writer;
  if (c.queue.curr != &task) {
    // Somebody runs whose switch the trace does not have, or a group's entity is charged.
    if (task.where != Where::running) tally_.resynchronized("charged without being current");
    task.v = after;
    task.known = true;
    task.placement.reset();
    return;
  }
  if (task.exited) {
    check_exit_step(c, task, event, delta, after);
  } else if (task.placement) {
    check_placement(task, event, delta, after);
  } else if (task.known) {
    check_step(task, event, delta, after);
  } else {
    tally_.skip(Rule::vruntime_step, "unknown history");
  }
  if (!task.announced.empty() && event.context != input::TraceContext::interrupt) {
    take_announced(task);
  }
  task.v = after;
  task.known = true;
  task.ran += delta;
  c.queue.start(after, event.t);
  c.queue.update_min(event.t);
  if (!c.arriving.empty()) arrive(c);
  if (&c == &writer) remember_fork_base(c, event);
  if (event.hard_interrupt && &c == &writer && !followed_by_wakeup(at)) tick(c, event);
}

/// Keeps a step that does not fit the task's weight until its nice is on a line again. A nice that
/// explains the step is taken at once: slices depend on it.
void Replay::doubt(Entity& task, Miss miss, u64 delta, u64 before, u64 after) {
  task.doubts.push_back({std::move(miss), delta, before, after});
  for (std::int32_t prio = 100; prio <= 139; ++prio) {
    const rules::cfs::Load<u64> load = load_of_prio(prio);
    if (before + r61::fair(delta, load) != after) continue;
    task.load = load;
    return;
  }
}

void Replay::check_step(Entity& task, const Event& event, u64 delta, u64 after) {
  const u64 expected = task.v + r61::fair(delta, task.load);
  const bool contested = task.load.weight != rules::cfs::nice_0_weight;
  if (expected == after) return tally_.explained(Rule::vruntime_step, contested);
  if (!task.announced.empty() &&
      task.v + r61::fair(delta, load_of_prio(task.announced.front())) == after) {
    take_announced(task);
    return tally_.explained(Rule::vruntime_step, true);
  }
  doubt(task,
        miss(Rule::vruntime_step,
             event,
             task,
             fmt::format("{} ns at weight {} take vruntime {} to {}; the kernel has {}",
                         delta,
                         task.load.weight,
                         task.v,
                         expected,
                         after)),
        delta,
        task.v,
        after);
}

void Replay::check_placement(Entity& task, const Event& event, u64 delta, u64 after) {
  const Placement placement = *task.placement;
  task.placement.reset();
  const u64 seen = after - r61::fair(delta, task.load);
  Queue& queue = cpu(task.cpu).queue;
  if (placement.sure) {
    if (seen == placement.placed) return tally_.explained(placement.rule, placement.contested);
    return doubt(task,
                 miss(placement.rule,
                      event,
                      task,
                      fmt::format("placed at {} (its own {}, min_vruntime {}); the kernel has {}, "
                                  "{} more",
                                  placement.placed,
                                  placement.own,
                                  placement.min,
                                  seen,
                                  static_cast<std::int64_t>(seen - placement.placed))),
                 delta,
                 placement.placed,
                 after);
  }
  tally_.skip(placement.rule, placement.skip_cause);
  task.nice_open = placement.rule == Rule::fork_placement;
  if (placement.learns_min && rules::later(seen, placement.own)) {
    queue.learn_min(seen - placement.shift);
  }
}

/// do_exit() takes the task out of its autogroup: off the queue and on again, with the queue's
/// min_vruntime of each moment. The trace has no line for it.
void Replay::check_exit_step(Cpu& c, Entity& task, const Event& event, u64 delta, u64 after) {
  task.placement.reset();
  if (!task.known) return;
  const u64 expected = task.v + r61::fair(delta, task.load);
  tally_.skip(Rule::vruntime_step, "after exit: the task changes its group");
  if (expected == after) return;
  Queue& queue = c.queue;
  Entity* const curr = queue.curr;
  if (FW_FAULT(V12_exit_keeps_floor)) return;
  queue.curr = nullptr;  // it is off the queue while the floor is renewed
  queue.update_min(event.t);
  queue.curr = curr;
  queue.clear_buddies(task);
  task.ran = 0;
}

void Replay::tick(Cpu& c, const Event& event) {
  c.yielded = false;  // its pick took the same task again, without a line
  Queue& queue = c.queue;
  if (c.marks.marked) {
    tally_.skip(Rule::tick_preemption, "already marked");
  } else if (!queue.all_known() || queue.curr->nice_open || queue.may_hide_tasks(event.t)) {
    tally_.skip(Rule::tick_preemption, "unknown history");
    return;
  }
  const r61::TickVerdict verdict = queue.tick();
  if (!c.marks.marked) {
    Expectation expected;
    expected.marked = verdict != r61::TickVerdict::goes_on;
    expected.contested = queue.nr_running() > 1;
    expected.line = event.line;
    expected.task = describe(*queue.curr);
    expected.t = event.t;
    expected.text = fmt::format("{}: ran {} of {}, {}",
                                verdict == r61::TickVerdict::slice      ? "slice used up"
                                : verdict == r61::TickVerdict::leftmost ? "too far right"
                                                                        : "no reason to preempt",
                                queue.curr->ran,
                                queue.slice(*queue.curr),
                                describe(queue));
    c.marks.marked = expected.marked;
    c.marks.expect(std::move(expected));
  }
  if (verdict == r61::TickVerdict::slice && !FW_FAULT(V07_tick_keeps_buddies)) {
    queue.clear_buddies(*queue.curr);
  }
}

}  // namespace fw::validate
