// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A task moved by balancing or affinity keeps its distance to its queue's min_vruntime, exactly;
/// of several moves in one stimulus within the moves of the minima. Section 11.4. Out of scope: one
/// CPU.
/// Witness: task_moved. Mutant: P02_vruntime_not_shifted_on_pull.
std::unique_ptr<Checker> make_migration_relative();

inline constexpr Property migration_relative{
    .id = "migration_relative",
    .about = "a moved task keeps its distance to min_vruntime",
    .policy = "cfs",
    .situation = "task_moved",
    .mutant = "P02_vruntime_not_shifted_on_pull",
    .checker = make_migration_relative};

}  // namespace fw::props
