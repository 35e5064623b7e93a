// SPDX-License-Identifier: Apache-2.0
#include "ci/recorder/export/kernels.h"

#include <fmt/format.h>

#include <array>

namespace fw::recorder {
namespace {
using namespace std::string_view_literals;

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;

constexpr std::array cfs_versions = {"6.1"sv};
constexpr std::array cfs_features = {
    FeatureInfo{"GENTLE_FAIR_SLEEPERS", true, "*", ""},
    FeatureInfo{"START_DEBIT", true, "*", ""},
    FeatureInfo{"NEXT_BUDDY", true, "", ""},
    FeatureInfo{"LAST_BUDDY", true, "*", ""},
    FeatureInfo{"WAKEUP_PREEMPTION", true, "*", ""},
    FeatureInfo{"ALT_PERIOD", true, "*", ""},
    FeatureInfo{"BASE_SLICE", true, "*", ""},
};
constexpr std::array cfs_knobs = {
    KnobInfo{"latency", KnobUnit::duration, 500 * us, 100 * ms, "6ms", ""},
    KnobInfo{"min_granularity", KnobUnit::duration, 100 * us, 20 * ms, "750us", ""},
    KnobInfo{"wakeup_granularity", KnobUnit::duration, 1, 20 * ms, "1ms", ""},
    KnobInfo{"hz", KnobUnit::count, 250, 250, "250", ""},
};
constexpr PolicyInfo cfs = {"cfs", cfs_versions, cfs_features, cfs_knobs, {}, "CFS of Linux 6.1"};

constexpr std::array eevdf_versions = {"6.12"sv};
constexpr std::array eevdf_features = {
    FeatureInfo{"PLACE_LAG", true, "*", ""},
    FeatureInfo{"PLACE_DEADLINE_INITIAL", true, "*", ""},
    FeatureInfo{"PLACE_REL_DEADLINE", true, "*", ""},
    FeatureInfo{"RUN_TO_PARITY", true, "*", ""},
    FeatureInfo{"PREEMPT_SHORT", true, "*", ""},
    FeatureInfo{"NEXT_BUDDY", true, "", ""},
    FeatureInfo{"DELAY_DEQUEUE", true, "*", ""},
    FeatureInfo{"DELAY_ZERO", true, "*", ""},
    FeatureInfo{"WAKEUP_PREEMPTION", true, "*", ""},
};
constexpr std::array eevdf_knobs = {
    KnobInfo{"base_slice", KnobUnit::duration, 100 * us, 20 * ms, "700us", ""},
    KnobInfo{"hz", KnobUnit::count, 250, 250, "250", ""},
};
constexpr PolicyInfo eevdf = {
    "eevdf", eevdf_versions, eevdf_features, eevdf_knobs, {}, "EEVDF of Linux 6.12"};

std::int64_t value_of(const KnobInfo& knob, const PolicySpec& spec) {
  const auto named = spec.knobs.find(std::string(knob.name));
  if (named != spec.knobs.end()) return named->second;
  return parse_duration(knob.standard)->ns;
}

}  // namespace

const PolicyInfo* settable_in(std::string_view version) {
  for (const PolicyInfo* info : {&cfs, &eevdf}) {
    if (info->versions.front() == version) return info;
  }
  return nullptr;
}

std::string settings_lines(const PolicyInfo& info,
                           const PolicySpec& spec,
                           std::uint64_t index,
                           Duration run_for) {
  std::string features;
  for (const FeatureInfo& feature : info.features) {
    const auto named = spec.features.find(std::string(feature.name));
    const bool on = named != spec.features.end() ? named->second : feature.on_in == "*";
    features += fmt::format("{}{}{}", features.empty() ? "" : " ", on ? "" : "NO_", feature.name);
  }
  std::string out = fmt::format("FW_FEATURES='{}'\n", features);
  for (const KnobInfo& knob : info.knobs) {
    if (knob.unit != KnobUnit::duration) continue;
    out += fmt::format("FW_{}_ns='{}'\n", knob.name, value_of(knob, spec));
  }
  if (info.name == "cfs") {
    // The kernel counts this anew, rounding up, when tunable_scaling is written.
    const std::int64_t least = value_of(info.knobs[1], spec);
    out += fmt::format("FW_NR_LATENCY='{}'\n", (value_of(info.knobs[0], spec) + least - 1) / least);
  }
  constexpr std::array modes = {"voluntary"sv, "none"sv, "full"sv};
  out += fmt::format("FW_PREEMPT='{}'\n", modes[index % modes.size()]);
  out += fmt::format("FW_MS='{}'\n", (run_for.ns + ms - 1) / ms);
  return out;
}

}  // namespace fw::recorder
