// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// By the queue's own V somebody is eligible whenever somebody is queued, and a schedule pass over
/// a runnable task never leaves its CPU idle. Section 3. Witness: pick_from_several. Mutant:
/// E01_equal_lags_not_eligible.
std::unique_ptr<Checker> make_eevdf_eligible_exists();

inline constexpr Property eevdf_eligible_exists{
    .id = "eevdf_eligible_exists",
    .about = "somebody is always eligible, and a queue with runnable tasks gives a pick",
    .policy = "eevdf",
    .situation = "pick_from_several",
    .mutant = "E01_equal_lags_not_eligible",
    .checker = make_eevdf_eligible_exists};

}  // namespace fw::props
