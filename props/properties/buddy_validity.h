// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// next and last name runnable tasks of this queue, never of the idle class; they are set by
/// sections 14.1 and 14.2 only, and end by a pick, a dequeue, a yield or a used-up slice of their
/// task only. Section 16.
/// Witness: buddy_nominated. Mutant: B08_buddy_kept_when_picked.
std::unique_ptr<Checker> make_buddy_validity();

inline constexpr Property buddy_validity{
    .id = "buddy_validity",
    .about = "buddies name runnable tasks of their queue and come and go by the rule",
    .policy = "cfs",
    .situation = "buddy_nominated",
    .mutant = "B08_buddy_kept_when_picked",
    .checker = make_buddy_validity};

}  // namespace fw::props
