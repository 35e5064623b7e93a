// SPDX-License-Identifier: Apache-2.0
#include "model/machine/o1_model.h"

#include "model/machine/machine.h"
#include "model/policy/o1/state.h"

namespace fw::model {

std::unique_ptr<Side> make_o1_model(const Setup& setup) {
  return std::make_unique<Machine<O1>>(setup);
}

}  // namespace fw::model
