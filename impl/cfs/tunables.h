// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "impl/cfs/arithmetic.h"

namespace impl::cfs {

/// What the user asked for: a version, and deviations from its defaults by their spec spelling.
/// Durations in ns; on/off knobs 0 or 1; choices by index. Names that CFS does not know, and
/// features that the version does not have, are ignored: the reader of specs has refused them.
struct Request {
  std::string version = "2.6.36";
  std::map<std::string, bool, std::less<>> features;
  std::map<std::string, i64, std::less<>> knobs;
};

/// In order of age: rules are compared with <.
enum class Version : std::uint8_t { v32, v33, v34, v35, v36rc3, v36, v6_1 };

/// When a buddy counts as cache-hot; the order is the knob's. Source: cfs-semantics 25.7.
enum class HotBuddy : std::uint8_t { always, source_crowded, source_busy, destination_busy };

/// What a task's depth below its root costs it; the order is the knob's. Source: 25.8.
enum class DepthRule : std::uint8_t { rate, shift, place };

/// Everything adjustable of one run, after defaults, boot scaling and overrides.
/// Source:  cfs-semantics sections 4, 24 and 25, simulator section D, eevdf-semantics section 6.
struct Tunables {
  Version version = Version::v36;
  u64 latency = 0;  ///< ns, effective (as are the next two)
  u64 min_granularity = 0;
  u64 wakeup_granularity = 0;
  u64 nr_latency = 0;
  i64 migration_cost = 500'000;  ///< ns; 0: never hot, -1: always hot
  u64 nr_migrate = 32;
  bool child_runs_first = false;
  bool compat_yield = false;
  bool tick_unsigned = true;  ///< as it acts: false on 32-bit machines
  int hz = 1000;
  u64 clock_base = 0;
  u64 vruntime_base = ~u64{0} - 1'048'575;
  Arithmetic arithmetic = Arithmetic::word64;
  u64 word_mask = ~u64{0};  ///< what a machine word holds
  HotBuddy hot_buddy = HotBuddy::destination_busy;
  DepthRule depth_rule = DepthRule::rate;

  bool gentle_fair_sleepers = true;
  bool start_debit = true;
  bool wakeup_preempt = true;  ///< 6.1: WAKEUP_PREEMPTION
  bool next_buddy = false;
  bool last_buddy = true;
  bool cache_hot_buddy = true;
  bool lb_bias = true;
  // 2.6.32 to 2.6.34 only; off in others.
  bool normalized_sleeper = false;
  bool adaptive_gran = false;
  bool asym_gran = true;
  bool wakeup_overlap = false;
  bool wakeup_running = false;  ///< 2.6.32 only
  bool affine_wakeups = true;
  bool sync_more = false;
  // 6.1 only.
  bool base_slice = false;
  // The switches of cfs-semantics section 25, over any version.
  bool fair_sleepers = true;
  bool fair_sleepers_interactive = false;
  bool fair_sleepers_timer = false;
  bool start_nice = false;
  bool start_nice_v2 = false;
  bool dyn_min_vruntime = false;
  bool interactive = false;
  bool timer = false;
  bool interactive_fork_expedited = false;
  bool timer_fork_expedited = false;
  bool tree_penalty = false;

  bool is_6_1() const { return version == Version::v6_1; }
  bool has_averages() const { return version <= Version::v34; }
  /// Whether a charge is more than the plain conversion.
  bool scales_charge() const { return start_nice || start_nice_v2 || tree_penalty; }
};

/// Boot scaling: 1 + floor(log2(cpus)); from 2.6.33 on of at most 8 CPUs.
u64 scaling_factor(int cpus, Version version = Version::v36);

/// Defaults of the version on that many CPUs, with the overrides applied.
Tunables resolve(const Request& request, int cpus);

}  // namespace impl::cfs
