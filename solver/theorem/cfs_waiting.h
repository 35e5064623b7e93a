// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "solver/engine/induction.h"

/// One task B that waits on a CFS runqueue, while any number of others run, sleep and wake: what
/// each of them can run meanwhile, in exact integers. r(x) and wl(x) are the virtual and the wall
/// time that x has run since B was queued; F(x, r) is the most wall time that r of virtual time can
/// stand for, known by two facts only (each proved per weight, cfs_charge): it grows with r, and a
/// charge of d ns that adds q adds at least d to it.
namespace fw::theorem {

struct CfsWaitingOptions {
  /// B is the leftmost task and nobody is placed left of it: what buddies alone can add.
  bool leftmost = false;
  /// A step of the virtual clock that is not a legal charge (drops F's second fact).
  bool free_charges = false;
  std::uint64_t deeper_credit = 0;
  std::uint64_t longer_run = 0;
  std::uint64_t wider_pick = 0;
};

/// Conclusion `share`: wl(x) <= F(x, Q) + R(x) with Q = v(B) + g - floor, floor being base - th (or
/// v(B) itself when B is leftmost).
solver::System cfs_waiting(const CfsWaitingOptions& options);

}  // namespace fw::theorem
