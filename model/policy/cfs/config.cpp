// SPDX-License-Identifier: Apache-2.0
#include "model/policy/cfs/config.h"

#include "model/rules/cfs.h"

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

void set_tunables(const PolicySpec& spec, int cpus, Config& config) {
  // 2.6.36 proper lowered the granularity (section 4); everything before had 2 ms and 3 tasks.
  config.linux_6_1 = spec.version == "6.1";
  const bool final_36 = spec.version == "2.6.36" || spec.version.empty() || config.linux_6_1;
  const std::uint64_t factor = rules::cfs::boot_factor(cpus);
  config.latency_ns = knob(spec, "latency", 6'000'000 * factor);
  config.min_granularity_ns =
      knob(spec, "min_granularity", (final_36 ? 750'000 : 2'000'000) * factor);
  config.wakeup_granularity_ns = knob(spec, "wakeup_granularity", 1'000'000 * factor);
  const bool written = spec.knobs.count("latency") + spec.knobs.count("min_granularity") +
                           spec.knobs.count("wakeup_granularity") >
                       0;
  std::uint64_t nr_latency = final_36 ? 8 : 3;
  if (written && !config.linux_6_1) {  // 6.1's files change the tunable alone
    nr_latency = rules::cfs::recomputed_nr_latency(config.latency_ns, config.min_granularity_ns);
  }
  config.nr_latency = knob(spec, "nr_latency", nr_latency);
}

}  // namespace

Config configure(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  Config config;
  set_tunables(spec, setup.topology.cpus, config);
  config.migration_cost_ns = knob(spec, "migration_cost", config.migration_cost_ns);
  config.nr_migrate = knob(spec, "nr_migrate", config.nr_migrate);
  config.child_runs_first = knob(spec, "child_runs_first", 0) != 0;
  config.compat_yield = knob(spec, "compat_yield", 0) != 0;
  config.tick_unsigned = knob(spec, "tick_unsigned", 1) != 0;
  config.hz = static_cast<int>(
      knob(spec, "hz", static_cast<std::uint64_t>(setup.workload.hz.value_or(1000))));
  config.clock_base = knob(spec, "clock_base", 0);
  config.vruntime_base = knob(spec, "vruntime_base", std::uint64_t{0} - 1048576);
  config.gentle_fair_sleepers = feature(spec, "GENTLE_FAIR_SLEEPERS", true);
  config.start_debit = feature(spec, "START_DEBIT", true);
  config.wakeup_preempt = feature(spec, "WAKEUP_PREEMPT", true);
  config.next_buddy = feature(spec, "NEXT_BUDDY", false);
  config.last_buddy = feature(spec, "LAST_BUDDY", true);
  config.cache_hot_buddy = feature(spec, "CACHE_HOT_BUDDY", true);
  config.lb_bias = feature(spec, "LB_BIAS", true);
  if (config.linux_6_1) {
    config.wakeup_preempt = feature(spec, "WAKEUP_PREEMPTION", true);
    config.tunables_6_1 = {config.latency_ns,
                           config.min_granularity_ns,
                           config.wakeup_granularity_ns,
                           config.nr_latency,
                           feature(spec, "BASE_SLICE", true)};
  }
  config.cpus = setup.topology.cpus;
  config.balance = setup.balance && config.cpus > 1;
  config.powers = cpu_powers(setup.topology);
  config.domains = sched_domains(setup.topology);
  return config;
}

}  // namespace fw::model::cfs
