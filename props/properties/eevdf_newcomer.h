// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A forked task has no lag: it stands at V of the queue it joins, is eligible there, and owes its
/// first deadline after half a slice (PLACE_DEADLINE_INITIAL from 6.12 on), else a slice.
/// Section 5. Witness: newcomer_beside_others. Mutant: P05_child_placed_on_parents_queue.
std::unique_ptr<Checker> make_eevdf_newcomer();

inline constexpr Property eevdf_newcomer{
    .id = "eevdf_newcomer",
    .about = "a new task starts at the average of its own queue and is eligible",
    .policy = "eevdf",
    .situation = "newcomer_beside_others",
    .mutant = "P05_child_placed_on_parents_queue",
    .checker = make_eevdf_newcomer};

}  // namespace fw::props
