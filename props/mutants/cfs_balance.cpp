// SPDX-License-Identifier: Apache-2.0
#include "props/mutants/cfs_balance.h"

namespace fw::mutants {

std::span<const Mutant> cfs_balance_mutants() { return {}; }

}  // namespace fw::mutants
