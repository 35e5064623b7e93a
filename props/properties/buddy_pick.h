// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Whoever is picked lies at most the wakeup granularity, scaled by the leftmost's weight, to the
/// right of the leftmost. Section 16.
/// Witness: picked_beside_leftmost. Mutant: B02_buddy_lead_unlimited.
std::unique_ptr<Checker> make_buddy_pick();

inline constexpr Property buddy_pick{
    .id = "buddy_pick",
    .about = "a picked buddy is within the granularity of the leftmost",
    .policy = "cfs",
    .situation = "picked_beside_leftmost",
    .mutant = "B02_buddy_lead_unlimited",
    .checker = make_buddy_pick};

}  // namespace fw::props
