// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>

#include "model/rules/number.h"

/// The arithmetic of BFS, generations N (0.36x) and J (0.31x). One small pure function a rule.
/// Section numbers are those of the BFS dossier. Generation N: deadlines are ns, slices about us
/// (1024 ns). Generation J: deadlines are jiffies, slices us.
namespace fw::rules::bfs {

inline constexpr std::size_t nice_levels = 40;
using Ratios = std::array<u64, nice_levels>;

/// Section 1: how far the deadlines of nice -20, -19, ... lie: each a tenth further, rounded down.
constexpr Ratios ratios(u64 base) {
  Ratios out{};
  out[0] = base;
  for (std::size_t i = 1; i < nice_levels; ++i) out[i] = out[i - 1] * 11 / 10;
  return out;
}
inline constexpr Ratios ratios_n = ratios(128);
inline constexpr Ratios ratios_j = ratios(100);

/// Range: 0 <= level <= 39, the nice + 20.
constexpr u64 ratio(u64 level, bool gen_j) { return gen_j ? ratios_j[level] : ratios_n[level]; }

/// Section 1: rr_interval after boot scaling.  Units: ms.
constexpr u64 scaled_rr_interval(u64 interval_ms, u64 cpus, bool gen_j) {
  if (gen_j) return interval_ms * static_cast<u64>(std::bit_width(cpus));
  return interval_ms * (4 * cpus + 4) / (cpus + 6);
}

/// Section 1: a full slice, the same for every nice level.
constexpr u64 full_slice(u64 rr_ms, bool gen_j) { return gen_j ? rr_ms * 1000 : rr_ms << 10; }

/// Section 1: the deadline offset D(n).  Units: ns.
template <class N>
N deadline_offset(const N& ratio, const N& rr_ms) {
  return ratio * rr_ms * N(8192);
}

/// Section 1, generation J.  Units: jiffies, at least 1.
template <class N>
N deadline_offset_j(const N& ratio, const N& rr_ms, const N& hz) {
  return maximum(N(1), ratio * rr_ms * hz / N(100'000));
}

/// Section 1: slice_ms(n), the part of a locality's cost that depends on the task.
template <class N>
N slice_ms(const N& ratio, const N& rr_ms, bool gen_j) {
  return rr_ms * ratio / N(gen_j ? 100 : 128);
}

/// Section 4: what a task's deadline is worsened by on a CPU of that locality (section 4's L).
template <class N>
N distance(u64 locality, const N& slice_ms, bool gen_j) {
  if (gen_j) return N(locality) * slice_ms;
  if (locality <= 2) return N(0);
  return slice_ms * N(u64{1} << (locality - 2));
}

/// Section 2: the time since the last charge, as generation N takes it: outside of 1 ns to two
/// ticks it counts as 1 ns.
template <class N>
N charged_ns(const N& elapsed_ns, const N& tick_ns) {
  return select(elapsed_ns >= N(1) && elapsed_ns <= N(2) * tick_ns, elapsed_ns, N(1));
}

/// Section 2: what a charge takes off the slice.
template <class N>
N charged_slice(const N& elapsed_ns, const N& tick_ns) {
  return shift_right(charged_ns(elapsed_ns, tick_ns), 10);
}

/// Section 2: the least slice with which a task may go on.
inline constexpr s64 resched_us = 100;

/// Section 2: half a tick, in the slice's units.  Units: us.
constexpr s64 half_jiffy_us(u64 hz) { return static_cast<s64>(1'000'000 / hz / 2); }

/// Section 2: the slice is as good as used up (generation J: wholly).
constexpr bool slice_over(s64 slice, bool gen_j) { return gen_j ? slice <= 0 : slice < resched_us; }

/// Section 5, fork: the parent's slice can be split.
constexpr bool can_split(s64 slice) { return slice >= 2 * resched_us; }

/// Section 8, the reconstructed formulas of FORK_DEPTH_PENALTY.
/// @{
/// linear: D(n) * (1 + depth).
template <class N>
N depth_linear(const N& offset, const N& depth) {
  return offset * (N(1) + depth);
}
/// max: D(n) * max(1, depth).
template <class N>
N depth_max(const N& offset, const N& depth) {
  return offset * maximum(N(1), depth);
}
/// additive: the level whose ratio counts instead of the task's own.
template <class N>
N depth_level(const N& level, const N& depth) {
  return minimum(N(nice_levels - 1), level + depth);
}
/// @}

/// Section 6: how ISO tasks are kept from taking more than their part. No workload has such tasks;
/// the rules stand here for whoever proves something of them.
/// @{
constexpr u64 iso_period(u64 hz, u64 cpus) { return 5 * hz * cpus + 1; }
/// After a tick with an ISO (or real-time) task running.
template <class N>
N iso_ticks_up(const N& ticks, const N& period) {
  return select(ticks <= period * N(100) - N(100), ticks + N(100), ticks);
}
/// After any other tick.
template <class N>
N iso_ticks_down(const N& ticks, const N& period) {
  const N left = ticks / period + N(1);
  return select(ticks > left, ticks - left, N(0));
}
template <class N>
Truth<N> becomes_refractory(const N& ticks, const N& period, u64 iso_cpu_percent) {
  return ticks > period * N(iso_cpu_percent);
}
template <class N>
Truth<N> ends_refractory(const N& ticks, const N& period, u64 iso_cpu_percent) {
  return ticks < period * N(iso_cpu_percent * 115 / 128);
}
/// @}

}  // namespace fw::rules::bfs
