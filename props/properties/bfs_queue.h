// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// The global queue holds exactly the waiting tasks, each once, SCHED_IDLE ones behind all others;
/// who joins stands behind those of his class that wait, and nobody overtakes. Sections 1 and 3.
/// Witness: two_waiting.
std::unique_ptr<Checker> make_bfs_queue();

}  // namespace fw::props
