// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "props/properties/eevdf_checker.h"

namespace fw::props::eevdf {

/// How far a task may be behind or ahead of its share of one CPU, real ns.
struct LagBounds {
  std::int64_t behind = 0;
  std::int64_t ahead = 0;
};

/// Whether all tasks start at 0, only run, and never end, renice, move or yield: then each CPU's
/// queue is a closed set. Without NEXT_BUDDY, which lets one pick pass the deadlines over.
bool closed_sets(const Setup& setup, const Tunables& rules);

/// Bounds for one entity of the closed set on its queue, ticks late by up to one tick:
///   behind: max(r, (1-f)*r + f*(q + N*TICK)),  f = w/W,  q = longest protected run
///   ahead:  r + TICK
/// rounded up, the tables' relative error of 2^-16 added.  Source:  solver-hard 3.2, 2b and 2c.
LagBounds lag_bounds(const Tunables& rules, const Book& book, const Entry& entry);

}  // namespace fw::props::eevdf
