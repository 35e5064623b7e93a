// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "impl/base/core.h"
#include "impl/base/fixed_point.h"

namespace impl::cfs {

/// How delta * weight / load is computed: it differs by machine word and by kernel age.
enum class Arithmetic : std::uint8_t {
  word64,  ///< 2.6.x on a 64-bit machine
  word32,  ///< 2.6.x on a 32-bit machine: results saturate at 2^31 - 1
  floor,   ///< 6.1: rounds down, plain reciprocals
};

u64 calc_delta_word32(u64 delta, u64 weight, LoadWeight& load);
u64 calc_delta_floor(u64 delta, u64 weight, LoadWeight& load);

/// delta * weight / load. Fills the load's reciprocal when it is missing.
/// Source:  cfs-semantics section 3; 6.1: eevdf-semantics sections 2 and 6.
inline u64 calc_delta(Arithmetic kind, u64 delta, u64 weight, LoadWeight& load) {
  if (kind == Arithmetic::word64) [[likely]]
    return impl::calc_delta(delta, weight, load);
  return kind == Arithmetic::word32 ? calc_delta_word32(delta, weight, load)
                                    : calc_delta_floor(delta, weight, load);
}

/// The weight pair of a task of that nice and policy. Source: cfs-semantics section 2.
LoadWeight weight_of(int nice, TaskPolicy policy);

}  // namespace impl::cfs
