// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A tick marks its CPU if and only if section 13 says so: slice used up, or too far right of the
/// leftmost, with the 64-bit unsigned comparison where it is on.
/// Witness: tick_with_waiters. Mutant: W06_slice_weighted_twice.
std::unique_ptr<Checker> make_tick_preempt();

inline constexpr Property tick_preempt{.id = "tick_preempt",
                                       .about = "a tick preempts if and only if the rule says so",
                                       .policy = "cfs",
                                       .situation = "tick_with_waiters",
                                       .mutant = "W06_slice_weighted_twice",
                                       .checker = make_tick_preempt};

}  // namespace fw::props
