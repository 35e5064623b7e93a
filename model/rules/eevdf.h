// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/rules/cfs.h"
#include "model/rules/number.h"
#include "model/vocab/fault.h"

/// The arithmetic of EEVDF, Linux 6.6 to 6.18 and later. One small pure function a rule. Section
/// numbers are those of the EEVDF dossier. Times are ns, vruntimes and deadlines virtual ns;
/// weights are in units of 1024 = nice 0.
///
/// Two kinds of number appear. `N` is number.h's: 64-bit values that wrap; beside number.h it
/// brings multiply_shift and multiply_divide. `Z` stands for whole numbers that do not overflow:
/// sums of w*v, lags and their products (the model's `Exact`, the solver's integers). It brings
/// + - * and the comparisons, and floor_divide, trunc_divide and select.
namespace fw::rules {

__extension__ typedef __int128 Exact;

/// floor(a * b / 2^bits) modulo 2^64; the product does not overflow.
constexpr u64 multiply_shift(u64 a, u64 b, unsigned bits) {
  __extension__ using Product = unsigned __int128;
  return static_cast<u64>((static_cast<Product>(a) * b) >> bits);
}

/// floor(a * b / c) modulo 2^64; the product does not overflow.  Range: c > 0.
constexpr u64 multiply_divide(u64 a, u64 b, u64 c) {
  __extension__ using Product = unsigned __int128;
  return static_cast<u64>(static_cast<Product>(a) * b / c);
}

/// Rounds towards minus infinity.  Range: b > 0.
constexpr Exact floor_divide(Exact a, Exact b) {
  const Exact quotient = a / b;
  return quotient - (a % b < 0 ? 1 : 0);
}

/// Rounds towards zero.  Range: b > 0.
constexpr Exact trunc_divide(Exact a, Exact b) { return a / b; }

constexpr Exact select(bool condition, Exact yes, Exact no) { return condition ? yes : no; }

}  // namespace fw::rules

namespace fw::rules::eevdf {

/// Section 2: the same tables as CFS, but for the fixed point made of them.
struct Weight {
  u64 weight = 0;
  u64 factor = 0;      ///< 1024 / weight times 2^shift, cut to 32 bits
  unsigned shift = 0;  ///< 32 less the bits that were cut
  friend bool operator==(const Weight&, const Weight&) = default;
};

/// Section 2, the part of vdelta that depends on the entity only. Low bits are lost here.
constexpr Weight fixed_point(u64 weight, u64 inverse) {
  Weight out{weight, inverse << 10, 32};
  while (out.factor >> 32 != 0) {
    out.factor >>= 1;
    --out.shift;
  }
  return out;
}

/// Range: -20 <= nice <= 19.
constexpr Weight weight_of_nice(int nice) {
  const auto row = static_cast<std::size_t>(nice + 20);
  return fixed_point(cfs::weights[row], cfs::inverses[row]);
}

/// SCHED_IDLE tasks, whatever their nice.
inline constexpr Weight idle_policy_weight =
    fixed_point(cfs::idle_policy_load.weight, cfs::idle_policy_load.inverse);

/// Section 2: the virtual time of `delta` real ns for an entity, by table. Exact at nice 0.
template <class N>
N vdelta(const N& delta, const Weight& entity) {
  if (entity.weight == cfs::nice_0_weight || FW_FAULT(E09_weight_ignored_in_vtime)) return delta;
  return multiply_shift(delta, N(entity.factor), entity.shift);
}

/// Section 5b: the same by division (7.1).
template <class N>
N vdelta_divided(const N& delta, const Weight& entity) {
  if (FW_FAULT(E09_weight_ignored_in_vtime)) return delta;
  return multiply_divide(delta, N(cfs::nice_0_weight), N(entity.weight));
}

/// Section 2: how the number of CPUs multiplies the base slice.
inline u64 scaling(int cpus) { return cfs::boot_factor(cpus); }

/// Section 2: a requested slice as it is granted.
template <class N>
N granted_slice(const N& request) {
  if (FW_FAULT(E04_request_not_clamped)) return request;
  return minimum(maximum(request, N(100'000)), N(100'000'000));
}

/// Length of a tick, to the nearest ns.
inline u64 tick_ns(u64 hz) { return (1'000'000'000 + hz / 2) / hz; }

/// Section 3: V as a difference to the same reference as the keys in `weighted_sum`.
template <class Z>
Z average(const Z& weighted_sum, const Z& weight) {
  if (FW_FAULT(E14_average_truncated)) {
    const Z above = Z(0) - floor_divide(Z(0) - weighted_sum, weight);
    return select(weighted_sum < Z(0), above, floor_divide(weighted_sum, weight));
  }
  return floor_divide(weighted_sum, weight);
}

/// Section 3: an entity whose v is `key` after the reference has received no more than its due.
template <class Z>
auto eligible(const Z& weighted_sum, const Z& weight, const Z& key) {
  return weighted_sum >= key * weight;
}

/// Section 3: real time whose vdelta bounds a stored lag, up to 6.18.
template <class N>
N lag_span(const N& own_slice, const N& tick) {
  return maximum(own_slice + own_slice, tick);
}

/// Section 5b: the same later.
template <class N>
N lag_span_later(const N& greatest_slice, const N& tick) {
  return greatest_slice + tick;
}

/// Section 3: a lag as it is stored.
template <class Z>
Z clamped(const Z& lag, const Z& limit) {
  if (FW_FAULT(A17_lag_not_clamped)) return lag;
  const Z low = Z(0) - limit;
  return select(lag < low, low, select(lag > limit, limit, lag));
}

/// Section 5: what is taken off V when an entity of `weight` joins a queue of `queue_weight` > 0,
/// so that its lag after joining is `lag`.
template <class Z>
Z inflated(const Z& lag, const Z& queue_weight, const Z& weight) {
  if (FW_FAULT(E06_lag_not_inflated)) return lag;
  return trunc_divide(lag * (queue_weight + weight), queue_weight);
}

/// Section 5: a lag or relative deadline after a change of weight.
template <class Z>
Z rescaled(const Z& distance, const Z& old_weight, const Z& new_weight) {
  if (FW_FAULT(E13_rescaled_the_wrong_way)) {
    return trunc_divide(distance * new_weight, old_weight);
  }
  return trunc_divide(distance * old_weight, new_weight);
}

/// Section 4: the slice is used up.
template <class N>
Truth<N> expired(const N& vruntime, const N& deadline) {
  if (FW_FAULT(E03_deadline_renewed_late)) return later(vruntime, deadline);
  return !later(deadline, vruntime);
}

/// Section 4, E618: nobody may take the CPU yet.
template <class N>
Truth<N> within(const N& vruntime, const N& vprot) {
  return later(vprot, vruntime);
}

/// Section 4, E618: end of the protection of an entity that becomes current. `span` is the real
/// time for which it is protected (at most its slice), `virtual_span` the vdelta of it.
template <class N>
N protected_until(
    const N& vruntime, const N& deadline, const N& slice, const N& span, const N& virtual_span) {
  if (FW_FAULT(P21_protection_set_by_own_slice)) return deadline;
  const N end = vruntime + virtual_span;
  return select(span == slice, deadline, cfs::earlier_of(deadline, end));
}

/// Section 3: the base after `least` became the least v on the queue; never backwards.
template <class N>
N moved_base(const N& base, const N& least) {
  return cfs::later_of(base, least);
}

}  // namespace fw::rules::eevdf
