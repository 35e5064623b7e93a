// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/policy/eevdf/config.h"
#include "model/policy/event.h"
#include "model/rules/eevdf.h"

/// EEVDF as a value: everything that changes during a run, in vectors.
namespace fw::model::eevdf {

struct Task {
  TaskId id;
  int cpu = 0;  ///< the CPU it belongs to
  int nice = 0;
  SchedClass sched_class = SchedClass::normal;
  bool on_rq = false;     ///< runnable
  bool delayed = false;   ///< asleep, but still on the queue
  bool dead = false;      ///< ended; kept until its CPU has switched away
  bool relative = false;  ///< `deadline` counts from the v of the next placement
  rules::eevdf::Weight weight;
  std::uint64_t custom_slice = 0;  ///< 0: none
  std::uint64_t slice = 0;
  std::uint64_t vruntime = 0;
  std::uint64_t deadline = 0;
  std::int64_t vlag = 0;  ///< as last stored
  std::uint64_t exec_start = 0;
  std::uint64_t sum_exec = 0;
  std::uint64_t prev_sum_exec = 0;
  std::uint64_t protection = 0;  ///< E66, E612: copy of the deadline; E618: vprot
  CpuSet allowed;
  bool queued() const { return on_rq || delayed; }
  friend bool operator==(const Task&, const Task&) = default;
};

/// An entry of the tree. What a waiting or delayed entity is made of does not change there.
struct Waiting {
  std::uint64_t vruntime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t slice = 0;
  std::uint64_t weight = 0;
  TaskId task;
  friend bool operator==(const Waiting&, const Waiting&) = default;
};

struct Queue {
  TaskId curr;    ///< the queue's current entity, also when it has just left; none: idle_task
  TaskId on_cpu;  ///< what the CPU runs; differs from curr when its current was moved away
  bool marked = false;
  bool left = false;             ///< the current has blocked, ended or yielded at this instant
  std::uint64_t nr_running = 0;  ///< runnable
  std::uint64_t load = 0;        ///< of the runnable
  std::uint64_t base = 0;        ///< min_vruntime or zero_vruntime
  TaskId next;                   ///< the hint
  std::vector<Waiting> tree;     ///< in order, first in first out among equals
  friend bool operator==(const Queue&, const Queue&) = default;
};

struct State {
  Instant now;
  std::vector<Task> tasks;  ///< by ascending id
  std::vector<Queue> queues;
  friend bool operator==(const State&, const State&) = default;
};

/// Exact sums over all that is queued, delayed and running included.
struct Totals {
  rules::Exact sum = 0;  ///< of w * (v - base)
  std::uint64_t weight = 0;
  std::uint64_t count = 0;
};

/// The position of a task in `state.tasks`; it must be there.
std::size_t index_of(const State& state, TaskId task);

Totals totals(const State& state, const Queue& queue);

/// V, wrapped; the queue's base if nothing is queued.
std::uint64_t average(const Queue& queue, const Totals& totals);

/// One line: time, then each queue with its tasks.
std::string text(const State& state);

State initial(const Config& config, const std::vector<NewTask>& newcomers);

/// The one transition. `storage` is cleared and comes back as the decisions.
Step<State> step(const Config& config,
                 State&& state,
                 const Event& event,
                 std::vector<Decision>&& storage = {});

/// Section 5, path (b): a queued entity's weight changes in place, as a group's does. No stimulus
/// of a flat queue does it. `now`: the instant.
State reweighted(
    const Config& config, State&& state, TaskId task, rules::eevdf::Weight weight, Instant now);

void look(const Config& config, const State& state, View& out);

}  // namespace fw::model::eevdf

namespace fw::model {

/// EEVDF as the reference machine takes it (model/policy/event.h).
struct Eevdf : QueuePolicyBase<eevdf::Config,
                               eevdf::State,
                               eevdf::configure,
                               eevdf::initial,
                               eevdf::step,
                               eevdf::look> {
  static bool balance_due(const Config&, const State&, CpuId, std::uint64_t) { return false; }
};

}  // namespace fw::model
