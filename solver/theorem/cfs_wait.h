// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

/// How long a queued task waits, in exact integers.
namespace fw::theorem {

/// A closed set of tasks.
solver::Obligation cfs_wait();
/// What buddies alone add while the task is leftmost.
solver::Obligation cfs_buddy_delay();
/// Children without a debit: a fork and the child's run leave everything as it was.
solver::Obligation cfs_wait_forks_no_debit();
/// The wait under an endless stream of forks, START_DEBIT on, a bounded number of slots.
solver::Obligation cfs_wait_forks_debit();

}  // namespace fw::theorem
