// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/vocab/spec.h"

namespace fw::model {

/// EEVDF's row of the catalogue: versions, features, knobs, names of its integers.
const PolicyInfo& eevdf_info();

}  // namespace fw::model
