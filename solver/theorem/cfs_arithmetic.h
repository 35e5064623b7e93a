// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

/// The fixed-point arithmetic of 2.6.36, weight by weight: the 40 nice levels and SCHED_IDLE.
namespace fw::theorem {

/// fair(d): at least 7/8 of exact from the minimum charge on; at most what bounds.h allows; never
/// less for a longer d. Charges up to 540 s.
solver::Obligation cfs_charge();
/// lazy_inverse() and slice(): the slice is at most what bounds.h allows, and the slices of a queue
/// sum to at most its period.
solver::Obligation cfs_slice();
/// Comparison and placement on the 64-bit ring agree with whole numbers near min_vruntime.
solver::Obligation cfs_ring();

}  // namespace fw::theorem
