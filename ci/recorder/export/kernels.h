// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/vocab/spec.h"

/// Workloads and settings for a kernel that is to be recorded.
namespace fw::recorder {

/// What can be set in such a kernel, as a catalogue row: the generator draws features and tunables
/// from it. Only what the validation is to explain stands in it.
/// Nullptr: a version that is not known here.
const PolicyInfo* settable_in(std::string_view version);

/// The settings of case `index` as lines `NAME='value'` for sh: FW_FEATURES (every settable one, with
/// NO_ when off), the tunables FW_latency_ns and the like, FW_NR_LATENCY (6.1), FW_PREEMPT, FW_MS.
std::string settings_lines(const PolicyInfo& info,
                           const PolicySpec& spec,
                           std::uint64_t index,
                           Duration run_for);

}  // namespace fw::recorder
