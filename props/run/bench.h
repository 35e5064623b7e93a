// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/vocab/result.h"

namespace fw::run {

/// Speed of each policy in this process, rounds interleaved, medians: the implementation alone
/// against a bare loop (same event queue and runqueue structure, no policy), and the whole lockstep
/// with all checkers against the same loop. `ours` and `peer` are events/s.
std::vector<BenchmarkResult> bench(std::span<const PolicyRow> rows, Duration each);

}  // namespace fw::run
