// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Vruntimes of runnable tasks on the queue stay within theorem::cfs_spread_bound. Scope: one CPU,
/// no renice, no jumping yields, no child_runs_first; left at the first placement against a stale
/// minimum.
/// Witness: two_runnable_tasks. Mutant: W34_tick_check_skipped_for_two.
std::unique_ptr<Checker> make_vruntime_spread_bounded();

inline constexpr Property vruntime_spread_bounded{
    .id = "vruntime_spread_bounded",
    .about = "vruntimes of runnable tasks stay within the proved spread",
    .policy = "cfs",
    .situation = "two_runnable_tasks",
    .mutant = "W34_tick_check_skipped_for_two",
    .checker = make_vruntime_spread_bounded};

}  // namespace fw::props
