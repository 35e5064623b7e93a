// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "impl/base/fixed_point.h"

namespace impl::cfs {

/// What the user asked for: a version, and deviations from its defaults by their spec spelling.
/// Durations in ns; on/off knobs 0 or 1. Names that CFS does not know are ignored: the reader of
/// specs has refused them.
struct Request {
  std::string version = "2.6.36";
  std::map<std::string, bool, std::less<>> features;
  std::map<std::string, i64, std::less<>> knobs;
};

/// Everything adjustable of one run, after defaults, boot scaling and overrides.
/// Source:  cfs-semantics sections 4 and 24, simulator section D.
struct Tunables {
  u64 latency = 0;  ///< ns, effective (as are the next two)
  u64 min_granularity = 0;
  u64 wakeup_granularity = 0;
  u64 nr_latency = 0;
  i64 migration_cost = 500'000;  ///< ns; 0: never hot, -1: always hot
  u64 nr_migrate = 32;
  bool child_runs_first = false;
  bool compat_yield = false;
  bool tick_unsigned = true;
  int hz = 1000;
  u64 clock_base = 0;
  u64 vruntime_base = ~u64{0} - 1'048'575;

  bool gentle_fair_sleepers = true;
  bool start_debit = true;
  bool wakeup_preempt = true;
  bool next_buddy = false;
  bool last_buddy = true;
  bool cache_hot_buddy = true;
  bool lb_bias = true;
};

/// Boot scaling: 1 + floor(log2(min(cpus, 8))).
u64 scaling_factor(int cpus);

/// Defaults of the version on that many CPUs, with the overrides applied.
Tunables resolve(const Request& request, int cpus);

}  // namespace impl::cfs
