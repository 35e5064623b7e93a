// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/policy/eevdf/state.h"

/// For tests: states made by hand, to which events are applied.
namespace fw::model::eevdf {

/// Profile E618 on one CPU with 1.4 ms slices at HZ 250, as the dossier's vectors want it.
inline Setup settings(const std::string& version = "6.18", int cpus = 1) {
  Setup out;
  out.spec.policy = "eevdf";
  out.spec.version = version;
  out.spec.knobs["base_slice"] = 1'400'000;
  out.spec.knobs["hz"] = 250;
  out.spec.knobs["vruntime_base"] = 0;
  out.topology.cpus = cpus;
  return out;
}

struct Bench {
  Config config;
  State state;
  std::vector<Decision> log;

  explicit Bench(const Setup& setup) : config(configure(setup)), state(initial(config, {})) {}
  Queue& queue(int cpu = 0) { return state.queues[static_cast<std::size_t>(cpu)]; }
  Task& task(int id) { return state.tasks[static_cast<std::size_t>(id)]; }

  /// A task asleep on CPU 0.
  int sleeper(std::uint64_t vruntime, int nice = 0, std::int64_t slice_ns = 0) {
    const TaskId id{static_cast<std::int32_t>(state.tasks.size())};
    const NewTask born{id, nice, SchedClass::normal, CpuSet::first(config.cpus), slice_ns};
    Task made = initial(config, {born}).tasks.front();
    made.vruntime = vruntime;
    made.deadline = vruntime + rules::eevdf::vdelta(made.slice, made.weight);
    state.tasks.push_back(made);
    return id.value;
  }
  /// A waiting task; call in the order of the tree.
  int waiting(std::uint64_t vruntime, int nice = 0, std::uint64_t deadline = 0) {
    const int id = sleeper(vruntime, nice);
    return queued(id, deadline);
  }
  int queued(int id, std::uint64_t deadline = 0) {
    Task& p = task(id);
    if (deadline != 0) p.deadline = deadline;
    count(p);
    queue().tree.push_back({p.vruntime, p.deadline, p.slice, p.weight.weight, p.id});
    return id;
  }
  /// The current task, put on the CPU at 0; protected as after a pick without others.
  int running(std::uint64_t vruntime, int nice = 0, std::uint64_t deadline = 0) {
    const int id = sleeper(vruntime, nice);
    Task& p = task(id);
    if (deadline != 0) p.deadline = deadline;
    p.protection = p.deadline;
    count(p);
    queue().curr = queue().on_cpu = p.id;
    return id;
  }
  void count(Task& p) {
    p.on_rq = true;
    ++queue().nr_running;
    queue().load += p.weight.weight;
  }
  void apply(StimulusKind kind, int id = -1, std::int64_t t = 0, int nice = 0) {
    Event event;
    event.kind = kind;
    event.t = {t};
    event.task = TaskId{id};
    event.nice = nice;
    apply(event);
  }
  void apply(const Event& event) {
    Step<State> next = step(config, std::move(state), event, std::move(log));
    state = std::move(next.state);
    log = std::move(next.decisions);
  }
  int fork(int parent, int nice = 0, std::int64_t t = 0) {
    const NewTask child{TaskId{static_cast<std::int32_t>(state.tasks.size())},
                        nice,
                        SchedClass::normal,
                        CpuSet::first(config.cpus)};
    Event event;
    event.kind = StimulusKind::fork;
    event.t = {t};
    event.task = TaskId{parent};
    event.child = &child;
    apply(event);
    return child.id.value;
  }
  void schedule(std::int64_t t = 0) { apply(StimulusKind::schedule, -1, t); }
  void wake(int id, std::int64_t t = 0) { apply(StimulusKind::wake, id, t); }
  std::uint64_t average() { return eevdf::average(queue(), totals(state, queue())); }
  std::int64_t lag(int id) { return static_cast<std::int64_t>(average() - task(id).vruntime); }
};

}  // namespace fw::model::eevdf
