// SPDX-License-Identifier: Apache-2.0
#pragma once

// Members of Machine: tasks and the workload interpreter. Source: simulator section C and the
// choices of the machine and interpreter.
#include <algorithm>

#include "impl/machine/machine.h"

namespace impl {

template <class Class>
Machine<Class>::Machine(Program program,
                        const MachineConfig& config,
                        const typename Class::Config& request)
    : program_(std::move(program)),
      class_(config.shape, request, config.balance, *this),
      has_costs_(program_.switch_cost != 0 || program_.cache_refill != 0 ||
                 program_.migration != 0),
      end_(config.end),
      cpu_states_(static_cast<std::size_t>(config.shape.cpus)),
      forks_of_(program_.tasks.size()),
      dirty_(config.shape.cpus),
      suspended_(program_.tasks.size()) {
  next_tick_ = 1'000'000'000 / class_.hz();
  events_.resize(static_cast<std::size_t>(cpus()));
  resolve_refs();
  if (!check_masks()) return;
  for (std::size_t def = 0; def < program_.tasks.size(); ++def) {
    for (int i = 0; i < program_.tasks[def].instances; ++i) {
      Task& task = new_task(static_cast<int>(def), -1);
      task.cpu = task.allowed.first();
      task.thread_start = task.def->delay;
      events_.set(static_cast<std::size_t>(cpus()) + task.slot, task.def->delay);
    }
  }
}

// --- tasks -------------------------------------------------------------------------------------

template <class Class>
auto Machine<Class>::new_task(int def, int fork_index) -> Task& {
  Task* task = nullptr;
  if (free_.empty()) {
    task = &tasks_.emplace_back();
    task->slot = by_slot_.size();
    by_slot_.push_back(task);
    events_.resize(static_cast<std::size_t>(cpus()) + by_slot_.size());
  } else {
    task = free_.back();
    free_.pop_back();
    const std::size_t slot = task->slot;
    std::destroy_at(task);
    std::construct_at(task);
    task->slot = slot;
  }
  task->id = static_cast<int>(names_.size());
  names_.emplace_back(def, fork_index);
  by_id_.push_back(task);
  live_.push_back(task->id);
  task->def = &program_.tasks[static_cast<std::size_t>(def)];
  task->def_index = def;
  task->nice = task->def->nice;
  task->policy = task->def->policy;
  task->allowed = mask_of(task->def->cpus);
  task->loops_left = task->def->loop;
  if (has_costs_) task->ran_on = CpuMask(cpus());
  class_.init_task(*task);
  return *task;
}

template <class Class>
void Machine<Class>::release(Task& task) {
  by_id_[static_cast<std::size_t>(task.id)] = nullptr;
  free_.push_back(&task);
}

template <class Class>
CpuMask Machine<Class>::mask_of(const std::optional<std::vector<int>>& cpus_wanted) const {
  if (!cpus_wanted) return CpuMask::all(cpus());
  CpuMask mask(cpus());
  for (const int cpu : *cpus_wanted) {
    if (cpu >= 0 && cpu < cpus()) mask.set(cpu);
  }
  return mask;
}

namespace detail {
/// `0-3,8`; `none` when there is none. Ascending, without repeats.
inline std::string list_text(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  std::string out;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out += std::to_string(cpus[i]);
    if (last > i) out += '-' + std::to_string(cpus[last]);
    i = last + 1;
  }
  return out.empty() ? "none" : out;
}
}  // namespace detail

template <class Class>
bool Machine<Class>::check_masks() {
  const auto good = [this](const TaskDef& def, const std::optional<std::vector<int>>& wanted) {
    if (mask_of(wanted).first() >= 0) return true;
    fault_ = "task " + def.name + ": cpus " + detail::list_text(*wanted) +
             " has no CPU of this machine of " + std::to_string(cpus()) +
             "; use a larger topology or other cpus";
    return false;
  };
  for (const TaskDef& def : program_.tasks) {
    if (!good(def, def.cpus)) return false;
    for (const PhaseDef& phase : def.phases) {
      if (!good(def, phase.cpus)) return false;
    }
  }
  return true;
}

template <class Class>
void Machine<Class>::resolve_refs() {
  resources_.resize(program_.refs.size());
  for (std::size_t def = 0; def < program_.tasks.size(); ++def) {
    for (std::size_t ref = 0; ref < resources_.size(); ++ref) {
      if (program_.refs[ref].name == program_.tasks[def].name && resources_[ref].def < 0) {
        resources_[ref].def = static_cast<int>(def);
      }
    }
    for (const PhaseDef& phase : program_.tasks[def].phases) {
      for (const OpDef& op : phase.ops) {
        if (op.code == OpCode::barrier) {
          resource(op.ref).participants += program_.tasks[def].instances;
        }
      }
    }
  }
}

template <class Class>
void Machine<Class>::set_fault(const Task& task, const std::string& what) {
  fault_ = "task " + task_name(task.id) + " at t=" + std::to_string(now_) + " ns: " + what;
}

// --- bounds on what takes no time --------------------------------------------------------------

