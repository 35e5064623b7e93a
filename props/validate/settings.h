// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/input/trace.h"
#include "model/rules/cfs61.h"
#include "model/vocab/spec.h"

namespace fw::validate {

/// The catalogue row of the kernels that `validate` replays: cfs@6.1. It stands apart until both
/// sides run that version; then the row of model/policy/cfs has it and this one goes.
const PolicyInfo& recorded_cfs_info();

/// What the recorded kernel was set to.
struct Settings {
  rules::cfs61::Tunables tunables;
  bool gentle_fair_sleepers = true;
  bool start_debit = true;
  bool wakeup_preemption = true;
  bool next_buddy = false;
  bool last_buddy = true;
  int hz = 250;
  std::vector<std::string> notes;  ///< where each value comes from, what is not modelled
};

/// Defaults of the version for the trace's CPUs, then the trace's header, then the spec's own
/// features and knobs.
/// Errors: a tunable of the header that is no number above 0.
Outcome<Settings> settings_of(const PolicySpec& spec, const input::Trace& trace);

}  // namespace fw::validate
