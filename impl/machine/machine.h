// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "impl/base/check.h"
#include "impl/base/event_queue.h"
#include "impl/base/fault.h"
#include "impl/machine/simulation.h"

namespace impl {

/// The simulated driver: virtual time, one thread, N CPUs, deterministic. `Class` is a scheduler
/// class with the verbs of cfs::FairClass; everything else of a machine is here.
/// The other drivers (real threads, explored interleavings) will share the class, not this file.
/// Members are defined in machine_tasks.h (construction, tasks, what is shown), machine_round.h
/// (instants, rounds, kernel entry points), machine_program.h (where a program goes on) and
/// machine_events.h (what each event does).
template <class Class>
class Machine final : public Simulation, private MoveLog {
 public:
  Machine(Program program, const MachineConfig& config, const typename Class::Config& request);

  bool advance(Step& step) override;
  std::span<const Record> records() const override { return records_; }
  std::int64_t now() const override { return now_; }
  const std::string& fault() const override { return fault_; }
  int cpus() const override { return class_.cpus(); }
  std::span<const int> live() const override { return live_; }
  std::string task_name(int id) const override;
  void show_task(int id, TaskShown& out) const override;
  void show_cpu(int cpu, CpuShown& out) const override;

 private:
  using Runqueue = typename Class::Runqueue;

  struct Timer {
    bool set = false;
    std::int64_t next = 0;
  };

  /// A task: the class's part and where its program stands.
  struct Task : Class::Task {
    const TaskDef* def = nullptr;
    int def_index = 0;
    std::size_t slot = 0;  ///< of its timer in the event queue
    bool started = false;
    bool exited = false;
    std::int64_t thread_start = 0;
    std::int64_t first_delay = 0;  ///< forks: still to be slept
    // Program counter.
    std::size_t phase = 0;
    bool in_phase = false;
    std::int64_t loops_left = 0;
    std::int64_t phase_left = 0;
    std::size_t op = 0;
    int stage = 0;  ///< within an event, or within a phase's entry
    // What it does while it is on the CPU.
    std::int64_t burn_left = 0;
    std::int64_t run_left = 0;
    std::int64_t wall_until = 0;
    std::int64_t run_since = 0;
    int spins_on = -1;
    // Counts of one instant, against programs that take no time.
    std::int64_t counted_at = -1;
    int events = 0, yields = 0, blocks = 0, moves = 0;
    // For the costs of switching.
    int last_ran_cpu = -1;
    CpuMask ran_on;
    std::vector<std::pair<int, Timer>> private_timers;
  };

  /// A CPU's part outside the runqueue.
  struct Cpu {
    std::int64_t run_end = never;  ///< when the current task's program goes on
    Task* timed = nullptr;         ///< whose time on the CPU is being measured
    int last_ran = -1;
    bool yielded = false;  ///< the current task has yielded, schedule() is to follow
    bool tick_pending = false;
    std::vector<Task*> due;  ///< external wakeups of this instant, by id
    std::size_t due_at = 0;
  };

  /// Everything one name may stand for.
  struct Resource {
    int owner = -1;                   ///< lock: task id
    std::vector<Task*> lock_waiters;  ///< or spinners, in order of arrival
    std::vector<Task*> cond_waiters;
    std::vector<Task*> arrived;     ///< barrier
    std::int64_t participants = 0;  ///< barrier
    std::int64_t count = 0;         ///< semaphore
    std::vector<Task*> sem_waiters;
    Timer timer;
    int def = -1;  ///< task definition of that name
  };

  enum class Stage { act, wake, tick, balance, schedule };
  enum class Progress { silent, stimulus };
  static constexpr int count_limit = 100'000;
  static constexpr std::size_t live_limit = 100'000;

  // Instants and rounds.
  bool begin_instant();
  bool step_cpu(Step& step);
  bool act(Step& step);
  void tick(Step& step);
  void balance(Step& step);
  void schedule(Step& step);
  void switch_to(int cpu, Task* next);
  void begin_timing(int cpu, Task& task);
  void settle(Task& task);
  void set_costs(int cpu, Task& task);
  void moved(int task, int from, int to, Reason why) override;
  void marked(int cpu) override { dirty_.set(cpu); }

