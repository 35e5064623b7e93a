// SPDX-License-Identifier: Apache-2.0
#include "impl/cfs/tunables.h"

#include <algorithm>
#include <bit>

namespace impl::cfs {
namespace {
struct Defaults {
  std::string_view version;
  u64 latency, min_granularity, wakeup_granularity, nr_latency;
};
// Unscaled, ns. nr_latency is a constant that boot scaling leaves alone.
constexpr Defaults defaults[] = {
    {"2.6.35", 6'000'000, 2'000'000, 1'000'000, 3},
    {"2.6.36-rc3", 6'000'000, 2'000'000, 1'000'000, 3},
    {"2.6.36", 6'000'000, 750'000, 1'000'000, 8},
};

const Defaults& defaults_of(std::string_view version) {
  for (const Defaults& row : defaults) {
    if (row.version == version) return row;
  }
  return defaults[2];
}

template <class Map, class Value>
bool take(const Map& map, std::string_view name, Value& out) {
  const auto found = map.find(name);
  if (found == map.end()) return false;
  out = static_cast<Value>(found->second);
  return true;
}
}  // namespace

u64 scaling_factor(int cpus) {
  return static_cast<u64>(std::bit_width(static_cast<unsigned>(std::clamp(cpus, 1, 8))));
}

Tunables resolve(const Request& request, int cpus) {
  const Defaults& row = defaults_of(request.version);
  const u64 factor = scaling_factor(cpus);
  Tunables out;
  out.latency = row.latency * factor;
  out.min_granularity = row.min_granularity * factor;
  out.wakeup_granularity = row.wakeup_granularity * factor;
  out.nr_latency = row.nr_latency;

  const auto& knobs = request.knobs;
  bool written = take(knobs, "latency", out.latency);
  written |= take(knobs, "min_granularity", out.min_granularity);
  written |= take(knobs, "wakeup_granularity", out.wakeup_granularity);
  if (written && out.min_granularity != 0) {
    out.nr_latency = (out.latency + out.min_granularity - 1) / out.min_granularity;
  }
  take(knobs, "nr_latency", out.nr_latency);
  take(knobs, "migration_cost", out.migration_cost);
  take(knobs, "nr_migrate", out.nr_migrate);
  take(knobs, "child_runs_first", out.child_runs_first);
  take(knobs, "compat_yield", out.compat_yield);
  take(knobs, "tick_unsigned", out.tick_unsigned);
  take(knobs, "hz", out.hz);
  take(knobs, "clock_base", out.clock_base);
  take(knobs, "vruntime_base", out.vruntime_base);

  const auto& features = request.features;
  take(features, "GENTLE_FAIR_SLEEPERS", out.gentle_fair_sleepers);
  take(features, "START_DEBIT", out.start_debit);
  take(features, "WAKEUP_PREEMPT", out.wakeup_preempt);
  take(features, "NEXT_BUDDY", out.next_buddy);
  take(features, "LAST_BUDDY", out.last_buddy);
  take(features, "CACHE_HOT_BUDDY", out.cache_hot_buddy);
  take(features, "LB_BIAS", out.lb_bias);
  return out;
}

}  // namespace impl::cfs
