// SPDX-License-Identifier: Apache-2.0
#include "impl/eevdf/eevdf.h"
#include "impl/machine/machine.h"

namespace impl {

std::unique_ptr<Simulation> simulate_eevdf(Program program,
                                           const MachineConfig& config,
                                           const eevdf::Request& request) {
  return std::make_unique<Machine<eevdf::EevdfClass>>(std::move(program), config, request);
}

}  // namespace impl
