// SPDX-License-Identifier: Apache-2.0
#pragma once

// Members of Machine: what each event of a program does. Source: simulator section C and the
// choices of the machine and interpreter.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "impl/machine/machine.h"

namespace impl {

// --- events ------------------------------------------------------------------------------------

template <class Class>
auto Machine<Class>::execute(Task& task, const OpDef& op, Step& step) -> Progress {
  const auto done = [&task] {
    ++task.op;
    task.stage = 0;
    return Progress::silent;
  };
  switch (op.code) {
    case OpCode::run:
    case OpCode::runtime:
      if (op.amount > 0) start_run(task, op);
      return done();
    case OpCode::sleep:
      done();
      if (op.amount <= 0) return Progress::silent;
      return sleep_until(task, now_ + std::min(op.amount, never - now_), step);
    case OpCode::timer:
      done();
      return do_timer(task, op, step);
    case OpCode::lock:
      return do_lock(task, op, step);
    case OpCode::unlock:
      if (!held_by(task, op.ref, "unlocks")) return Progress::silent;
      unlock(op.ref);
      return done();
    case OpCode::wait:
    case OpCode::sync:
      return do_wait(task, op, step);
    case OpCode::signal:
      wake_first(resource(op.ref).cond_waiters);
      return done();
    case OpCode::broad:
      wake_all(resource(op.ref).cond_waiters);
      return done();
    case OpCode::barrier:
      done();
      return do_barrier(task, op, step);
    case OpCode::suspend:
      done();
      return do_suspend(task, step);
    case OpCode::resume:
      if (const int def = resource(op.ref).def; def >= 0) {
        wake_all(suspended_[static_cast<std::size_t>(def)]);
      }
      return done();
    case OpCode::sem_post:
      post(resource(op.ref));
      return done();
    case OpCode::sem_wait:
      done();
      if (resource(op.ref).count == 0) return block_on(task, resource(op.ref).sem_waiters, step);
      --resource(op.ref).count;
      return Progress::silent;
    case OpCode::yield:
      if (!count(task,
                 &Task::yields,
                 "yields more than 100000 times at one instant; let it run between"))
        return Progress::silent;
      done();
      yield(task, step);
      return Progress::stimulus;
    case OpCode::fork:
      done();
      return do_fork(task, op, step);
  }
  return Progress::silent;
}

template <class Class>
void Machine<Class>::start_run(Task& task, const OpDef& op) {
  if (op.code == OpCode::run) {
    task.run_left = op.amount;
    if (IMPL_FAULT(S11_reschedule_at_run_boundary)) class_.queue(cpu_).need_resched = true;
  } else {
    task.wall_until = now_ + std::min(op.amount, never - now_);
  }
  begin_timing(cpu_, task);
}

template <class Class>
auto Machine<Class>::do_lock(Task& task, const OpDef& op, Step& step) -> Progress {
  if (task.stage == 0 && resource(op.ref).owner == task.id) {
    set_fault(task,
              "locks `" + program_.refs[static_cast<std::size_t>(op.ref)].name +
                  "`, which it holds already; unlock it first");
    return Progress::silent;
  }
  return acquire(task, op.ref, task.stage == 1, 1, step);
}

template <class Class>
auto Machine<Class>::do_suspend(Task& task, Step& step) -> Progress {
  auto& waiters = suspended_[static_cast<std::size_t>(task.def_index)];
  const Progress progress = block_on(task, waiters, step);
  std::sort(
      waiters.begin(), waiters.end(), [](const Task* a, const Task* b) { return a->id < b->id; });
  return progress;
}

template <class Class>
void Machine<Class>::post(Resource& semaphore) {
  if (semaphore.sem_waiters.empty()) ++semaphore.count;
  wake_first(semaphore.sem_waiters);
}

template <class Class>
auto Machine<Class>::sleep_until(Task& task, std::int64_t t, Step& step) -> Progress {
  if (!count_block(task)) return Progress::silent;
  events_.set(static_cast<std::size_t>(cpus()) + task.slot, t);
  block(task, step);
  return Progress::stimulus;
}

template <class Class>
auto Machine<Class>::block_on(Task& task, std::vector<Task*>& waiters, Step& step) -> Progress {
  if (!count_block(task)) return Progress::silent;
  waiters.push_back(&task);
  block(task, step);
  return Progress::stimulus;
}

template <class Class>
auto Machine<Class>::timer_of(Task& task, int ref) -> Timer& {
  if (!program_.refs[static_cast<std::size_t>(ref)].name.starts_with("unique")) {
    return resource(ref).timer;
  }
  for (auto& [own_ref, timer] : task.private_timers) {
    if (own_ref == ref) return timer;
  }
  return task.private_timers.emplace_back(ref, Timer{}).second;
}

template <class Class>
auto Machine<Class>::do_timer(Task& task, const OpDef& op, Step& step) -> Progress {
  Timer& timer = timer_of(task, op.ref);
  if (!timer.set) {
    timer.set = true;
    timer.next = task.thread_start;
  }
  timer.next += std::min(op.amount, never - timer.next);
  if (timer.next > now_) return sleep_until(task, timer.next, step);
  if (!op.absolute) timer.next = now_;
  return Progress::silent;
}

template <class Class>
bool Machine<Class>::held_by(const Task& task, int ref, const char* what) {
  if (resource(ref).owner == task.id) return true;
  set_fault(task,
            std::string(what) + " `" + program_.refs[static_cast<std::size_t>(ref)].name +
                "`, which it does not hold; lock it first");
  return false;
}

/// Takes the lock, spins, or blocks with `task.stage` = `waiting`; `woken`: came back from there.
template <class Class>
auto Machine<Class>::acquire(Task& task, int ref, bool woken, int waiting, Step& step) -> Progress {
  Resource& lock = resource(ref);
  const bool handed_over = woken && !program_.barging;
  if (!handed_over && lock.owner >= 0) {
    if (!program_.refs[static_cast<std::size_t>(ref)].spins) {
      task.stage = waiting;
      return block_on(task, lock.lock_waiters, step);
    }
    lock.lock_waiters.push_back(&task);
    task.spins_on = ref;
    begin_timing(cpu_, task);
  } else {
    lock.owner = task.id;
  }
  ++task.op;
  task.stage = 0;
  return Progress::silent;
}

template <class Class>
void Machine<Class>::unlock(int ref) {
  Resource& lock = resource(ref);
  lock.owner = -1;
  if (lock.lock_waiters.empty()) return;
  if (program_.refs[static_cast<std::size_t>(ref)].spins) {
    hand_to_spinner(ref);
    return;
  }
  if (!program_.barging) lock.owner = lock.lock_waiters.front()->id;
  wake_first(lock.lock_waiters);
}

template <class Class>
void Machine<Class>::hand_to_spinner(int ref) {
  for (Task* task : resource(ref).lock_waiters) {
    const int cpu = task->cpu;
    if (class_.queue(cpu).curr != task) continue;
    settle(*task);
    take_spinlock(*task, ref);
    begin_timing(cpu, *task);
    dirty_.set(cpu);
    return;
  }
}

template <class Class>
void Machine<Class>::take_spinlock(Task& task, int ref) {
  Resource& lock = resource(ref);
  lock.owner = task.id;
  std::erase(lock.lock_waiters, &task);
  task.spins_on = -1;
}

/// Stages: 0 signal and release, 1 block, 2 take the mutex again, 3 waiting for it.
template <class Class>
auto Machine<Class>::do_wait(Task& task, const OpDef& op, Step& step) -> Progress {
  Resource& condition = resource(op.ref);
  if (task.stage == 0) {
    if (op.mutex >= 0 && !held_by(task, op.mutex, "waits with")) return Progress::silent;
    if (op.code == OpCode::sync) wake_first(condition.cond_waiters);
    if (op.mutex >= 0) unlock(op.mutex);
    task.stage = 1;
    return Progress::silent;
  }
  if (task.stage == 1) {
    task.stage = 2;
    return block_on(task, condition.cond_waiters, step);
  }
  if (op.mutex >= 0) return acquire(task, op.mutex, task.stage == 3, 3, step);
  ++task.op;
  task.stage = 0;
  return Progress::silent;
}

template <class Class>
auto Machine<Class>::do_barrier(Task& task, const OpDef& op, Step& step) -> Progress {
  Resource& barrier = resource(op.ref);
  if (barrier.participants < 2) return Progress::silent;
  if (static_cast<std::int64_t>(barrier.arrived.size()) + 1 < barrier.participants) {
    return block_on(task, barrier.arrived, step);
  }
  wake_all(barrier.arrived);
  return Progress::silent;
}

template <class Class>
auto Machine<Class>::do_fork(Task& task, const OpDef& op, Step& step) -> Progress {
  const int def = resource(op.ref).def;
  if (def < 0) {
    set_fault(task, "forks a task that the workload does not define");
    return Progress::silent;
  }
  if (forked_at_ != now_) {
    forked_at_ = now_;
    forks_ = 0;
  }
  if (live_.size() >= live_limit) {
    set_fault(task, "its fork would make more than 100000 tasks");
    return Progress::silent;
  }
  if (++forks_ > live_limit) {
    set_fault(task, "its fork is number 100001 at one instant; let somebody run between");
    return Progress::silent;
  }
  fork(task, def, step);
  return Progress::stimulus;
}

template <class Class>
void Machine<Class>::wake_first(std::vector<Task*>& waiters) {
  if (waiters.empty()) return;
  wakes_.push_back(waiters.front());
  waiters.erase(waiters.begin());
}

template <class Class>
void Machine<Class>::wake_all(std::vector<Task*>& waiters) {
  wakes_.insert(wakes_.end(), waiters.begin(), waiters.end());
  waiters.clear();
}

}  // namespace impl
