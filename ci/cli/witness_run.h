// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ci/cli/command.h"
#include "model/vocab/case.h"
#include "solver/theorem/witness.h"

namespace fw::cli {

/// A witness of a theorem replayed on model and implementation.
struct WitnessRun {
  bool agreed = false;        ///< lockstep held and both measured the same
  std::string trouble;        ///< why not
  std::int64_t measured = 0;  ///< at the witness's own number of rounds
  std::int64_t doubled = 0;   ///< at twice as many, for a family
  bool grows = false;         ///< the difference is exactly what the family says
  Case kase;                  ///< the run, to be kept
};

/// Runs it; nothing is printed. `workload`: gives the rt-app text for a number of rounds; none: the
/// witness's own text.
WitnessRun run_witness(const theorem::Witness& witness,
                       const Program& program,
                       const std::function<std::string(int)>& workload = {});

}  // namespace fw::cli
