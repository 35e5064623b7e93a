// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

/// Spread of the vruntimes of runnable tasks, literal update order of 2.6.36 with the gap rule.
namespace fw::theorem {

solver::Obligation cfs_spread_plain();
solver::Obligation cfs_spread_buddies();
solver::Obligation cfs_spread_forks_debit();
solver::Obligation cfs_spread_forks_no_debit();
/// Without the gap rule: five legal events add a whole budget to the spread, for ever.
solver::Obligation cfs_spread_without_gap();
/// DYN_MIN_VRUNTIME, given how far min_vruntime can lead.
solver::Obligation cfs_dyn_spread();

}  // namespace fw::theorem
