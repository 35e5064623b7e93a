// SPDX-License-Identifier: Apache-2.0
// The transition: one function a stimulus, and the records (simulator.md A, B, F; CHOICE page).
#include "model/policy/o1/work.h"
#include "model/policy/tasks.h"
#include "model/rules/o1.h"

namespace fw::model::o1 {

namespace ro = rules::o1;

namespace {
Task born(const Config& config, const NewTask& newcomer) {
  Task out;
  out.id = newcomer.id;
  out.nice = newcomer.nice;
  out.allowed = newcomer.allowed;
  out.cpu = out.allowed.lowest().value;
  const std::uint64_t static_prio = ro::static_prio(out.nice);
  out.prio = ro::effective_prio(
      static_prio, std::uint64_t{0}, config.max_sleep_avg, config.prio_bonus_ratio);
  out.time_slice = ro::timeslice(static_prio, config.min_timeslice, config.max_timeslice);
  return out;
}
}  // namespace

Decision& Work::record(DecisionKind kind, int cpu, const Task* about) {
  Decision& out = log_.emplace_back();
  out.t = event_.t;
  out.cpu = CpuId{cpu};
  out.kind = kind;
  out.task = about == nullptr ? idle_task : about->id;
  out.nr = static_cast<int>(queue(cpu).nr_running());
  if (about == nullptr) return out;
  out.state[0] = static_cast<std::int64_t>(about->prio);
  out.state[1] = static_cast<std::int64_t>(about->time_slice);
  out.state[2] = static_cast<std::int64_t>(about->place);
  out.state[3] = static_cast<std::int64_t>(about->sleep_avg);
  return out;
}

void Work::record_migration(const Task& p, int from, Why why) {
  Decision& out = record(DecisionKind::migrate, p.cpu, &p);
  out.from = CpuId{from};
  out.why = why;
}

/// Section 6: the CPU that the task belongs to, whatever it is doing.
void Work::wake() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  const bool was_marked = q.marked;
  activate(p);
  check_preempt(p);
  Decision& out = record(DecisionKind::wake, p.cpu, &p);
  out.other = event_.waker;
  out.why = event_.by;
  out.preempt = !was_marked && q.marked;
}

/// Section 6, with CHOICE 8 to 10.
void Work::fork() {
  Task child = born(config_, *event_.child);
  Task& parent = task(event_.task);
  const int parent_cpu = parent.cpu;
  Queue& q = queue(parent_cpu);
  if (child.allowed.contains(CpuId{parent_cpu})) child.cpu = parent_cpu;
  const bool was_marked = queue(child.cpu).marked;
  account(q);

  child.parent = parent.id;
  child.first_time_slice = true;
  child.sleep_timestamp = event_.jiffies;
  child.sleep_avg = ro::penalized(parent.sleep_avg, config_.child_penalty);
  child.prio = effective_prio(child);
  child.time_slice = ro::child_slice(parent.time_slice);
  parent.time_slice = ro::parent_slice(parent.time_slice);
  if (parent.time_slice == 0) {
    parent.time_slice = 1;
    if (parent.place == Place::active) pay_tick(q, parent);
  }
  parent.sleep_avg = ro::penalized(parent.sleep_avg, config_.parent_penalty);
  q.marked = true;

  state_.tasks.push_back(std::move(child));
  Task& p = state_.tasks.back();
  activate(p);
  if (p.cpu != parent_cpu) {
    check_preempt(p);
    record_migration(p, parent_cpu, Why::fork);
  }
  Decision& out = record(DecisionKind::fork, p.cpu, &p);
  out.other = event_.task;
  out.preempt = !was_marked && queue(p.cpu).marked;
}

/// A block or an exit: off its array at once, current until the schedule() pass.
void Work::leave() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  account(q);
  dequeue(p);
  p.sleep_timestamp = event_.jiffies;
  q.marked = true;
  q.left = true;
  const bool ends = event_.kind == StimulusKind::exit;
  p.dead = ends;
  if (ends) reap(p);
  record(ends ? DecisionKind::exit : DecisionKind::block, p.cpu, &p);
}

