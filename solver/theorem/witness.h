// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fw::theorem {

/// What is read off a replayed run.
enum class Measure {
  spread,  ///< greatest distance of two runnable vruntimes, vns
  wait     ///< longest wait of one task, ns
};

/// A run that shows what a theorem says is possible: replayed on model and implementation.
struct Witness {
  std::string_view name;
  std::string_view spec;
  std::string_view workload;  ///< rt-app JSON; `$N` stands for the number of rounds
  Measure measure = Measure::spread;
  std::string_view task = {};  ///< whose wait
  int rounds = 1;
  /// For a family without a bound: what each further round adds to the measure. 0: a single run.
  std::int64_t growth = 0;
};

std::span<const Witness> witnesses();
/// Nullptr: no such witness.
const Witness* find_witness(std::string_view name);
/// The workload with its number of rounds.
std::string witness_workload(const Witness& witness, int rounds);

}  // namespace fw::theorem
