// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

namespace fw::theorem {

/// START_NICE: what one run can gain while its task is expensive, in time of nice 0: at most
/// R + min(R, window + tick), the charge that crosses the window's end being booked doubly; with v2
/// R + min(R, window). Armed again in the run: at most 2R.
solver::Obligation cfs_start_nice();

}  // namespace fw::theorem
