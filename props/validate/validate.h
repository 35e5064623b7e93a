// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace fw::validate
