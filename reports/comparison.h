// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/vocab/result.h"

namespace fw::reports {

/// The figures of paired runs (same workload, same seed; base first), one row a figure: switches,
/// migrations, wakeup and wait percentiles, worst spread, and each task's share and wakeup p99.
/// Differences are judged by an exact two-sided sign test over the seeds in which they differ.
std::vector<MetricResult> compare_metrics(const std::vector<std::pair<Recording, Recording>>& runs);

/// Probability of at least this imbalance between `up` and `down` if both were equally likely.
double sign_test(int up, int down);

/// The comparison for a terminal or a mail; ends in a newline.
std::string comparison_text(const ComparisonResult& comparison);

}  // namespace fw::reports
