// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "impl/base/core.h"
#include "impl/base/fixed_point.h"

namespace impl::eevdf {

/// Sums of weight times vruntime: 64 bits would limit what a queue may hold.
__extension__ typedef __int128 wide;

/// How real time becomes virtual time.
enum class VdeltaKind : std::uint8_t {
  inverse,  ///< by the 32-bit reciprocals of the table
  full,     ///< by the weight itself, as kernels from 7.1 on do
};

/// The weight of a task of that nice and policy, as averages use it (the kernel stores 1024 times
/// as much), and its literal reciprocal. Source: eevdf-semantics section 2.
LoadWeight weight_of(int nice, TaskPolicy policy);

/// Virtual time that `delta` ns cost an entity of that weight.
/// Rounds:  down; `inverse` loses the low bits of the reciprocal, too.
/// Source:  eevdf-semantics sections 2 and 5b.
u64 vdelta(u64 delta, const LoadWeight& load, VdeltaKind kind);

/// value * times / by, toward zero, without overflow in between.
i64 scale_toward_zero(i64 value, i64 times, i64 by);

}  // namespace impl::eevdf
