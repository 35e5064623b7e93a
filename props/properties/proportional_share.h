// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// CPU time over weight differs between hogs that all run from time 0 by at most the spread bound
/// and the rounding of their charges. Looks at CPU time only. Scope: as the spread; at least two
/// hogs.
/// Witness: two_hogs_compared. Mutant: A11_inverse_digit_dropped.
std::unique_ptr<Checker> make_proportional_share();

inline constexpr Property proportional_share{
    .id = "proportional_share",
    .about = "hogs get CPU time in proportion to their weights",
    .policy = "cfs",
    .situation = "two_hogs_compared",
    .mutant = "A11_inverse_digit_dropped",
    .checker = make_proportional_share};

}  // namespace fw::props
