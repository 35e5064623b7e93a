// SPDX-License-Identifier: Apache-2.0
// Weights, and the products that stock 64-bit CFS does not use.
#include "impl/cfs/arithmetic.h"

#include "impl/base/fault.h"
#include "impl/base/weights.h"

namespace impl::cfs {
namespace {
constexpr u64 word32_max = 0xFFFF'FFFF;
}  // namespace

LoadWeight weight_of(int nice, TaskPolicy policy) {
  if (policy == TaskPolicy::idle) return idle_policy_weight;
  const LoadWeight& row = nice_weights[nice + 20];
  if (IMPL_FAULT(A11_inverse_digit_dropped) && nice == 1) return {row.weight, 237765};
  return row;
}

u64 calc_delta_word32(u64 delta, u64 weight, LoadWeight& load) {
  if (load.inverse == 0) {
    const auto by = static_cast<std::uint32_t>(load.weight);
    // A weight of 2^32 - 1 would divide by 0; no queue gets there.
    load.inverse = static_cast<std::uint32_t>(1 + (word32_max - by / 2) / (u64{by} + 1));
  }
  u64 product = (delta & word32_max) * (weight & word32_max);
  if (product > word32_max) {
    product = round_shift(round_shift(product, 16) * load.inverse, 16);
  } else {
    product = round_shift(product * load.inverse, 32);
  }
  return std::min<u64>(product, word32_max >> 1);
}

u64 calc_delta_floor(u64 delta, u64 weight, LoadWeight& load) {
  if (load.inverse == 0) {
    load.inverse = load.weight == 0 ? word32_max : std::max<u64>(1, word32_max / load.weight);
  }
  u64 factor = weight * load.inverse;
  int shift = 32;
  for (; factor > word32_max; factor >>= 1) --shift;
  __extension__ using wide = unsigned __int128;
  return static_cast<u64>(static_cast<wide>(delta) * factor >> shift);
}

}  // namespace impl::cfs
