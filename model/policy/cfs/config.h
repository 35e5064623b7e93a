// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy/cfs/domains.h"
#include "model/rules/cfs61.h"
#include "model/rules/cfs_old.h"
#include "model/rules/cfs_switches.h"
#include "model/vocab/side.h"

namespace fw::model::cfs {

/// In the order of their release.
enum class Version { v2_6_32, v2_6_33, v2_6_34, v2_6_35, v2_6_36_rc3, v2_6_36, v6_1 };

enum class StartNice { off, v2, v3 };

/// A run's fixed part: effective tunables (after boot scaling and knobs), features, sched domains.
struct Config {
  Version version = Version::v2_6_36;
  rules::cfs::Word word = rules::cfs::Word::bits64;
  std::uint64_t latency_ns = 0;
  std::uint64_t min_granularity_ns = 0;
  std::uint64_t wakeup_granularity_ns = 0;
  std::uint64_t nr_latency = 0;
  std::uint64_t migration_cost_ns = 500000;
  std::uint64_t nr_migrate = 32;
  bool child_runs_first = false;
  bool compat_yield = false;
  bool tick_unsigned = true;
  int hz = 1000;
  std::uint64_t clock_base = 0;
  std::uint64_t vruntime_base = 0;

  bool gentle_fair_sleepers = true;
  bool start_debit = true;
  bool wakeup_preempt = true;
  bool next_buddy = false;
  bool last_buddy = true;
  bool cache_hot_buddy = true;
  bool lb_bias = true;

  // 2.6.32 to 2.6.34 only; false later, but for asym_gran, which became the rule.
  bool normalized_sleeper = false;
  bool adaptive_gran = false;
  bool asym_gran = true;
  bool wakeup_overlap = false;
  bool wakeup_running = false;  ///< 2.6.32
  bool affine_wakeups = true;
  bool sync_more = false;

  // Section 25.
  StartNice start_nice = StartNice::off;
  bool dyn_min_vruntime = false;
  bool fair_sleepers = true;
  rules::cfs::LabelSwitches credit_by_label;
  rules::cfs::LabelSwitches buddy_by_label;
  rules::cfs::LabelSwitches expedited_forks;
  rules::cfs::HotBuddyBoundary hot_buddy_boundary = rules::cfs::HotBuddyBoundary::balancing;
  bool tree_penalty = false;
  rules::cfs::DepthRule depth_rule = rules::cfs::DepthRule::rate;

  bool linux_6_1 = false;  ///< the rules of queue61.cpp
  rules::cfs61::Tunables tunables_6_1;

  int cpus = 1;
  bool balance = false;  ///< more than one CPU, and wanted
  std::vector<std::uint64_t> powers;
  std::vector<std::vector<Domain>> domains;  ///< by CPU, bottom up; empty without balancing

  bool until(Version last) const { return version <= last; }
};

/// Defaults of the spec's version, scaled for the topology, with the spec's deviations.
/// Precondition: the spec was checked against the catalogue.
Config configure(const Setup& setup);

}  // namespace fw::model::cfs
