// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/policy/o1/catalog.h"
#include "model/policy/o1/state.h"

/// For tests: states made by hand, to which events are applied.
namespace fw::model::o1 {

inline Topology machine(int cpus, int cpus_a_node = 0) {
  Topology out;
  out.cpus = cpus;
  if (cpus_a_node > 0) {
    TopologyLevel level{LevelKind::node, {}};
    for (int cpu = 0; cpu < cpus; ++cpu) level.set_of_cpu.push_back(cpu / cpus_a_node);
    out.levels.push_back(level);
  }
  return out;
}

struct Bench {
  Config config;
  State state;
  std::vector<Decision> log;
  std::uint64_t jiffies = 0;

  explicit Bench(const std::string& spec = "o1", const Topology& topology = machine(1)) {
    const PolicyInfo* const infos[] = {&o1_info()};
    Outcome<PolicySpec> read = parse_spec(spec, infos);
    FW_EXPECT(read.ok());
    Setup setup;
    setup.spec = *read;
    setup.topology = topology;
    config = configure(setup);
    state = initial(config, {});
  }
  Queue& queue(int cpu = 0) { return state.queues[static_cast<std::size_t>(cpu)]; }
  Task& task(int id) { return state.tasks[static_cast<std::size_t>(id)]; }

  /// A task asleep on `cpu`.
  int sleeper(int nice = 0, int cpu = 0) {
    const TaskId id{static_cast<std::int32_t>(state.tasks.size())};
    const NewTask born{id, nice, SchedClass::normal, CpuSet::first(config.cpus)};
    Task made = initial(config, {born}).tasks.front();
    made.cpu = cpu;
    state.tasks.push_back(made);
    return id.value;
  }
  /// A task at the end of its priority's list.
  int waiting(int nice = 0, int cpu = 0, Place place = Place::active) {
    const int id = sleeper(nice, cpu);
    put(id, place);
    return id;
  }
  void put(int id, Place place) {
    Task& p = task(id);
    auto& array = place == Place::active ? queue(p.cpu).active : queue(p.cpu).expired;
    auto at = array.begin();
    while (at != array.end() && at->prio <= p.prio) ++at;
    array.insert(at, Entry{p.prio, p.id});
    p.place = place;
  }
  /// The current task of `cpu`.
  int running(int nice = 0, int cpu = 0) {
    const int id = waiting(nice, cpu);
    queue(cpu).curr = queue(cpu).on_cpu = TaskId{id};
    return id;
  }

  void apply(StimulusKind kind, int id = -1, int cpu = 0, int nice = 0) {
    Event event;
    event.kind = kind;
    event.t = {static_cast<std::int64_t>(jiffies) * 1'000'000};
    event.jiffies = jiffies;
    event.cpu = CpuId{cpu};
    event.task = TaskId{id};
    event.nice = nice;
    apply(event);
  }
  void apply(const Event& event) {
    Step<State> next = step(config, std::move(state), event, std::move(log));
    state = std::move(next.state);
    log = std::move(next.decisions);
  }
  int fork(int parent, int nice = 0) {
    const NewTask child{TaskId{static_cast<std::int32_t>(state.tasks.size())},
                        nice,
                        SchedClass::normal,
                        CpuSet::first(config.cpus)};
    Event event;
    event.kind = StimulusKind::fork;
    event.t = {static_cast<std::int64_t>(jiffies) * 1'000'000};
    event.jiffies = jiffies;
    event.cpu = CpuId{task(parent).cpu};
    event.task = TaskId{parent};
    event.child = &child;
    apply(event);
    return child.id.value;
  }
  void tick(int cpu = 0) {
    ++jiffies;
    apply(StimulusKind::tick, -1, cpu);
  }
  void schedule(int cpu = 0) { apply(StimulusKind::schedule, -1, cpu); }
  void set_sleep(int id, std::uint64_t sleep_avg) { task(id).sleep_avg = sleep_avg; }
};

}  // namespace fw::model::o1
