// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/vocab/topology.h"

namespace fw::model::cfs {

/// What sections 21 and 22 say of one kind of level.
struct LevelRules {
  std::uint64_t min_interval_ms = 1;
  std::uint64_t max_interval_ms = 4;
  std::uint64_t busy_factor = 64;
  std::uint64_t imbalance_pct = 125;
  std::uint64_t cache_nice_tries = 1;
  unsigned busy_idx = 2;
  unsigned idle_idx = 0;
  bool balance_fork = true;
  bool wake_affine = true;
  bool shares_power = false;    ///< SMT
  bool shares_package = false;  ///< caches: idle siblings are looked for
  bool serialize = false;
  bool prefer_sibling = false;
};
LevelRules level_rules(LevelKind kind, int cpus);

struct Group {
  std::vector<int> cpus;  ///< ascending
  std::uint64_t power = 0;
};

/// One level of sched domains as one CPU sees it.
struct Domain {
  int level = 0;  ///< number of the topology's level
  LevelRules rules;
  std::vector<int> span;      ///< ascending
  std::vector<Group> groups;  ///< by lowest CPU
  bool child_prefers_sibling = false;
};

/// The sched domains of every CPU, bottom up, without levels that vanish for it, read off a graph
/// whose vertices are the sets of all levels and whose edges lead from a set to its groups.
/// Source: simulator.md H5 and the CHOICE page, "load balancing" 1 and M11.
std::vector<std::vector<Domain>> sched_domains(const Topology& topology);

/// Power of each CPU, 1024 for a whole core (21.6).
std::vector<std::uint64_t> cpu_powers(const Topology& topology);

}  // namespace fw::model::cfs
