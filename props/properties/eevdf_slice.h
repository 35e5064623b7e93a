// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A task's slice is its clamped request, else the base slice of that many CPUs, at every moment.
/// Sections 1 and 2. Witness: custom_slice_renewed. Mutant: E04_request_not_clamped.
std::unique_ptr<Checker> make_eevdf_slice();

inline constexpr Property eevdf_slice{
    .id = "eevdf_slice",
    .about = "a task's slice is its own clamped request, else the scaled base slice",
    .policy = "eevdf",
    .situation = "custom_slice_renewed",
    .mutant = "E04_request_not_clamped",
    .checker = make_eevdf_slice};

}  // namespace fw::props
