// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "props/mutants/registry.h"

namespace fw::mutants {

/// Seeded faults of CFS on several CPUs: choice of a CPU, load balancing, and of the simulated machine.
std::span<const Mutant> cfs_balance_mutants();

}  // namespace fw::mutants
