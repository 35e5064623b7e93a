// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

namespace fw::theorem {

/// EEVDF: somebody is always eligible; V is, V + 1 is not; the sum of keys stays within its limit.
/// S(A) is the sum of w k over a set A of entities of total weight P; each query adds one entity.
solver::Obligation eevdf_pick();

}  // namespace fw::theorem
