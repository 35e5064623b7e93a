// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "model/vocab/result.h"
#include "props/mutants/registry.h"
#include "props/run/campaign.h"

namespace fw::run {

struct MutantOptions {
  std::uint64_t seed = 1;
  Duration limit{30'000'000'000};          ///< to kill one mutant
  Duration blind_limit{5'000'000'000};     ///< to kill it with lockstep off
  Duration reduce_budget{10'000'000'000};  ///< to shrink its case
  int jobs = 1;
  bool without_lockstep = true;  ///< also try with lockstep off
  std::string directory;         ///< minimized cases are kept here; empty: nowhere
};

/// Hunts one seeded fault (already planted): with everything on, then with lockstep off; shrinks
/// the first case that shows it.
MutantResult hunt(const PolicyRow& row,
                  const mutants::Mutant& mutant,
                  const MutantOptions& options);

}  // namespace fw::run
