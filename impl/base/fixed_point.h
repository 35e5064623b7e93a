// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "impl/base/fault.h"

/// The kernel's 64-bit load arithmetic: products by cached reciprocals, wrapping time order.
namespace impl {
using u64 = std::uint64_t;
using i64 = std::int64_t;

/// Signed distance a - b on the wrapping 64-bit line.
constexpr i64 distance(u64 a, u64 b) { return static_cast<i64>(a - b); }
constexpr bool is_before(u64 a, u64 b) { return distance(a, b) < 0; }
constexpr u64 later_of(u64 a, u64 b) { return distance(b, a) > 0 ? b : a; }
constexpr u64 earlier_of(u64 a, u64 b) { return distance(b, a) < 0 ? b : a; }

/// A weight and its cached reciprocal; reciprocal 0 = not computed yet.
struct LoadWeight {
  u64 weight = 0;
  u64 inverse = 0;

  void add(u64 more) {
    weight += more;
    inverse = 0;
  }
  void subtract(u64 less) {
    weight -= less;
    inverse = 0;
  }
};

/// The reciprocal that queues use: 1 + (2^32 - w/2) / (w + 1).
inline u64 lazy_inverse(u64 weight) {
  constexpr u64 one = u64{1} << 32;
  if (IMPL_FAULT(A13_inverse_truncated)) return one / weight;
  return weight >= one ? 1 : 1 + (one - weight / 2) / (weight + 1);
}

inline u64 round_shift(u64 value, int bits) {
  const u64 half = IMPL_FAULT(A21_truncating_shift) ? 0 : u64{1} << (bits - 1);
  return (value + half) >> bits;
}

/// delta * weight / load, as the kernel rounds it. Fills the load's reciprocal when it is missing.
/// Rounds:  to nearest; in steps of 65536/weight once delta * weight exceeds 2^32.
/// Range:   products are taken modulo 2^64; the result is at most 2^63 - 1.
/// Source:  cfs-semantics section 3.
inline u64 calc_delta(u64 delta, u64 weight, LoadWeight& load) {
  if (load.inverse == 0) load.inverse = lazy_inverse(load.weight);
  u64 product = delta * weight;
  if (product > (u64{1} << 32) && !IMPL_FAULT(A17_product_overflows)) {
    product = round_shift(round_shift(product, 16) * load.inverse, 16);
  } else {
    product = round_shift(product * load.inverse, 32);
  }
  return std::min(product, (u64{1} << 63) - 1);
}

/// Running average with weight 1/8; rounds toward minus infinity.
constexpr u64 update_avg(u64 average, u64 sample) {
  return average + static_cast<u64>(distance(sample, average) >> 3);
}

}  // namespace impl
