// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/result.h"

namespace fw::reports {

/// JUnit XML: a suite for each policy with a testcase for each property, one for the required
/// situations, one for the mutants, one for the run itself. Counts are those of the children.
/// Failure texts are cut at 4 kB; what a consumer may drop (suite properties) is repeated in
/// system-out. `failure`: falsified, a mutant that survived, a situation missed in a vacuous run;
/// `error`: the run itself ended without a verdict; `skipped`: outside the scope, or vacuous.
std::string junit(const Result& result);

}  // namespace fw::reports
