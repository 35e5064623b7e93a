// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "model/machine/fork_tree.h"
#include "model/machine/program.h"
#include "model/policy/event.h"
#include "model/vocab/workload.h"

namespace fw::model {

/// One change of a queue that a program wants: a stimulus to be.
struct Action {
  StimulusKind kind = StimulusKind::block;
  TaskId task;   ///< who leaves, yields, changes, is woken; fork: the new task
  TaskId actor;  ///< wake, fork: whose program did it
  int nice = 0;
  const CpuSet* cpus = nullptr;
};

/// The programs of all tasks, and what they share (simulator.md section C, CHOICE page). Knows
/// nothing of queues: it is told who runs, and says what that does.
class Interpreter {
 public:
  /// `is_current` answers whether a task's program could go on now on some CPU.
  Interpreter(const Workload& workload, int cpus, std::function<bool(TaskId)> is_current);

  /// The started tasks, in order of their ids, and their pending starts.
  std::vector<NewTask> newcomers() const;
  std::size_t newcomers_count() const { return program_.started.size(); }
  /// Runs a current task's program until it wants something done (added to `plan`), takes time, or
  /// a fault stops the run.
  void run(TaskId task, Instant now, std::vector<Action>& plan);
  /// Whether run() would get somewhere now.
  bool ready(TaskId task, Instant now) const;
  /// When a current task's program goes on if it keeps its CPU; `never` for a spinner.
  Instant goes_on(TaskId task, Instant now) const;
  /// The task has had the CPU for this long.
  void burn(TaskId task, std::int64_t ns);
  /// The task has been picked on a CPU; costs begin here.
  void picked(TaskId task, CpuId cpu);

  /// Earliest pending start, sleep or timer; `never` if there is none.
  Instant next_expiry() const { return timers_.empty() ? never : timers_.top().t; }
  /// Takes those that expire at `now`, by task id.
  void take_expired(Instant now, std::vector<TaskId>& out);
  /// The task's first wakeup: it is a start. Later ones answer false.
  bool begin(TaskId task);

  NewTask newborn(TaskId task) const;
  const std::string& fault() const { return fault_; }
  std::string name(TaskId task) const;

 private:
  enum class Need {
    nothing,  ///< go on with the next event
    delay,    ///< a forked task's delay
    run,      ///< `left_ns` of CPU time
    until,    ///< the clock to reach `until`
    spin,     ///< the spin lock `lock`
    retake,   ///< to take `lock`, having been woken
  };
  enum class Stage { turn, phase, cpus, nice, ops };

  struct Timer {
    bool begun = false;
    Instant next;
  };

  struct Thread {
    int def = 0;
    int fork_index = -1;
    bool begun = false;
    Need need = Need::nothing;
    std::int64_t burn_ns = 0;  ///< costs still to be paid
    std::int64_t left_ns = 0;
    Instant until;
    int lock = -1;
    Stage stage = Stage::turn;
    std::size_t phase = 0;
    std::size_t op = 0;
    std::int64_t turns_left = 0;       ///< of the task; -1: for ever
    std::int64_t iterations_left = 0;  ///< of the phase
    Instant start;
    std::vector<Timer> own_timers;
    CpuSet allowed;
    int nice = 0;
    int last_cpu = -1;
    CpuSet ran_on;
    Instant counted_at;  ///< the counts below are about this instant
    int events = 0;
    int yields = 0;
    int blocks = 0;
    int moves = 0;
  };
  struct Lock {
    TaskId owner;
    std::vector<TaskId> waiters;  ///< longest waiting first
  };
  struct Semaphore {
    std::int64_t count = 0;
    std::vector<TaskId> waiters;
  };
  struct Expiry {
    Instant t;
    TaskId task;
    friend bool operator>(const Expiry& a, const Expiry& b) {
      return a.t != b.t ? a.t > b.t : a.task > b.task;
    }
  };

  Thread& thread(TaskId task) { return threads_[static_cast<std::size_t>(task.value)]; }
  const Thread& thread(TaskId task) const { return threads_[static_cast<std::size_t>(task.value)]; }
  Thread make_thread(int def, Instant start) const;
  void fail(TaskId task, const std::string& text);
  void renew_counts(Thread& self, Instant now);
  bool count_event(TaskId task);
  void block(TaskId task, std::vector<Action>& plan);
  void sleep_until(TaskId task, Instant t, std::vector<Action>& plan);
  void wake(TaskId task, TaskId waker, std::vector<Action>& plan);
  /// Goes to the next event; nullptr when something else happened (planned, ended, fault).
  const CompiledOp* next_event(TaskId task, std::vector<Action>& plan);
  const CompiledOp* next_in_phase(TaskId task, const CompiledPhase& phase);
  void perform(TaskId task, const CompiledOp& op, std::vector<Action>& plan);
  void use_timer(TaskId task, const CompiledOp& op, std::vector<Action>& plan);
  void take(TaskId task, int lock, std::vector<Action>& plan);
  void release(TaskId task, int lock, std::vector<Action>& plan);
  bool holds(TaskId task, int lock, const char* what);
  void signal(TaskId task, int condition, bool all, std::vector<Action>& plan);
  void wait(TaskId task, const CompiledOp& op, std::vector<Action>& plan);
  void meet(TaskId task, int barrier, std::vector<Action>& plan);
  void fork(TaskId task, int def, std::vector<Action>& plan);
  static TaskId pop(std::vector<TaskId>& waiters);

  const Program program_;
  const std::function<bool(TaskId)> is_current_;
  std::vector<Thread> threads_;  ///< by TaskId
  ForkTree tree_;
  std::vector<Lock> locks_;
  std::vector<std::vector<TaskId>> conditions_;
  std::vector<std::vector<TaskId>> barriers_;
  std::vector<Semaphore> semaphores_;
  std::vector<Timer> shared_timers_;
  std::vector<std::vector<TaskId>> suspended_;  ///< by task name, ids ascending
  std::vector<int> forks_of_;                   ///< by task name
  std::vector<TaskId> last_on_cpu_;
  std::priority_queue<Expiry, std::vector<Expiry>, std::greater<>> timers_;
  Instant now_;
  int live_ = 0;
  Instant forks_at_;
  int forks_ = 0;  ///< of the instant `forks_at_`
  std::string fault_;
};

}  // namespace fw::model
