// SPDX-License-Identifier: Apache-2.0
#pragma once

// Members of Machine: where a program goes on. Source: simulator section C and the choices of the
// machine and interpreter.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "impl/machine/machine.h"

namespace impl {

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
      task, &Task::blocks, "blocks more than 100000 times at one instant; let somebody run between");
}

template <class Class>
bool Machine<Class>::count_event(Task& task) {
  return count(task,
               &Task::events,
               "its program passes more than 100000 events without taking time; give its loop a run");
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
                   "changes its CPUs more than 100000 times at one instant; let it run between"))
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

}  // namespace impl
