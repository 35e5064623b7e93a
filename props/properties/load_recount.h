// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// nr_running and load of each queue equal a recount over its runnable tasks, the running one
/// included, and each weight is its nice level's. Checked after every event. Invariants 1, 2.
/// Witness: two_runnable_tasks. Mutant: C24_load_kept_at_block.
std::unique_ptr<Checker> make_load_recount();

inline constexpr Property load_recount{.id = "load_recount",
                                       .about = "nr_running, load and weights equal a recount",
                                       .policy = "cfs",
                                       .situation = "two_runnable_tasks",
                                       .mutant = "C24_load_kept_at_block",
                                       .checker = make_load_recount};

}  // namespace fw::props
