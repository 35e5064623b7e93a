// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy/cfs/domains.h"
#include "model/rules/cfs61.h"
#include "model/vocab/side.h"

namespace fw::model::cfs {

/// A run's fixed part: effective tunables (after boot scaling and knobs), features, sched domains.
struct Config {
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

  bool linux_6_1 = false;  ///< the rules of queue61.cpp
  rules::cfs61::Tunables tunables_6_1;

  int cpus = 1;
  bool balance = false;  ///< more than one CPU, and wanted
  std::vector<std::uint64_t> powers;
  std::vector<std::vector<Domain>> domains;  ///< by CPU, bottom up; empty without balancing
};

/// Defaults of the spec's version, scaled for the topology, with the spec's deviations.
/// Precondition: the spec was checked against the catalogue.
Config configure(const Setup& setup);

}  // namespace fw::model::cfs
