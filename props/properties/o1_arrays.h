// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A bit of a bitmap is set if and only if the list of that priority holds a task, the counters
/// equal a recount, waiting tasks stand by array and priority, and who joins a list stands behind
/// those that were in it. Section 3.
/// Witness: both_arrays_filled.
std::unique_ptr<Checker> make_o1_arrays();

}  // namespace fw::props
