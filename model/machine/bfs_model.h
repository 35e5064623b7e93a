// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/vocab/side.h"

namespace fw::model {

/// The reference model of BFS, ready for its first advance(). A workload that cannot run on this
/// machine is the side's fault().
std::unique_ptr<Side> make_bfs_model(const Setup& setup);

}  // namespace fw::model
