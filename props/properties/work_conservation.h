// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// No CPU idles across time with a task on its own queue; in the scope stated in the source, none
/// idles beside a queue of two or more for longer than the balancing rules allow. Invariant 17.
/// Witness: idle_beside_crowded_queue. Mutant: L16_busiest_test_reversed.
std::unique_ptr<Checker> make_work_conservation();

inline constexpr Property work_conservation{
    .id = "work_conservation",
    .about = "no CPU idles while a task that it must take waits beyond the stated delay",
    .policy = "cfs",
    .situation = "idle_beside_crowded_queue",
    .mutant = "L16_busiest_test_reversed",
    .checker = make_work_conservation};

}  // namespace fw::props
