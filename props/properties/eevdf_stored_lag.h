// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Whoever leaves a queue keeps the lag it had with itself counted, clamped to the limit; a delayed
/// sleeper dropped at its pick keeps no positive one. Section 3, CHOICE 10 and 15. Witness:
/// lag_at_limit. Mutant: A17_lag_not_clamped.
std::unique_ptr<Checker> make_eevdf_stored_lag();

inline constexpr Property eevdf_stored_lag{
    .id = "eevdf_stored_lag",
    .about = "who leaves keeps its exact lag within the limit",
    .policy = "eevdf",
    .situation = "lag_at_limit",
    .mutant = "A17_lag_not_clamped",
    .checker = make_eevdf_stored_lag};

}  // namespace fw::props
