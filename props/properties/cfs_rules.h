// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/vocab/side.h"
#include "props/properties/exact.h"

namespace fw::props::cfs {

/// The numbers and switches of a cfs run that the checkers' rules read, worked out from the spec.
/// Source:  the CFS page, sections 4 and 24; simulator page D.
struct Tunables {
  explicit Tunables(const Setup& setup);

  bool gentle_fair_sleepers = true;
  bool start_debit = true;
  bool wakeup_preempt = true;
  bool next_buddy = false;
  bool last_buddy = true;
  bool tick_unsigned = true;
  bool child_runs_first = false;
  bool compat_yield = false;

  std::uint64_t latency_ns = 0;
  std::uint64_t min_granularity_ns = 0;
  std::uint64_t wakeup_granularity_ns = 0;
  std::int64_t nr_latency = 0;
  std::int64_t migration_cost_ns = 500'000;
  std::int64_t nr_migrate = 32;
  std::int64_t hz = 1000;
  std::uint64_t clock_base = 0;
  std::uint64_t vruntime_base = 0;

  /// False: 32-bit words, or a feature or knob that these rules do not restate.
  bool restated = true;

  std::uint64_t credit_ns() const { return gentle_fair_sleepers ? latency_ns / 2 : latency_ns; }
  std::uint64_t clock_at(Instant t) const { return clock_base + static_cast<std::uint64_t>(t.ns); }
  std::int64_t tick_ns() const { return (1'000'000'000 + hz - 1) / hz; }

  std::uint64_t period(std::int64_t runnable) const {
    return runnable > nr_latency ? min_granularity_ns * static_cast<std::uint64_t>(runnable)
                                 : latency_ns;
  }
  /// Slice of an entity of that weight; `runnable` and `load` include it.
  std::uint64_t slice(std::int64_t runnable, std::uint64_t load, std::uint64_t weight) const {
    return exact::scaled(period(runnable), weight, exact::lazy_inverse(load));
  }
  /// Lead that a challenger (or the leftmost) of this row must have.
  std::uint64_t granularity(const exact::WeightRow& challenger) const {
    return exact::fair(wakeup_granularity_ns, challenger);
  }

 private:
  void read_features(const PolicySpec& spec);
  void read_knobs(const PolicySpec& spec);
};

}  // namespace fw::props::cfs