template <class Class>
bool Machine<Class>::count(Task& task, int Task::*counter, const char* what) {
  if (task.counted_at != now_) {
    task.counted_at = now_;
    task.events = task.yields = task.blocks = task.moves = 0;
  }
  if (++(task.*counter) <= count_limit) return true;
  set_fault(task, what);
  return false;
}

template <class Class>
bool Machine<Class>::count_block(Task& task) {
  return count(
      task, &Task::blocks, "blocks more than 1000 times at one instant; let somebody run between");
}

template <class Class>
bool Machine<Class>::count_event(Task& task) {
  return count(task,
               &Task::events,
               "its program passes more than 1000 events without taking time; give its loop a run");
}

// --- where the program goes on -----------------------------------------------------------------

/// The next event of the current task: silent (look again), or a stimulus that was done.
template <class Class>
auto Machine<Class>::next_of_program(Task& task, Step& step) -> Progress {
  if (task.first_delay > 0) {
    return sleep_until(task, now_ + std::exchange(task.first_delay, 0), step);
  }
  if (!task.in_phase) {
    if (!next_phase(task)) {
      exit(task, step);
      return Progress::stimulus;
    }
    return enter_phase(task, step);
  }
  const PhaseDef& phase = task.def->phases[task.phase];
  if (task.op < phase.ops.size()) {
    const OpDef& op = phase.ops[task.op];
    if (task.stage == 0 && !count_event(task)) return Progress::silent;
    return execute(task, op, step);
  }
  if (phase.ops.empty() && !count_event(task)) return Progress::silent;
  task.op = 0;
  if (task.phase_left > 0 && --task.phase_left == 0) {
    task.in_phase = false;
    ++task.phase;
  }
  return Progress::silent;
}

/// Puts task.phase on a phase to enter; false when the program is over.
template <class Class>
bool Machine<Class>::next_phase(Task& task) {
  const std::size_t phases = task.def->phases.size();
  if (phases == 0 || task.loops_left == 0) return false;
  if (task.phase < phases) return true;
  task.phase = 0;
  return task.loops_left < 0 || --task.loops_left > 0;
}

template <class Class>
auto Machine<Class>::enter_phase(Task& task, Step& step) -> Progress {
  const PhaseDef& phase = task.def->phases[task.phase];
  if (phase.loop == 0) {
    if (count_event(task)) ++task.phase;
    return Progress::silent;
  }
  if (task.stage == 0) {
    task.stage = 1;
    if (phase.cpus) {
      const CpuMask mask = mask_of(phase.cpus);
      if (!(mask == task.allowed)) {
        if (!count(task,
                   &Task::moves,
                   "changes its CPUs more than 1000 times at one instant; let it run between"))
          return Progress::silent;
        set_affinity(task, mask, step);
        return Progress::stimulus;
      }
    }
  }
  task.stage = 0;
  task.in_phase = true;
  task.phase_left = phase.loop;
  task.op = 0;
  if (phase.nice && (*phase.nice != task.nice || IMPL_FAULT(W15_noop_renice_acts))) {
    renice(task, *phase.nice, step);
    return Progress::stimulus;
  }
  return Progress::silent;
}

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
      if (op.amount > 0) {
        task.run_left = op.amount;
        begin_timing(cpu_, task);
        if (IMPL_FAULT(S11_reschedule_at_run_boundary)) class_.queue(cpu_).need_resched = true;
      }
      return done();
    case OpCode::runtime:
      if (op.amount > 0) {
        task.wall_until = now_ + std::min(op.amount, never - now_);
        begin_timing(cpu_, task);
      }
      return done();
    case OpCode::sleep:
      done();
      if (op.amount <= 0) return Progress::silent;
      return sleep_until(task, now_ + std::min(op.amount, never - now_), step);
    case OpCode::timer:
      done();
      return do_timer(task, op, step);
    case OpCode::lock:
      if (task.stage == 0 && resource(op.ref).owner == task.id) {
        set_fault(task,
                  "locks `" + program_.refs[static_cast<std::size_t>(op.ref)].name +
                      "`, which it holds already; unlock it first");
        return Progress::silent;
      }
      return acquire(task, op.ref, task.stage == 1, 1, step);
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
    case OpCode::suspend: {
      done();
      auto& waiters = suspended_[static_cast<std::size_t>(task.def_index)];
      const Progress progress = block_on(task, waiters, step);
      std::sort(waiters.begin(), waiters.end(), [](const Task* a, const Task* b) {
        return a->id < b->id;
      });
      return progress;
    }
    case OpCode::resume:
      if (const int def = resource(op.ref).def; def >= 0) {
        wake_all(suspended_[static_cast<std::size_t>(def)]);
      }
      return done();
    case OpCode::sem_post: {
      Resource& sem = resource(op.ref);
      if (sem.sem_waiters.empty()) ++sem.count;
      wake_first(sem.sem_waiters);
      return done();
    }
    case OpCode::sem_wait: {
      done();
      Resource& sem = resource(op.ref);
      if (sem.count == 0) return block_on(task, sem.sem_waiters, step);
      --sem.count;
      return Progress::silent;
    }
    case OpCode::yield:
      if (!count(task,
                 &Task::yields,
                 "yields more than 1000 times at one instant; let it run between"))
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
