// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Each schedule pass picks what the pick rule gives over all queued entities, after dropping the
/// delayed ones it meets, for the reason logged. Section 4, CHOICE 14 and 15. Where a delayed
/// sleeper and a waiting task have the same deadline, either order is taken. Witness:
/// earlier_deadline_not_eligible. Mutant: O01_search_stops_at_ineligible.
std::unique_ptr<Checker> make_eevdf_pick();

inline constexpr Property eevdf_pick{
    .id = "eevdf_pick",
    .about =
        "each pick is the earliest eligible deadline by brute force, with the version's exceptions",
    .policy = "eevdf",
    .situation = "earlier_deadline_not_eligible",
    .mutant = "O01_search_stops_at_ineligible",
    .checker = make_eevdf_pick};

}  // namespace fw::props
