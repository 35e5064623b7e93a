// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/vocab/result.h"
#include "props/run/campaign.h"

namespace fw::run {

/// Most discards that a campaign may have, as part of its cases.
inline constexpr double largest_discard_share = 0.20;

/// Adds the totals of one policy's cases to a result: cases, events, the property rows, the
/// required situations. A property falsified by a failure that `result.failures` holds is marked
/// so.
void add_to_result(Result& result,
                   const PolicyRow& row,
                   const std::string& spec,
                   const CampaignTotals& totals);

/// The statuses that follow from what a result holds: falsified, vacuous (nothing ran, too many
/// discards and, if `must_reach`, a required situation that was not met).
void conclude(Result& result, bool must_reach);

}  // namespace fw::run
