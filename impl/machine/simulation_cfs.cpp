// SPDX-License-Identifier: Apache-2.0
#include "impl/cfs/fair.h"
#include "impl/machine/machine.h"

namespace impl {

std::unique_ptr<Simulation> simulate_cfs(Program program,
                                         const MachineConfig& config,
                                         const cfs::Request& request) {
  return std::make_unique<Machine<cfs::FairClass>>(std::move(program), config, request);
}

}  // namespace impl
