// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "impl/base/core.h"
#include "impl/cfs/tunables.h"
#include "impl/eevdf/tunables.h"

/// The simulated machine as its users see it: a program and a configuration in, one stimulus at a
/// time out. Times in ns since the start. Nothing here depends on the scheduler class but the
/// factory functions at the end.
namespace impl {

inline constexpr std::int64_t never = INT64_MAX;

/// One event of a program. Source: simulator section C.
enum class OpCode : std::uint8_t {
  run,
  runtime,
  sleep,
  timer,
  lock,
  unlock,
  wait,
  signal,
  broad,
  sync,
  barrier,
  suspend,
  resume,
  sem_post,
  sem_wait,
  yield,
  fork,
};

struct OpDef {
  OpCode code = OpCode::run;
  std::int64_t amount = 0;  ///< run, runtime, sleep: length; timer: period
  int ref = -1;             ///< index into Program::refs, also for task names
  int mutex = -1;           ///< wait, sync; -1: none
  bool absolute = false;    ///< timer mode
};

struct PhaseDef {
  std::int64_t loop = 1;  ///< negative: for ever
  std::optional<int> nice = {};
  std::optional<std::vector<int>> cpus = {};
  std::vector<OpDef> ops = {};
};

struct TaskDef {
  std::string name;
  int instances = 1;
  std::int64_t delay = 0;
  std::int64_t loop = -1;  ///< negative: for ever
  TaskPolicy policy = TaskPolicy::normal;
  int nice = 0;
  std::int64_t slice = 0;  ///< custom, in ns, where the class knows them; 0: none
  bool thread = false;     ///< its forks are threads of the forking task
  bool input = false;      ///< its wakeups deliver input
  std::optional<std::vector<int>> cpus = {};
  std::vector<PhaseDef> phases = {};
};

/// A name that events refer to: locks, conditions, timers, tasks.
struct RefDef {
  std::string name;
  bool spins = false;  ///< as a lock it burns CPU
};

struct Program {
  std::vector<TaskDef> tasks;
  std::vector<RefDef> refs;
  bool barging = false;
  std::int64_t switch_cost = 0, cache_refill = 0, migration = 0;
};

struct MachineConfig {
  MachineShape shape;
  bool balance = true;
  std::int64_t end = never;  ///< stimuli with t < end
};

enum class StepKind : std::uint8_t {
  start,
  wake,
  fork,
  block,
  exit,
  yield,
  renice,
  affinity,
  tick,
  idle_tick,
  balance,
  schedule,
};

/// One stimulus: whose round, what, to which task (-1: none).
struct Step {
  std::int64_t t = 0;
  int cpu = 0;
  StepKind kind = StepKind::schedule;
  int task = -1;
  bool counts = true;
};

enum class RecordKind : std::uint8_t {
  fork,
  wake,
  block,
  exit,
  yield,
  renice,
  affinity,
  preempt,
  pick,
  migrate,
};

/// One line of the decision log. Source: simulator section B.
struct Record {
  std::int64_t t = 0;
  int cpu = 0;
  RecordKind kind = RecordKind::pick;
  int task = -1;
  int nr = 0;
  int other = -1;  ///< fork, wake: by; pick: prev
  int from = 0;    ///< migrate
  Reason why = Reason::none;
  bool preempt = false;
  int nice = 0;                   ///< renice
  const CpuMask* cpus = nullptr;  ///< affinity; valid until the next advance()
  std::array<std::int64_t, 4> state = {};
};

enum class ShownState : std::uint8_t { running, queued, blocked };

struct TaskShown {
  ShownState state = ShownState::blocked;
  int cpu = 0;
  int nice = 0;
  TaskPolicy policy = TaskPolicy::normal;
  std::uint64_t weight = 0;
  std::uint64_t sum_exec = 0;
  std::array<std::int64_t, 8> ints = {};
};

struct CpuShown {
  int curr = -1;
  bool marked = false;
  int nr_running = 0;
  std::uint64_t load = 0;
  std::vector<std::int64_t> ints;
  std::vector<int> queue;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  /// Does exactly one stimulus; false when the run is over or has a fault.
  virtual bool advance(Step& step) = 0;
  /// The records of the last advance(), in order.
  virtual std::span<const Record> records() const = 0;
  virtual std::int64_t now() const = 0;
  /// Why the workload cannot go on; empty while it can.
  virtual const std::string& fault() const = 0;
  virtual int cpus() const = 0;
  /// Ids of the live tasks, ascending.
  virtual std::span<const int> live() const = 0;
  /// `NAME-INDEX` or `NAME-INDEX-FORKINDEX`, of exited tasks too; `idle` for -1.
  virtual std::string task_name(int id) const = 0;
  virtual void show_task(int id, TaskShown& out) const = 0;
  virtual void show_cpu(int cpu, CpuShown& out) const = 0;  ///< reuses out's storage
};

/// The completely fair scheduler on simulated CPUs. `program` is kept by value.
std::unique_ptr<Simulation> simulate_cfs(Program program,
                                         const MachineConfig& config,
                                         const cfs::Request& request);

/// The same machine under EEVDF.
std::unique_ptr<Simulation> simulate_eevdf(Program program,
                                           const MachineConfig& config,
                                           const eevdf::Request& request);

}  // namespace impl
