// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/rules/cfs.h"

/// The arithmetic of CFS's CPU choice and load balancing, 2.6.32 to 2.6.36. Loads are sums of
/// weights; powers are in units of 1/1024 CPU; averages are load * 1024 / power.
namespace fw::rules::cfs {

inline constexpr u64 power_scale = 1024;

/// Section 21.6: power of one of `threads` hardware threads of a core.
inline u64 thread_power(u64 threads) {
  return threads > 1 ? (1178 / threads * power_scale) >> 10 : power_scale;
}

/// Section 21.2: cpu_load[index] after a tick that saw the load `now`.
template <class N>
N decayed_load(const N& old, const N& now, unsigned index) {
  const u64 steps = u64{1} << index;
  const N seen = select(now > old, now + N(steps - 1), now);
  const N fresh = shift_right(old * N(steps - 1) + seen, index);
  if (FW_FAULT(C17_load_index_stale_when_idle)) return select(now == N(0), old, fresh);
  return fresh;
}

/// Section 20: load of a CPU that tasks would leave (biased low) or come to (biased high).
template <class N>
N source_load(const N& history, const N& load) {
  return minimum(history, load);
}
template <class N>
N target_load(const N& history, const N& load) {
  return maximum(history, load);
}

/// Sections 20: F of an imbalance percentage.
inline u64 half_imbalance(u64 imbalance_pct) { return 100 + (imbalance_pct - 100) / 2; }

/// Section 20, wake_affine of 2.6.35: the waking CPU stays balanced with the wakee.
template <class N>
Truth<N> affine_balanced(const N& this_load,
                         const N& this_power,
                         const N& prev_load,
                         const N& prev_power,
                         const N& weight,
                         const N& factor) {
  return this_load == N(0) ||
         N(100) * prev_power * (this_load + weight) <= factor * this_power * prev_load;
}

/// Section 20, wake_affine's second chance: both CPUs together carry less than a task of W does.
template <class N>
Truth<N> affine_light(const N& this_load,
                      const N& prev_load,
                      const N& prev_target_load,
                      const N& load_per_task) {
  return this_load <= prev_load && this_load + prev_target_load <= load_per_task;
}

/// Section 19: ran so recently that it is thought to be in the cache. A cost of -1: always.
template <class N>
Truth<N> cache_hot(const N& clock, const N& exec_start, const N& migration_cost) {
  return migration_cost == N(~u64{0}) ||
         (migration_cost != N(0) && !ahead_by_more(clock, exec_start, migration_cost - N(1)));
}

/// Section 21.3: tasks a group of this power has room for.
template <class N>
N capacity(const N& power) {
  return (power + N(power_scale / 2)) / N(power_scale);
}

/// Section 21.3: load per power.
template <class N>
N load_average(const N& load, const N& power) {
  return load * N(power_scale) / power;
}

/// Section 21.1: the average idle time after an idle period of `idle_ns`.
template <class N>
N idle_average(const N& average, const N& idle_ns, const N& migration_cost) {
  if (FW_FAULT(L41_avg_idle_without_cap)) return updated_average(average, idle_ns);
  const N highest = N(2) * migration_cost;
  return select(idle_ns > highest, highest, updated_average(average, idle_ns));
}

/// What 21.4 reads of the busiest and the local group.
template <class N>
struct GroupLoad {
  N average;  ///< load * 1024 / power
  N power;
  N load_per_task;  ///< busiest: sum of weights / nr (capped at A if imbalanced inside)
};

/// Section 21.4, small-fix: the task-sized amount if moving one task pays, else `otherwise`.
/// `imbn` is 1 when the local group has tasks that are lighter than the busiest group's, else 2.
/// `plain`: 2.6.32 and .33, where the first test does not scale a task by the group's power.
template <class N>
N small_imbalance(const GroupLoad<N>& busiest,
                  const GroupLoad<N>& local,
                  const N& imbn,
                  const N& otherwise,
                  bool plain = false) {
  const N lpt = busiest.load_per_task;
  const N scaled_lpt = lpt * N(power_scale) / busiest.power;
  const N now = (busiest.power * minimum(lpt, busiest.average) +
                 local.power * minimum(local.load_per_task, local.average)) /
                N(power_scale);
  const N kept = select(busiest.average > scaled_lpt,
                        busiest.power * minimum(lpt, busiest.average - scaled_lpt),
                        N(0));
  const N gained = select(busiest.average * busiest.power < lpt * N(power_scale),
                          busiest.average * busiest.power / local.power,
                          lpt * N(power_scale) / local.power);
  const N after =
      (kept + local.power * minimum(local.load_per_task, local.average + gained)) / N(power_scale);
  const N step = plain ? lpt : scaled_lpt;
  const Truth<N> wide = busiest.average - local.average + step >= step * imbn;
  return select(wide || after > now, lpt, otherwise);
}

/// Section 21.4: load to move. `average` is the domain's A, above local.average; `most` limits the
/// pull: X, all ones if unlimited, or (`plain`, 2.6.32 and .33) busiest.average less one task.
template <class N>
N imbalance(const GroupLoad<N>& busiest,
            const GroupLoad<N>& local,
            const N& average,
            const N& most,
            const N& imbn,
            bool plain = false) {
  if (FW_FAULT(A24_imbalance_underflow)) {
    return (average - local.average) * local.power / N(power_scale);
  }
  const Truth<N> possible = busiest.average >= average;
  const N pull = minimum(select(possible, busiest.average - average, N(0)), most);
  const N amount =
      minimum(pull * busiest.power, (average - local.average) * local.power) / N(power_scale);
  const N whole = select(possible, amount, N(0));
  return select(
      whole < busiest.load_per_task, small_imbalance(busiest, local, imbn, whole, plain), whole);
}

/// Section 21.4: X, the average load that `nr` tasks put above the group's capacity.
template <class N>
N load_above_capacity(const N& nr, const N& group_capacity, const N& power) {
  return (nr - group_capacity) * N(power_scale * power_scale) / power;
}

}  // namespace fw::rules::cfs
