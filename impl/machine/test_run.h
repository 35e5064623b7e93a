// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "impl/machine/simulation.h"

/// For this folder's tests: runs as lines of text.
namespace impl::test {

using Lines = std::vector<std::string>;

inline MachineConfig machine(int cpus, std::vector<ShapeLevel> levels) {
  MachineConfig config;
  config.shape.cpus = cpus;
  config.shape.levels = std::move(levels);
  return config;
}

inline const char* reason_text(Reason why) {
  static constexpr const char* names[] = {"",
                                          "only",
                                          "leftmost",
                                          "next",
                                          "last",
                                          "idle",
                                          "slice",
                                          "wakeup",
                                          "fork",
                                          "periodic",
                                          "newidle",
                                          "active",
                                          "affinity",
                                          "timer",
                                          "start",
                                          "earliest-deadline",
                                          "protected",
                                          "deadline",
                                          "protection"};
  return names[static_cast<int>(why)];
}

/// `T cpuC KIND TASK nr N [by X] [from F] [prev P] [nice N] [cpus ...] [why] [preempt] v V min M`.
inline std::string line_of(const Simulation& run, const Record& record) {
  static constexpr const char* kinds[] = {
      "fork", "wake", "block", "exit", "yield", "renice", "affinity", "preempt", "pick", "migrate"};
  std::string out = std::to_string(record.t) + " cpu" + std::to_string(record.cpu) + " " +
                    kinds[static_cast<int>(record.kind)] + " " + run.task_name(record.task) +
                    " nr " + std::to_string(record.nr);
  const bool wakes = record.kind == RecordKind::wake || record.kind == RecordKind::fork;
  if (wakes) {
    out += std::string(" by ") +
           (record.other >= 0 ? run.task_name(record.other) : reason_text(record.why));
    if (record.preempt) out += " preempt";
  }
  if (record.kind == RecordKind::migrate) out += " from " + std::to_string(record.from);
  if (record.kind == RecordKind::pick) out += " prev " + run.task_name(record.other);
  if (record.kind == RecordKind::renice) out += " nice " + std::to_string(record.nice);
  if (record.cpus != nullptr) {
    out += " cpus";
    for (int cpu = record.cpus->first(); cpu >= 0; cpu = record.cpus->next(cpu + 1)) {
      out += " " + std::to_string(cpu);
    }
  }
  if (!wakes && record.why != Reason::none) out += std::string(" ") + reason_text(record.why);
  return out + " v " + std::to_string(record.state[0]) + " min " + std::to_string(record.state[1]);
}

/// The decision log of a whole run.
inline Lines logged(Program program,
                    const MachineConfig& config,
                    const cfs::Request& request = {}) {
  const auto run = simulate_cfs(std::move(program), config, request);
  Lines out;
  Step step;
  while (run->advance(step)) {
    for (const Record& record : run->records()) out.push_back(line_of(*run, record));
  }
  if (!run->fault().empty()) out.push_back("fault: " + run->fault());
  return out;
}

/// Only what happened to whom and when: `T KIND TASK`, picks only of another task than before.
inline Lines story(Program program, const MachineConfig& config, const cfs::Request& request = {}) {
  const auto run = simulate_cfs(std::move(program), config, request);
  static constexpr const char* kinds[] = {
      "fork", "wake", "block", "exit", "yield", "renice", "affinity", "preempt", "pick", "migrate"};
  Lines out;
  Step step;
  while (run->advance(step)) {
    for (const Record& record : run->records()) {
      if (record.kind == RecordKind::pick && record.task == record.other) continue;
      if (record.kind == RecordKind::preempt) continue;
      std::string line = std::to_string(record.t) + " " + kinds[static_cast<int>(record.kind)] +
                         " " + run->task_name(record.task);
      if (record.kind == RecordKind::wake) {
        line += std::string(" by ") +
                (record.other >= 0 ? run->task_name(record.other) : reason_text(record.why));
      }
      out.push_back(std::move(line));
    }
  }
  if (!run->fault().empty()) out.push_back("fault: " + run->fault());
  return out;
}

}  // namespace impl::test
