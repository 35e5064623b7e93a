// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Closed sets of tasks that only run: the lag of each stays between -(r + TICK) and
/// max(r, (1-f)*r + f*(q + N*TICK)), f its share, q the longest protected run, in real ns.  Source:
/// solver-hard 3.2 (2b, 2c). Witness: bounded_lag_compared. Mutant: E08_slice_renewed_thrice.
std::unique_ptr<Checker> make_eevdf_lag_bound();

inline constexpr Property eevdf_lag_bound{
    .id = "eevdf_lag_bound",
    .about = "in a closed set each lag stays within the bound proved for late ticks",
    .policy = "eevdf",
    .situation = "bounded_lag_compared",
    .mutant = "E08_slice_renewed_thrice",
    .checker = make_eevdf_lag_bound};

}  // namespace fw::props
