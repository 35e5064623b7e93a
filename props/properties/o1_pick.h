// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A schedule pass takes the first task of the best priority of the active array; the arrays are
/// switched, and the time stamp is cleared, exactly when the active one is empty; a queue that is
/// not empty always gives a pick. Section 4. Not judged: passes with a pull inside.
/// Witness: arrays_switched.
std::unique_ptr<Checker> make_o1_pick();

}  // namespace fw::props
