// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// The hint (NEXT_BUDDY) names a queued entity of its CPU that is not delayed, and only wakeups set
/// it. CHOICE 17 and 18. Witness: hint_waiting. Mutant: B12_hint_kept_when_picked.
std::unique_ptr<Checker> make_eevdf_hint();

inline constexpr Property eevdf_hint{
    .id = "eevdf_hint",
    .about = "the buddy hint names a queued entity that is not asleep",
    .policy = "eevdf",
    .situation = "hint_waiting",
    .mutant = "B12_hint_kept_when_picked",
    .checker = make_eevdf_hint};

}  // namespace fw::props
