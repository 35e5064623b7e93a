// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/vocab/case.h"
#include "model/vocab/outcome.h"
#include "model/vocab/spec.h"

/// Case files (`*.case.json`), schema fairwitness.case/1: see case.schema.json.
namespace fw::input {

/// The case as JSON; fields at their defaults are left out. The workload stands in it as rt-app
/// JSON. Range:   spec.text must be set; the workload's amounts as for write_rtapp. A duration that
/// is no
///          whole number of seconds is kept under "duration".
std::string write_case(const Case& value);

/// Reads what write_case wrote, or a person.
/// Errors:  JSON faults, unknown keys (with the nearest), wrong types, a newer schema, a spec that
/// the
///          catalogue does not know, a workload that is refused; `FILE:LINE:COLUMN`.
Outcome<Case> read_case(std::string_view text,
                        std::string_view file_name,
                        std::span<const PolicyInfo* const> catalogue);

/// Whether the text claims to be a case file; cheap.
bool looks_like_case(std::string_view text);

}  // namespace fw::input
