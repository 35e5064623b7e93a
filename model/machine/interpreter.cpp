// SPDX-License-Identifier: Apache-2.0
// How a program moves from event to event. What the events do: events.cpp.
#include "model/machine/interpreter.h"

#include <algorithm>

namespace fw::model {
namespace {
constexpr int most_at_one_instant = 100'000;
}

Interpreter::Interpreter(const Workload& workload, int cpus, std::function<bool(TaskId)> is_current)
    : program_(compile(workload, cpus)), is_current_(std::move(is_current)) {
  fault_ = program_.fault;
  locks_.resize(program_.locks.size());
  conditions_.resize(static_cast<std::size_t>(program_.conditions));
  barriers_.resize(program_.barrier_users.size());
  semaphores_.resize(static_cast<std::size_t>(program_.semaphores));
  shared_timers_.resize(static_cast<std::size_t>(program_.timers));
  suspended_.resize(static_cast<std::size_t>(program_.names));
  forks_of_.resize(static_cast<std::size_t>(program_.names));
  last_on_cpu_.resize(static_cast<std::size_t>(cpus));
  for (const int def : program_.started) {
    const Instant start{program_.tasks[static_cast<std::size_t>(def)].delay_ns};
    timers_.push({start, TaskId{static_cast<std::int32_t>(threads_.size())}});
    threads_.push_back(make_thread(def, start));
    tree_.add_root();
  }
  live_ = static_cast<int>(threads_.size());
}

Interpreter::Thread Interpreter::make_thread(int def, Instant start) const {
  const CompiledTask& task = program_.tasks[static_cast<std::size_t>(def)];
  Thread out;
  out.def = def;
  out.turns_left = task.loop;
  out.start = start;
  out.own_timers.resize(static_cast<std::size_t>(program_.own_timers));
  out.allowed = task.allowed;
  out.nice = task.nice;
  return out;
}

NewTask Interpreter::newborn(TaskId task) const {
  const Thread& self = thread(task);
  const CompiledTask& def = program_.tasks[static_cast<std::size_t>(self.def)];
  return NewTask{task,
                 self.nice,
                 def.sched_class,
                 self.allowed,
                 def.slice_ns,
                 def.thread,
                 tree_.depth(task),
                 def.input};
}

std::vector<NewTask> Interpreter::newcomers() const {
  std::vector<NewTask> out;
  for (std::size_t i = 0; i < program_.started.size(); ++i) {
    out.push_back(newborn(TaskId{static_cast<std::int32_t>(i)}));
  }
  return out;
}

std::string Interpreter::name(TaskId task) const {
  if (task.idle()) return "idle";
  const Thread& self = thread(task);
  std::string out =
      program_.tasks[static_cast<std::size_t>(self.def)].name + "-" + std::to_string(task.value);
  if (self.fork_index >= 0) out += "-" + std::to_string(self.fork_index);
  return out;
}

void Interpreter::fail(TaskId task, const std::string& text) {
  if (fault_.empty()) {
    fault_ = "task " + name(task) + " at t=" + std::to_string(now_.ns) + " ns: " + text;
  }
}

void Interpreter::take_expired(Instant now, std::vector<TaskId>& out) {
  out.clear();
  while (!timers_.empty() && timers_.top().t <= now) {
    out.push_back(timers_.top().task);
    timers_.pop();
  }
}

bool Interpreter::begin(TaskId task) {
  Thread& self = thread(task);
  const bool first = !self.begun;
  self.begun = true;
  return first;
}

bool Interpreter::ready(TaskId task, Instant now) const {
  const Thread& self = thread(task);
  if (self.need == Need::spin) return locks_[static_cast<std::size_t>(self.lock)].owner.idle();
  return goes_on(task, now) <= now;
}

Instant Interpreter::goes_on(TaskId task, Instant now) const {
  const Thread& self = thread(task);
  const Instant paid{now.ns + self.burn_ns};
  switch (self.need) {
    case Need::spin:
      return never;
    case Need::run:
      return {paid.ns + self.left_ns};
    case Need::until:
      return std::max(paid, self.until);
    case Need::nothing:
    case Need::delay:
    case Need::retake:
      break;
  }
  return paid;
}

void Interpreter::burn(TaskId task, std::int64_t ns) {
  Thread& self = thread(task);
  const std::int64_t paid = std::min(ns, self.burn_ns);
  self.burn_ns -= paid;
  if (self.need == Need::run) self.left_ns -= ns - paid;
}

void Interpreter::picked(TaskId task, CpuId cpu) {
  const Costs& costs = program_.costs;
  if (costs == Costs{}) return;
  TaskId& last = last_on_cpu_[static_cast<std::size_t>(cpu.value)];
  Thread& self = thread(task);
  if (last != task) {
    self.burn_ns = costs.switch_cost.ns;
    if (self.ran_on.contains(cpu)) self.burn_ns += costs.cache_refill.ns;
    if (self.last_cpu >= 0 && self.last_cpu != cpu.value) self.burn_ns += costs.migration.ns;
  }
  last = task;
  self.last_cpu = cpu.value;
  self.ran_on.insert(cpu);
}

void Interpreter::renew_counts(Thread& self, Instant now) {
  if (self.counted_at == now) return;
  self.counted_at = now;
  self.events = self.yields = self.blocks = self.moves = 0;
}

/// CHOICE page M7 (a).
bool Interpreter::count_event(TaskId task) {
  if (++thread(task).events <= most_at_one_instant) return true;
  fail(task, "its program passes more than 100000 events without taking time; give its loop a run");
  return false;
}

void Interpreter::block(TaskId task, std::vector<Action>& plan) {
  Thread& self = thread(task);
  self.events = 0;
  if (++self.blocks > most_at_one_instant) {
    return fail(task, "blocks more than 100000 times at one instant; let somebody run between");
  }
  plan.push_back({StimulusKind::block, task, idle_task, 0, nullptr});
}

void Interpreter::sleep_until(TaskId task, Instant t, std::vector<Action>& plan) {
  block(task, plan);
  timers_.push({t, task});
}

void Interpreter::wake(TaskId task, TaskId waker, std::vector<Action>& plan) {
  plan.push_back({StimulusKind::wake, task, waker, 0, nullptr});
}

void Interpreter::run(TaskId task, Instant now, std::vector<Action>& plan) {
  now_ = now;
  renew_counts(thread(task), now);
  while (plan.empty() && fault_.empty() && ready(task, now)) {
    Thread& self = thread(task);
    const Need need = self.need;
    self.need = Need::nothing;
    switch (need) {
      case Need::spin:
      case Need::retake:
        take(task, self.lock, plan);
        continue;
      case Need::delay:
        sleep_until(
            task, {now.ns + program_.tasks[static_cast<std::size_t>(self.def)].delay_ns}, plan);
        continue;
      case Need::nothing:
      case Need::run:
      case Need::until:
        break;
    }
    const CompiledOp* op = next_event(task, plan);
    if (op == nullptr || !count_event(task)) continue;
    perform(task, *op, plan);
  }
}

const CompiledOp* Interpreter::next_event(TaskId task, std::vector<Action>& plan) {
  while (fault_.empty()) {
    Thread& self = thread(task);
    const CompiledTask& def = program_.tasks[static_cast<std::size_t>(self.def)];
    if (self.stage == Stage::turn) {
      if (def.phases.empty() || self.turns_left == 0) {
        --live_;
        plan.push_back({StimulusKind::exit, task, idle_task, 0, nullptr});
        return nullptr;
      }
      if (self.turns_left > 0) --self.turns_left;
      self.phase = 0;
      self.stage = Stage::phase;
    }
    if (self.phase == def.phases.size()) {
      self.stage = Stage::turn;
      continue;
    }
    const CompiledPhase& phase = def.phases[self.phase];
    if (self.stage == Stage::phase) {
      self.stage = phase.loop == 0 ? Stage::ops : Stage::cpus;
      self.iterations_left = phase.loop;
      self.op = 0;
    }
    if (self.stage == Stage::cpus) {
      self.stage = Stage::nice;
      if (phase.cpus && *phase.cpus != self.allowed) {
        self.allowed = *phase.cpus;
        self.events = 0;
        if (++self.moves > most_at_one_instant) {
          fail(task, "changes its CPUs more than 100000 times at one instant; let it run between");
          return nullptr;
        }
        plan.push_back({StimulusKind::affinity, task, idle_task, 0, &self.allowed});
        return nullptr;
      }
    }
    if (self.stage == Stage::nice) {
      self.stage = Stage::ops;
      if (phase.nice && *phase.nice != self.nice) {
        self.nice = *phase.nice;
        plan.push_back({StimulusKind::renice, task, idle_task, self.nice, nullptr});
        return nullptr;
      }
    }
    if (const CompiledOp* op = next_in_phase(task, phase)) return op;
    self.stage = Stage::phase;
    ++self.phase;
  }
  return nullptr;
}

/// The phase's next event, or nullptr when the phase is over.
const CompiledOp* Interpreter::next_in_phase(TaskId task, const CompiledPhase& phase) {
  Thread& self = thread(task);
  if (phase.loop == 0) {
    count_event(task);
    return nullptr;
  }
  if (phase.ops.empty()) {
    while (self.iterations_left != 0 && count_event(task)) {
      if (self.iterations_left > 0) --self.iterations_left;
    }
    return nullptr;
  }
  if (self.op == phase.ops.size()) {
    if (self.iterations_left > 0) --self.iterations_left;
    if (self.iterations_left == 0) return nullptr;
    self.op = 0;
  }
  return &phase.ops[self.op++];
}

}  // namespace fw::model
