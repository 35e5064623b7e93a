// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "solver/check/verdict.h"

namespace fw::solver {

/// Writes `certificate.tsv` beside an obligation's SMT-LIB files: what each file must be answered,
/// and what each solver answered, in how many seconds. Comment lines name the theorem, the verdict
/// and the solvers' versions. ci/recheck reads it and needs nothing else of this project.
/// Errors: a file that cannot be written.
Outcome<Done> write_certificate(const std::string& folder,
                                const std::string& name,
                                const std::string& verdict,
                                const Obligation& obligation,
                                const Judgement& judgement,
                                const std::vector<Solver>& solvers);

}  // namespace fw::solver
