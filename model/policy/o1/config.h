// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/vocab/side.h"

namespace fw::model::o1 {

/// A run's fixed part. Times are ticks.
struct Config {
  std::uint64_t min_timeslice = 10;
  std::uint64_t max_timeslice = 300;
  std::uint64_t child_penalty = 95;
  std::uint64_t parent_penalty = 100;
  std::uint64_t exit_weight = 3;
  std::uint64_t prio_bonus_ratio = 25;
  std::uint64_t interactive_delta = 2;
  std::uint64_t max_sleep_avg = 2000;
  std::uint64_t starvation_limit = 2000;
  bool limit0_never = false;
  std::uint64_t node_threshold = 125;  ///< percent; 0: no percentage test
  std::uint64_t node_balance_rate = 100;
  std::uint64_t cache_decay = 2;
  std::uint64_t idle_balance_period = 1;
  std::uint64_t busy_balance_period = 250;
  int hz = 1000;
  int cpus = 1;
  bool balance = false;
  std::vector<std::vector<int>> nodes;  ///< CPUs of each NUMA node, ascending; at least one node
  std::vector<int> node_of_cpu;
  bool numa() const { return nodes.size() > 1; }
};

/// The variant's figures with the spec's deviations.
/// Precondition: the spec was checked against the catalogue.
Config configure(const Setup& setup);

/// The first task of a class that this scheduler does not have, as the text of a fault; empty if
/// there is none.
std::string refusal(const Workload& workload);

}  // namespace fw::model::o1
