// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/input/trace.h"
#include "model/policy/eevdf/config.h"
#include "model/vocab/outcome.h"
#include "model/vocab/spec.h"

namespace fw::validate {

/// What a recorded EEVDF kernel was set to, as the reference model takes it.
struct EevdfSettings {
  model::eevdf::Config config;
  /// The trace shows a part of the tasks only, or the kernel had task groups: neither queues nor
  /// averages are known.
  bool grouped = false;
  std::vector<std::string> notes;  ///< where values come from
};

/// The profile's values, then what the trace's header says (kernel version, base slice, HZ,
/// features, autogroup), then the spec's own features and knobs.
/// Errors: a tunable of the header that is no number above 0.
Outcome<EevdfSettings> eevdf_settings_of(const PolicySpec& spec, const input::Trace& trace);

}  // namespace fw::validate
