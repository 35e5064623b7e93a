// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/rules/number.h"
#include "model/vocab/fault.h"

/// The arithmetic of CFS, 2.6.32 to 2.6.36, as far as the versions share it. One small pure
/// function a rule, over any number type of number.h. Section numbers are those of the CFS dossier.
/// Times are ns, vruntimes virtual ns. What only 2.6.32 to 2.6.34 have is in cfs_old.h, the
/// switches of section 25 in cfs_switches.h, the balancer's rules in cfs_balance.h.
namespace fw::rules::cfs {

/// An entity's or queue's weight with the cached 2^32 / weight.
template <class N>
struct Load {
  N weight;
  N inverse;
};

/// Section 2: by nice + 20. The inverses are data: four of them are truncated, the others rounded.
inline constexpr std::array<std::uint32_t, 40> weights = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};
inline constexpr std::array<std::uint32_t, 40> inverses = {
    48388,    59856,    76040,    92818,     118348,    147320,    184698,    229616,
    287308,   360437,   449829,   563644,    704093,    875809,    1099582,   1376151,
    1717300,  2157191,  2708050,  3363326,   4194304,   5237765,   6557202,   8165337,
    10153587, 12820798, 15790321, 19976592,  24970740,  31350126,  39045157,  49367440,
    61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};
inline constexpr std::uint64_t nice_0_weight = 1024;

