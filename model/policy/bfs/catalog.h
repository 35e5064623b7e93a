// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/vocab/spec.h"

namespace fw::model {

/// BFS's row of the catalogue: generations, features, knobs, names of its integers.
const PolicyInfo& bfs_info();

}  // namespace fw::model
