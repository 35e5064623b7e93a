// SPDX-License-Identifier: Apache-2.0
#include "props/properties/cfs_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fw::props::cfs {
namespace {

// Switches that change none of the restated rules (balancing, load bias, cache heat).
constexpr std::array<std::string_view, 12> indifferent = {"CACHE_HOT_BUDDY",
                                                          "LB_BIAS",
                                                          "AFFINE_WAKEUPS",
                                                          "ARCH_POWER",
                                                          "HRTICK",
                                                          "DOUBLE_TICK",
                                                          "OWNER_SPIN",
                                                          "LB_SHARES_UPDATE",
                                                          "ASYM_EFF_LOAD",
                                                          "SYNC_WAKEUPS",
                                                          "SYNC_LESS",
                                                          "SYNC_MORE"};
constexpr std::array<std::string_view, 4> indifferent_knobs = {
    "hot_buddy_boundary", "shares_ratelimit", "shares_thresh", "depth_rule"};

int scale_factor(int cpus) {
  int factor = 1;
  for (int n = std::min(cpus, 8); n > 1; n /= 2) ++factor;
  return factor;
}

}  // namespace

Tunables::Tunables(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  const std::uint64_t factor = static_cast<std::uint64_t>(scale_factor(setup.topology.cpus));
  const bool late = spec.version == "2.6.36" || spec.version.empty();
  latency_ns = 6'000'000 * factor;
  min_granularity_ns = (late ? 750'000u : 2'000'000u) * factor;
  wakeup_granularity_ns = 1'000'000 * factor;
  nr_latency = late ? 8 : 3;
  if (setup.workload.hz) hz = *setup.workload.hz;
  vruntime_base = std::uint64_t{0} - 1'048'576;
  if (spec.version == "2.6.32" || spec.version == "2.6.33" || spec.version == "2.6.34" ||
      spec.version == "6.1") {
    restated = false;
  }
  read_features(spec);
  read_knobs(spec);
  if (hz < 1) hz = 1;
}

void Tunables::read_features(const PolicySpec& spec) {
  for (const auto& [name, on] : spec.features) {
    if (name == "GENTLE_FAIR_SLEEPERS") {
      gentle_fair_sleepers = on;
    } else if (name == "START_DEBIT") {
      start_debit = on;
    } else if (name == "WAKEUP_PREEMPT") {
      wakeup_preempt = on;
    } else if (name == "NEXT_BUDDY") {
      next_buddy = on;
    } else if (name == "LAST_BUDDY") {
      last_buddy = on;
    } else if (name == "FAIR_SLEEPERS" && on) {
      continue;
    } else if (on && std::find(indifferent.begin(), indifferent.end(), name) == indifferent.end()) {
      restated = false;
    } else if (name == "FAIR_SLEEPERS") {
      restated = false;
    }
  }
}

void Tunables::read_knobs(const PolicySpec& spec) {
  bool sized = false;
  bool counted = false;
  for (const auto& [name, value] : spec.knobs) {
    const auto wide = static_cast<std::uint64_t>(value);
    if (name == "latency") {
      latency_ns = wide;
      sized = true;
    } else if (name == "min_granularity") {
      min_granularity_ns = wide;
      sized = true;
    } else if (name == "wakeup_granularity") {
      wakeup_granularity_ns = wide;
      sized = true;
    } else if (name == "nr_latency") {
      nr_latency = value;
      counted = true;
    } else if (name == "hz") {
      hz = value;
    } else if (name == "clock_base") {
      clock_base = wide;
    } else if (name == "vruntime_base") {
      vruntime_base = wide;
    } else if (name == "tick_unsigned") {
      tick_unsigned = value != 0;
    } else if (name == "child_runs_first") {
      child_runs_first = value != 0;
    } else if (name == "compat_yield") {
      compat_yield = value != 0;
    } else if (name == "migration_cost") {
      migration_cost_ns = value;
    } else if (name == "nr_migrate") {
      nr_migrate = value;
    } else if (name == "word") {
      restated = restated && (value == 0 || value == 64);  // a choice: 64 is the first
    } else if (std::find(indifferent_knobs.begin(), indifferent_knobs.end(), name) ==
               indifferent_knobs.end()) {
      restated = false;
    }
  }
  if (sized && !counted && min_granularity_ns > 0) {
    nr_latency =
        static_cast<std::int64_t>((latency_ns + min_granularity_ns - 1) / min_granularity_ns);
  }
}

}  // namespace fw::props::cfs