  // Kernel entry points.
  void wake_up(Task& task, int waking_cpu, int by, Reason why, Step& step);
  void block(Task& task, Step& step);
  void exit(Task& task, Step& step);
  void yield(Task& task, Step& step);
  void renice(Task& task, int nice, Step& step);
  void set_affinity(Task& task, const CpuMask& mask, Step& step);
  void fork(Task& parent, int def, Step& step);
  Record& record(RecordKind kind, int cpu, const Task* task);
  void describe(Step& step, StepKind kind, int task) const;

  // Tasks.
  Task& new_task(int def, int fork_index);
  void release(Task& task);
  CpuMask mask_of(const std::optional<std::vector<int>>& cpus) const;
  bool check_masks();

  // The interpreter.
  void resolve_refs();
  Progress next_of_program(Task& task, Step& step);
  bool next_phase(Task& task);
  Progress enter_phase(Task& task, Step& step);
  Progress execute(Task& task, const OpDef& op, Step& step);
  void start_run(Task& task, const OpDef& op);
  Progress do_suspend(Task& task, Step& step);
  void post(Resource& semaphore);
  Progress do_timer(Task& task, const OpDef& op, Step& step);
  Progress do_lock(Task& task, const OpDef& op, Step& step);
  Progress do_wait(Task& task, const OpDef& op, Step& step);
  Progress do_barrier(Task& task, const OpDef& op, Step& step);
  Progress do_fork(Task& task, const OpDef& op, Step& step);
  Progress acquire(Task& task, int ref, bool woken, int waiting, Step& step);
  Progress sleep_until(Task& task, std::int64_t t, Step& step);
  Progress block_on(Task& task, std::vector<Task*>& waiters, Step& step);
  bool held_by(const Task& task, int ref, const char* what);
  void unlock(int ref);
  void hand_to_spinner(int ref);
  void take_spinlock(Task& task, int ref);
  void wake_first(std::vector<Task*>& waiters);
  void wake_all(std::vector<Task*>& waiters);
  bool count_event(Task& task);
  bool count_block(Task& task);
  bool count(Task& task, int Task::*counter, const char* what);
  void set_fault(const Task& task, const std::string& what);
  Timer& timer_of(Task& task, int ref);
  Resource& resource(int ref) { return resources_[static_cast<std::size_t>(ref)]; }
  Cpu& cpu_state(int cpu) { return cpu_states_[static_cast<std::size_t>(cpu)]; }
  Task* current(int cpu) { return static_cast<Task*>(class_.queue(cpu).curr); }
  bool runs(int cpu) {  ///< the current task is there and has not blocked, ended or yielded
    const auto* curr = class_.queue(cpu).curr;
    return curr != nullptr && curr->on_rq && !cpu_state(cpu).yielded;
  }

  Program program_;
  Class class_;
  bool has_costs_;
  std::int64_t end_;
  std::int64_t now_ = -1;
  std::int64_t next_tick_ = 0;
  std::uint64_t jiffies_ = 0;
  std::string fault_;

  std::vector<Cpu> cpu_states_;
  std::vector<Resource> resources_;
  EventQueue events_;  // slots: run ends by CPU, then timers by task slot
  std::size_t runnable_ = 0;

  std::deque<Task> tasks_;  // by slot; stable addresses
  std::vector<Task*> free_;
  std::vector<Task*> by_id_;  // null: gone
  std::vector<Task*> by_slot_;
  std::vector<std::pair<int, int>> names_;  // by id: definition, fork index or -1
  std::vector<int> forks_of_;               // by definition
  std::vector<int> live_;

  bool in_instant_ = false;
  bool over_ = false;
  CpuMask dirty_;                              // CPUs whose round is not finished
  std::vector<std::vector<Task*>> suspended_;  // by definition, by id
  int cpu_ = 0;
  Stage stage_ = Stage::act;
  std::vector<Task*> wakes_;  // made by the acting task's event, still to be done
  std::size_t wake_at_ = 0;
  std::int64_t forked_at_ = -1;
  std::size_t forks_ = 0;
  std::vector<Record> records_;
};

}  // namespace impl

#include "impl/machine/machine_events.h"
#include "impl/machine/machine_program.h"
#include "impl/machine/machine_round.h"
#include "impl/machine/machine_tasks.h"
