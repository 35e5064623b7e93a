// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/result.h"

namespace fw::reports {

/// Room for summary.md.  Source: GitHub refuses a step summary above 1 MiB as a whole.
inline constexpr std::size_t summary_bytes = 900'000;

/// The step summary: verdict, properties, each failure with its reproduce line in a fence and its
/// timeline folded away, coverage, mutants, benchmarks, notes. Sections that do not fit in `limit`
/// bytes (at least 2,000) are dropped from the end; the last line then says which.
std::string summary(const Result& result, std::size_t limit = summary_bytes);

/// Workflow commands (`::error ...`) for at most 9 failures and missed situations, and one that
/// counts the rest. Source: GitHub shows 10 of a kind a step and drops the others silently.
std::string annotations(const Result& result);

}  // namespace fw::reports
