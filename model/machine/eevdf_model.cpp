// SPDX-License-Identifier: Apache-2.0
#include "model/machine/eevdf_model.h"

#include "model/machine/machine.h"
#include "model/policy/eevdf/state.h"

namespace fw::model {

std::unique_ptr<Side> make_eevdf_model(const Setup& setup) {
  return std::make_unique<Machine<Eevdf>>(setup);
}

}  // namespace fw::model
