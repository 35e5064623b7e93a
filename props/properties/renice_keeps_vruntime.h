// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A renice charges the running task at its old weight and leaves vruntime, CPU and state alone.
/// Section 2; simulator page D3.
/// Witness: renice. Mutant: O17_renice_places_anew.
std::unique_ptr<Checker> make_renice_keeps_vruntime();

inline constexpr Property renice_keeps_vruntime{
    .id = "renice_keeps_vruntime",
    .about = "a renice charges at the old weight and leaves vruntime alone",
    .policy = "cfs",
    .situation = "renice",
    .mutant = "O17_renice_places_anew",
    .checker = make_renice_keeps_vruntime};

}  // namespace fw::props
