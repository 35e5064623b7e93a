// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/check/verdict.h"
#include "solver/exact/explicit_queue.h"

/// Engines beside the induction: they advise, and only what can be checked again counts.
namespace fw::exact {

struct Opinion {
  std::string engine;   ///< `spacer`, `bmc`, `explicit`
  std::string about;    ///< the instance
  std::string verdict;  ///< in words
  bool agrees = false;  ///< with the bound it was asked about
  bool decided = false;
  double seconds = 0;
  std::vector<CfsEvent> run;  ///< of a bounded run that was found
};

/// Spacer looks for an invariant that implies the bound. It counts when the invariant is proved
/// again, by induction, in both solvers. "unsafe" is not believed: only a replayed run refutes.
Outcome<Opinion> ask_spacer(const ExplicitQueue& queue,
                            std::int64_t bound,
                            const std::vector<solver::Solver>& solvers,
                            const solver::DischargeOptions& options);

/// The shortest run of at most `most_steps` events in which the spread reaches `spread`.
/// Agrees: a run was found (the bound `spread` is attained, or one below it broken).
Outcome<Opinion> ask_bmc(const ExplicitQueue& queue,
                         std::int64_t spread,
                         int most_steps,
                         const std::vector<solver::Solver>& solvers,
                         const solver::DischargeOptions& options);

}  // namespace fw::exact
