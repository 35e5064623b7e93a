// SPDX-License-Identifier: Apache-2.0
#include "props/mutants/cfs_fair.h"

namespace fw::mutants {

std::span<const Mutant> cfs_fair_mutants() { return {}; }

}  // namespace fw::mutants
