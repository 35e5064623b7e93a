// SPDX-License-Identifier: Apache-2.0
#include "impl/eevdf/weights.h"

#include "impl/base/weights.h"

namespace impl::eevdf {
namespace {
__extension__ typedef unsigned __int128 unsigned_wide;

constexpr u64 nice_0 = 1024;
}  // namespace

LoadWeight weight_of(int nice, TaskPolicy policy) {
  return policy == TaskPolicy::idle ? idle_policy_weight : nice_weights[nice + 20];
}

u64 vdelta(u64 delta, const LoadWeight& load, VdeltaKind kind) {
  if (load.weight == nice_0) return delta;
  if (kind == VdeltaKind::full) {
    return static_cast<u64>(static_cast<unsigned_wide>(delta) * nice_0 / load.weight);
  }
  u64 factor = nice_0 * load.inverse;
  int shift = 32;
  for (; (factor >> 32) != 0; factor >>= 1) --shift;
  return static_cast<u64>(static_cast<unsigned_wide>(delta) * factor >> shift);
}

i64 scale_toward_zero(i64 value, i64 times, i64 by) {
  return static_cast<i64>(static_cast<wide>(value) * times / by);
}

}  // namespace impl::eevdf
