// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/policy/bfs/state.h"

/// Inside of step(): the operations of one stimulus on a state that is being changed. Private to
/// this folder. "CHOICE n" is item n of this folder's README.
namespace fw::model::bfs {

/// The deadline of a task whose slice is renewed at `now`.
std::uint64_t deadline_from(const Config& config,
                            const Task& task,
                            Instant now,
                            std::uint64_t jiffies);

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

 private:
  Task& task(TaskId id) { return state_.tasks[index_of(state_, id)]; }
  Cpu& cpu(int number) { return state_.cpus[static_cast<std::size_t>(number)]; }
  bool idle(int number) { return cpu(number).on_cpu.idle(); }

  // queue.cpp: one task
  static std::uint64_t prio_of(const Task& task);
  void refill(Task& task);
  void charge(Task& task);
  bool refill_due(const Task& task) const;
  void enqueue(Task& task);
  void take(Task& task);
  void reap(const Task& child);
  void split_slice(Task& parent, Task& child);
  bool dither() const;

  // choose.cpp: tasks for CPUs, CPUs for tasks
  std::uint64_t distance(int from, int to, const Task& task) const;
  TaskId earliest(int cpu);
  unsigned idle_rank(int cpu, int last);
  bool cache_busy(int cpu);
  bool thread_busy(int cpu);
  /// The idle CPU that suits the task best, or -1.
  int best_idle(const Task& task);
  /// The busy CPU that the task would take, or -1.
  int victim(const Task& task);
  /// The CPU to be marked for a queued task: an idle one, else one that it preempts, else -1.
  int find_cpu(const Task& task);

  // step.cpp: records
  Decision& record(DecisionKind kind, int cpu, const Task* about);
  void record_arrival(DecisionKind kind, const Task& task, int chosen, bool was_marked);

  const Config& config_;
  State& state_;
  const Event& event_;
  std::vector<Decision>& log_;
};

}  // namespace fw::model::bfs
