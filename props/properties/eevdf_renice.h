// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A change of weight keeps the lag's worth: v is V less the clamped lag times w/w', inflated; the
/// deadline follows as the version says. So there and back is the identity within rounding. Section
/// 5 (a). Witness: reweighted_while_queued. Mutant: P16_lag_kept_at_renice.
std::unique_ptr<Checker> make_eevdf_renice();

inline constexpr Property eevdf_renice{
    .id = "eevdf_renice",
    .about =
        "a change of weight keeps the weighted lag and rescales the deadline as the version says",
    .policy = "eevdf",
    .situation = "reweighted_while_queued",
    .mutant = "P16_lag_kept_at_renice",
    .checker = make_eevdf_renice};

}  // namespace fw::props
