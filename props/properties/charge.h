// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A charge adds the elapsed time to sum_exec and exec_clock and its fixed-point image to vruntime,
/// and nothing else does; the time a CPU had a current equals what was charged plus what is still
/// open. Section 7. The vruntime half only for restated specs.
/// Witness: charged. Mutant: C20_charged_twice_at_tick.
std::unique_ptr<Checker> make_charge();

inline constexpr Property charge{.id = "charge",
                                 .about = "CPU time and vruntime grow by exactly what elapsed",
                                 .policy = "cfs",
                                 .situation = "charged",
                                 .mutant = "C20_charged_twice_at_tick",
                                 .checker = make_charge};

}  // namespace fw::props
