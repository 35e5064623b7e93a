// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/policy/bfs/catalog.h"
#include "model/policy/bfs/state.h"

/// For tests: states made by hand, to which events are applied.
namespace fw::model::bfs {

/// Levels bottom up, each by its sets.
inline Topology machine(int cpus, std::vector<TopologyLevel> levels = {}) {
  Topology out;
  out.cpus = cpus;
  out.levels = std::move(levels);
  return out;
}

struct Bench {
  Config config;
  State state;
  std::vector<Decision> log;
  std::int64_t t = 0;

  explicit Bench(const std::string& spec = "bfs", const Topology& topology = machine(1)) {
    const PolicyInfo* const infos[] = {&bfs_info()};
    Outcome<PolicySpec> read = parse_spec(spec, infos);
    FW_EXPECT(read.ok());
    Setup setup;
    setup.spec = *read;
    setup.topology = topology;
    config = configure(setup);
    state = initial(config, {});
  }
  Cpu& cpu(int number = 0) { return state.cpus[static_cast<std::size_t>(number)]; }
  Task& task(int id) { return state.tasks[static_cast<std::size_t>(id)]; }

  /// A task asleep that last ran on `last`.
  int sleeper(std::uint64_t deadline = 0,
              int last = 0,
              int nice = 0,
              SchedClass sched_class = SchedClass::normal) {
    const TaskId id{static_cast<std::int32_t>(state.tasks.size())};
    const NewTask born{id, nice, sched_class, CpuSet::first(config.cpus)};
    Task made = initial(config, {born}).tasks.front();
    made.cpu = last;
    if (deadline != 0) made.deadline = deadline;
    made.last_ran = made.exec_start = {t};
    state.tasks.push_back(made);
    return id.value;
  }
  /// A task at the end of the queue.
  int queued(std::uint64_t deadline, int last = 0) {
    const int id = sleeper(deadline, last);
    task(id).place = Place::queued;
    state.normal.push_back(TaskId{id});
    return id;
  }
  /// The current task of a CPU.
  int running(std::uint64_t deadline = 0,
              int number = 0,
              SchedClass sched_class = SchedClass::normal) {
    const int id = sleeper(deadline, number, 0, sched_class);
    Cpu& at = cpu(number);
    task(id).place = Place::running;
    at.curr = at.on_cpu = TaskId{id};
    at.rq_prio = sched_class == SchedClass::idle ? idle_policy_prio : normal_prio;
    at.rq_deadline = task(id).deadline;
    return id;
  }

  void apply(StimulusKind kind, int id = -1, int number = 0, int nice = 0) {
    Event event;
    event.kind = kind;
    event.cpu = CpuId{number};
    event.task = TaskId{id};
    event.nice = nice;
    apply(event);
  }
  void apply(Event event) {
    event.t = {t};
    event.jiffies = static_cast<std::uint64_t>(t / 1000 * config.hz / 1'000'000);
    Step<State> next = step(config, std::move(state), event, std::move(log));
    state = std::move(next.state);
    log = std::move(next.decisions);
  }
  int fork(int parent, bool thread = false, int nice = 0) {
    NewTask child{TaskId{static_cast<std::int32_t>(state.tasks.size())},
                  nice,
                  SchedClass::normal,
                  CpuSet::first(config.cpus)};
    child.thread = thread;
    Event event;
    event.kind = StimulusKind::fork;
    event.cpu = CpuId{task(parent).cpu};
    event.task = TaskId{parent};
    event.child = &child;
    apply(event);
    return child.id.value;
  }
  /// One tick later, on the tick.
  void tick(int number = 0) {
    const std::int64_t period = 1'000'000'000 / config.hz;
    t += period - t % period;
    apply(StimulusKind::tick, -1, number);
  }
  void schedule(int number = 0) { apply(StimulusKind::schedule, -1, number); }
};

}  // namespace fw::model::bfs
