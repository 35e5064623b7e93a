// SPDX-License-Identifier: Apache-2.0
#include "model/machine/bfs_model.h"

#include "model/machine/machine.h"
#include "model/policy/bfs/state.h"

namespace fw::model {

std::unique_ptr<Side> make_bfs_model(const Setup& setup) {
  return std::make_unique<Machine<Bfs>>(setup);
}

}  // namespace fw::model
