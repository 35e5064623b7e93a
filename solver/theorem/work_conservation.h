// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

namespace fw::theorem {

/// A round of balancing in which each CPU, one after another, may take a task from one with at
/// least two more, and an idle one must if anybody has two: afterwards no CPU is idle while
/// another has two. For any number of CPUs; nobody comes or goes during the round.
solver::Obligation work_conservation_round();

}  // namespace fw::theorem
