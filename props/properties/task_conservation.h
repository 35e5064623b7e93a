// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Each live task is the current of one CPU, waits once in one queue, or is blocked; ids come by
/// fork or start and go by exit. Checked after every event. Invariants 3, 4.
/// Witness: two_runnable_tasks. Mutant: B12_buddy_left_at_dequeue.
std::unique_ptr<Checker> make_task_conservation();

inline constexpr Property task_conservation{
    .id = "task_conservation",
    .about = "each live task is in exactly one place; ids come by fork or start and go by exit",
    .policy = "*",
    .situation = "two_runnable_tasks",
    .mutant = "B12_buddy_left_at_dequeue",
    .checker = make_task_conservation};

}  // namespace fw::props
