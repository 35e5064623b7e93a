// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/vocab/workload.h"

namespace fw::gen {

/// The workload with each task's start put off by its own random amount: repeats of a deterministic
/// run that differ as repeats on a machine do, in phase. Seed 0 changes nothing.
/// Range:    whole microseconds, 0 to `most` both included.
Workload jitter(Workload workload, std::uint64_t seed, Duration most);

}  // namespace fw::gen
