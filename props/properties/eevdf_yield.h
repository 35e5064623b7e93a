// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A yield pushes the deadline by a slice; where it forfeits, an eligible task also moves to its
/// deadline and one that is not changes nothing. Alone it does nothing. Section 1 and CHOICE 22.
/// Witness: yield_beside_others. Mutant: W35_yield_pays_when_not_eligible.
std::unique_ptr<Checker> make_eevdf_yield();

inline constexpr Property eevdf_yield{
    .id = "eevdf_yield",
    .about = "a yield gives up what the version says, and no more",
    .policy = "eevdf",
    .situation = "yield_beside_others",
    .mutant = "W35_yield_pays_when_not_eligible",
    .checker = make_eevdf_yield};

}  // namespace fw::props
