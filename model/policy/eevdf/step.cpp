// SPDX-License-Identifier: Apache-2.0
// The transition: one function a stimulus, and the records (simulator.md A, B, E; CHOICE page).
#include "model/policy/eevdf/work.h"
#include "model/policy/tasks.h"

namespace fw::model::eevdf {

namespace re = rules::eevdf;
using rules::s64;
using rules::u64;

namespace {
re::Weight weight_of(SchedClass sched_class, int nice) {
  return sched_class == SchedClass::idle ? re::idle_policy_weight : re::weight_of_nice(nice);
}

Task born(const Config& config, const NewTask& newcomer) {
  Task out;
  out.id = newcomer.id;
  out.nice = newcomer.nice;
  out.sched_class = newcomer.sched_class;
  out.allowed = newcomer.allowed;
  out.weight = weight_of(out.sched_class, out.nice);
  if (newcomer.slice_ns > 0 && config.since(Profile::e612)) {
    out.custom_slice = re::granted_slice(static_cast<u64>(newcomer.slice_ns));
  }
  out.slice = out.custom_slice != 0 ? out.custom_slice : config.base_slice_ns;
  out.vruntime = config.vruntime_base;
  out.deadline = config.vruntime_base;
  return out;
}
}  // namespace

Decision& Work::record(DecisionKind kind, int cpu, const Task* about) {
  Decision& out = log_.emplace_back();
  out.t = event_.t;
  out.cpu = CpuId{cpu};
  out.kind = kind;
  out.task = about == nullptr ? idle_task : about->id;
  out.nr = static_cast<int>(queue(cpu).nr_running);
  if (about == nullptr) return out;
  out.state[0] = static_cast<s64>(about->vruntime - config_.vruntime_base);
  out.state[1] = static_cast<s64>(about->deadline - config_.vruntime_base);
  out.state[2] = about->vlag;
  if (about->queued()) {
    const Queue& q = queue(about->cpu);
    out.state[2] = static_cast<s64>(average(q, totals(state_, q)) - about->vruntime);
  }
  return out;
}

void Work::record_migration(const Task& p, int from, Why why) {
  Decision& out = record(DecisionKind::migrate, p.cpu, &p);
  out.from = CpuId{from};
  out.why = why;
}

/// CHOICE 19.
void Work::wake() {
  Task& p = task(event_.task);
  const int from = p.cpu;
  if (!p.delayed && !p.allowed.contains(CpuId{from})) p.cpu = p.allowed.lowest().value;
  Queue& q = queue(p.cpu);
  const bool was_marked = q.marked;
  if (p.delayed) {
    wake_delayed(q, p);
  } else {
    enqueue(p, false);
  }
  check_preempt(p.cpu, p, false);
  if (p.cpu != from) record_migration(p, from, Why::wakeup);
  Decision& out = record(DecisionKind::wake, p.cpu, &p);
  out.other = event_.waker;
  out.why = event_.by;
  out.preempt = !was_marked && q.marked;
}

void Work::wake_delayed(Queue& q, Task& p) {
  if (config_.delay_zero) {
    store_lag(q, p);
    if (p.vlag > 0) {
      const bool in_tree = q.curr != p.id;
      p.delayed = false;
      if (in_tree) remove(q, p.id);
      follow_least(q);
      p.vlag = 0;
      place(q, p, false);
      p.delayed = true;
      if (in_tree) insert(q, p);
    }
  }
  p.delayed = false;
  count_in(q, p);
}

/// CHOICE 20.
void Work::fork() {
  const int parent_cpu = task(event_.task).cpu;
  Task child = born(config_, *event_.child);
  child.cpu = parent_cpu;
  if (!child.allowed.contains(CpuId{child.cpu})) child.cpu = child.allowed.lowest().value;
  Queue& q = queue(child.cpu);
  const bool was_marked = q.marked;
  charge(queue(parent_cpu));
  state_.tasks.push_back(std::move(child));
  Task& p = state_.tasks.back();
  enqueue(p, true);
  check_preempt(p.cpu, p, true);
  if (p.cpu != parent_cpu) record_migration(p, parent_cpu, Why::fork);
  Decision& out = record(DecisionKind::fork, p.cpu, &p);
  out.other = event_.task;
  out.preempt = !was_marked && q.marked;
}

/// CHOICE 21: a block or an exit.
void Work::leave() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  charge(q);
  clear_hint(q, p.id);
  const bool ends = event_.kind == StimulusKind::exit;
  if (!ends && config_.delay_dequeue && !eligible(q, p)) {
    count_out(q, p);
    p.delayed = true;
  } else {
    take_off(q, p, true);
  }
  q.marked = true;
  q.left = true;
  p.dead = ends;
  record(ends ? DecisionKind::exit : DecisionKind::block, p.cpu, &p);
}

