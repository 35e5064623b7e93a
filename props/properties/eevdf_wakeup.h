// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A task that wakes, starts, is forked or moves in marks its CPU if and only if section 5's test
/// says so. CHOICE 17. Witness: wakeup_preempts. Mutant: W16_ineligible_runner_forced_off.
std::unique_ptr<Checker> make_eevdf_wakeup();

inline constexpr Property eevdf_wakeup{
    .id = "eevdf_wakeup",
    .about = "a wakeup marks its CPU exactly when the preemption test says so",
    .policy = "eevdf",
    .situation = "wakeup_preempts",
    .mutant = "W16_ineligible_runner_forced_off",
    .checker = make_eevdf_wakeup};

}  // namespace fw::props
