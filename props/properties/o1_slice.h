// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A tick takes one tick off the running task's slice and sleep average; a slice that is used up is
/// renewed in full, with the priority; a fork halves, an exit gives back at most to the greatest
/// slice; nothing else changes a slice or, but for wakeups, a sleep average. Sections 5 and 6.
/// Witness: slice_renewed.
std::unique_ptr<Checker> make_o1_slice();

}  // namespace fw::props
