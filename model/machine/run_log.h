// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/machine/cfs_model.h"

/// For tests: workloads written in a line, and runs as text, one decision a line.
namespace fw::model::testing {

inline Op op(OpKind kind, std::string ref = {}, std::string mutex = {}) {
  Op out;
  out.kind = kind;
  out.ref = std::move(ref);
  out.mutex = std::move(mutex);
  return out;
}
inline Op timed(OpKind kind, std::int64_t ns, std::string ref = {}, bool absolute = false) {
  Op out = op(kind, std::move(ref));
  out.amount = {ns};
  out.absolute = absolute;
  return out;
}
inline constexpr std::int64_t ms = 1'000'000;
inline Op run(std::int64_t ns) { return timed(OpKind::run, ns); }
inline Op sleep(std::int64_t ns) { return timed(OpKind::sleep, ns); }

/// A task whose one phase is `ops`, done `loop` times.
inline TaskDef task(std::string name, std::vector<Op> ops, std::int64_t loop = 1) {
  TaskDef out;
  out.name = std::move(name);
  out.loop = loop;
  out.phases.emplace_back();
  out.phases[0].ops = std::move(ops);
  return out;
}

/// `cpus` CPUs under one last-level cache.
inline Topology topology(int cpus) {
  Topology out;
  out.name = std::to_string(cpus);
  out.cpus = cpus;
  if (cpus > 1) {
    out.levels.push_back({LevelKind::mc, std::vector<int>(static_cast<std::size_t>(cpus), 0)});
  }
  out.thread_siblings.assign(static_cast<std::size_t>(cpus), 1);
  return out;
}

inline Setup setup(std::vector<TaskDef> tasks, int cpus = 1, std::int64_t end_ns = INT64_MAX) {
  Setup out;
  out.spec.policy = "cfs";
  out.spec.version = "2.6.36";
  out.spec.knobs["vruntime_base"] = 0;
  out.topology = topology(cpus);
  out.workload.tasks = std::move(tasks);
  out.end = {end_ns};
  return out;
}

inline std::string by_text(const Side& side, const Decision& d) {
  return d.other.idle() && d.why != Why::none ? std::string(why_name(d.why))
                                              : side.task_name(d.other);
}

/// `t cpu kind task ... nr v min`, times in ns.
inline std::string line(const Side& side, const Decision& d) {
  std::string out = std::to_string(d.t.ns) + " cpu" + std::to_string(d.cpu.value) + " " +
                    std::string(decision_name(d.kind)) + " " + side.task_name(d.task);
  switch (d.kind) {
    case DecisionKind::wake:
    case DecisionKind::fork:
      out += " by " + by_text(side, d) + (d.preempt ? " preempts" : "");
      break;
    case DecisionKind::pick:
      out += " after " + side.task_name(d.other) + " " + std::string(why_name(d.why));
      break;
    case DecisionKind::preempt:
      out += " " + std::string(why_name(d.why));
      break;
    case DecisionKind::migrate:
      out += " from " + std::to_string(d.from.value) + " " + std::string(why_name(d.why));
      break;
    case DecisionKind::renice:
      out += " to " + std::to_string(d.nice);
      break;
    case DecisionKind::affinity:
      out += " to " + d.cpus->text();
      break;
    default:
      break;
  }
  out += " nr " + std::to_string(d.nr);
  if (!d.task.idle()) out += " v " + std::to_string(d.state[0]);
  return out + " min " + std::to_string(d.state[1]);
}

struct RunLog {
  std::vector<std::string> log;
  std::vector<Stimulus> stimuli;
  std::string fault;
  View last;
};

inline RunLog run_all(const Setup& setup, std::size_t most = 1'000'000) {
  const std::unique_ptr<Side> side = make_cfs_model(setup);
  RunLog out;
  while (out.stimuli.size() < most) {
    const std::optional<Stimulus> stimulus = side->advance();
    if (!stimulus) break;
    out.stimuli.push_back(*stimulus);
    for (const Decision& d : side->decisions()) out.log.push_back(line(*side, d));
  }
  out.fault = side->fault();
  side->look(out.last);
  return out;
}

/// The lines of a run's log that hold `part`.
inline std::vector<std::string> lines_with(const RunLog& run, const std::string& part) {
  std::vector<std::string> out;
  for (const std::string& text : run.log) {
    if (text.find(part) != std::string::npos) out.push_back(text);
  }
  return out;
}

}  // namespace fw::model::testing
