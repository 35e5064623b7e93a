// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Waiting tasks stand by deadline (6.6: by vruntime), equals in order of arrival. CHOICE 11.
/// Witness: equal_keys_in_queue. Mutant: E12_equal_keys_reversed.
std::unique_ptr<Checker> make_eevdf_order();

inline constexpr Property eevdf_order{
    .id = "eevdf_order",
    .about = "waiting tasks stand in the version's order, equals first in first out",
    .policy = "eevdf",
    .situation = "equal_keys_in_queue",
    .mutant = "E12_equal_keys_reversed",
    .checker = make_eevdf_order};

}  // namespace fw::props
