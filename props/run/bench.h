// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/vocab/result.h"

namespace fw::run {

/// Measures the implementation's driver against a bare loop; see impl/bench.
using BenchDriver = std::vector<BenchmarkResult> (*)(double seconds_each);

/// Speed in this process, in interleaved rounds, medians: the driver alone against a bare loop
/// (same event queue and runqueue structure, no policy), and lockstep with every checker on random
/// cases of each policy against the same loop. `ours` and `peer` are events/s.
std::vector<BenchmarkResult> bench(std::span<const PolicyRow> rows,
                                   BenchDriver driver,
                                   Duration each);

}  // namespace fw::run
