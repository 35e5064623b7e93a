// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Setting nice and mask to their present values changes no decision. Simulator page B7.
/// Witness: decisions_compared. Mutant: W15_noop_renice_acts.
std::unique_ptr<Relation> make_noop_change();

inline constexpr Property noop_change{
    .id = "noop_change",
    .about = "setting an attribute to its present value changes nothing",
    .policy = "cfs",
    .situation = "decisions_compared",
    .mutant = "W15_noop_renice_acts",
    .relation = make_noop_change};

}  // namespace fw::props
