// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/input/rtapp.h"
#include "model/vocab/outcome.h"
#include "model/vocab/spec.h"

namespace fw::input {

/// What `fairwitness inspect FILE` prints.
struct Inspection {
  std::string file;
  std::string kind;  ///< workload, case, topology, features, trace
  Verdict verdict = Verdict::accept;
  std::vector<Remark> refusals;
  std::vector<Remark> approximations;
  std::vector<Remark> notes;
  /// Named figures in the order to print: tasks, threads, phases, events, repeated, ...
  std::vector<std::pair<std::string, std::string>> counts;
};

/// Says what a file holds. A file of a known kind that cannot be used is not an error: its verdict
/// is refuse and the reason stands in `refusals`.
/// Errors:  the file cannot be read, or is of no known kind.
Outcome<Inspection> inspect_file(const std::string& path,
                                 std::span<const PolicyInfo* const> catalogue);

/// The same for bytes at hand (gzip already unpacked).
Outcome<Inspection> inspect_text(std::string_view text,
                                 const std::string& file_name,
                                 std::span<const PolicyInfo* const> catalogue);

}  // namespace fw::input
