// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/reduce/search.h"

/// The steps of a reduction. Each gives whether it made the case better.
namespace fw::reduce {

/// Ends the run just after the failure.
bool cut_horizon(Search& search);
/// Tasks, then whole users of a lock (condition, ...), phases, single events.
bool remove_pieces(Search& search);
/// Loops to 1 or a few rounds, and written out where that lets events go.
bool simplify_loops(Search& search);
/// Everything that deviates from a default: features, knobs, nice, class, affinity, delay, ...
bool drop_deviations(Search& search);
/// Fewer CPUs.
bool shrink_topology(Search& search);
/// Lengths of time to 1 ms or the nearest round number.
bool round_amounts(Search& search);
/// What is left over, number by number, as far as the calls for fine tuning go.
bool tune_numbers(Search& search);

/// Sentences on what does not matter for the failure, tried on the reduced case.
std::vector<std::string> irrelevance_notes(Search& search);

}  // namespace fw::reduce
