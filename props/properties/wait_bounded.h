// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// No task stays queued for longer than theorem::cfs_wait_bound. Scope: as the spread, and a closed
/// task set; left at the first charge below theorem::cfs_least_charge.
/// Witness: task_waited. Mutant: W34_tick_check_skipped_for_two.
std::unique_ptr<Checker> make_wait_bounded();

inline constexpr Property wait_bounded{.id = "wait_bounded",
                                       .about = "no task waits longer than the proved bound",
                                       .policy = "cfs",
                                       .situation = "task_waited",
                                       .mutant = "W34_tick_check_skipped_for_two",
                                       .checker = make_wait_bounded};

}  // namespace fw::props
