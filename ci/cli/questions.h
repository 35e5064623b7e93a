// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/vocab/result.h"
#include "reports/extra.h"

namespace fw::cli {

/// Fills what the page of results says beside a theorem: aspect, switches, the papers' bound.
void place_on_page(const ObligationResult& of, reports::ProofFacts& facts);

/// The five questions of the published experiments, answered by whatever theorems of the result
/// speak about them; a question without one is said to be open.
std::vector<reports::Answer> answers_of(const Result& result);

}  // namespace fw::cli
