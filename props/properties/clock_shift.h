// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Starting clocks and vruntimes elsewhere, also just before 2^63 and 2^64, changes no decision and
/// no logged value. With balancing among several CPUs the clock is shifted only well inside (0,
/// 2^63): two rules there read absolute values.
/// Witness: decisions_compared. Mutant: A28_unsigned_vruntime_compare.
std::unique_ptr<Relation> make_clock_shift();

inline constexpr Property clock_shift{
    .id = "clock_shift",
    .about = "shifting clocks and vruntimes, across 2^63 and 2^64 too, changes no decision",
    .policy = "cfs",
    .situation = "decisions_compared",
    .mutant = "A28_unsigned_vruntime_compare",
    .relation = make_clock_shift};

}  // namespace fw::props
