// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/case.h"
#include "model/vocab/side.h"
#include "props/properties/property.h"

namespace fw::run {

/// What to check in a run.
struct CaseOptions {
  bool lockstep = true;   ///< model and implementation side by side
  bool checkers = true;   ///< properties that watch the run
  bool relations = true;  ///< properties that compare with a second, related run
  bool on_model = false;  ///< watch the model instead of the implementation (blame; no lockstep)
  std::string only = {};  ///< one property id; empty: all that apply to the policy
  std::int64_t max_stimuli = 20'000'000;
};

struct CaseFailure {
  std::string property;
  std::string signature;  ///< stable hash of property and kind of failure
  std::string message;    ///< one sentence with figures
  Divergence divergence;
  std::optional<TaskId> task;
};

/// What one property saw of one run; in the order of props::all_properties().
struct PropertyTally {
  bool checked = false;
  bool not_applicable =
      false;  ///< outside the property's scope, from the start or from some event on
  std::int64_t reached = 0;
  std::optional<props::Extreme> extreme;
};

struct CaseRun {
  std::optional<CaseFailure> failure;  ///< the first one; the run ends there
  std::string discard;                 ///< why the workload itself cannot be run; no verdict then
  std::int64_t stimuli = 0;
  std::int64_t events = 0;     ///< stimuli that count (product.md)
  std::uint64_t log_hash = 0;  ///< of the watched side's decisions
  std::vector<PropertyTally> tallies;
};

/// The setup a case describes.  Errors: a topology that cannot be read.
Outcome<Setup> setup_of(const Case& c);

/// Runs a case to its first failure or to its end.
CaseRun run_case(const PolicyRow& row,
                 const Case& c,
                 const Setup& setup,
                 const CaseOptions& options);
/// The same, from the case alone; a topology that cannot be read is a discard.
CaseRun run_case(const PolicyRow& row, const Case& c, const CaseOptions& options);

/// Eight hex digits that stay the same for the same property and kind of failure.
std::string signature_of(std::string_view property, std::string_view kind);

/// Whether a property speaks about a policy.
bool applies_to(const props::Property& property, const PolicyRow& row);

}  // namespace fw::run
