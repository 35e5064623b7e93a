// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/vocab/spec.h"

namespace fw::model {

/// The O(1) scheduler's row of the catalogue: versions, knobs, names of its integers.
const PolicyInfo& o1_info();

}  // namespace fw::model