/// Section 6: behind all that have expired at its priority.
void Work::yield() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  account(q);
  dequeue(p);
  enqueue(p, Place::expired);
  q.marked = true;
  q.left = true;
  record(DecisionKind::yield, p.cpu, &p);
}

/// Section 6: the running task changes its own nice; its bonus is forgotten.
void Work::renice() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  account(q);
  const Place place = p.place;
  dequeue(p);
  p.nice = event_.nice;
  p.prio = ro::static_prio(p.nice);
  enqueue(p, place);
  q.marked = true;
  record(DecisionKind::renice, p.cpu, &p).nice = p.nice;
}

/// CHOICE 11: the running task changes its own mask.
void Work::affinity() {
  Task& p = task(event_.task);
  p.allowed = *event_.cpus;
  const int from = p.cpu;
  record(DecisionKind::affinity, from, &p).cpus = p.allowed;
  if (p.allowed.contains(CpuId{from})) return;
  Queue& old = queue(from);
  account(old);
  dequeue(p);
  p.sleep_timestamp = event_.jiffies;
  old.curr = idle_task;
  old.marked = true;
  p.cpu = p.allowed.lowest().value;
  activate(p);
  check_preempt(p);
  record_migration(p, from, Why::affinity);
}

/// Section 5.
void Work::tick() {
  const int cpu = event_.cpu.value;
  Queue& q = queue(cpu);
  account(q);
  if (q.on_cpu.idle()) {
    q.balance_due = config_.balance && event_.jiffies % config_.idle_balance_period == 0;
    return;
  }
  const bool was_marked = q.marked;
  const bool runs = !q.left && !q.curr.idle() && task(q.curr).place == Place::active;
  if (!runs) {
    q.marked = true;
    if (!was_marked) record(DecisionKind::preempt, cpu, &task(q.curr)).why = Why::expired;
    return;
  }
  Task& p = task(q.curr);
  pay_tick(q, p);
  if (!was_marked && q.marked) record(DecisionKind::preempt, cpu, &p).why = Why::slice;
  q.balance_due = config_.balance && event_.jiffies % config_.busy_balance_period == 0;
}

/// Section 4; who left has been dequeued as his action.
void Work::schedule() {
  const int cpu = event_.cpu.value;
  Queue& q = queue(cpu);
  q.marked = false;
  account(q);
  const TaskId prev = q.on_cpu;
  // A current that was moved away may have ended elsewhere by now.
  const bool prev_is_here = !prev.idle() && q.curr == prev;
  if (prev_is_here) task(prev).sleep_timestamp = event_.jiffies;
  if (q.nr_running() == 0 && config_.balance) load_balance(cpu, true, Why::newidle);
  Why why = Why::idle;
  if (q.nr_running() == 0) {
    q.curr = idle_task;
    q.expired_timestamp = 0;
  } else {
    if (q.active.empty()) {
      std::swap(q.active, q.expired);
      for (const Entry& entry : q.active) task(entry.task).place = Place::active;
      q.expired_timestamp = 0;
    }
    q.curr = q.active.front().task;
    why = q.nr_running() == 1 ? Why::only : Why::fifo;
    task(q.curr).exec_start = event_.t;
  }
  q.on_cpu = q.curr;
  q.left = false;
  q.marked = false;
  Decision& out = record(DecisionKind::pick, cpu, q.curr.idle() ? nullptr : &task(q.curr));
  out.other = prev;
  out.why = why;
  if (prev_is_here && prev != q.curr) erase_if_dead(state_.tasks, prev);
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
  empty.prev_nr_running.assign(static_cast<std::size_t>(config.cpus), 0);
  empty.prev_node_load.assign(config.nodes.size(), 0);
  out.queues.assign(static_cast<std::size_t>(config.cpus), empty);
  for (const NewTask& newcomer : newcomers) out.tasks.push_back(born(config, newcomer));
  return out;
}

}  // namespace fw::model::o1
