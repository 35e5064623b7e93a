// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/rules/number.h"

/// The arithmetic of the O(1) scheduler, Linux 2.5.59, without load balancing (o1_balance.h). One
/// small pure function a rule. Section numbers are those of the O(1) dossier. Times are ticks; a
/// lower priority number is better. Divisions truncate, left to right as in the dossier.
namespace fw::rules::o1 {

inline constexpr u64 best_prio = 100;
inline constexpr u64 worst_prio = 139;
inline constexpr u64 idle_prio = 140;
inline constexpr u64 nice_0_prio = 120;
inline constexpr u64 user_prios = 40;

/// Section 1.  Range: -20 <= nice <= 19.
constexpr u64 static_prio(int nice) { return static_cast<u64>(120 + nice); }

/// Section 2: a full time slice, the longer the better the static priority.
/// Range: shortest <= longest.
template <class N>
N timeslice(const N& static_prio, const N& shortest, const N& longest) {
  return shortest +
         (longest - shortest) * (N(worst_prio) - static_prio) / N(worst_prio - best_prio);
}

/// Section 2: how many levels a bonus can span, of the ratio in percent (25: ten levels).
constexpr u64 bonus_span(u64 bonus_ratio) { return user_prios * bonus_ratio / 100; }

/// Section 2: bonus(s) + bonus_span / 2, which is never negative.
template <class N>
N sleep_levels(const N& sleep_avg, const N& max_sleep_avg, u64 bonus_ratio) {
  return N(user_prios * bonus_ratio) * sleep_avg / max_sleep_avg / N(100);
}

/// Section 2: the priority that a sleep average gives.  Range: best_prio..worst_prio.
template <class N>
N effective_prio(const N& static_prio,
                 const N& sleep_avg,
                 const N& max_sleep_avg,
                 u64 bonus_ratio) {
  const N penalized = static_prio + N(bonus_span(bonus_ratio) / 2);
  const N levels = sleep_levels(sleep_avg, max_sleep_avg, bonus_ratio);
  const N raised = select(penalized < N(best_prio) + levels, N(best_prio), penalized - levels);
  return minimum(raised, N(worst_prio));
}

/// Section 2: static_prio - delta(nice), the worst priority that is interactive.
template <class N>
N interactive_limit(const N& static_prio, u64 bonus_ratio, u64 interactive_delta) {
  const auto towards_nice_0 = [&](const N& distance) {
    return distance * N(bonus_span(bonus_ratio)) / N(user_prios);
  };
  const N nice_0(nice_0_prio);
  // Each distance is used on its own side of nice 0 only; the other one is made 0, not negative.
  const N below = select(static_prio > nice_0, static_prio - nice_0, N(0));
  const N above = select(static_prio < nice_0, nice_0 - static_prio, N(0));
  return static_prio + towards_nice_0(above) - towards_nice_0(below) - N(interactive_delta);
}

/// Section 2; `prio` is the clamped one.
template <class N>
Truth<N> interactive(const N& prio, const N& interactive_limit) {
  return prio <= interactive_limit;
}

/// Section 2: the expired array has waited too long. `expired_timestamp` 0 means unset;
/// `nr_running` counts the running task. With `zero_is_never` a limit of 0 turns the test off.
template <class N>
Truth<N> starving(const N& expired_timestamp,
                  const N& now,
                  const N& limit,
                  const N& nr_running,
                  bool zero_is_never) {
  const Truth<N> off = zero_is_never ? limit == N(0) : Truth<N>(false);
  return !off && expired_timestamp != N(0) && now - expired_timestamp >= limit * nr_running + N(1);
}

/// Section 5 step 5: where a task goes whose slice is used up: true for the expired array.
template <class N>
Truth<N> expires(const Truth<N>& interactive, const Truth<N>& starving) {
  return !interactive || starving;
}

/// Section 5 step 4: the sleep average after a tick on the CPU.
template <class N>
N tick_paid(const N& sleep_avg) {
  return select(sleep_avg > N(0), sleep_avg - N(1), N(0));
}

/// Section 6: the sleep average after `slept` ticks of sleep.
template <class N>
N sleep_credited(const N& sleep_avg, const N& slept, const N& max_sleep_avg) {
  return minimum(sleep_avg + slept, max_sleep_avg);
}

/// Section 6, fork: the halves of the parent's slice. The parent's may become 0.
template <class N>
N child_slice(const N& parent_slice) {
  return shift_right(parent_slice + N(1), 1);
}
template <class N>
N parent_slice(const N& before) {
  return shift_right(before, 1);
}

/// Section 6, fork: CHILD_PENALTY or PARENT_PENALTY percent of a sleep average.
template <class N>
N penalized(const N& sleep_avg, const N& percent) {
  return sleep_avg * percent / N(100);
}

/// Section 6, exit: the parent's slice when the child never had one of its own.
template <class N>
N slice_returned(const N& parent_slice, const N& child_slice, const N& longest) {
  return minimum(parent_slice + child_slice, longest);
}

/// Section 6, exit: the parent's sleep average, drawn down by a child that slept less.
template <class N>
N reaped_sleep_avg(const N& parent, const N& child, const N& exit_weight) {
  return select(child < parent, (parent * exit_weight + child) / (exit_weight + N(1)), parent);
}

}  // namespace fw::rules::o1
