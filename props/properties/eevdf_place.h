// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A task that joins a queue is placed at V less its inflated lag, and gets the deadline that the
/// version gives. Section 5, CHOICE 12. Witness: positive_lag_placed. Mutant: E06_lag_not_inflated.
std::unique_ptr<Checker> make_eevdf_place();

inline constexpr Property eevdf_place{
    .id = "eevdf_place",
    .about = "a joining task's v and deadline are those of the placement rule",
    .policy = "eevdf",
    .situation = "positive_lag_placed",
    .mutant = "E06_lag_not_inflated",
    .checker = make_eevdf_place};

}  // namespace fw::props
