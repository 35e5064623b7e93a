// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/policy/eevdf/state.h"

/// Inside of step(): the operations of one stimulus on a state that is being changed. Private to
/// this folder. "CHOICE n" is item n of this folder's README.
namespace fw::model::eevdf {

using rules::Exact;

class Work {
 public:
  Work(const Config& config, State& state, const Event& event, std::vector<Decision>& log)
      : config_(config),
        state_(state),
        event_(event),
        log_(log),
        clock_(config.clock_base + static_cast<std::uint64_t>(event.t.ns)) {}

  // step.cpp: one function a stimulus.
  void wake();
  void fork();
  void leave();
  void yield();
  void renice();
  void affinity();
  void tick();
  void schedule();
  // reweight.cpp
  void reweight(Task& task, rules::eevdf::Weight weight);

 private:
  struct Choice {
    TaskId task;
    Why why = Why::idle;
  };

  Task& task(TaskId id) { return state_.tasks[index_of(state_, id)]; }
  Queue& queue(int cpu) { return state_.queues[static_cast<std::size_t>(cpu)]; }
  /// The current entity if it is still on the queue, else null.
  Task* current(const Queue& queue);
  std::uint64_t count(const Queue& queue) {
    return queue.tree.size() + (current(queue) != nullptr ? 1 : 0);
  }

  // queue.cpp: arithmetic
  std::uint64_t vdelta(std::uint64_t delta, const Task& task) const;
  std::uint64_t own_slice(const Task& task) const {
    return task.custom_slice != 0 ? task.custom_slice : config_.base_slice_ns;
  }
  std::uint64_t least_slice(const Queue& queue, std::uint64_t among) const;
  bool eligible(const Queue& queue, const Totals& totals, std::uint64_t vruntime) const;
  bool eligible(const Queue& queue, const Task& task) {
    return eligible(queue, totals(state_, queue), task.vruntime);
  }
  bool is_protected(const Task& task) const;
  std::int64_t clamped_lag(const Queue& queue, const Task& task, std::uint64_t average);

  // queue.cpp: operations
  /// The reason for which it asked for a reschedule, if it did.
  Why charge(Queue& queue);
  void follow_least(Queue& queue);
  void follow_average(Queue& queue);
  void store_lag(Queue& queue, Task& task);
  void take_off(Queue& queue, Task& task, bool sleep);
  void drop_delayed(Queue& queue, Task& task);
  void place(Queue& queue, Task& task, bool initial);
  void enqueue(Task& task, bool initial);
  void count_in(Queue& queue, Task& task);
  void count_out(Queue& queue, Task& task);
  void insert(Queue& queue, const Task& task);
  void remove(Queue& queue, TaskId task);
  void put_current(Queue& queue);
  void set_current(Queue& queue, Task& task, bool picked);
  void protect(const Queue& queue, Task& task);
  void clear_hint(Queue& queue, TaskId task);

  // pick.cpp
  Choice pick(Queue& queue, bool with_protection);
  TaskId earliest(const Queue& queue, const Totals& totals, const Task* current) const;
  void check_preempt(int cpu, Task& woken, bool fork);
  bool overtakes(Queue& queue, Task& current, const Task& woken);

  // step.cpp: records
  void wake_delayed(Queue& queue, Task& task);
  Decision& record(DecisionKind kind, int cpu, const Task* about);
  void record_migration(const Task& task, int from, Why why);

  const Config& config_;
  State& state_;
  const Event& event_;
  std::vector<Decision>& log_;
  const std::uint64_t clock_;
};

}  // namespace fw::model::eevdf
