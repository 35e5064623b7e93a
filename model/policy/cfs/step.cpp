// SPDX-License-Identifier: Apache-2.0
// The transition: one function a stimulus, and the records (simulator.md A, B, D; CHOICE page).
#include "model/policy/cfs/work.h"
#include "model/policy/tasks.h"

namespace fw::model::cfs {

namespace rc = rules::cfs;

namespace {
void set_load(Task& p) {
  const rc::Load<std::uint64_t> load =
      p.sched_class == SchedClass::idle ? rc::idle_policy_load : rc::load_of_nice(p.nice);
  p.weight = load.weight;
  p.inverse = load.inverse;
}

Task born(const Config& config, const NewTask& newcomer) {
  Task out;
  out.id = newcomer.id;
  out.nice = newcomer.nice;
  out.sched_class = newcomer.sched_class;
  out.allowed = newcomer.allowed;
  out.avg_wakeup = config.wakeup_granularity_ns;
  out.input = newcomer.input;
  out.depth = static_cast<std::uint64_t>(newcomer.depth);
  set_load(out);
  return out;
}
}  // namespace

Decision& Work::record(DecisionKind kind, int cpu, const Task* about) {
  const Queue& q = queue(cpu);
  Decision& out = log_.emplace_back();
  out.t = event_.t;
  out.cpu = CpuId{cpu};
  out.kind = kind;
  out.task = about == nullptr ? idle_task : about->id;
  out.nr = static_cast<int>(q.nr_running);
  if (about != nullptr) {
    out.state[0] = static_cast<std::int64_t>(about->vruntime - config_.vruntime_base);
  }
  out.state[1] = static_cast<std::int64_t>(q.min_vruntime - config_.vruntime_base);
  return out;
}

void Work::record_migration(Task& p, int from, Why why) {
  Decision& out = record(DecisionKind::migrate, p.cpu, &p);
  out.from = CpuId{from};
  out.why = why;
}

/// A start or wakeup: sections 11, 14, 20.
void Work::wake() {
  Task& p = task(event_.task);
  const int from = p.cpu;
  // CHOICE page N13: a start has no label.
  const bool woken = event_.kind == StimulusKind::wake;
  p.labels = {woken && p.input, woken && event_.by == Why::timer};
  // Uniprocessors leave the vruntime absolute (11.4).
  const bool normalise = config_.cpus > 1;
  if (normalise) p.vruntime -= queue(from).min_vruntime;
  const int prev = p.allowed.contains(CpuId{from}) ? from : p.allowed.lowest().value;
  p.cpu = config_.balance ? choose_for_wakeup(p, event_.cpu.value, prev) : prev;
  Queue& q = queue(p.cpu);
  const bool was_marked = q.marked;
  enqueue(p, true, normalise);
  if (!event_.waker.idle()) average_waker(task(event_.waker));
  check_preempt(p.cpu, p, Birth::none);
  if (q.idle_stamp != 0) {
    q.avg_idle = rc::idle_average(q.avg_idle, clock_ - q.idle_stamp, config_.migration_cost_ns);
    q.idle_stamp = 0;
  }
  if (p.cpu != from) record_migration(p, from, Why::wakeup);
  Decision& out = record(DecisionKind::wake, p.cpu, &p);
  out.other = event_.waker;
  out.why = event_.by;
  out.preempt = !was_marked && q.marked;
}

/// Section 17. 2.6.32 chooses the CPU first and places the child there (17.2, CHOICE page N7).
void Work::fork() {
  const int parent_cpu = task(event_.task).cpu;
  const bool expedited = rc::meant(config_.expedited_forks, task(event_.task).labels);
  Task child = born(config_, *event_.child);
  child.cpu = config_.balance ? choose_for_fork(*event_.child, parent_cpu) : parent_cpu;
  if (!child.allowed.contains(CpuId{child.cpu})) child.cpu = child.allowed.lowest().value;
  const int placing_cpu = config_.version == Version::v2_6_32 ? child.cpu : parent_cpu;
  Queue& q = queue(placing_cpu);
  Task& parent = task(event_.task);
  child.vruntime = parent.vruntime + (q.min_vruntime - queue(parent_cpu).min_vruntime);
  charge(q);
  if (!q.curr.idle()) child.vruntime = task(q.curr).vruntime;
  if (config_.start_nice != StartNice::off && !expedited) penalize(parent, q, child);
  place_child(q, child, expedited);
  const bool was_marked = queue(child.cpu).marked;
  if (config_.child_runs_first && placing_cpu == parent_cpu &&
      rules::later(child.vruntime, parent.vruntime)) {
    std::swap(child.vruntime, parent.vruntime);
    resched(q);
  }
  child.vruntime -= q.min_vruntime;
  state_.tasks.push_back(std::move(child));
  Task& p = state_.tasks.back();
  enqueue(p, false, true);
  check_preempt(p.cpu, p, expedited ? Birth::expedited : Birth::fork);
  if (p.cpu != parent_cpu) record_migration(p, parent_cpu, Why::fork);
  Decision& out = record(DecisionKind::fork, p.cpu, &p);
  out.other = event_.task;
  out.preempt = !was_marked && queue(p.cpu).marked;
}

/// 25.2: the first slice of both after the fork is expensive. The child is not counted yet.
void Work::penalize(Task& parent, const Queue& child_queue, Task& child) {
  parent.penalized = true;
  parent.penalty_end = rc::penalty_end(parent.sum_exec, slice(queue(parent.cpu), parent));
  child.penalized = true;
  child.penalty_end = rc::penalty_end(child.sum_exec, slice(child_queue, child));
}

/// A block or an exit: off the queue at once, current until the schedule() pass.
void Work::leave() {
  Task& p = task(event_.task);
  dequeue(p, true);
  Queue& q = queue(p.cpu);
  resched(q);
  q.left = true;
  const bool ends = event_.kind == StimulusKind::exit;
  p.dead = ends;
  record(ends ? DecisionKind::exit : DecisionKind::block, p.cpu, &p);
}

/// Section 18.
void Work::yield() {
  Task& p = task(event_.task);
  Queue& q = queue(p.cpu);
  if (q.nr_running > 1) {
    clear_buddies(q, p.id);
    if (config_.linux_6_1) {
      if (p.sched_class != SchedClass::batch) charge(q);
      q.skip = p.id;
    } else if (!config_.compat_yield && p.sched_class != SchedClass::batch) {
      charge(q);
    } else if (!q.tree.empty()) {
      p.vruntime = rc::yielded(p.vruntime, q.tree.back().vruntime);
    }
  }
  resched(q);
  q.left = true;
  record(DecisionKind::yield, p.cpu, &p);
}

/// Section 2: the running task changes its own nice.
void Work::renice() {
  Task& p = task(event_.task);
  if (config_.linux_6_1) return renice_61(p, event_.nice);
  dequeue(p, false);
  p.nice = event_.nice;
  set_load(p);
  enqueue(p, false, true);
  resched(queue(p.cpu));
  record(DecisionKind::renice, p.cpu, &p).nice = p.nice;
}

/// CHOICE page, "instants" 7: the running task changes its own mask.
void Work::affinity() {
  Task& p = task(event_.task);
  p.allowed = *event_.cpus;
  const int from = p.cpu;
  record(DecisionKind::affinity, from, &p).cpus = p.allowed;
  if (p.allowed.contains(CpuId{from})) return;
  Queue& old = queue(from);
  dequeue(p, false);
  old.curr = idle_task;
  resched(old);
  p.cpu = p.allowed.lowest().value;
  enqueue(p, false, true);
  check_preempt(p.cpu, p, Birth::none);
  record_migration(p, from, Why::affinity);
}

/// Section 13.
void Work::tick() {
  const int cpu = event_.cpu.value;
  Queue& q = queue(cpu);
  for (unsigned i = 0; i < q.cpu_load.size(); ++i) {
    q.cpu_load[i] = rc::decayed_load(q.cpu_load[i], q.load, i);
  }
  if (event_.kind == StimulusKind::idle_tick) return;
  charge(q);
  const std::uint64_t alone = FW_FAULT(W34_tick_check_skipped_for_two) ? 2 : 1;
  const bool always = !config_.wakeup_preempt && !config_.linux_6_1;
  if (q.nr_running > alone || always) check_tick(cpu);
}

/// Section 12; who left has been dequeued as his action.
void Work::schedule() {
  const int cpu = event_.cpu.value;
  Queue& q = queue(cpu);
  q.marked = false;
  if (q.nr_running == 0 && config_.balance) new_idle(cpu);
  const TaskId prev = q.on_cpu;
  // A current that was moved away may have ended elsewhere by now.
  const bool prev_is_here = q.curr == prev;
  const Why why = config_.linux_6_1 ? switch_61(cpu) : (put_current(q), pick(cpu));
  q.on_cpu = q.curr;
  q.left = false;
  q.marked = false;
  Decision& out = record(DecisionKind::pick, cpu, q.curr.idle() ? nullptr : &task(q.curr));
  out.other = prev;
  out.why = why;
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
  empty.min_vruntime = config.vruntime_base;
  empty.avg_idle = 2 * config.migration_cost_ns;
  std::size_t levels = 0;
  for (const std::vector<Domain>& domains : config.domains) {
    empty.domains.clear();
    for (const Domain& domain : domains) {
      empty.domains.push_back({0, domain.rules.min_interval_ms, 0});
      levels = std::max(levels, static_cast<std::size_t>(domain.level) + 1);
    }
    out.queues.push_back(empty);
  }
  out.serialized.assign(levels, 0);
  for (const NewTask& newcomer : newcomers) {
    Task p = born(config, newcomer);
    p.cpu = p.allowed.lowest().value;
    p.vruntime = config.vruntime_base;
    out.tasks.push_back(std::move(p));
  }
  return out;
}

}  // namespace fw::model::cfs
