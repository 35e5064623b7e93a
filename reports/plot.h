// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/extra.h"

namespace fw::reports {

/// The points of `tune` as a scatter plot in SVG: context switches per second against the largest
/// bound of the last theorem that has a value (the longest wait seen when there is none). The
/// Pareto set is filled and joined. Empty when there are fewer than two points.
std::string tune_plot(const TuneResult& tune);

}  // namespace fw::reports
