// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "props/mutants/registry.h"

namespace fw::mutants {

/// Seeded faults of CFS on one runqueue: charging, placement, picking, preemption, buddies.
std::span<const Mutant> cfs_fair_mutants();

}  // namespace fw::mutants
