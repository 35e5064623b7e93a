// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// No CPU lets time pass idle while a task waits in the global queue. Not judged: workloads with
/// CPU masks. BFS itself breaks it when two tasks come up for the queue at one instant and both are
/// offered to the same idle CPU, which counts as idle until it has switched; such an instant is
/// excused, and all that follow until the queue is empty or no CPU idles.
/// Witness: woken_beside_an_idle_cpu.
std::unique_ptr<Checker> make_bfs_no_idle_waste();

}  // namespace fw::props
