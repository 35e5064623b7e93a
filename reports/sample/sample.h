// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/vocab/result.h"

namespace fw::reports {

/// A result with something in every field, for the tests and for looking at the page: two failures,
/// a recording on two CPUs, situations missed, mutants, benchmarks. Same value at every call.
Result sample_result();

/// The same with names that break out of every format where escaping is forgotten.
Result hostile_result();

/// The same with one more run: 64 CPUs, 300 tasks, 300,000 decisions, 50 series of 20,000 points.
Result large_result();

/// What hostile_result() uses as a name; holds HTML, XML, Markdown, JSON, terminal and CI control
/// text, a line end and bytes that are not UTF-8.
extern const char* const hostile_name;

}  // namespace fw::reports
