// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/vocab/spec.h"

namespace fw::model {

/// CFS's row of the catalogue: versions, features, knobs, names of its integers.
const PolicyInfo& cfs_info();

}  // namespace fw::model
