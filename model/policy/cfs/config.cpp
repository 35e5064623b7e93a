// SPDX-License-Identifier: Apache-2.0
#include "model/policy/cfs/config.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fw::model::cfs {
namespace {

std::uint64_t knob(const PolicySpec& spec, const char* name, std::uint64_t standard) {
  const auto found = spec.knobs.find(name);
  return found == spec.knobs.end() ? standard : static_cast<std::uint64_t>(found->second);
}

bool feature(const PolicySpec& spec, const char* name, bool standard) {
  const auto found = spec.features.find(name);
  return found == spec.features.end() ? standard : found->second;
}

Version version_of(const PolicySpec& spec) {
  static constexpr std::array<std::string_view, 7> names = {
      "2.6.32", "2.6.33", "2.6.34", "2.6.35", "2.6.36-rc3", "2.6.36", "6.1"};
  const auto found = std::find(names.begin(), names.end(), spec.version);
  if (found == names.end()) return Version::v2_6_36;  // built by hand, without a version
  return static_cast<Version>(found - names.begin());
}

/// Section 4's defaults, before boot scaling.
struct Defaults {
  std::uint64_t latency_ns;
  std::uint64_t min_granularity_ns;
  std::uint64_t nr_latency;
};

Defaults defaults_of(Version version) {
  if (version <= Version::v2_6_34) return {5'000'000, 1'000'000, 5};
  if (version <= Version::v2_6_36_rc3) return {6'000'000, 2'000'000, 3};
  return {6'000'000, 750'000, 8};
}

void set_tunables(const PolicySpec& spec, int cpus, Config& config) {
  const Defaults defaults = defaults_of(config.version);
  const bool uncapped = config.version == Version::v2_6_32;
  const std::uint64_t factor =
      uncapped ? rules::cfs::boot_factor_32(cpus) : rules::cfs::boot_factor(cpus);
  const std::uint64_t limit = uncapped ? rules::cfs::boot_limit_32 : UINT64_MAX;
  config.latency_ns = knob(spec, "latency", std::min(defaults.latency_ns * factor, limit));
  config.min_granularity_ns =
      knob(spec, "min_granularity", std::min(defaults.min_granularity_ns * factor, limit));
  config.wakeup_granularity_ns = knob(spec, "wakeup_granularity", 1'000'000 * factor);
  const bool written = spec.knobs.count("latency") + spec.knobs.count("min_granularity") +
                           spec.knobs.count("wakeup_granularity") >
                       0;
  std::uint64_t nr_latency = defaults.nr_latency;
  if (written) {
    nr_latency = rules::cfs::recomputed_nr_latency(config.latency_ns, config.min_granularity_ns);
  }
  config.nr_latency = knob(spec, "nr_latency", nr_latency);
}

/// Section 24. A feature of the kernel's own list acts only in the versions that have it (N1).
void set_features(const PolicySpec& spec, Config& config) {
  config.gentle_fair_sleepers = feature(spec, "GENTLE_FAIR_SLEEPERS", true);
  config.start_debit = feature(spec, "START_DEBIT", true);
  config.next_buddy = feature(spec, "NEXT_BUDDY", false);
  config.last_buddy = feature(spec, "LAST_BUDDY", true);
  config.cache_hot_buddy = feature(spec, "CACHE_HOT_BUDDY", true);
  if (config.linux_6_1) {
    config.wakeup_preempt = feature(spec, "WAKEUP_PREEMPTION", true);
    config.tunables_6_1 = {config.latency_ns,
                           config.min_granularity_ns,
                           config.wakeup_granularity_ns,
                           config.nr_latency,
                           feature(spec, "BASE_SLICE", true)};
    return;
  }
  config.wakeup_preempt = feature(spec, "WAKEUP_PREEMPT", true);
  config.lb_bias = feature(spec, "LB_BIAS", true);
  if (!config.until(Version::v2_6_34)) return;
  config.normalized_sleeper = feature(spec, "NORMALIZED_SLEEPER", false);
  config.adaptive_gran = feature(spec, "ADAPTIVE_GRAN", true);
  config.asym_gran = feature(spec, "ASYM_GRAN", true);
  config.wakeup_overlap = feature(spec, "WAKEUP_OVERLAP", false);
  config.affine_wakeups = feature(spec, "AFFINE_WAKEUPS", true);
  config.sync_more = feature(spec, "SYNC_MORE", false);
  config.wakeup_running =
      config.version == Version::v2_6_32 && feature(spec, "WAKEUP_RUNNING", false);
}

/// Section 25: in every version.
void set_switches(const PolicySpec& spec, Config& config) {
  config.start_nice = feature(spec, "START_NICE", false)      ? StartNice::v3
                      : feature(spec, "START_NICE_V2", false) ? StartNice::v2
                                                              : StartNice::off;
  config.dyn_min_vruntime = feature(spec, "DYN_MIN_VRUNTIME", false);
  config.fair_sleepers = feature(spec, "FAIR_SLEEPERS", true);
  config.credit_by_label = {feature(spec, "FAIR_SLEEPERS_INTERACTIVE", false),
                            feature(spec, "FAIR_SLEEPERS_TIMER", false)};
  config.buddy_by_label = {feature(spec, "INTERACTIVE", false), feature(spec, "TIMER", false)};
  config.expedited_forks = {feature(spec, "INTERACTIVE_FORK_EXPEDITED", false),
                            feature(spec, "TIMER_FORK_EXPEDITED", false)};
  config.hot_buddy_boundary = static_cast<rules::cfs::HotBuddyBoundary>(
      knob(spec,
           "hot_buddy_boundary",
           static_cast<std::uint64_t>(rules::cfs::HotBuddyBoundary::balancing)));
  config.tree_penalty = feature(spec, "TREE_PENALTY", false);
  config.depth_rule = static_cast<rules::cfs::DepthRule>(knob(spec, "depth_rule", 0));
}

}  // namespace

Config configure(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  Config config;
  config.version = version_of(spec);
  config.linux_6_1 = config.version == Version::v6_1;
  const bool short_word = knob(spec, "word", 0) != 0 && !config.linux_6_1;
  config.word = short_word ? rules::cfs::Word::bits32 : rules::cfs::Word::bits64;
  set_tunables(spec, setup.topology.cpus, config);
  config.migration_cost_ns = knob(spec, "migration_cost", config.migration_cost_ns);
  config.nr_migrate = knob(spec, "nr_migrate", config.nr_migrate);
  config.child_runs_first = knob(spec, "child_runs_first", 0) != 0;
  config.compat_yield = knob(spec, "compat_yield", 0) != 0;
  config.tick_unsigned = knob(spec, "tick_unsigned", 1) != 0 && !short_word;
  config.hz = static_cast<int>(
      knob(spec, "hz", static_cast<std::uint64_t>(setup.workload.hz.value_or(1000))));
  config.clock_base = knob(spec, "clock_base", 0);
  config.vruntime_base = knob(spec, "vruntime_base", std::uint64_t{0} - 1048576);
  set_features(spec, config);
  set_switches(spec, config);
  config.cpus = setup.topology.cpus;
  config.balance = setup.balance && config.cpus > 1;
  config.powers = cpu_powers(setup.topology);
  config.domains = sched_domains(setup.topology);
  return config;
}

}  // namespace fw::model::cfs
