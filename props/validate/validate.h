// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "props/validate/eevdf_settings.h"
#include "props/validate/settings.h"
#include "props/validate/tally.h"

namespace fw::validate {

struct Validation {
  Tally tally;
  std::int64_t events = 0;
  std::vector<std::string> notes;
};

/// Replays a recorded trace one decision ahead: before each line is taken in, the rules say what it
/// must hold. Then the state is read from the line, so that every decision is tested by itself.
/// Errors: the trace has no sched_stat_runtime lines with vruntime.
Outcome<Validation> validate(const input::Trace& trace, const Settings& settings);

/// The same against the reference model of EEVDF. Traces without vruntimes are replayed, too; what
/// they do not decide is counted.
Outcome<Validation> validate(const input::Trace& trace, const EevdfSettings& settings);

/// Policies and versions of recorded kernels that can be replayed.
std::span<const PolicyInfo* const> catalogue();

/// By the spec's policy.
Outcome<Validation> validate(const input::Trace& trace, const PolicySpec& spec);

}  // namespace fw::validate
