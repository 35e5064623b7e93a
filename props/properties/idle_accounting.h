// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// avg_idle changes only when a wakeup ends an idle period, by section 21.1; idle_stamp is set by a
/// schedule pass only. Out of scope: one CPU, no balancing, a negative migration cost.
/// Witness: idle_period_ended. Mutant: L41_avg_idle_without_cap.
std::unique_ptr<Checker> make_idle_accounting();

inline constexpr Property idle_accounting{.id = "idle_accounting",
                                          .about = "avg_idle and idle_stamp follow their rule",
                                          .policy = "cfs",
                                          .situation = "idle_period_ended",
                                          .mutant = "L41_avg_idle_without_cap",
                                          .checker = make_idle_accounting};

}  // namespace fw::props
