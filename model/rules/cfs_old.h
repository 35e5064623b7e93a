// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/rules/cfs.h"

/// What CFS of 2.6.32 to 2.6.34 does that 2.6.35 gave up. See cfs.h.
namespace fw::rules::cfs {

/// Section 4: boot scaling of 2.6.32, 1 + floor(log2 cpus), and the limit that it puts on latency
/// and min_granularity.
inline u64 boot_factor_32(int cpus) {
  u64 factor = 1;
  for (int n = cpus; n > 1; n /= 2) ++factor;
  return factor;
}
inline constexpr u64 boot_limit_32 = 200'000'000;

/// Section 10, NORMALIZED_SLEEPER: the credit before it is halved, by the sleeper's weight.
template <class N>
N normalized_latency(const N& latency, const Load<N>& sleeper, Word word = Word::bits64) {
  return fair(latency, sleeper, word);
}

/// Section 15, ADAPTIVE_GRAN: the granularity against a current that has run for `ran` since it was
/// picked. `nr`: runnable tasks of the challenger's queue. Range: products below 2^63.
template <class N>
N adaptive_granularity(const N& ran,
                       const N& avg_wakeup,
                       const N& nr,
                       const N& wakeup_granularity) {
  const N want = N(2) * avg_wakeup * nr;
  return minimum(select(ran < want, want - ran, N(0)), wakeup_granularity);
}

/// Section 14.1, WAKEUP_OVERLAP, and section 20, SYNC_MORE: neither task overlaps for long with
/// those it wakes.
template <class N>
Truth<N> both_overlap_little(const N& current, const N& woken, const N& migration_cost) {
  return current < migration_cost && woken < migration_cost;
}

/// Section 20, wake_affine of 2.6.32 to 2.6.34, which knows no CPU power.
template <class N>
Truth<N> affine_balanced_old(const N& this_load,
                             const N& prev_load,
                             const N& weight,
                             const N& factor) {
  return this_load == N(0) || N(100) * (this_load + weight) <= factor * prev_load;
}

}  // namespace fw::rules::cfs
