// SPDX-License-Identifier: Apache-2.0
#include "model/policy/o1/config.h"

#include <algorithm>

#include "model/rules/o1_balance.h"

namespace fw::model::o1 {
namespace {

enum class Variant { virgin, part1, part2, both };

/// A time of the source, given in ms, in ticks.
std::uint64_t ticks_of_ms(std::uint64_t ms, int hz) {
  return std::max<std::uint64_t>(1, ms * static_cast<std::uint64_t>(hz) / 1000);
}

std::uint64_t knob(const PolicySpec& spec, const char* name, std::uint64_t standard) {
  const auto found = spec.knobs.find(name);
  return found == spec.knobs.end() ? standard : static_cast<std::uint64_t>(found->second);
}

void set_nodes(const Topology& topology, Config& config) {
  config.node_of_cpu.assign(static_cast<std::size_t>(config.cpus), 0);
  for (const TopologyLevel& level : topology.levels) {
    if (level.kind == LevelKind::node) config.node_of_cpu = level.set_of_cpu;
  }
  const int last = *std::max_element(config.node_of_cpu.begin(), config.node_of_cpu.end());
  config.nodes.resize(static_cast<std::size_t>(last) + 1);
  for (int cpu = 0; cpu < config.cpus; ++cpu) {
    const int node = config.node_of_cpu[static_cast<std::size_t>(cpu)];
    config.nodes[static_cast<std::size_t>(node)].push_back(cpu);
  }
}

}  // namespace

Config configure(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  Config config;
  config.hz = static_cast<int>(
      knob(spec, "hz", static_cast<std::uint64_t>(setup.workload.hz.value_or(1000))));
  const auto variant = static_cast<Variant>(knob(spec, "variant", 0));
  const bool part1 = variant == Variant::part1 || variant == Variant::both;
  const bool part2 = variant == Variant::part2 || variant == Variant::both;
  const auto ticks = [&](const char* name, std::uint64_t ms) {
    const auto found = spec.knobs.find(name);
    return found == spec.knobs.end() ? ticks_of_ms(ms, config.hz)
                                     : ticks_of_knob(found->second, config.hz);
  };
  config.min_timeslice = std::max<std::uint64_t>(1, ticks("min_timeslice", 10));
  config.max_timeslice = std::max(config.min_timeslice, ticks("max_timeslice", part1 ? 200 : 300));
  config.child_penalty = knob(spec, "child_penalty", part1 ? 50 : 95);
  config.parent_penalty = knob(spec, "parent_penalty", 100);
  config.exit_weight = knob(spec, "exit_weight", 3);
  config.prio_bonus_ratio = knob(spec, "prio_bonus_ratio", 25);
  config.interactive_delta = knob(spec, "interactive_delta", 2);
  config.max_sleep_avg = std::max<std::uint64_t>(1, ticks("max_sleep_avg", part2 ? 10'000 : 2'000));
  config.starvation_limit = ticks("starvation_limit", part2 ? 30'000 : 2'000);
  config.limit0_never = knob(spec, "limit0_never", part2 ? 1 : 0) != 0;
  config.node_threshold = knob(spec, "node_threshold", 125);
  config.node_balance_rate = knob(spec, "node_balance_rate", 100);
  const auto hz = static_cast<std::uint64_t>(config.hz);
  const auto decay = spec.knobs.find("cache_decay");
  config.cache_decay = decay == spec.knobs.end() ? rules::o1::cache_decay_ticks(700'000, 1024, hz)
                                                 : ticks_of_knob(decay->second, config.hz);
  config.idle_balance_period = ticks_of_ms(1, config.hz);
  config.busy_balance_period = ticks_of_ms(250, config.hz);
  config.cpus = setup.topology.cpus;
  config.balance = setup.balance && config.cpus > 1;
  set_nodes(setup.topology, config);
  return config;
}

std::string refusal(const Workload& workload) {
  for (const TaskDef& task : workload.tasks) {
    if (task.sched_class == SchedClass::normal) continue;
    const std::string name = task.sched_class == SchedClass::batch ? "SCHED_BATCH" : "SCHED_IDLE";
    return "task " + task.name + ": o1 has no " + name + "; make it SCHED_OTHER";
  }
  return {};
}

}  // namespace fw::model::o1
