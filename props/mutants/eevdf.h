// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "props/mutants/registry.h"

namespace fw::mutants {

/// Seeded faults of EEVDF. Ids beginning with E are this project's own, the others rows of the
/// catalogue of real faults.
std::span<const Mutant> eevdf_mutants();

}  // namespace fw::mutants
