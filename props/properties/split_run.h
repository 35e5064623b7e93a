// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Cutting each run of a program in two changes no decision.
/// Witness: decisions_compared. Mutant: S11_reschedule_at_run_boundary.
std::unique_ptr<Relation> make_split_run();

inline constexpr Property split_run{.id = "split_run",
                                    .about = "cutting a run in two changes nothing",
                                    .policy = "cfs",
                                    .situation = "decisions_compared",
                                    .mutant = "S11_reschedule_at_run_boundary",
                                    .relation = make_split_run};

}  // namespace fw::props
