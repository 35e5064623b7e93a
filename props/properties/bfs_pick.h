// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// Each schedule pass takes what a brute-force scan of the global queue gives: the better class,
/// then the least deadline with its distance, the longest queued among equals; generation J: the
/// first whose deadline has passed. A former task that still runs goes on if nobody waits.
/// Section 4. Not judged: workloads with CPU masks. Witness: pick_among_two.
std::unique_ptr<Checker> make_bfs_pick();

/// The same checker, counting the picks that generation J decides by an expired deadline.
/// Witness: fifo_deadline_scan.
std::unique_ptr<Checker> make_bfs_pick_expired();

}  // namespace fw::props
