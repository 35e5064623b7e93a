// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "impl/base/cpu_mask.h"

/// What the machine knows of a task, a CPU and a decision, whatever the scheduler class.
namespace impl {

enum class TaskPolicy : std::uint8_t { normal, batch, idle };

/// Why a task was picked, marked, moved or woken.
enum class Reason : std::uint8_t {
  none,
  only,
  leftmost,
  next,
  last,
  idle,
  slice,
  wakeup,
  fork,
  periodic,
  newidle,
  active,
  affinity,
  timer,
  start,
  earliest_deadline,
  protected_,
  deadline,
  protection,
};

/// A task's part that every scheduler class needs. Classes derive their own task from it.
struct TaskCore {
  int id = -1;
  int cpu = 0;  ///< where it is queued, or last was
  int nice = 0;
  TaskPolicy policy = TaskPolicy::normal;
  bool on_rq = false;  ///< runnable
  CpuMask allowed;
};

/// A CPU's part that every scheduler class needs.
template <class Task>
struct RunqueueCore {
  int cpu = 0;
  Task* curr = nullptr;  ///< also while it has just blocked; null: idle, or moved away
  int moved_away = -1;   ///< id of a current that was moved to another CPU before schedule()
  bool need_resched = false;
  unsigned nr_running = 0;

  bool runs_idle() const { return curr == nullptr && moved_away < 0; }
};

/// Told of every task that the class moves by balancing, after the move, and of every CPU other
/// than the balancing one that it marks without moving anything there.
class MoveLog {
 public:
  virtual void marked(int cpu) = 0;
  virtual void moved(int task, int from, int to, Reason why) = 0;

 protected:
  ~MoveLog() = default;
};

/// The shape of a machine: nested sets of CPUs, bottom up.
enum class DomainKind : std::uint8_t { smt, mc, cpu, node, all_nodes };
struct ShapeLevel {
  DomainKind kind = DomainKind::all_nodes;
  std::vector<int> set_of_cpu;
};
struct MachineShape {
  int cpus = 1;
  std::vector<ShapeLevel> levels;
  std::vector<int> threads_of_core;  ///< per CPU; empty: 1
};

}  // namespace impl
