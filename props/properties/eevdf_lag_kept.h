// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Joining does not change a lag: with the joiner counted, V - v is the stored lag, to 2 vns. Who
/// left owing comes back owing and not eligible. Section 5. Witness: negative_lag_placed. Mutant:
/// E07_debt_forgiven.
std::unique_ptr<Checker> make_eevdf_lag_kept();

inline constexpr Property eevdf_lag_kept{
    .id = "eevdf_lag_kept",
    .about = "the lag after joining is the lag that was stored, whichever its sign",
    .policy = "eevdf",
    .situation = "negative_lag_placed",
    .mutant = "E07_debt_forgiven",
    .checker = make_eevdf_lag_kept};

}  // namespace fw::props
