// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "props/properties/cfs_rules.h"
#include "props/properties/cfs_view.h"
#include "props/properties/property.h"

/// Hand-built setups, Views and moments for the checkers' tests: a small queue that is right by
/// construction, to be damaged in one place by each test.
namespace fw::props::hand {

inline Op op(OpKind kind, std::int64_t ns = 0) {
  Op out;
  out.kind = kind;
  out.amount = Duration{ns};
  return out;
}

inline TaskDef task_def(std::string name, std::vector<Op> ops, int nice = 0) {
  TaskDef out;
  out.name = std::move(name);
  out.nice = nice;
  Phase phase;
  phase.name = "p";
  phase.ops = std::move(ops);
  out.phases.push_back(std::move(phase));
  return out;
}

/// A cfs@2.6.36 machine of `cpus` CPUs under one cache, with `tasks` hogs and simple bases.
inline Setup setup(int cpus, int tasks) {
  Setup out;
  out.spec.policy = "cfs";
  out.spec.version = "2.6.36";
  out.spec.knobs["vruntime_base"] = 0;
  out.topology.cpus = cpus;
  if (cpus > 1) {
    out.topology.levels.push_back(
        TopologyLevel{LevelKind::mc, std::vector<int>(static_cast<std::size_t>(cpus), 0)});
  }
  for (int i = 0; i < tasks; ++i) {
    out.workload.tasks.push_back(task_def("t" + std::to_string(i), {op(OpKind::run, 1'000'000)}));
  }
  return out;
}

inline View view(int cpus) {
  View out;
  out.cpus.resize(static_cast<std::size_t>(cpus));
  for (CpuView& cpu : out.cpus) {
    cpu.ints.assign(cfs::cpu_ints, 0);
    cpu.ints[cfs::next] = cpu.ints[cfs::last] = cpu.ints[cfs::leftmost] = -1;
    cpu.ints[cfs::avg_idle] = 1'000'000;
  }
  return out;
}

/// Adds a task at the end; queued ones must come in the queue's order.
inline TaskView& add(View& view, TaskState state, std::int64_t v, int cpu = 0, int nice = 0) {
  TaskView task;
  task.id = TaskId{static_cast<std::int32_t>(view.tasks.size())};
  task.state = state;
  task.cpu = CpuId{cpu};
  task.nice = nice;
  task.weight = exact::weight_row(nice, false).weight;
  task.ints[cfs::vruntime] = v;
  CpuView& queue = view.cpus[static_cast<std::size_t>(cpu)];
  if (state == TaskState::running) queue.curr = task.id;
  if (state == TaskState::queued) {
    queue.queue.push_back(task.id);
    queue.ints[cfs::leftmost] = queue.queue.front().value;
  }
  if (state != TaskState::blocked) {
    queue.nr_running += 1;
    queue.load += task.weight;
  }
  view.tasks.push_back(task);
  return view.tasks.back();
}

/// Charges the current task of `cpu` for `delta` ns, by the rules.
inline void charge(View& view, int cpu, std::int64_t delta) {
  const cfs::Charge done = cfs::charge_of(
      view,
      CpuId{cpu},
      cfs::get(*cfs::find(view, view.cpus[static_cast<std::size_t>(cpu)].curr), cfs::exec_start) +
          static_cast<std::uint64_t>(delta));
  TaskView& task = view.tasks[static_cast<std::size_t>(done.task->id.value)];
  CpuView& queue = view.cpus[static_cast<std::size_t>(cpu)];
  task.sum_exec_ns += done.delta;
  task.ints[cfs::exec_start] += delta;
  task.ints[cfs::vruntime] = static_cast<std::int64_t>(done.vruntime);
  queue.ints[cfs::exec_clock] += delta;
  queue.ints[cfs::min_vruntime] = static_cast<std::int64_t>(done.min);
}

/// Feeds one stimulus to a checker.
inline std::optional<Violation> feed(Checker& checker,
                                     StimulusKind kind,
                                     std::int64_t t,
                                     TaskId task,
                                     const View& before,
                                     const View& after,
                                     std::vector<Decision> decisions = {},
                                     int cpu = 0) {
  Stimulus stimulus;
  stimulus.t = Instant{t};
  stimulus.cpu = CpuId{cpu};
  stimulus.kind = kind;
  stimulus.task = task;
  return checker.after_event(Moment{0, stimulus, decisions, before, after});
}

inline Decision record(DecisionKind kind, TaskId task, Why why = Why::none) {
  Decision out;
  out.kind = kind;
  out.task = task;
  out.why = why;
  return out;
}

}  // namespace fw::props::hand
