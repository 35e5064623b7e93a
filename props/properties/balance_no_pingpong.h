// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A pull takes a waiting task from a queue of at least two to the balancing CPU; with one level,
/// equal weights and no affinity at most half the difference moves, rounded up. Invariants 16, 18
/// as far as 2.6.36 keeps them.
/// Witness: task_pulled. Mutant: A24_imbalance_underflow.
std::unique_ptr<Checker> make_balance_no_pingpong();

inline constexpr Property balance_no_pingpong{
    .id = "balance_no_pingpong",
    .about = "a pull takes a waiting task of a crowded queue, and at most half the difference",
    .policy = "cfs",
    .situation = "task_pulled",
    .mutant = "A24_imbalance_underflow",
    .checker = make_balance_no_pingpong};

}  // namespace fw::props