/// CHOICE 22.
void Work::yield() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  if (!q.tree.empty()) {
    clear_hint(q, p.id);
    charge(q);
    const bool gives = !config_.yield_forfeits || eligible(q, p);
    if (gives && config_.yield_forfeits) p.vruntime = p.deadline;
    if (gives) p.deadline += vdelta(p.slice, p);
  }
  q.marked = true;
  q.left = true;
  record(DecisionKind::yield, p.cpu, &p);
}

/// CHOICE 23: the running task changes its own nice.
void Work::renice() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  charge(q);
  clear_hint(q, p.id);
  take_off(q, p, false);
  q.curr = idle_task;
  const bool weaker = event_.nice > p.nice;
  const u64 old_weight = p.weight.weight;
  p.nice = event_.nice;
  p.weight = weight_of(p.sched_class, p.nice);
  const auto scaled = [&](s64 distance) {
    return static_cast<s64>(re::rescaled<Exact>(distance, old_weight, p.weight.weight));
  };
  p.vlag = scaled(p.vlag);
  if (config_.reweight == Reweight::e66) {
    p.relative = false;
  } else if (p.relative && config_.reweight != Reweight::e612) {
    p.deadline = static_cast<u64>(scaled(static_cast<s64>(p.deadline)));
  }
  place(q, p, false);
  count_in(q, p);
  insert(q, p);
  remove(q, p.id);
  set_current(q, p, false);
  if (weaker && !q.tree.empty()) q.marked = true;
  record(DecisionKind::renice, p.cpu, &p).nice = p.nice;
}

/// CHOICE 3: the running task changes its own mask.
void Work::affinity() {
  Task& p = task(event_.task);
  p.allowed = *event_.cpus;
  const int from = p.cpu;
  record(DecisionKind::affinity, from, &p).cpus = p.allowed;
  if (p.allowed.contains(CpuId{from})) return;
  Queue& old = queue(from);
  charge(old);
  clear_hint(old, p.id);
  take_off(old, p, false);
  old.curr = idle_task;
  old.marked = true;
  p.cpu = p.allowed.lowest().value;
  enqueue(p, false);
  check_preempt(p.cpu, p, false);
  record_migration(p, from, Why::affinity);
}

void Work::tick() {
  if (event_.kind == StimulusKind::idle_tick) return;
  const int cpu = event_.cpu.value;
  Queue& q = queue(cpu);
  const bool was_marked = q.marked;
  const Why why = charge(q);
  if (was_marked || !q.marked) return;
  record(DecisionKind::preempt, cpu, &task(q.curr)).why = why;
}

/// Section 4, with CHOICE 14 to 16; who left has been dequeued as his action.
void Work::schedule() {
  const int cpu = event_.cpu.value;
  Queue& q = queue(cpu);
  q.marked = false;
  const TaskId prev = q.on_cpu;
  // A current that was moved away may have ended elsewhere by now.
  const bool prev_is_here = q.curr == prev;
  charge(q);
  Choice choice = pick(q, true);
  while (!choice.task.idle() && task(choice.task).delayed) {
    drop_delayed(q, task(choice.task));
    choice = pick(q, true);
  }
  if (choice.task.idle()) {
    q.curr = idle_task;
  } else if (choice.task != q.curr) {
    put_current(q);
    remove(q, choice.task);
    set_current(q, task(choice.task), true);
  }
  q.on_cpu = q.curr;
  q.left = false;
  q.marked = false;
  Decision& out = record(DecisionKind::pick, cpu, q.curr.idle() ? nullptr : &task(q.curr));
  out.other = prev;
  out.why = !q.curr.idle() && q.nr_running == 1 ? Why::only : choice.why;
  if (!prev.idle() && prev_is_here && prev != q.curr) erase_if_dead(state_.tasks, prev);
}

Step<State> step(const Config& config,
                 State&& state,
                 const Event& event,
                 std::vector<Decision>&& storage) {
  return step_by<Work>(config, std::move(state), event, std::move(storage));
}

State initial(const Config& config, const std::vector<NewTask>& newcomers) {
  State out;
  Queue empty;
  empty.base = config.vruntime_base;
  out.queues.assign(static_cast<std::size_t>(config.cpus), empty);
  for (const NewTask& newcomer : newcomers) {
    Task p = born(config, newcomer);
    p.cpu = p.allowed.lowest().value;
    out.tasks.push_back(std::move(p));
  }
  return out;
}

}  // namespace fw::model::eevdf
