// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/vocab/result.h"

namespace fw::reports {

/// How much of the recordings the page holds; what lies beyond is cut, and the page says so.
struct PageLimits {
  std::size_t decisions = 20'000;      ///< of one recording
  std::size_t all_decisions = 60'000;  ///< of all; later recordings get what is left
  std::size_t series = 40;             ///< of one recording
  std::size_t points = 4'000;          ///< of one series
};

/// What the page's script reads, and what was left out.
struct PageData {
  std::string json;
  /// By recording: one sentence, empty when it is whole.
  std::vector<std::string> cuts;
};

/// A failure's recording keeps the decisions up to its divergence and a tenth beyond; any other
/// keeps its first ones. Long series keep the lowest and highest point of each of equal parts. Rows
/// of decisions: [t, cpu, kind, task, nr, other, why, extra, state...], where extra is preempt (0,
/// 1), nice, the CPU it came from, or the CPU set as text.
PageData page_data(const Result& result, const PageLimits& limits = {});

/// Where a failure's recording differs first; none when it is not known.
std::optional<std::int64_t> divergence_ns(const Result& result, const Recording& recording);

}  // namespace fw::reports
