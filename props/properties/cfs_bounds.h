// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "props/properties/cfs_rules.h"
#include "props/properties/cfs_view.h"
#include "props/properties/property.h"
#include "solver/theorem/bounds.h"

namespace fw::props::cfs {

/// The limits and the mix of tasks of a single-queue run, for the bounds' formulas. Nothing where
/// they make no statement: several CPUs, fewer than two tasks, child_runs_first, yields that jump.
struct BoundInputs {
  theorem::CfsLimits limits;
  theorem::CfsMix mix;
};
std::optional<BoundInputs> bound_inputs(const Setup& setup, const Tunables& rules);

/// Follows one queue and says whether a run still lies within the assumptions of bounds.h. Watches
/// also how much single charges rounded up, which the closed formulas leave out.
class ScopeWatch {
 public:
  /// False from the first event on that leaves the scope.
  bool holds(const Moment& moment, const Tunables& rules);

  /// Most that rounding has added to one run between two picks.  Units: vns.
  std::int64_t excess_vns() const { return excess_; }
  /// False once a charge was smaller than the minimum of the wait theorem.
  bool charges_count() const { return charges_count_; }

 private:
  void follow_charge(const Moment& moment, const Tunables& rules);
  static bool stale(const Moment& moment, const Tunables& rules);

  bool inside_ = true;
  bool charges_count_ = true;
  std::int64_t run_excess_ = 0;
  std::int64_t excess_ = 0;
};

}  // namespace fw::props::cfs
