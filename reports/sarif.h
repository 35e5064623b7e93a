// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/result.h"

namespace fw::reports {

/// SARIF 2.1.0: one rule for each property, one result for each failure, located at its case file,
/// with the failure signature as partial fingerprint and the chain of picks and the last decisions
/// as code flow. Within GitHub's limits: 5,000 results, 1,000 steps a flow; what was left out is in
/// the notifications, as are the notes and the situations never reached.
std::string sarif(const Result& result);

}  // namespace fw::reports
