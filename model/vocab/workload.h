// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/ids.h"
#include "model/vocab/time.h"

namespace fw {

/// One event of a task's program, named as in rt-app (semantics/simulator.md section C).
enum class OpKind {
  run,       ///< amount: CPU time
  runtime,   ///< amount: wall time
  sleep,     ///< amount
  timer,     ///< ref, amount = period, absolute
  lock,      ///< ref
  unlock,    ///< ref
  wait,      ///< ref, mutex
  signal,    ///< ref
  broad,     ///< ref
  sync,      ///< ref, mutex
  barrier,   ///< ref
  suspend,   ///< nothing
  resume,    ///< ref = task name
  sem_post,  ///< ref
  sem_wait,  ///< ref
  yield,     ///< nothing
  fork,      ///< ref = task name
};
std::string_view op_name(OpKind kind);

struct Op {
  OpKind kind = OpKind::run;
  Duration amount = {};
  std::string ref = {};
  std::string mutex = {};
  bool absolute = false;  ///< timer mode
  friend bool operator==(const Op&, const Op&) = default;
};

enum class SchedClass { normal, batch, idle };

/// A piece of a task's program, repeated `loop` times (-1: for ever). `nice` and `cpus` act when
/// the phase first runs (C4, C8).
struct Phase {
  std::string name;
  std::int64_t loop = 1;
  std::optional<int> nice;
  std::optional<CpuSet> cpus;
  std::vector<Op> ops;
  friend bool operator==(const Phase&, const Phase&) = default;
};

/// A task as the workload file defines it. The phases are run `loop` times (-1: for ever).
struct TaskDef {
  std::string name;
  int instances = 1;  ///< 0: exists only to be forked
  Duration delay = {};
  std::int64_t loop = -1;
  SchedClass sched_class = SchedClass::normal;
  int nice = 0;                   ///< -20..19
  std::optional<CpuSet> cpus;     ///< allowed CPUs; none: all
  std::vector<Phase> phases;      ///< a task with inline events has one phase of loop 1
  std::optional<Duration> slice;  ///< `dl-runtime`: a custom slice, where the policy knows them
  friend bool operator==(const TaskDef&, const TaskDef&) = default;
};

/// What changing tasks costs the simulated machine; all zero unless the workload names them.
/// A pick of a task other than the one this CPU ran last makes that task burn `switch_cost`, plus
/// `cache_refill` (another task ran here since) and `migration` (it last ran on another CPU),
/// before its program goes on.
struct Costs {
  Duration switch_cost = {};
  Duration cache_refill = {};
  Duration migration = {};
  friend bool operator==(const Costs&, const Costs&) = default;
};

/// A workload, ready to be run: what semantics/simulator.md section C calls the program.
struct Workload {
  std::string name;                  ///< file or scenario name
  std::optional<Duration> duration;  ///< global.duration
  std::vector<TaskDef> tasks;        ///< in document order
  // The keys under "fairwitness" (C9).
  std::set<std::string> threads;              ///< tasks whose forks are threads
  std::set<std::string> spinlocks;            ///< locks that burn CPU instead of blocking
  bool barging = false;                       ///< locks: barging instead of FIFO hand-off
  std::map<std::string, std::string> labels;  ///< task name -> `input`
  Costs costs;
  std::string spec;      ///< default policy spec, empty when not given
  std::string topology;  ///< default topology, empty when not given
  std::optional<int> hz;
};

}  // namespace fw
