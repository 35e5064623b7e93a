// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/outcome.h"
#include "model/vocab/topology.h"

namespace fw::input {

inline constexpr int max_topology_cpus = 4096;

/// Levels that exist only when asked for (--levels).
struct TopologyOptions {
  bool cluster = false;  ///< CPUs under one second-level cache that several cores share
  bool die = false;
  bool group = false;  ///< hwloc's outermost groups
};

/// Reads `cluster,die,group`.
/// Errors:  an unknown word, naming the nearest.
Outcome<TopologyOptions> parse_levels(std::string_view text);

/// What a file describes, counted as it is written: objects, not CPUs that may be used.
struct TopologyCounts {
  std::int64_t packages = 0, nodes = 0, groups = 0, dies = 0, cores = 0, pus = 0;
  std::int64_t cpukinds = 0, distances = 0;
};

struct TopologyReading {
  Topology topology;
  TopologyCounts counts;
  std::vector<std::string> notes;  ///< CPUs left out or renumbered, odd nesting
};

/// Reads what --topology takes: `N`, `SxC` (sockets x cores), `SxCxT` (x threads), `numaq`,
/// a kSTEP-style string, `host`, or the name of an hwloc XML file (gzip too).
/// A socket has one last-level cache, all sockets are one NUMA node; `numaq` is 4 nodes of 4
/// single-core packages without a shared cache.
/// Errors: a text that is none of these, more than max_topology_cpus, sets that overlap.
Outcome<Topology> read_topology(std::string_view text, const TopologyOptions& options = {});

/// The same with counts and notes.
Outcome<TopologyReading> read_topology_reading(std::string_view text,
                                               const TopologyOptions& options = {});

/// Reads `LEVEL:CPUS/CPUS+LEVEL:CPUS`: levels SMT CLS MC DIE PKG (or CPU) GROUP NODE TOP, CPU lists
/// like 0-3,8. CPUs are numbered 0.. without holes; one that a level leaves out is alone in it.
Outcome<TopologyReading> read_kstep_topology(std::string_view text);

/// Reads hwloc XML of versions 1 to 3. CPUs are the PUs that are online and allowed, by os_index.
/// Levels: Core -> SMT; per CPU the highest cache that several cores share -> MC; Package -> CPU;
/// the smallest NUMANode that holds the CPU -> NODE; everything -> TOP. A level stands above
/// all those it contains, so a package of several nodes lies above NODE.
Outcome<TopologyReading> read_hwloc(std::string_view xml,
                                    std::string_view file_name,
                                    const TopologyOptions& options = {});

/// A family of disjoint sets before it is checked: for each CPU any number that names its set.
struct RawLevel {
  LevelKind kind = LevelKind::top;
  std::vector<int> set_of_cpu;
};

/// Orders levels from fine to coarse, adds TOP, numbers the sets, drops levels that vanish (one CPU
/// a set, or the sets of the level below) and fills thread_siblings from SMT.
/// Errors: two levels of which neither contains the other: names both and the CPUs.
Outcome<Topology> build_topology(std::string name, int cpus, std::vector<RawLevel> levels);

}  // namespace fw::input
