// SPDX-License-Identifier: Apache-2.0
// What each event of a program does (simulator.md C2, C3, C5, C8; CHOICE page 11-14, M6-M8,
// M18-M20).
#include <algorithm>

#include "model/machine/interpreter.h"

namespace fw::model {
namespace {
constexpr int most_yields_at_one_instant = 100'000;
constexpr int most_live_tasks = 100'000;
constexpr int most_forks_at_one_instant = 100'000;
}  // namespace

TaskId Interpreter::pop(std::vector<TaskId>& waiters) {
  const TaskId first = waiters.front();
  waiters.erase(waiters.begin());
  return first;
}

void Interpreter::perform(TaskId task, const CompiledOp& op, std::vector<Action>& plan) {
  Thread& self = thread(task);
  const auto ref = static_cast<std::size_t>(op.ref);
  switch (op.kind) {
    case OpKind::run:
      if (op.amount_ns <= 0) return;
      self.need = Need::run;
      self.left_ns = op.amount_ns;
      self.events = 0;
      return;
    case OpKind::runtime:
      if (op.amount_ns <= 0) return;
      self.need = Need::until;
      self.until = {now_.ns + op.amount_ns};
      self.events = 0;
      return;
    case OpKind::sleep:
      if (op.amount_ns > 0) sleep_until(task, {now_.ns + op.amount_ns}, plan);
      return;
    case OpKind::timer:
      return use_timer(task, op, plan);
    case OpKind::lock:
      return take(task, op.ref, plan);
    case OpKind::unlock:
      if (holds(task, op.ref, "unlocks")) release(task, op.ref, plan);
      return;
    case OpKind::wait:
      if (op.mutex < 0 || holds(task, op.mutex, "waits with")) wait(task, op, plan);
      return;
    case OpKind::sync:
      if (op.mutex >= 0 && !holds(task, op.mutex, "waits with")) return;
      signal(task, op.ref, false, plan);
      return wait(task, op, plan);
    case OpKind::signal:
      return signal(task, op.ref, false, plan);
    case OpKind::broad:
      return signal(task, op.ref, true, plan);
    case OpKind::barrier:
      return meet(task, op.ref, plan);
    case OpKind::suspend: {
      const int name = program_.tasks[static_cast<std::size_t>(self.def)].name_number;
      std::vector<TaskId>& waiting = suspended_[static_cast<std::size_t>(name)];
      waiting.insert(std::lower_bound(waiting.begin(), waiting.end(), task), task);
      return block(task, plan);
    }
    case OpKind::resume:
      if (op.ref < 0) return;
      for (const TaskId woken : suspended_[ref]) wake(woken, task, plan);
      suspended_[ref].clear();
      return;
    case OpKind::sem_post:
      if (semaphores_[ref].waiters.empty()) {
        ++semaphores_[ref].count;
      } else {
        wake(pop(semaphores_[ref].waiters), task, plan);
      }
      return;
    case OpKind::sem_wait:
      if (semaphores_[ref].count > 0) {
        --semaphores_[ref].count;
        return;
      }
      semaphores_[ref].waiters.push_back(task);
      return block(task, plan);
    case OpKind::yield:
      self.events = 0;
      if (++self.yields > most_yields_at_one_instant) {
        return fail(task, "yields more than 100000 times at one instant; let it run between");
      }
      plan.push_back({StimulusKind::yield, task, idle_task, 0, nullptr});
      return;
    case OpKind::fork:
      return fork(task, op.ref, plan);
  }
}

void Interpreter::use_timer(TaskId task, const CompiledOp& op, std::vector<Action>& plan) {
  Thread& self = thread(task);
  const auto ref = static_cast<std::size_t>(op.ref);
  Timer& timer = op.own ? self.own_timers[ref] : shared_timers_[ref];
  if (!timer.begun) timer = {true, self.start};
  timer.next.ns += op.amount_ns;
  if (timer.next > now_) return sleep_until(task, timer.next, plan);
  if (!op.absolute) timer.next = now_;
}

/// `lock`, and the second half of a `wait`.
void Interpreter::take(TaskId task, int number, std::vector<Action>& plan) {
  Thread& self = thread(task);
  Lock& lock = locks_[static_cast<std::size_t>(number)];
  if (lock.owner == task) {
    return fail(task,
                "locks `" + program_.locks[static_cast<std::size_t>(number)] +
                    "`, which it holds already; unlock it first");
  }
  if (lock.owner.idle()) {
    lock.owner = task;
    // A spinner is still among the waiters.
    std::erase(lock.waiters, task);
    return;
  }
  lock.waiters.push_back(task);
  self.lock = number;
  if (program_.spins[static_cast<std::size_t>(number)]) {
    self.need = Need::spin;
    self.events = 0;
    return;
  }
  if (program_.barging) self.need = Need::retake;
  block(task, plan);
}

bool Interpreter::holds(TaskId task, int number, const char* what) {
  if (locks_[static_cast<std::size_t>(number)].owner == task) return true;
  fail(task,
       std::string(what) + " `" + program_.locks[static_cast<std::size_t>(number)] +
           "`, which it does not hold; lock it first");
  return false;
}

void Interpreter::release(TaskId task, int number, std::vector<Action>& plan) {
  Lock& lock = locks_[static_cast<std::size_t>(number)];
  lock.owner = idle_task;
  if (program_.spins[static_cast<std::size_t>(number)]) {
    const auto next = std::find_if(lock.waiters.begin(), lock.waiters.end(), is_current_);
    if (next == lock.waiters.end()) return;
    lock.owner = *next;
    thread(*next).need = Need::nothing;
    lock.waiters.erase(next);
    return;
  }
  if (lock.waiters.empty()) return;
  const TaskId next = pop(lock.waiters);
  if (!program_.barging) lock.owner = next;
  wake(next, task, plan);
}

void Interpreter::signal(TaskId task, int condition, bool all, std::vector<Action>& plan) {
  std::vector<TaskId>& waiters = conditions_[static_cast<std::size_t>(condition)];
  while (!waiters.empty()) {
    wake(pop(waiters), task, plan);
    if (!all) return;
  }
}

void Interpreter::wait(TaskId task, const CompiledOp& op, std::vector<Action>& plan) {
  Thread& self = thread(task);
  if (op.mutex >= 0) {
    release(task, op.mutex, plan);
    self.need = Need::retake;
    self.lock = op.mutex;
  }
  conditions_[static_cast<std::size_t>(op.ref)].push_back(task);
  block(task, plan);
}

void Interpreter::meet(TaskId task, int number, std::vector<Action>& plan) {
  const auto at = static_cast<std::size_t>(number);
  const int users = program_.barrier_users[at];
  std::vector<TaskId>& waiting = barriers_[at];
  if (users < 2) return;
  if (static_cast<int>(waiting.size()) + 1 < users) {
    waiting.push_back(task);
    return block(task, plan);
  }
  for (const TaskId woken : waiting) wake(woken, task, plan);
  waiting.clear();
}

void Interpreter::fork(TaskId task, int def, std::vector<Action>& plan) {
  if (def < 0) return fail(task, "forks a task that the workload does not define");
  if (live_ >= most_live_tasks) return fail(task, "its fork would make more than 100000 tasks");
  if (forks_at_ != now_) {
    forks_at_ = now_;
    forks_ = 0;
  }
  if (++forks_ > most_forks_at_one_instant) {
    return fail(task, "its fork is number 100001 at one instant; let somebody run between");
  }
  ++live_;
  const TaskId child{static_cast<std::int32_t>(threads_.size())};
  Thread made = make_thread(def, now_);
  made.begun = true;
  const CompiledTask& of = program_.tasks[static_cast<std::size_t>(def)];
  made.fork_index = forks_of_[static_cast<std::size_t>(of.name_number)]++;
  if (of.delay_ns > 0) made.need = Need::delay;
  threads_.push_back(std::move(made));
  tree_.add_fork(task, of.thread);
  plan.push_back({StimulusKind::fork, child, task, 0, nullptr});
}

}  // namespace fw::model
