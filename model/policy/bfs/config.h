// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/vocab/side.h"

namespace fw::model::bfs {

/// Enumerators in the order of the knob's choices.
enum class DepthRule { linear, max, additive };

/// How near two CPUs are, the nearest first: section 4's L of generation N.
enum class Nearness : std::uint8_t { same, thread, cache, node, elsewhere };

/// A run's fixed part.
struct Config {
  bool gen_j = false;  ///< generation J (0.31x), else N
  std::uint64_t rr_ms = 6;
  bool depth_penalty = false;
  DepthRule depth_rule = DepthRule::linear;
  bool dist_is_time = false;
  int hz = 1000;
  std::uint64_t tick_ns = 1'000'000;  ///< 10^9 / HZ, rounded down
  int cpus = 1;
  std::vector<std::vector<Nearness>> nearness;  ///< by CPU, by CPU
};

/// Defaults of the spec's version, scaled for the topology, with the spec's deviations.
/// Precondition: the spec was checked against the catalogue.
Config configure(const Setup& setup);

}  // namespace fw::model::bfs
