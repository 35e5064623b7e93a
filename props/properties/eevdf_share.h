// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Closed sets of tasks that only run: CPU time alone, no vruntime - each task's total differs from
/// its weight's share of the queue's total by no more than its lag bound. Source: solver-hard 3.2.
/// Witness: shares_compared. Mutant: E09_weight_ignored_in_vtime.
std::unique_ptr<Checker> make_eevdf_share();

inline constexpr Property eevdf_share{.id = "eevdf_share",
                                      .about = "CPU time is shared by weight within the lag bounds",
                                      .policy = "eevdf",
                                      .situation = "shares_compared",
                                      .mutant = "E09_weight_ignored_in_vtime",
                                      .checker = make_eevdf_share};

}  // namespace fw::props
