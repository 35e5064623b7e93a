// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// What a queue says of itself - W, the weighted sum, V, the number of entities - equals a recount,
/// so that the weighted lags sum to zero within the rounding of V: -W < sum of w*(V - v) <= 0.
/// Sections 2 and 3. Witness: three_lags_summed. Mutant: O06_average_without_running.
std::unique_ptr<Checker> make_eevdf_lag_sum();

inline constexpr Property eevdf_lag_sum{
    .id = "eevdf_lag_sum",
    .about = "weighted lags sum to zero within rounding; a queue's sums equal a recount",
    .policy = "eevdf",
    .situation = "three_lags_summed",
    .mutant = "O06_average_without_running",
    .checker = make_eevdf_lag_sum};

}  // namespace fw::props
