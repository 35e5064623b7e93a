// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/vocab/result.h"
#include "model/vocab/side.h"

namespace fw::bridge {

/// The built-in policies: one row each.
std::span<const PolicyRow> policies();

/// The rows' catalogue entries, for parse_spec() and the readers.
std::span<const PolicyInfo* const> catalogue();

/// The row of a checked spec.
const PolicyRow& row_of(const PolicySpec& spec);

/// Plants the named seeded fault on both sides (where it exists), or none for an empty name.
/// Returns false in the shipping build, which has no faults.
bool plant_fault(std::string_view id);

/// Measures the implementation's driver against bare structures, about so long for each row.
std::vector<BenchmarkResult> bench_driver(double seconds_each);

}  // namespace fw::bridge
