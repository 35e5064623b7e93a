// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Waiting tasks stand by signed vruntime difference, equals in order of arrival, those that stay
/// keep their order, and the cached leftmost is the first. Section 9.
/// Witness: equal_keys_waiting. Mutant: O11_equal_keys_go_left.
std::unique_ptr<Checker> make_tree_order();

inline constexpr Property tree_order{
    .id = "tree_order",
    .about =
        "waiting tasks stand by vruntime, equals first in first out; the cached leftmost "
        "is right",
    .policy = "cfs",
    .situation = "equal_keys_waiting",
    .mutant = "O11_equal_keys_go_left",
    .checker = make_tree_order};

}  // namespace fw::props
