// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/rules/number.h"

/// The arithmetic of the O(1) scheduler's load balancing, section 7 of the O(1) dossier. Loads are
/// numbers of runnable tasks. `before` is what the balancing CPU remembers of its last attempt.
namespace fw::rules::o1 {

/// Step 2: the balancing CPU's own load: when busy the larger of now and before.
template <class N>
N own_load(const N& nr_running, const N& before, bool idle) {
  return idle ? nr_running : maximum(nr_running, before);
}

/// Step 3: another CPU's load: when busy the smaller of now and before.
template <class N>
N other_load(const N& nr_running, const N& before, bool idle) {
  return idle ? nr_running : minimum(nr_running, before);
}

/// Step 3: a load must exceed this to be the busiest at all.
inline constexpr u64 least_best = 1;

/// Step 4: how many tasks to move; 0 for none, which also stands for the negative ones.
template <class N>
N imbalance(const N& best, const N& mine, bool idle) {
  const N half = select(best > mine, (best - mine) / N(2), N(0));
  if (idle) return half;
  return select(half < (best + N(3)) / N(4), N(0), half);
}

/// Step 5, on the queues as they are.
template <class N>
Truth<N> worth_locking(const N& busiest_nr_running, const N& mine) {
  return busiest_nr_running > mine + N(1);
}

/// Step 6: a task that has been off the CPU for long enough.
template <class N>
Truth<N> cache_cold(const N& now, const N& sleep_timestamp, const N& cache_decay) {
  return now - sleep_timestamp > cache_decay;
}

/// Node search: a node's load, older attempts counting half each time.
template <class N>
N node_load(const N& before, const N& nr_running) {
  return shift_right(before, 1) + nr_running;
}

/// Node search: whether a node is a better answer than the best so far. `threshold_percent` 0: no
/// percentage test.
template <class N>
Truth<N> node_overloaded(const N& load, const N& best, const N& own, u64 threshold_percent) {
  return load > best && N(100) * load > N(threshold_percent) * own;
}

/// Section 7, cache_decay_ticks: how long a cache of that size stays warm.
/// Range: cpu_khz > 0; 64-bit products.
constexpr u64 cache_decay_ticks(u64 cpu_khz, u64 l2_kb, u64 hz) {
  const u64 flush_cycles = (cpu_khz >> 10) * (l2_kb << 10) / 350;
  return flush_cycles / cpu_khz * hz / 1000;
}

}  // namespace fw::rules::o1
