// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// min_vruntime never goes back; where it moves, or a tick or departure makes an update due, it
/// equals max(old, min(current, leftmost)). Section 8. Out of scope of the second half: specs whose
/// charges are not restated.
/// Witness: min_vruntime_moved. Mutant: O05_min_follows_current_only.
std::unique_ptr<Checker> make_min_vruntime_monotone();

inline constexpr Property min_vruntime_monotone{
    .id = "min_vruntime_monotone",
    .about = "min_vruntime never goes back and moves by its definition only",
    .policy = "cfs",
    .situation = "min_vruntime_moved",
    .mutant = "O05_min_follows_current_only",
    .checker = make_min_vruntime_monotone};

}  // namespace fw::props