/// Section 2.  Range: -20 <= nice <= 19.
inline Load<u64> load_of_nice(int nice) {
  const auto row = static_cast<std::size_t>(nice + 20);
  if (FW_FAULT(A11_inverse_digit_dropped) && nice == 1) return {weights[row], 237'765};
  return {weights[row], inverses[row]};
}
/// SCHED_IDLE tasks, whatever their nice.
inline constexpr Load<u64> idle_policy_load = {3, 1431655765};

/// Section 1: the machine word ("long") that deltas, weights, reciprocals and slices are kept in.
enum class Word { bits64, bits32 };

/// What a machine word keeps of a value.
template <class N>
N in_word(const N& value, Word word) {
  if (word == Word::bits64) return value;
  const N two32 = N(u64{1} << 32);
  return value - value / two32 * two32;
}

/// Section 3: the reciprocal that a queue's load caches; divides by weight + 1.
template <class N>
N lazy_inverse(const N& weight, Word word = Word::bits64) {
  const N two32 = N(u64{1} << 32);
  if (word == Word::bits32) {
    const N most = N((u64{1} << 32) - 1);
    return in_word(N(1) + (most - weight / N(2)) / (weight + N(1)), word);
  }
  if (FW_FAULT(A13_inverse_truncated)) return two32 / weight;
  const N inverse = N(1) + (two32 - weight / N(2)) / (weight + N(1));
  return select(weight >= two32, N(1), inverse);
}

/// Section 3: a load whose reciprocal is computed when needed (queues).
template <class N>
Load<N> lazy_load(const N& weight, Word word = Word::bits64) {
  return {weight, lazy_inverse(weight, word)};
}

/// Section 3, SR: shift right, rounding half up.
template <class N>
N rounded_shift(const N& value, unsigned bits) {
  const N half = FW_FAULT(A21_truncating_shift) ? N(0) : N(u64{1} << (bits - 1));
  return shift_right(value + half, bits);
}

/// Section 3, mul: about delta * weight / load.weight. Above a product of 2^32 (2^32 - 1 with
/// 32-bit words) the rounding has two stages. Range: wraps beyond the products named in the
/// section.
template <class N>
N scaled(const N& delta, const N& weight, const Load<N>& load, Word word = Word::bits64) {
  const bool wide = word == Word::bits64;
  const N product = in_word(delta, word) * weight;
  const N two_stages = rounded_shift(rounded_shift(product, 16) * load.inverse, 16);
  const N one_stage = rounded_shift(product * load.inverse, 32);
  if (FW_FAULT(A17_product_overflows)) return minimum(one_stage, N((u64{1} << 63) - 1));
  const N threshold = N(wide ? u64{1} << 32 : (u64{1} << 32) - 1);
  const N most = N(wide ? (u64{1} << 63) - 1 : (u64{1} << 31) - 1);
  return minimum(select(product > threshold, two_stages, one_stage), most);
}

/// Section 3, fair: the virtual time of `delta` real ns for an entity. Exact at nice 0.
template <class N>
N fair(const N& delta, const Load<N>& entity, Word word = Word::bits64) {
  return select(entity.weight == N(nice_0_weight),
                in_word(delta, word),
                scaled(delta, N(nice_0_weight), entity, word));
}

/// Section 5: the time in which every one of `nr` runnable tasks should run once.
template <class N>
N period(const N& nr, const N& nr_latency, const N& latency, const N& min_granularity) {
  return select(nr <= nr_latency, latency, min_granularity * nr);
}

/// Section 5: an entity's part of the period; `queue_weight` includes the entity.
template <class N>
N slice(const N& period_ns, const N& weight, const N& queue_weight, Word word = Word::bits64) {
  return scaled(period_ns, weight, lazy_load(queue_weight, word), word);
}

/// Section 7: vruntime after `delta` ns on the CPU.
template <class N>
N charged(const N& vruntime, const N& delta, const Load<N>& entity) {
  return vruntime + fair(delta, entity);
}

/// Section 1, vmax.
template <class N>
N later_of(const N& a, const N& b) {
  return select(later(b, a), b, a);
}

/// Section 1, vmin.
template <class N>
N earlier_of(const N& a, const N& b) {
  return select(later(a, b), b, a);
}

/// Section 8: the lowest vruntime of a queue, its min_vruntime if nobody is there. The current
/// entity counts also when it has just blocked.
template <class N>
N lowest_vruntime(const N& min_vruntime,
                  const Truth<N>& has_current,
                  const N& current,
                  const Truth<N>& has_leftmost,
                  const N& leftmost) {
  const N both = FW_FAULT(O06_min_follows_tree_only) ? leftmost : earlier_of(current, leftmost);
  return select(has_current,
                select(has_leftmost, both, current),
                select(has_leftmost, leftmost, min_vruntime));
}

/// Section 8: a queue's new min_vruntime.
template <class N>
N updated_min(const N& min_vruntime,
              const Truth<N>& has_current,
              const N& current,
              const Truth<N>& has_leftmost,
              const N& leftmost) {
  return later_of(min_vruntime,
                  lowest_vruntime(min_vruntime, has_current, current, has_leftmost, leftmost));
}

/// Section 10: what a sleeper is given at its wakeup.
template <class N>
N sleeper_credit(const N& latency, bool gentle) {
  return gentle ? shift_right(latency, 1) : latency;
}

/// Section 10: vruntime of a woken entity.
template <class N>
N placed_at_wakeup(const N& vruntime, const N& min_vruntime, const N& credit) {
  const N earliest = min_vruntime - credit;
  if (FW_FAULT(A03_unsigned_max_placement)) return maximum(vruntime, earliest);
  if (FW_FAULT(P01_sleeper_moved_back)) return earliest;
  return later_of(vruntime, earliest);
}

/// Section 10: vruntime of a new entity; `debit` is its virtual slice, or 0 without START_DEBIT.
template <class N>
N placed_at_fork(const N& vruntime, const N& min_vruntime, const N& debit) {
  if (FW_FAULT(S18_child_inherits_credit)) return vruntime;
  return later_of(vruntime, min_vruntime + debit);
}

/// Section 15: the lead that a challenger needs: heavy ones need less.
template <class N>
N granularity(const N& wakeup_granularity, const Load<N>& challenger, Word word = Word::bits64) {
  const N exact = fair(wakeup_granularity, challenger, word);
  if (!FW_FAULT(A08_boosted_granularity_shifted)) return exact;
  return select(challenger.weight > N(nice_0_weight), shift_right(exact, 10), exact);
}

/// Section 15, the three-way test being 1: the challenger is behind the current by more than
/// `gran`.
template <class N>
Truth<N> overtakes(const N& current, const N& challenger, const N& gran) {
  return later(current, challenger) && ahead_by_more(current, challenger, gran);
}

/// Section 15, the three-way test: -1, 0 or 1.
inline int wakeup_order(u64 current, u64 challenger, u64 gran) {
  if (!later(current, challenger)) return -1;
  return overtakes(current, challenger, gran) ? 1 : 0;
}

/// Section 13 step 2: the current entity has used its slice up.
template <class N>
Truth<N> slice_expired(const N& ran, const N& ideal) {
  return FW_FAULT(W19_slice_ends_at_equal) ? ran >= ideal : ran > ideal;
}

/// Section 13 step 5: the current entity is too far right of the leftmost. With `as_unsigned`
/// (64-bit mainline) every negative difference counts as too far.
template <class N>
Truth<N> too_far_right(const N& current, const N& leftmost, const N& ideal, bool as_unsigned) {
  const Truth<N> ahead = ahead_by_more(current, leftmost, ideal);
  return as_unsigned ? (ahead || later(leftmost, current)) : ahead;
}

/// Section 13 steps 2, 4, 5 with WAKEUP_PREEMPT on and another task waiting:
/// 0 goes on, 1 slice expired, 2 too far right of the leftmost.
template <class N>
N tick_verdict(const N& ran,
               const N& ideal,
               const N& min_granularity,
               const N& current,
               const N& leftmost,
               bool as_unsigned) {
  const Truth<N> too_far =
      ran >= min_granularity && too_far_right(current, leftmost, ideal, as_unsigned);
  return select(slice_expired(ran, ideal), N(1), select(too_far, N(2), N(0)));
}

/// Section 16: a buddy may be picked before the leftmost, which has granularity `left_gran`.
template <class N>
Truth<N> buddy_allowed(const N& buddy, const N& leftmost, const N& left_gran) {
  return !overtakes(buddy, leftmost, left_gran);
}

/// Section 14: a queue so full that buddies are set.
template <class N>
Truth<N> many_runnable(const N& nr_running, const N& nr_latency) {
  return nr_running >= nr_latency;
}

/// Section 18, compat yield: the yielder goes behind the rightmost waiting entity.
template <class N>
N yielded(const N& vruntime, const N& rightmost) {
  return select(later(vruntime, rightmost), vruntime, rightmost + N(1));
}

/// Section 15: average += (sample - average) / 8, rounding down.
template <class N>
N updated_average(const N& average, const N& sample) {
  return average + shifted_difference(sample, average, 3);
}

/// Section 4: how boot scaling multiplies the three tunables, 2.6.33 and later (mode LOG).
inline u64 boot_factor(int cpus) {
  const int capped = cpus > 8 ? 8 : cpus;
  return capped >= 8 ? 4 : capped >= 4 ? 3 : capped >= 2 ? 2 : 1;
}

/// Section 4: nr_latency after a write to one of the tunables.
inline u64 recomputed_nr_latency(u64 latency, u64 min_granularity) {
  return (latency + min_granularity - 1) / min_granularity;
}

/// Section 6: counted as spread over.
inline bool spread_over(u64 vruntime, u64 min_vruntime, u64 latency) {
  const auto difference = static_cast<s64>(vruntime - min_vruntime);
  return (difference < 0 ? 0 - static_cast<u64>(difference) : static_cast<u64>(difference)) >
         3 * latency;
}

}  // namespace fw::rules::cfs
