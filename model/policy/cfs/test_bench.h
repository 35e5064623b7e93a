// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/policy/cfs/state.h"

/// States made by hand, for this folder's tests.
namespace fw::model::cfs {

/// A run on `cpus` CPUs under one cache, vruntimes from 0 on.
inline Setup settings(int cpus, std::string version = "2.6.36") {
  Setup out;
  out.spec.policy = "cfs";
  out.spec.version = std::move(version);
  out.spec.knobs["vruntime_base"] = 0;
  out.topology.cpus = cpus;
  if (cpus > 1) {
    out.topology.levels.push_back(
        {LevelKind::mc, std::vector<int>(static_cast<std::size_t>(cpus), 0)});
  }
  return out;
}

/// A state under construction: tasks are put where the vector says, then events are applied.
struct Bench {
  Setup setup;
  Config config;
  State state;
  std::vector<Decision> log;

  explicit Bench(Setup with) : setup(std::move(with)), config(configure(setup)) {
    state = initial(config, {});
  }
  Queue& queue(int cpu = 0) { return state.queues[static_cast<std::size_t>(cpu)]; }
  Task& task(int id) { return state.tasks[static_cast<std::size_t>(id)]; }

  /// A task asleep on `cpu`.
  int sleeper(int cpu, std::uint64_t vruntime, int nice = 0) {
    const TaskId id{static_cast<std::int32_t>(state.tasks.size())};
    const NewTask born{id, nice, SchedClass::normal, CpuSet::first(config.cpus)};
    Task made = initial(config, {born}).tasks.front();
    made.cpu = cpu;
    made.vruntime = vruntime;
    state.tasks.push_back(made);
    return id.value;
  }
  /// A waiting task; call in the order of the vruntimes.
  int waiting(int cpu, std::uint64_t vruntime, int nice = 0) {
    const int id = sleeper(cpu, vruntime, nice);
    Queue& q = queue(cpu);
    task(id).on_rq = true;
    q.tree.push_back({vruntime, TaskId{id}});
    account(cpu, id);
    return id;
  }
  /// The current task, put on the CPU at 0.
  int running(int cpu, std::uint64_t vruntime, int nice = 0) {
    const int id = sleeper(cpu, vruntime, nice);
    task(id).on_rq = true;
    queue(cpu).curr = queue(cpu).on_cpu = TaskId{id};
    account(cpu, id);
    return id;
  }
  void account(int cpu, int id) {
    Queue& q = queue(cpu);
    q.list.push_back(TaskId{id});
    q.load += task(id).weight;
    ++q.nr_running;
  }
  /// Applies an event at t = 0 ns unless said otherwise.
  void apply(StimulusKind kind,
             int id = -1,
             int cpu = 0,
             std::int64_t t = 0,
             int nice = 0,
             const NewTask* child = nullptr,
             Why by = Why::none,
             int waker = -1) {
    Event event;
    event.kind = kind;
    event.t = {t};
    event.jiffies = static_cast<std::uint64_t>(t / 1'000'000);
    event.cpu = CpuId{cpu};
    event.task = TaskId{id};
    event.nice = nice;
    event.child = child;
    event.by = by;
    event.waker = TaskId{waker};
    Step<State> next = step(config, std::move(state), event, std::move(log));
    state = std::move(next.state);
    log = std::move(next.decisions);
  }
  /// Forks at t = 0; returns the child.
  int fork(int parent, int nice = 0, int depth = 0) {
    const int id = static_cast<int>(state.tasks.size());
    const NewTask child{
        TaskId{id}, nice, SchedClass::normal, CpuSet::first(config.cpus), 0, false, depth};
    apply(StimulusKind::fork, parent, 0, 0, 0, &child);
    return id;
  }
};

}  // namespace fw::model::cfs
