// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Each schedule pass picks what section 16 gives over all candidates, for the reason logged; a
/// queue that is not empty always gives a pick. Not judged: passes with a new-idle pull inside.
/// Witness: pick_among_two. Mutant: O01_pick_skips_leftmost.
std::unique_ptr<Checker> make_pick_rule();

inline constexpr Property pick_rule{.id = "pick_rule",
                                    .about = "each pick equals a brute-force choice",
                                    .policy = "cfs",
                                    .situation = "pick_among_two",
                                    .mutant = "O01_pick_skips_leftmost",
                                    .checker = make_pick_rule};

}  // namespace fw::props
