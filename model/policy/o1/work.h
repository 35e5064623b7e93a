// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/policy/o1/state.h"

/// Inside of step(): the operations of one stimulus on a state that is being changed. Private to
/// this folder. "CHOICE n" is item n of this folder's README.
namespace fw::model::o1 {

class Work {
 public:
  Work(const Config& config, State& state, const Event& event, std::vector<Decision>& log)
      : config_(config), state_(state), event_(event), log_(log) {}

  // step.cpp: one function a stimulus.
  void wake();
  void fork();
  void leave();
  void yield();
  void renice();
  void affinity();
  void tick();
  void schedule();
  // balance.cpp
  void balance_pass();

 private:
  Task& task(TaskId id) { return state_.tasks[index_of(state_, id)]; }
  Queue& queue(int cpu) { return state_.queues[static_cast<std::size_t>(cpu)]; }

  // queue.cpp
  std::uint64_t effective_prio(const Task& task) const;
  void enqueue(Task& task, Place place);
  void dequeue(Task& task);
  void activate(Task& task);
  void check_preempt(const Task& woken);
  void account(Queue& queue);
  /// Steps 4 and 5 of section 5.
  void pay_tick(Queue& queue, Task& current);
  void reap(const Task& child);

  // balance.cpp
  void load_balance(int cpu, bool idle, Why why);
  std::vector<int> candidates(int cpu);
  int busiest_node(int cpu);
  std::uint64_t node_nr_running(int node);
  void pull(Queue& from, int to, std::uint64_t most, Why why);

  // step.cpp: records
  Decision& record(DecisionKind kind, int cpu, const Task* about);
  void record_migration(const Task& task, int from, Why why);

  const Config& config_;
  State& state_;
  const Event& event_;
  std::vector<Decision>& log_;
};

}  // namespace fw::model::o1
