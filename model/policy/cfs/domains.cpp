// SPDX-License-Identifier: Apache-2.0
#include "model/policy/cfs/domains.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <optional>

#include "model/rules/cfs_balance.h"
#include "model/vocab/contract.h"

namespace fw::model::cfs {
namespace {

/// A set of CPUs: one of a level's, or a single CPU (level -1).
struct Span {
  int level = -1;
  std::vector<int> cpus;
};
using SpanGraph = boost::
    adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Span, boost::no_property>;
using Vertex = boost::graph_traits<SpanGraph>::vertex_descriptor;

/// Vertices 0 .. cpus-1 are the CPUs; edges lead from a set to the sets of the level just below.
SpanGraph span_graph(const Topology& topology) {
  SpanGraph graph;
  std::vector<Vertex> below;  // by CPU: its set on the level below
  for (int cpu = 0; cpu < topology.cpus; ++cpu) below.push_back(add_vertex(Span{-1, {cpu}}, graph));
  for (std::size_t level = 0; level < topology.levels.size(); ++level) {
    const std::vector<int>& set_of_cpu = topology.levels[level].set_of_cpu;
    std::vector<std::optional<Vertex>> sets;
    for (std::size_t cpu = 0; cpu < below.size(); ++cpu) {
      const auto number = static_cast<std::size_t>(set_of_cpu[cpu]);
      if (number >= sets.size()) sets.resize(number + 1);
      if (!sets[number]) sets[number] = add_vertex(Span{static_cast<int>(level), {}}, graph);
      const Vertex set = *sets[number];
      graph[set].cpus.push_back(static_cast<int>(cpu));
      // CPUs come in ascending order, so groups are added by their lowest CPU.
      if (!edge(set, below[cpu], graph).second) add_edge(set, below[cpu], graph);
      below[cpu] = set;
    }
  }
  return graph;
}

}  // namespace

LevelRules level_rules(LevelKind kind, int cpus) {
  LevelRules rules;  // MC, cluster and die
  rules.shares_package = true;
  rules.prefer_sibling = true;
  switch (kind) {
    case LevelKind::smt:
      rules.max_interval_ms = 2;
      rules.imbalance_pct = 110;
      rules.cache_nice_tries = 0;
      rules.busy_idx = 0;
      rules.shares_power = true;
      rules.prefer_sibling = false;
      break;
    case LevelKind::cluster:
    case LevelKind::mc:
    case LevelKind::die:
      break;
    case LevelKind::cpu:
      rules.idle_idx = 1;
      rules.shares_package = false;
      break;
    case LevelKind::group:
    case LevelKind::node:
      rules = LevelRules{};
      rules.min_interval_ms = 8;
      rules.max_interval_ms = 32;
      rules.busy_factor = 32;
      rules.cache_nice_tries = 2;
      rules.busy_idx = 3;
      rules.idle_idx = 2;
      rules.serialize = true;
      break;
    case LevelKind::top:
      rules = LevelRules{};
      rules.min_interval_ms = 64;
      rules.max_interval_ms = 64 * static_cast<std::uint64_t>(cpus);
      rules.busy_factor = 128;
      rules.imbalance_pct = 133;
      rules.busy_idx = 3;
      rules.idle_idx = 3;
      rules.balance_fork = false;
      rules.wake_affine = false;
      rules.serialize = true;
      break;
  }
  return rules;
}

std::vector<std::uint64_t> cpu_powers(const Topology& topology) {
  std::vector<std::uint64_t> powers(static_cast<std::size_t>(topology.cpus),
                                    rules::cfs::power_scale);
  for (std::size_t cpu = 0; cpu < topology.thread_siblings.size(); ++cpu) {
    powers[cpu] =
        rules::cfs::thread_power(static_cast<std::uint64_t>(topology.thread_siblings[cpu]));
  }
  return powers;
}

std::vector<std::vector<Domain>> sched_domains(const Topology& topology) {
  const SpanGraph graph = span_graph(topology);
  const std::vector<std::uint64_t> powers = cpu_powers(topology);
  std::vector<std::vector<Domain>> out(static_cast<std::size_t>(topology.cpus));
  for (std::size_t cpu = 0; cpu < out.size(); ++cpu) {
    Vertex below = cpu;
    for (std::size_t up = 0; up < topology.levels.size(); ++up) {
      FW_ASSERT(in_degree(below, graph) == 1);
      const Vertex set = source(*in_edges(below, graph).first, graph);
      const Span& span = graph[set];
      const bool vanishes = span.cpus.size() == 1 || span.cpus == graph[below].cpus;
      below = set;
      if (vanishes) continue;
      Domain domain;
      domain.level = span.level;
      domain.rules = level_rules(topology.levels[up].kind, topology.cpus);
      domain.span = span.cpus;
      domain.child_prefers_sibling = !out[cpu].empty() && out[cpu].back().rules.prefer_sibling;
      for (auto [at, end] = out_edges(set, graph); at != end; ++at) {
        Group group{graph[target(*at, graph)].cpus, 0};
        for (const int member : group.cpus) group.power += powers[static_cast<std::size_t>(member)];
        domain.groups.push_back(std::move(group));
      }
      out[cpu].push_back(std::move(domain));
    }
  }
  return out;
}

}  // namespace fw::model::cfs
