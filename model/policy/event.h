// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/policy/tasks.h"
#include "model/vocab/decision.h"
#include "model/vocab/view.h"

/// What the reference machine asks of a policy. A policy is a struct of types and static functions:
///   Config                     everything that does not change during a run; configure(Setup)
///   State                      a value: comparable, printable on one line (text)
///   initial(Config, newcomers) the state before the first stimulus, all newcomers asleep
///   step(Config, State&&, Event, storage) -> Step<State>   the one transition, pure
///   current(State, CpuId)      whose program runs there: idle_task for none, or when it has left
///   ticks(State, CpuId)        the tick would charge somebody
///   marked(State, CpuId), balance_due(Config, State, CpuId, jiffies), cpu_of(State, TaskId)
///   look(Config, State, View&)
///   refusal(Setup)             optional: why the policy cannot run a workload, empty if it can
namespace fw::model {

/// A task at its birth.
struct NewTask {
  TaskId id;
  int nice = 0;
  SchedClass sched_class = SchedClass::normal;
  CpuSet allowed;             ///< CPUs of the machine only, never empty
  std::int64_t slice_ns = 0;  ///< custom slice it asks for; 0: none
  bool thread = false;        ///< forks of its name are threads of who forks them (C5)
  int depth = 0;              ///< processes between it and the root of its fork tree
  bool input = false;         ///< named in the workload's `labels`: its wakeups deliver input
};

/// One stimulus on its way into a policy.
struct Event {
  StimulusKind kind = StimulusKind::schedule;
  Instant t;
  std::uint64_t jiffies = 0;
  CpuId cpu;                       ///< whose round it is
  TaskId task;                     ///< who wakes, leaves, yields, changes; fork: the parent
  TaskId waker;                    ///< wake: the task that woke it, else idle_task
  Why by = Why::none;              ///< wake, start: timer or start when no task woke it
  int nice = 0;                    ///< renice
  const CpuSet* cpus = nullptr;    ///< affinity: the new mask
  const NewTask* child = nullptr;  ///< fork
};

/// The state after a stimulus, and the decisions taken, in order.
template <class State>
struct Step {
  State state;
  std::vector<Decision> decisions;
};

/// A policy's step(): what the stimulus asks of a `Work`, which changes a state in place. It has
/// one function a stimulus; balance_pass() only where the policy balances. `storage` is cleared and
/// comes back as the decisions.
template <class Work, class Config, class State>
Step<State> step_by(const Config& config,
                    State&& state,
                    const Event& event,
                    std::vector<Decision>&& storage) {
  Step<State> out{std::move(state), std::move(storage)};
  out.decisions.clear();
  out.state.now = event.t;
  Work work(config, out.state, event, out.decisions);
  switch (event.kind) {
    case StimulusKind::start:
    case StimulusKind::wake:
      work.wake();
      break;
    case StimulusKind::fork:
      work.fork();
      break;
    case StimulusKind::block:
    case StimulusKind::exit:
      work.leave();
      break;
    case StimulusKind::yield:
      work.yield();
      break;
    case StimulusKind::renice:
      work.renice();
      break;
    case StimulusKind::affinity:
      work.affinity();
      break;
    case StimulusKind::tick:
    case StimulusKind::idle_tick:
      work.tick();
      break;
    case StimulusKind::balance:
      if constexpr (requires { work.balance_pass(); }) work.balance_pass();
      break;
    case StimulusKind::schedule:
      work.schedule();
      break;
  }
  return out;
}

/// What every policy tells the machine alike; the rest stands in its own struct.
template <class ConfigT, class StateT, auto Configure, auto Initial, auto Transition, auto Look>
struct PolicyBase {
  using Config = ConfigT;
  using State = StateT;
  static constexpr auto configure = Configure;
  static constexpr auto initial = Initial;
  static constexpr auto step = Transition;
  static constexpr auto look = Look;
  static int hz(const Config& config) { return config.hz; }
  static CpuId cpu_of(const State& state, TaskId task) {
    return CpuId{state.tasks[index_of_task(state.tasks, task)].cpu};
  }
};

/// The same with a runqueue for each CPU.
template <class ConfigT, class StateT, auto Configure, auto Initial, auto Transition, auto Look>
struct QueuePolicyBase : PolicyBase<ConfigT, StateT, Configure, Initial, Transition, Look> {
  static TaskId current(const StateT& state, CpuId cpu) {
    const auto& queue = state.queues[static_cast<std::size_t>(cpu.value)];
    return queue.left ? idle_task : queue.curr;
  }
  static bool ticks(const StateT& state, CpuId cpu) { return !current(state, cpu).idle(); }
  static bool marked(const StateT& state, CpuId cpu) {
    return state.queues[static_cast<std::size_t>(cpu.value)].marked;
  }
};

}  // namespace fw::model
