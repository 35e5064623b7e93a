// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "solver/engine/induction.h"

/// One task B that waits on a CFS runqueue while others run, sleep, wake, exit and fork without
/// end, with START_DEBIT. A "task" x of the sort is here a slot: a place that one task after
/// another occupies, so that any number of births is covered as long as so many live at a time.
/// Since B was queued: r(x), wl(x) are what the occupants of x have run, virtual and wall; e(x) is
/// the number of births in x times (vs - g), vs being the least debit; l(x) the same number times
/// (U + g - vs), what births give back. H(x, e) is how much can be given back within an advance e.
namespace fw::theorem {

struct CfsForkingOptions {
  std::uint64_t deeper_credit = 0;
  std::uint64_t longer_run = 0;
  std::uint64_t wider_pick = 0;
  std::uint64_t smaller_debit = 0;
  /// H is not told what a birth gives back.
  bool free_births = false;
};

/// Conclusion `share`: wl(x) <= F(x, Q + H(x, v(B) + g - base)) + R(x), Q = v(B) + g - base + th.
solver::System cfs_forking(const CfsForkingOptions& options);

}  // namespace fw::theorem
