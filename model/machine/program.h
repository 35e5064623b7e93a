// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/vocab/workload.h"

namespace fw::model {

/// An event with its references resolved to numbers.
struct CompiledOp {
  OpKind kind = OpKind::run;
  std::int64_t amount_ns = 0;
  int ref = -1;    ///< number of the lock, condition, barrier, semaphore, timer or task name
  int mutex = -1;  ///< wait, sync: the lock, -1 for none
  bool absolute = false;
  bool own = false;  ///< timer: private to the task (`unique...`)
};

struct CompiledPhase {
  std::int64_t loop = 1;
  std::optional<int> nice;
  std::optional<CpuSet> cpus;  ///< CPUs of the machine only
  std::vector<CompiledOp> ops;
};

struct CompiledTask {
  std::string name;
  int name_number = 0;  ///< tasks of one name share it
  std::int64_t loop = -1;
  std::int64_t delay_ns = 0;
  SchedClass sched_class = SchedClass::normal;
  int nice = 0;
  std::int64_t slice_ns = 0;  ///< custom slice; 0: none
  bool thread = false;        ///< its forks share their parent's memory
  bool input = false;         ///< its wakeups deliver input
  CpuSet allowed;
  std::vector<CompiledPhase> phases;
};

/// A workload made ready for a machine of some size: names are numbers, masks are cut to the CPUs
/// that exist.
struct Program {
  std::vector<CompiledTask> tasks;
  std::vector<int> started;        ///< by TaskId: the task definition of each started task
  std::vector<std::string> locks;  ///< by number: its name
  std::vector<bool> spins;         ///< by lock number
  std::vector<int> barrier_users;  ///< by barrier number
  int conditions = 0;
  int semaphores = 0;
  int timers = 0;  ///< shared ones
  int own_timers = 0;
  int names = 0;
  bool barging = false;
  Costs costs;
  std::string fault;  ///< why the workload cannot run on this machine; empty if it can
};

Program compile(const Workload& workload, int cpus);

}  // namespace fw::model
