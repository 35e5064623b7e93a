// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "solver/engine/induction.h"

/// One CFS runqueue as a transition system for any number of tasks, in the update order of 2.6.36:
/// a charge and a dequeue refresh min_vruntime (the dequeued current still counts), an enqueue does
/// not. Placement, minimum, charge and pick are the rules of model/rules/cfs.h on terms. A pick may
/// happen at any time, which covers ticks, wakeup preemption and yields at once.
namespace fw::theorem {

/// Which queue, and what a negative control changes about it.
struct CfsQueueOptions {
  bool buddies = true;  ///< false: the pick is the leftmost task, g = 0
  bool forks = false;
  bool debit = true;  ///< START_DEBIT; only with forks
  /// DYN_MIN_VRUNTIME, given that min_vruntime leads runnable tasks by at most D. The invariant is
  /// then about the lower of the leftmost and the effective minimum less th, and the only
  /// conclusion is `spread`, at most S.
  bool dynamic = false;
  // Changes that must break a proof.
  std::uint64_t deeper_credit = 0;  ///< woken tasks placed that much further left
  std::uint64_t longer_run = 0;     ///< runs that much beyond the budget
  std::uint64_t wider_pick = 0;     ///< buddies that much too far right
  std::uint64_t larger_debit = 0;   ///< children that much beyond the budget
};

/// Invariant: vruntimes of all tasks, asleep too, lie at most g + U(x) above the effective minimum
/// (the greater of min_vruntime and the leftmost), those of runnable tasks at least at
/// min_vruntime - th. Conclusions: `spread` (any two runnable tasks), `pair` (with the budget of
/// the one ahead), `queueing` (what the wait theorem starts from).
solver::System cfs_queue(const CfsQueueOptions& options);

/// The special cases that the events must cover, as vacuity checks: alone and in company, the last
/// task that leaves, wakeups on an idle CPU, picks while min_vruntime is stale.
std::vector<solver::Query> cfs_queue_cases(const solver::System& system);

}  // namespace fw::theorem
