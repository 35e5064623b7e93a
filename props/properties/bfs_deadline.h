// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A deadline changes only with a full slice, and is then now + D(nice, depth); sleeping and waking
/// change neither; a forked child has its parent's deadline or such a new one. Sections 1, 2, 5
/// and 8. Witness: slice_renewed.
std::unique_ptr<Checker> make_bfs_deadline();

}  // namespace fw::props
