// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A wakeup or fork marks its CPU if and only if sections 14 and 15 say so on the visible state,
/// and its record says the same. Not judged: forks with child_runs_first (the swap marks by
/// itself).
/// Witness: wakeup_test_made. Mutant: W01_preempt_on_nice.
std::unique_ptr<Checker> make_wakeup_preempt();

inline constexpr Property wakeup_preempt{
    .id = "wakeup_preempt",
    .about = "a wakeup preempts if and only if the rule says so",
    .policy = "cfs",
    .situation = "wakeup_test_made",
    .mutant = "W01_preempt_on_nice",
    .checker = make_wakeup_preempt};

}  // namespace fw::props
