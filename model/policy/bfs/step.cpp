// SPDX-License-Identifier: Apache-2.0
// The transition: one function a stimulus, and the records (simulator.md A, B, G; CHOICE page).
#include "model/policy/bfs/work.h"
#include "model/policy/tasks.h"
#include "model/rules/bfs.h"

namespace fw::model::bfs {

namespace rb = rules::bfs;

namespace {
Task born(const Config& config, const NewTask& newcomer) {
  Task out;
  out.id = newcomer.id;
  out.nice = newcomer.nice;
  out.sched_class = newcomer.sched_class;
  out.allowed = newcomer.allowed;
  out.cpu = out.allowed.lowest().value;
  out.time_slice = static_cast<std::int64_t>(rb::full_slice(config.rr_ms, config.gen_j));
  out.deadline = deadline_from(config, out, Instant{}, 0);
  return out;
}
}  // namespace

Decision& Work::record(DecisionKind kind, int number, const Task* about) {
  Decision& out = log_.emplace_back();
  out.t = event_.t;
  out.cpu = CpuId{number};
  out.kind = kind;
  out.task = about == nullptr ? idle_task : about->id;
  out.nr = nr_running(state_);
  if (about == nullptr) return out;
  out.state[0] = static_cast<std::int64_t>(about->deadline);
  out.state[1] = about->time_slice;
  return out;
}

/// A wakeup or fork, on the CPU that is marked for it, or else on the task's own (CHOICE 6).
void Work::record_arrival(DecisionKind kind, const Task& p, int chosen, bool was_marked) {
  const int where = chosen >= 0 ? chosen : p.cpu;
  if (chosen >= 0) cpu(chosen).marked = true;
  Decision& out = record(kind, where, &p);
  out.preempt = !was_marked && cpu(where).marked;
}

void Work::wake() {
  Task& p = task(event_.task);
  enqueue(p);
  const int chosen = find_cpu(p);
  record_arrival(DecisionKind::wake, p, chosen, cpu(chosen >= 0 ? chosen : p.cpu).marked);
  log_.back().other = event_.waker;
  log_.back().why = event_.by;
}

/// Section 5, with CHOICE 8.
void Work::fork() {
  Task child = born(config_, *event_.child);
  Task& parent = task(event_.task);
  const int parent_cpu = parent.cpu;
  if (child.allowed.contains(CpuId{parent_cpu})) child.cpu = parent_cpu;
  child.parent = parent.id;
  child.depth = parent.depth + (event_.child->thread ? 0 : 1);
  child.last_ran = event_.t;
  const bool parent_was_marked = cpu(parent_cpu).marked;
  split_slice(parent, child);
  if (parent.time_slice == 0) cpu(parent_cpu).marked = true;

  state_.tasks.push_back(std::move(child));
  Task& p = state_.tasks.back();
  enqueue(p);
  const bool before_parent = !event_.child->thread && p.cpu == parent_cpu && best_idle(p) < 0;
  const int chosen = before_parent ? parent_cpu : find_cpu(p);
  const int where = chosen >= 0 ? chosen : p.cpu;
  record_arrival(
      DecisionKind::fork, p, chosen, where == parent_cpu ? parent_was_marked : cpu(where).marked);
  log_.back().other = event_.task;
}

/// A block or an exit: charged, off the CPU's mind at once, its current until schedule().
void Work::leave() {
  Task& p = task(event_.task);
  Cpu& at = cpu(p.cpu);
  charge(p);
  p.place = Place::asleep;
  at.marked = true;
  at.left = true;
  const bool ends = event_.kind == StimulusKind::exit;
  p.dead = ends;
  if (ends) reap(p);
  record(ends ? DecisionKind::exit : DecisionKind::block, p.cpu, &p);
}

/// Section 5: nothing changes but the mark.
void Work::yield() {
  Task& p = task(event_.task);
  charge(p);
  cpu(p.cpu).marked = true;
  cpu(p.cpu).left = true;
  record(DecisionKind::yield, p.cpu, &p);
}

/// The running task changes its own nice (G1).
void Work::renice() {
  Task& p = task(event_.task);
  Cpu& at = cpu(p.cpu);
  charge(p);
  p.nice = event_.nice;
  refill(p);
  at.rq_deadline = p.deadline;
  at.marked = true;
  record(DecisionKind::renice, p.cpu, &p).nice = p.nice;
}

/// CHOICE 9: the running task changes its own mask.
void Work::affinity() {
  Task& p = task(event_.task);
  p.allowed = *event_.cpus;
  const int from = p.cpu;
  record(DecisionKind::affinity, from, &p).cpus = p.allowed;
  if (p.allowed.contains(CpuId{from})) return;
  charge(p);
  if (refill_due(p)) refill(p);
  cpu(from).curr = idle_task;
  cpu(from).marked = true;
  p.cpu = p.allowed.lowest().value;
  enqueue(p);
  const int chosen = find_cpu(p);
  if (chosen >= 0) cpu(chosen).marked = true;
  Decision& out = record(DecisionKind::migrate, p.cpu, &p);
  out.from = CpuId{from};
  out.why = Why::affinity;
}

/// Section 2.
void Work::tick() {
  if (event_.kind == StimulusKind::idle_tick) return;
  const int number = event_.cpu.value;
  Cpu& at = cpu(number);
  Task& p = task(at.curr);
  charge(p);
  if (at.dither) {
    if (p.time_slice > rb::half_jiffy_us(static_cast<std::uint64_t>(config_.hz))) return;
    p.time_slice = 0;
  } else if (!rb::slice_over(p.time_slice, config_.gen_j)) {
    return;
  }
  if (at.marked) return;
  at.marked = true;
  record(DecisionKind::preempt, number, &p).why = Why::slice;
}

/// Section 3.
void Work::schedule() {
  const int number = event_.cpu.value;
  Cpu& at = cpu(number);
  at.marked = false;
  at.dither = dither();
  const TaskId prev = at.on_cpu;
  // A current that was moved away may have ended elsewhere by now.
  const bool prev_is_here = !prev.idle() && at.curr == prev;
  TaskId next = idle_task;
  if (prev_is_here) {
    Task& p = task(prev);
    if (!at.left) charge(p);
    if (refill_due(p)) refill(p);
    p.last_ran = event_.t;
    if (p.place == Place::running && state_.qnr() == 0) {
      next = prev;
    } else if (p.place == Place::running) {
      const int idle = best_idle(p);
      if (idle >= 0) cpu(idle).marked = true;
      enqueue(p);
    }
  }
  if (next.idle()) {
    next = earliest(number);
    if (!next.idle()) take(task(next));
  }
  at.curr = at.on_cpu = next;
  at.left = false;
  at.rq_prio = idle_prio;
  at.rq_deadline = 0;
  if (!next.idle()) {
    Task& p = task(next);
    p.place = Place::running;
    p.cpu = number;
    p.last_ran = p.exec_start = event_.t;
    at.rq_prio = prio_of(p);
    at.rq_deadline = p.deadline;
  }
  Decision& out = record(DecisionKind::pick, number, next.idle() ? nullptr : &task(next));
  out.other = prev;
  out.why = next.idle() ? Why::idle : out.nr == 1 ? Why::only : Why::earliest_deadline;
  if (prev_is_here && prev != next) erase_if_dead(state_.tasks, prev);
}

Step<State> step(const Config& config,
                 State&& state,
                 const Event& event,
                 std::vector<Decision>&& storage) {
  return step_by<Work>(config, std::move(state), event, std::move(storage));
}

State initial(const Config& config, const std::vector<NewTask>& newcomers) {
  State out;
  out.cpus.resize(static_cast<std::size_t>(config.cpus));
  for (const NewTask& newcomer : newcomers) out.tasks.push_back(born(config, newcomer));
  return out;
}

}  // namespace fw::model::bfs
