// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Renaming tasks and shared objects, in reverse alphabetical order, changes no decision.
/// Witness: decisions_compared. Mutant: O18_wake_order_by_name.
std::unique_ptr<Relation> make_rename();

inline constexpr Property rename{.id = "rename",
                                 .about = "new names of tasks and locks change nothing",
                                 .policy = "cfs",
                                 .situation = "decisions_compared",
                                 .mutant = "O18_wake_order_by_name",
                                 .relation = make_rename};

}  // namespace fw::props
