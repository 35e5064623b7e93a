// SPDX-License-Identifier: Apache-2.0
#include "model/policy/bfs/config.h"

#include "model/rules/bfs.h"

namespace fw::model::bfs {
namespace {

std::uint64_t knob(const PolicySpec& spec, const char* name, std::uint64_t standard) {
  const auto found = spec.knobs.find(name);
  return found == spec.knobs.end() ? standard : static_cast<std::uint64_t>(found->second);
}

/// The lowest level that holds both and says something of it; a machine without NODE is one node.
Nearness nearness_of(const Topology& topology, int a, int b) {
  if (a == b) return Nearness::same;
  bool nodes = false;
  for (const TopologyLevel& level : topology.levels) {
    nodes = nodes || level.kind == LevelKind::node;
    if (level.set_of_cpu[static_cast<std::size_t>(a)] !=
        level.set_of_cpu[static_cast<std::size_t>(b)]) {
      continue;
    }
    switch (level.kind) {
      case LevelKind::smt:
        return Nearness::thread;
      case LevelKind::cluster:
      case LevelKind::mc:
        return Nearness::cache;
      case LevelKind::node:
        return Nearness::node;
      case LevelKind::die:
      case LevelKind::cpu:
      case LevelKind::group:
      case LevelKind::top:
        break;
    }
  }
  return nodes ? Nearness::elsewhere : Nearness::node;
}

}  // namespace

Config configure(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  Config config;
  config.gen_j = spec.version == "0.31x";
  config.cpus = setup.topology.cpus;
  config.rr_ms = knob(
      spec,
      "rr_interval",
      rules::bfs::scaled_rr_interval(6, static_cast<std::uint64_t>(config.cpus), config.gen_j));
  const auto penalty = spec.features.find("FORK_DEPTH_PENALTY");
  config.depth_penalty = penalty != spec.features.end() && penalty->second;
  config.depth_rule = static_cast<DepthRule>(knob(spec, "depth_rule", 0));
  config.dist_is_time = knob(spec, "dist_unit", 0) != 0;
  config.hz = static_cast<int>(
      knob(spec, "hz", static_cast<std::uint64_t>(setup.workload.hz.value_or(1000))));
  config.tick_ns = 1'000'000'000 / static_cast<std::uint64_t>(config.hz);
  for (int a = 0; a < config.cpus; ++a) {
    std::vector<Nearness>& row = config.nearness.emplace_back();
    for (int b = 0; b < config.cpus; ++b) row.push_back(nearness_of(setup.topology, a, b));
  }
  return config;
}

}  // namespace fw::model::bfs
