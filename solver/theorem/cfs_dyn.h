// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine/obligation.h"

/// DYN_MIN_VRUNTIME: min_vruntime moves with the average and may pass the leftmost task.
namespace fw::theorem {

/// How far. For a set S of runnable tasks let X(S) be the sum of w (m - v) over it, P its weight,
/// b(S) any numbers with
///   (P + w_c) b(S) >= P (b(S + c) + w_c (U_c + g)),  b(S + j) >= b(S) + w_j th,  b(S) >= P th.
/// Then X(S) <= b(S) always, and w_i (m - v_i) <= b({i}). Each query names the sets it needs and
/// takes their sums as numbers.
solver::Obligation cfs_dyn_lead();

/// The same in the kernel's own integers: for some loads every charge moves the minimum further
/// than the average.
solver::Obligation cfs_dyn_lead_kernel();

}  // namespace fw::theorem
