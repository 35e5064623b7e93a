// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

/// Rules of 2.6.36 that no bound rests on, each with the fact that it is there for.
namespace fw::theorem {

/// tick_verdict(): a task keeps the CPU until it has run more than its slice, and not longer.
solver::Obligation cfs_tick();
/// granularity(): at least 7/8 of the wakeup granularity in the challenger's virtual time.
solver::Obligation cfs_granularity();
/// scaled() on 64-bit words: no product wraps up to the longest charge, each weight.
solver::Obligation cfs_word();
/// decayed_load(): between old and new, and strictly falling on an idle CPU.
solver::Obligation cfs_load_history();
/// idle_average(): never above twice the migration cost.
solver::Obligation cfs_idle_average();
/// imbalance(): at most one task, or what the busiest group is above the average.
solver::Obligation cfs_imbalance();

}  // namespace fw::theorem
