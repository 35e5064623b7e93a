// SPDX-License-Identifier: Apache-2.0
#pragma once

// Members of Machine: instants, rounds and the kernel entry points. Source: simulator sections A,
// B.
#include <algorithm>

#include "impl/machine/machine.h"

namespace impl {

// --- instants --------------------------------------------------------------------------------

template <class Class>
bool Machine<Class>::begin_instant() {
  std::int64_t t = next_tick_;
  if (!events_.empty()) t = std::min(t, events_.first_time());
  if (runnable_ == 0 && events_.empty()) over_ = true;
  if (t >= end_) over_ = true;
  if (over_) return false;
  now_ = t;
  if (t == next_tick_) {
    ++jiffies_;
    const auto hz = static_cast<std::uint64_t>(class_.hz());
    next_tick_ = static_cast<std::int64_t>((jiffies_ + 1) * 1'000'000'000 / hz);
    for (int cpu = 0; cpu < cpus(); ++cpu) {
      cpu_states_[static_cast<std::size_t>(cpu)].tick_pending = true;
      dirty_.set(cpu);
    }
  }
  class_.set_time(now_, jiffies_);
  const auto count = static_cast<std::size_t>(cpus());
  while (!events_.empty() && events_.first_time() == now_) {
    const std::size_t slot = events_.first_slot();
    events_.remove(slot);
    if (slot < count) {
      dirty_.set(static_cast<int>(slot));
      continue;
    }
    Task& task = *by_slot_[slot - count];
    std::vector<Task*>& due = cpu_state(task.cpu).due;
    const auto place =
        std::upper_bound(due.begin(), due.end(), &task, [](const Task* a, const Task* b) {
          return IMPL_FAULT(O18_wake_order_by_name) ? a->def->name < b->def->name : a->id < b->id;
        });
    due.insert(place, &task);
    dirty_.set(task.cpu);
  }
  in_instant_ = true;
  stage_ = Stage::act;
  cpu_ = dirty_.first();
  return true;
}

template <class Class>
bool Machine<Class>::advance(Step& step) {
  records_.clear();
  for (;;) {
    if (!fault_.empty() || over_) return false;
    if (!in_instant_ && !begin_instant()) return false;
    while (cpu_ >= 0) {
      if (step_cpu(step)) return true;
      if (!fault_.empty()) return false;
      // Quiet. A later CPU first, then all again for those that were disturbed.
      dirty_.clear(cpu_);
      stage_ = Stage::act;
      const int later = dirty_.next(cpu_ + 1);
      cpu_ = later >= 0 ? later : dirty_.first();
    }
    in_instant_ = false;
  }
}

/// One stimulus of the round of cpu_; false when the CPU is quiet.
template <class Class>
bool Machine<Class>::step_cpu(Step& step) {
  Cpu& state = cpu_state(cpu_);
  switch (stage_) {
    case Stage::act:
      if (act(step)) return true;
      if (!fault_.empty()) return false;
      stage_ = Stage::wake;
      [[fallthrough]];
    case Stage::wake:
      if (state.due_at < state.due.size()) {
        Task& task = *state.due[state.due_at++];
        if (state.due_at == state.due.size()) {
          state.due.clear();
          state.due_at = 0;
        }
        const Reason why = task.started ? Reason::timer : Reason::start;
        task.started = true;
        wake_up(task, task.cpu, -1, why, step);
        return true;
      }
      stage_ = Stage::tick;
      [[fallthrough]];
    case Stage::tick:
      if (state.tick_pending) {
        state.tick_pending = false;
        stage_ = Stage::balance;
        tick(step);
        return true;
      }
      stage_ = Stage::schedule;
      break;
    case Stage::balance:
      stage_ = Stage::schedule;
      if (class_.balance_due(class_.queue(cpu_))) {
        balance(step);
        return true;
      }
      break;
    case Stage::schedule:
      break;
  }
  if (!class_.queue(cpu_).need_resched) return false;
  schedule(step);
  stage_ = Stage::act;
  return true;
}

template <class Class>
bool Machine<Class>::act(Step& step) {
  Cpu& state = cpu_state(cpu_);
  for (;;) {
    if (wake_at_ < wakes_.size()) {
      Task& task = *wakes_[wake_at_++];
      const int waker = class_.queue(cpu_).curr->id;
      if (wake_at_ == wakes_.size()) {
        wakes_.clear();
        wake_at_ = 0;
      }
      wake_up(task, cpu_, waker, Reason::none, step);
      return true;
    }
    if (state.run_end > now_ || !runs(cpu_)) return false;
    Task& task = *current(cpu_);
    task.burn_left = 0;
    task.run_left = 0;
    task.run_since = now_;
    if (next_of_program(task, step) == Progress::stimulus) return true;
    if (!fault_.empty()) return false;
  }
}

template <class Class>
void Machine<Class>::tick(Step& step) {
  Runqueue& rq = class_.queue(cpu_);
  class_.update_cpu_load(rq);
  const bool charged = runs(cpu_);
  describe(step, charged ? StepKind::tick : StepKind::idle_tick, -1);
  step.counts = charged;
  if (charged) {
    const Reason why = class_.task_tick(rq);
    if (why != Reason::none) record(RecordKind::preempt, cpu_, current(cpu_)).why = why;
  }
  rq.idle_at_tick = rq.runs_idle();
}

template <class Class>
void Machine<Class>::balance(Step& step) {
  class_.rebalance(class_.queue(cpu_));
  describe(step, StepKind::balance, -1);
  step.counts = !records_.empty();
}

template <class Class>
void Machine<Class>::schedule(Step& step) {
  Runqueue& rq = class_.queue(cpu_);
  Task* prev = current(cpu_);
  const int prev_id = prev != nullptr ? prev->id : rq.moved_away;
  rq.need_resched = false;
  if (rq.nr_running == 0 && !IMPL_FAULT(R17_pick_without_newidle)) class_.idle_balance(rq);
  if (prev != nullptr) class_.put_prev_task(rq, *prev);
  const auto pick = class_.pick_next_task(rq);
  rq.moved_away = -1;
  rq.need_resched = false;
  cpu_state(cpu_).yielded = false;
  switch_to(cpu_, static_cast<Task*>(pick.task));
  Record& out = record(RecordKind::pick, cpu_, static_cast<Task*>(pick.task));
  out.other = prev_id;
  out.why = pick.why;
  describe(step, StepKind::schedule, -1);
  if (prev != nullptr && prev->exited) release(*prev);
}

// --- who is on the CPU, and until when ---------------------------------------------------------

template <class Class>
void Machine<Class>::switch_to(int cpu, Task* next) {
  Cpu& state = cpu_state(cpu);
  if (next == state.timed) return;
  if (state.timed != nullptr) settle(*state.timed);
  state.timed = next;
  if (next == nullptr) {
    state.run_end = never;
    events_.remove(static_cast<std::size_t>(cpu));
    return;
  }
  if (next->spins_on >= 0 && resource(next->spins_on).owner < 0) {
    take_spinlock(*next, next->spins_on);
  }
  if (has_costs_ && state.last_ran != next->id) set_costs(cpu, *next);
  state.last_ran = next->id;
  next->last_ran_cpu = cpu;
  begin_timing(cpu, *next);
}

template <class Class>
void Machine<Class>::set_costs(int cpu, Task& task) {
  task.burn_left = program_.switch_cost;
  if (task.ran_on.test(cpu)) task.burn_left += program_.cache_refill;
  if (task.last_ran_cpu >= 0 && task.last_ran_cpu != cpu) task.burn_left += program_.migration;
  task.ran_on.set(cpu);
}

template <class Class>
void Machine<Class>::begin_timing(int cpu, Task& task) {
  Cpu& state = cpu_state(cpu);
  const auto slot = static_cast<std::size_t>(cpu);
  task.run_since = now_;
  state.run_end = never;
  if (task.spins_on < 0) {
    const std::int64_t room = never - now_;
    const std::int64_t work = task.burn_left > room - std::min(room, task.run_left)
                                  ? room
                                  : task.burn_left + task.run_left;
    state.run_end = std::max(now_ + work, task.wall_until);
  }
  if (state.run_end > now_ && state.run_end != never) {
    events_.set(slot, state.run_end);
  } else {
    events_.remove(slot);
  }
}

/// Takes the time since begin_timing() off what is left: the burn first, then the run.
template <class Class>
void Machine<Class>::settle(Task& task) {
  const std::int64_t passed = now_ - task.run_since;
  const std::int64_t burned = std::min(passed, task.burn_left);
  task.burn_left -= burned;
  task.run_left -= std::min(passed - burned, task.run_left);
  task.run_since = now_;
}

template <class Class>
void Machine<Class>::moved(int id, int from, int to, Reason why) {
  Task& task = *by_id_[static_cast<std::size_t>(id)];
  Cpu& state = cpu_state(from);
  if (state.timed == &task) {
    settle(task);
    state.timed = nullptr;
    state.run_end = never;
    events_.remove(static_cast<std::size_t>(from));
  }
  Record& out = record(RecordKind::migrate, to, &task);
  out.from = from;
  out.why = why;
  dirty_.set(to);
}

// --- kernel entry points -----------------------------------------------------------------------

template <class Class>
void Machine<Class>::describe(Step& step, StepKind kind, int task) const {
  step.t = now_;
  step.cpu = cpu_;
  step.kind = kind;
  step.task = task;
  step.counts = true;
}

template <class Class>
Record& Machine<Class>::record(RecordKind kind, int cpu, const Task* task) {
  const Runqueue& rq = class_.queue(cpu);
  Record& out = records_.emplace_back();
  out.t = now_;
  out.cpu = cpu;
  out.kind = kind;
  out.task = task == nullptr ? -1 : task->id;
  out.nr = static_cast<int>(rq.nr_running);
  out.state = class_.log_state(task, rq);
  return out;
}

template <class Class>
void Machine<Class>::wake_up(Task& task, int waking_cpu, int by, Reason why, Step& step) {
  const int prev = task.cpu;
  if (!IMPL_FAULT(R01_cpu_set_before_shift)) class_.task_waking(task);
  const int target = class_.select_task_rq(task, waking_cpu, false);
  Runqueue& rq = class_.queue(target);
  const bool was_marked = rq.need_resched;
  task.cpu = target;
  if (IMPL_FAULT(R01_cpu_set_before_shift)) class_.task_waking(task);
  if constexpr (requires { class_.label_wakeup(task, true, true); }) {
    class_.label_wakeup(task, task.def->input && why != Reason::start, why == Reason::timer);
  }
  class_.enqueue_woken(rq, task);
  if constexpr (requires { class_.task_woke(task); }) {
    if (by >= 0) class_.task_woke(*current(waking_cpu));
  }
  class_.check_preempt_curr(rq, task, false);
  class_.end_idle_period(rq);
  ++runnable_;
  if (rq.need_resched) dirty_.set(target);
  if (target != prev) {
    Record& out = record(RecordKind::migrate, target, &task);
    out.from = prev;
    out.why = Reason::wakeup;
  }
  Record& out = record(RecordKind::wake, target, &task);
  out.other = by;
  out.why = why;
  out.preempt = rq.need_resched && !was_marked;
  describe(step, why == Reason::start ? StepKind::start : StepKind::wake, task.id);
}

template <class Class>
void Machine<Class>::block(Task& task, Step& step) {
  Runqueue& rq = class_.queue(cpu_);
  class_.dequeue_task(rq, task, true);
  rq.need_resched = true;
  --runnable_;
  task.events = 0;
  record(RecordKind::block, cpu_, &task);
  describe(step, StepKind::block, task.id);
}

template <class Class>
void Machine<Class>::exit(Task& task, Step& step) {
  Runqueue& rq = class_.queue(cpu_);
  if constexpr (requires { class_.exit_task(rq, task); }) {
    class_.exit_task(rq, task);
  } else {
    class_.dequeue_task(rq, task, true);
  }
  rq.need_resched = true;
  --runnable_;
  task.exited = true;
  live_.erase(std::lower_bound(live_.begin(), live_.end(), task.id));
  record(RecordKind::exit, cpu_, &task);
  describe(step, StepKind::exit, task.id);
}

template <class Class>
void Machine<Class>::yield(Task& task, Step& step) {
  Runqueue& rq = class_.queue(cpu_);
  class_.yield_task(rq);
  rq.need_resched = true;
  cpu_state(cpu_).yielded = true;
  task.events = 0;
  record(RecordKind::yield, cpu_, &task);
  describe(step, StepKind::yield, task.id);
}

template <class Class>
void Machine<Class>::renice(Task& task, int nice, Step& step) {
  Runqueue& rq = class_.queue(cpu_);
  if constexpr (requires { class_.renice_task(rq, task, nice); }) {
    class_.renice_task(rq, task, nice);
  } else {
    class_.dequeue_task(rq, task, false);
    task.nice = nice;
    class_.set_weight(task);
    class_.enqueue_task(rq, task, {});
    rq.need_resched = true;
  }
  record(RecordKind::renice, cpu_, &task).nice = nice;
  describe(step, StepKind::renice, task.id);
}

template <class Class>
void Machine<Class>::set_affinity(Task& task, const CpuMask& mask, Step& step) {
  task.allowed = mask;
  task.events = 0;
  record(RecordKind::affinity, cpu_, &task).cpus = &task.allowed;
  describe(step, StepKind::affinity, task.id);
  if (mask.test(cpu_) || IMPL_FAULT(R14_runner_left_on_old_cpu)) return;
  Runqueue& from = class_.queue(cpu_);
  class_.dequeue_task(from, task, false);
  from.curr = nullptr;
  from.moved_away = task.id;
  from.need_resched = true;
  Runqueue& to = class_.queue(mask.first());
  task.cpu = to.cpu;
  class_.enqueue_task(to, task, {});
  class_.check_preempt_curr(to, task, false);
  moved(task.id, cpu_, to.cpu, Reason::affinity);
}

template <class Class>
void Machine<Class>::fork(Task& parent, int def, Step& step) {
  Runqueue& here = class_.queue(cpu_);
  const bool here_was_marked = here.need_resched;
  Task& child = new_task(def, forks_of_[static_cast<std::size_t>(def)]++);
  child.cpu = cpu_;
  child.started = true;
  child.thread_start = now_;
  child.first_delay = child.def->delay;
  if constexpr (requires { child.depth; }) {
    child.depth = parent.depth + (child.def->thread ? 0 : 1);
  }
  class_.task_fork(here, child);
  const int target = class_.select_task_rq(child, cpu_, true);
  Runqueue& rq = class_.queue(target);
  const bool was_marked = target == cpu_ ? here_was_marked : rq.need_resched;
  child.cpu = target;
  if constexpr (requires { class_.enqueue_forked(here, rq, child); }) {
    class_.enqueue_forked(here, rq, child);
  } else {
    class_.enqueue_task(rq, child, {});
  }
  class_.check_preempt_curr(rq, child, true);
  ++runnable_;
  if (rq.need_resched) dirty_.set(target);
  if (target != cpu_) {
    Record& out = record(RecordKind::migrate, target, &child);
    out.from = cpu_;
    out.why = Reason::fork;
  }
  Record& out = record(RecordKind::fork, target, &child);
  out.other = parent.id;
  out.preempt = rq.need_resched && !was_marked;
  describe(step, StepKind::fork, child.id);
}

}  // namespace impl
