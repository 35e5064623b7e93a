// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/ids.h"

namespace fw {

/// The kinds of sched-domain level, bottom up (semantics/simulator.md H5). `cluster` (L2 clusters),
/// `die` and `group` exist only when a topology names them.
enum class LevelKind { smt, cluster, mc, die, cpu, group, node, top };

/// `SMT`, `CLS`, `MC`, `DIE`, `CPU`, `GROUP`, `NODE`, `TOP`.
std::string_view level_name(LevelKind kind);

/// One level: for each CPU the number of the set (the span of its domain at this level) it lies in.
/// Sets are numbered 0, 1, ... by their lowest CPU.
struct TopologyLevel {
  LevelKind kind = LevelKind::top;
  std::vector<int> set_of_cpu;
  friend bool operator==(const TopologyLevel&, const TopologyLevel&) = default;
};

/// A machine: its CPUs and the nested sets from which sched domains are built. Plain data; levels
/// are bottom up and already without the ones that vanish (one CPU per set, or the same sets as the
/// level below). A one-CPU machine has no levels.
struct Topology {
  std::string name;  ///< as the user wrote it: `2x4x2`, `numaq`, a file name
  int cpus = 1;
  std::vector<TopologyLevel> levels;
  std::vector<int> os_index;         ///< CPU -> number in the source (hwloc); empty when equal
  std::vector<int> thread_siblings;  ///< CPU -> hardware threads of its core; 1 without SMT
};

}  // namespace fw
