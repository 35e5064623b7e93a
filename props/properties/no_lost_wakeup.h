// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Every wakeup, start and fork makes its task runnable and leaves an idle target CPU marked; no
/// mark outlives its instant.
/// Witness: wakeup_on_idle_cpu. Mutant: W30_no_mark_on_idle_cpu.
std::unique_ptr<Checker> make_no_lost_wakeup();

inline constexpr Property no_lost_wakeup{
    .id = "no_lost_wakeup",
    .about = "every wakeup makes runnable; an idle CPU is marked; every mark is acted on",
    .policy = "*",
    .situation = "wakeup_on_idle_cpu",
    .mutant = "W30_no_mark_on_idle_cpu",
    .checker = make_no_lost_wakeup};

}  // namespace fw::props
