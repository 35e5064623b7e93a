// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "model/vocab/case.h"
#include "model/vocab/result.h"
#include "model/vocab/side.h"

namespace fw::run {

struct RecordOptions {
  bool model = false;                      ///< record the model instead of the implementation
  std::int64_t max_decisions = 5'000'000;  ///< the recording is cut there
  std::size_t plotted_tasks = 12;          ///< tasks with a series of their own
  std::size_t max_points = 4'000;          ///< points kept per series
};

/// Runs one side to its end and keeps every decision, and the vruntimes (lags, spread) over time.
/// Errors: the workload's own fault, as the side words it.
Outcome<Recording> record(const PolicyRow& row, const Setup& setup, const RecordOptions& options);

/// Adds the series `bound`: the spread bound that `check` holds the run against, where one applies.
void add_spread_bound(Recording& recording, const PolicyRow& row, const Case& c);

/// Runs one side and hands over each decision as it is taken; keeps nothing. Returns the number of
/// events.  Errors: the workload's own fault; `stop` returning an Error ends the run with it.
using OnDecision = std::function<std::optional<Error>(const Decision&, const Side&)>;
Outcome<std::int64_t> follow(const PolicyRow& row,
                             const Setup& setup,
                             bool model,
                             const OnDecision& on_decision);

}  // namespace fw::run
