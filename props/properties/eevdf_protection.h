// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Slice protection is set when an entity becomes current - up to its deadline, or by the least
/// slice queued - and changes at nothing but a pick, a renice and a preemption test. Section 4,
/// CHOICE 16. Witness: protection_below_slice. Mutant: P21_protection_set_by_own_slice.
std::unique_ptr<Checker> make_eevdf_protection();

inline constexpr Property eevdf_protection{
    .id = "eevdf_protection",
    .about = "slice protection is set as the version says, and by nothing else",
    .policy = "eevdf",
    .situation = "protection_below_slice",
    .mutant = "P21_protection_set_by_own_slice",
    .checker = make_eevdf_protection};

}  // namespace fw::props
