// SPDX-License-Identifier: Apache-2.0
#include "impl/cfs/tunables.h"

#include <algorithm>
#include <bit>
#include <initializer_list>

namespace impl::cfs {
namespace {
struct Defaults {
  std::string_view name;
  Version version;
  u64 latency, min_granularity, wakeup_granularity, nr_latency;
};
// Unscaled, ns. nr_latency is a constant that boot scaling leaves alone.
constexpr Defaults defaults[] = {
    {"2.6.32", Version::v32, 5'000'000, 1'000'000, 1'000'000, 5},
    {"2.6.33", Version::v33, 5'000'000, 1'000'000, 1'000'000, 5},
    {"2.6.34", Version::v34, 5'000'000, 1'000'000, 1'000'000, 5},
    {"2.6.35", Version::v35, 6'000'000, 2'000'000, 1'000'000, 3},
    {"2.6.36-rc3", Version::v36rc3, 6'000'000, 2'000'000, 1'000'000, 3},
    {"6.1", Version::v6_1, 6'000'000, 750'000, 1'000'000, 8},
    {"2.6.36", Version::v36, 6'000'000, 750'000, 1'000'000, 8},
};
// What 2.6.32 limits two of the scaled values to.
constexpr u64 longest_scaled = 200'000'000;

const Defaults& defaults_of(std::string_view name) {
  for (const Defaults& row : defaults) {
    if (row.name == name) return row;
  }
  return *std::prev(std::end(defaults));
}

template <class Map, class Value>
bool take(const Map& map, std::string_view name, Value& out) {
  const auto found = map.find(name);
  if (found == map.end()) return false;
  out = static_cast<Value>(found->second);
  return true;
}

void take_times(const Request& request, Tunables& out) {
  const auto& knobs = request.knobs;
  bool written = take(knobs, "latency", out.latency);
  written |= take(knobs, "min_granularity", out.min_granularity);
  written |= take(knobs, "wakeup_granularity", out.wakeup_granularity);
  if (written && out.min_granularity != 0) {
    out.nr_latency = (out.latency + out.min_granularity - 1) / out.min_granularity;
  }
  take(knobs, "nr_latency", out.nr_latency);
}

void take_knobs(const Request& request, Tunables& out) {
  const auto& knobs = request.knobs;
  take(knobs, "migration_cost", out.migration_cost);
  take(knobs, "nr_migrate", out.nr_migrate);
  take(knobs, "child_runs_first", out.child_runs_first);
  take(knobs, "compat_yield", out.compat_yield);
  take(knobs, "tick_unsigned", out.tick_unsigned);
  take(knobs, "hz", out.hz);
  take(knobs, "clock_base", out.clock_base);
  take(knobs, "vruntime_base", out.vruntime_base);
  take(knobs, "hot_buddy_boundary", out.hot_buddy);
  take(knobs, "depth_rule", out.depth_rule);
  bool word32 = false;
  take(knobs, "word", word32);  // a choice: 64, 32
  if (out.is_6_1()) {
    out.arithmetic = Arithmetic::floor;
    out.tick_unsigned = false;
  } else if (word32) {
    out.arithmetic = Arithmetic::word32;
    out.word_mask = 0xFFFF'FFFF;
    out.tick_unsigned = false;
  }
}

struct Switch {
  std::string_view name;
  bool Tunables::*value;
};

void take_switches(const Request& request, std::initializer_list<Switch> rows, Tunables& out) {
  for (const Switch& row : rows) take(request.features, row.name, out.*row.value);
}

void take_features(const Request& request, Tunables& out) {
  take_switches(request,
                {{"GENTLE_FAIR_SLEEPERS", &Tunables::gentle_fair_sleepers},
                 {"START_DEBIT", &Tunables::start_debit},
                 {"NEXT_BUDDY", &Tunables::next_buddy},
                 {"LAST_BUDDY", &Tunables::last_buddy},
                 {"CACHE_HOT_BUDDY", &Tunables::cache_hot_buddy},
                 {"FAIR_SLEEPERS", &Tunables::fair_sleepers},
                 {"FAIR_SLEEPERS_INTERACTIVE", &Tunables::fair_sleepers_interactive},
                 {"FAIR_SLEEPERS_TIMER", &Tunables::fair_sleepers_timer},
                 {"START_NICE", &Tunables::start_nice},
                 {"START_NICE_V2", &Tunables::start_nice_v2},
                 {"DYN_MIN_VRUNTIME", &Tunables::dyn_min_vruntime},
                 {"INTERACTIVE", &Tunables::interactive},
                 {"TIMER", &Tunables::timer},
                 {"INTERACTIVE_FORK_EXPEDITED", &Tunables::interactive_fork_expedited},
                 {"TIMER_FORK_EXPEDITED", &Tunables::timer_fork_expedited},
                 {"TREE_PENALTY", &Tunables::tree_penalty}},
                out);
  if (out.is_6_1()) {
    out.base_slice = true;
    take_switches(
        request,
        {{"WAKEUP_PREEMPTION", &Tunables::wakeup_preempt}, {"BASE_SLICE", &Tunables::base_slice}},
        out);
    return;
  }
  take_switches(request,
                {{"WAKEUP_PREEMPT", &Tunables::wakeup_preempt}, {"LB_BIAS", &Tunables::lb_bias}},
                out);
  if (!out.has_averages()) return;
  out.adaptive_gran = true;
  take_switches(request,
                {{"NORMALIZED_SLEEPER", &Tunables::normalized_sleeper},
                 {"ADAPTIVE_GRAN", &Tunables::adaptive_gran},
                 {"ASYM_GRAN", &Tunables::asym_gran},
                 {"WAKEUP_OVERLAP", &Tunables::wakeup_overlap},
                 {"AFFINE_WAKEUPS", &Tunables::affine_wakeups},
                 {"SYNC_MORE", &Tunables::sync_more}},
                out);
  if (out.version == Version::v32) take(request.features, "WAKEUP_RUNNING", out.wakeup_running);
}
}  // namespace

u64 scaling_factor(int cpus, Version version) {
  const int counted = version == Version::v32 ? std::max(cpus, 1) : std::clamp(cpus, 1, 8);
  return static_cast<u64>(std::bit_width(static_cast<unsigned>(counted)));
}

Tunables resolve(const Request& request, int cpus) {
  const Defaults& row = defaults_of(request.version);
  Tunables out;
  out.version = row.version;
  const u64 factor = scaling_factor(cpus, row.version);
  out.latency = row.latency * factor;
  out.min_granularity = row.min_granularity * factor;
  out.wakeup_granularity = row.wakeup_granularity * factor;
  out.nr_latency = row.nr_latency;
  if (row.version == Version::v32) {
    out.latency = std::min(out.latency, longest_scaled);
    out.min_granularity = std::min(out.min_granularity, longest_scaled);
  }
  take_times(request, out);
  take_knobs(request, out);
  take_features(request, out);
  return out;
}

}  // namespace impl::cfs
