// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/vocab/case.h"
#include "model/vocab/result.h"
#include "model/vocab/side.h"

namespace fw::run {

/// A policy to compare: its row and the spec. Both sides of a comparison run the same writing.
struct Contender {
  const PolicyRow* row = nullptr;
  PolicySpec spec;
  bool model = false;  ///< the reference model runs instead of the implementation
};

/// Runs two contenders on one workload until their decisions part. Decisions are equal when time,
/// CPU, kind, task, partner and preemption are; the integers behind them (vruntime, deadline) may
/// differ: where they first do is told as well if the policies keep the same ones.
/// Nothing when they decide alike to the end.
/// Errors:  the topology, or the workload's own fault, as the side words it.
Outcome<std::optional<DecisionDifference>> first_difference(const Contender& base,
                                                            const Contender& patched,
                                                            const Setup& setup);

struct SearchOptions {
  std::uint64_t seed = 1;
  std::int64_t cases = 2'000;  ///< random workloads to try at most
  Duration time{10'000'000'000};
  Duration shrink_time{20'000'000'000};
  std::string topology;  ///< empty: drawn
  int cpus = 1;          ///< of `topology`
};

struct SearchResult {
  std::optional<Case> smallest;  ///< the minimized workload; nothing when none was found
  std::optional<DecisionDifference> difference;
  std::int64_t cases = 0;   ///< workloads tried
  std::int64_t events = 0;  ///< decisions compared in them
  std::int64_t shrink_runs = 0;
  std::int64_t original_events = 0;
};

/// Looks for a random workload on which the contenders part, and shrinks it, keeping the kinds of
/// the two decisions that differ first.
SearchResult search_difference(const Contender& base,
                               const Contender& patched,
                               const SearchOptions& options,
                               const std::function<void(const std::string&)>& on_progress);

}  // namespace fw::run
