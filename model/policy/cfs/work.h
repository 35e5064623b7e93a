// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/policy/cfs/state.h"
#include "model/rules/cfs.h"
#include "model/rules/cfs_balance.h"

/// Inside of step(): the operations of one stimulus on a state that is being changed. Private to
/// this folder.
namespace fw::model::cfs {

/// Why a CPU balances; the order is that of the dossier's load indices.
enum class Idleness { busy, idle, newly_idle };

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
  // balance.cpp
  void balance_pass();

 private:
  Task& task(TaskId id) { return state_.tasks[index_of(state_, id)]; }
  Queue& queue(int cpu) { return state_.queues[static_cast<std::size_t>(cpu)]; }
  static rules::cfs::Load<std::uint64_t> load_of(const Task& task) {
    return {task.weight, task.inverse};
  }
  bool idle(int cpu) { return queue(cpu).on_cpu.idle(); }

  // queue.cpp
  void charge(Queue& queue);
  void update_min(Queue& queue, std::uint64_t charged);
  void enqueue(Task& task, bool wakeup, bool normalised);
  void dequeue(Task& task, bool sleep);
  void insert(Queue& queue, const Task& task);
  void check_spread(Queue& queue, const Task& task);
  void clear_buddies(Queue& queue, TaskId task);
  void set_buddy(TaskId& buddy, const Task& task);
  void put_current(Queue& queue);
  std::uint64_t slice(const Queue& queue, const Task& task);
  std::uint64_t virtual_time(std::uint64_t delta, const Task& task) const;
  std::uint64_t virtual_slice(const Queue& queue, const Task& task) {
    return virtual_time(slice(queue, task), task);
  }
  std::uint64_t cost(Task& task, std::uint64_t delta);
  void place_woken(Queue& queue, Task& task);
  void place_child(Queue& queue, Task& child, bool expedited);
  void penalize(Task& parent, const Queue& child_queue, Task& child);
  /// How a new task came to be; wakeups and moves are not forks.
  enum class Birth { none, fork, expedited };
  void check_preempt(int cpu, Task& woken, Birth birth);
  bool becomes_next(const Task& woken, Birth birth, bool big) const;
  /// Steps 7 to 12 of the preemption test: the current gives way.
  bool gives_way(Queue& queue, const Task& current, const Task& woken, bool& sets_last);
  void check_tick(int cpu);
  Why pick(int cpu);
  // queue61.cpp: Linux 6.1
  void check_preempt_61(Queue& queue, Task& woken, Birth birth);
  void check_tick_61(int cpu);
  Why switch_61(int cpu);
  void renice_61(Task& task, int nice);
  bool idle_beside_others(const Queue& queue, const Task& task);
  bool gran_overtaken(const Task& current, const Task& challenger);

  // averages.cpp: 2.6.32 to 2.6.34
  bool averages() const { return config_.until(Version::v2_6_34); }
  void average_wakee(Task& task);
  void average_waker(Task& waker);
  void average_sleeper(Task& task);
  void average_put(Task& task);

  // choose_cpu.cpp
  int choose_for_wakeup(const Task& task, int waking, int prev);
  int affine_cpu(const Task& task, int waking, int prev);
  int choose_for_fork(const NewTask& child, int parent_cpu);
  bool wake_affine(const Domain& domain, const Task& task, int waking, int prev);
  int idle_sibling(const Task& task, int target, int waking, int prev);
  int empty_sibling(const Domain& domain, const Task& task, int target, int waking, int prev);
  const Group* idlest_group(const Domain& domain, const CpuSet& allowed, int cpu);
  int idlest_cpu(const Group& group, const CpuSet& allowed, int cpu);
  std::uint64_t source_load(int cpu, unsigned index);
  std::uint64_t target_load(int cpu, unsigned index);
  std::uint64_t load_per_task(int cpu);
  const std::vector<Domain>& domains(int cpu) {
    return config_.domains[static_cast<std::size_t>(cpu)];
  }

  // balance.cpp, pull.cpp
  struct Attempt;
  struct Statistics;
  void new_idle(int cpu);
  /// Number of tasks moved, 0, or -1 (CHOICE page). `designated` is false if another CPU balances.
  int balance_level(int cpu, std::size_t level, Idleness idleness, bool& designated);
  bool find_busiest_group(Attempt& attempt);
  void group_statistics(Attempt& attempt, const Group& group, Statistics& out);
  bool find_busiest_cpu(Attempt& attempt);
  int move_tasks(Attempt& attempt);
  std::uint64_t move_pass(Attempt& attempt, std::uint64_t amount, int& moved, bool first);
  void pull(Task& task, int to, Why why);
  void push_active(Attempt& attempt);
  std::uint64_t to_jiffies(std::uint64_t ms) const;

  // step.cpp: records
  Decision& record(DecisionKind kind, int cpu, const Task* about);
  void record_migration(Task& task, int from, Why why);
  void resched(Queue& queue) { queue.marked = true; }

  const Config& config_;
  State& state_;
  const Event& event_;
  std::vector<Decision>& log_;
  const std::uint64_t clock_;
};

}  // namespace fw::model::cfs
