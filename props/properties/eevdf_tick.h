// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A tick marks for a reschedule if and only if another entity is queued and the slice is used up
/// or the protection has ended. Section 4, CHOICE 8. Witness: protection_ended. Mutant:
/// W17_lone_task_marked.
std::unique_ptr<Checker> make_eevdf_tick();

inline constexpr Property eevdf_tick{
    .id = "eevdf_tick",
    .about =
        "a tick marks when the slice or its protection has ended and others are queued, else never",
    .policy = "eevdf",
    .situation = "protection_ended",
    .mutant = "W17_lone_task_marked",
    .checker = make_eevdf_tick};

}  // namespace fw::props
