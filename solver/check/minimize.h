// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/check/verdict.h"

namespace fw::solver {

/// Whether a proof rests on one of its assumptions.
struct Need {
  enum class Verdict {
    needed,      ///< a query has a counterexample without it
    not_needed,  ///< every query that states it is proved without it, by every solver
    undecided    ///< some solver gave no answer, and none a counterexample
  };
  std::string assumption;
  Verdict verdict = Verdict::undecided;
  int queries = 0;  ///< that state it
  int lost = 0;     ///< of them: with a counterexample without it
};
std::string need_word(Need::Verdict verdict);

/// Leaves every assumption out by itself. An assumption that no query states (it is about how the
/// theorem is used) is not in the answer.
/// Errors: files that cannot be written.
Outcome<std::vector<std::vector<Need>>> minimize_assumptions(
    const std::vector<std::pair<std::string, Obligation>>& obligations,
    const std::vector<Solver>& solvers,
    const DischargeOptions& options);

}  // namespace fw::solver
