// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cfs_model.h"

#include "model/machine/machine.h"
#include "model/policy/cfs/state.h"

namespace fw::model {

std::unique_ptr<Side> make_cfs_model(const Setup& setup) {
  return std::make_unique<Machine<Cfs>>(setup);
}

}  // namespace fw::model
