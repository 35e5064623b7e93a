// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Every runnable task is on a CPU of its mask, after every event. Out of scope: one CPU, workloads
/// without masks, task names defined twice. Invariant 4.
/// Witness: migration_or_mask_change. Mutant: R14_wakeup_ignores_affinity.
std::unique_ptr<Checker> make_affinity();

inline constexpr Property affinity{.id = "affinity",
                                   .about = "tasks are queued and run on allowed CPUs only",
                                   .policy = "*",
                                   .situation = "migration_or_mask_change",
                                   .mutant = "R14_wakeup_ignores_affinity",
                                   .checker = make_affinity};

}  // namespace fw::props
