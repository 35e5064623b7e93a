// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// The child is placed by sections 10 and 17, recomputed from the state before: parent charged, one
/// virtual slice behind the minimum (START_DEBIT), never ahead of its parent, swap, carried to the
/// queue it starts on.
/// Witness: fork. Mutant: P07_child_without_max_of_parent.
std::unique_ptr<Checker> make_fork_placement();

inline constexpr Property fork_placement{.id = "fork_placement",
                                         .about = "a child is placed by the rule, to the last vns",
                                         .policy = "cfs",
                                         .situation = "fork",
                                         .mutant = "P07_child_without_max_of_parent",
                                         .checker = make_fork_placement};

}  // namespace fw::props
