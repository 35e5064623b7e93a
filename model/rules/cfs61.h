// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/rules/cfs.h"

/// What CFS of Linux 6.1 does differently from cfs.h (EEVDF dossier, section 6): rounding and
/// inverses, the slice's floor, min_vruntime without a current that left, the tick's signed test,
/// the skip buddy and the order of the others. Everything else is cfs.h's. Machine words only: the
/// products need 128 bits.
namespace fw::rules::cfs61 {

using cfs::Load;

/// Tunables in ns, effective values, and the features that change arithmetic.
struct Tunables {
  u64 latency = 6'000'000;
  u64 min_granularity = 750'000;
  u64 wakeup_granularity = 1'000'000;
  u64 nr_latency = 8;
  bool base_slice = true;
};

/// The inverse that a queue's load has (weights of the table bring their own).
inline u64 queue_inverse(u64 weight) { return weight == 0 ? 0xffffffffu : 0xffffffffu / weight; }

/// About delta * weight / load.weight, rounded down; the inverse loses its low bits when the
/// product with the weight does not fit 32 bits (section 2, vdelta).
inline u64 scaled(u64 delta, u64 weight, const Load<u64>& load) {
  __extension__ using Wide = unsigned __int128;
  u64 factor = weight * load.inverse;
  unsigned shift = 32;
  while (factor >> 32 != 0) {
    factor >>= 1;
    --shift;
  }
  return static_cast<u64>((static_cast<Wide>(delta) * factor) >> shift);
}

/// The virtual time of `delta` real ns. Exact at nice 0.
inline u64 fair(u64 delta, const Load<u64>& entity) {
  if (entity.weight == cfs::nice_0_weight) return delta;
  return scaled(delta, cfs::nice_0_weight, entity);
}

/// Floor of the slice of a SCHED_IDLE task beside others; not scaled at boot.
inline constexpr u64 idle_min_granularity = 750'000;

/// An entity's part of the period; `nr_running` and `queue_weight` include it. Never below the
/// minimum granularity while BASE_SLICE is on. `idle_beside_others`: a SCHED_IDLE task on a queue
/// that is empty or has runnable tasks of another policy.
inline u64 slice(const Tunables& t,
                 u64 nr_running,
                 u64 weight,
                 u64 queue_weight,
                 bool idle_beside_others = false) {
  const u64 period = cfs::period(nr_running, t.nr_latency, t.latency, t.min_granularity);
  const u64 part = scaled(period, weight, {queue_weight, queue_inverse(queue_weight)});
  if (!t.base_slice) return part;
  return maximum(part, idle_beside_others ? idle_min_granularity : t.min_granularity);
}

/// The lead that a challenger needs.
inline u64 granularity(const Tunables& t, const Load<u64>& challenger) {
  return fair(t.wakeup_granularity, challenger);
}

/// wakeup_preempt_entity() being 1: the challenger is behind `current` by more than it needs.
inline bool overtakes(const Tunables& t, u64 current, u64 challenger, const Load<u64>& load) {
  return cfs::overtakes(current, challenger, granularity(t, load));
}

/// A task as the pick weighs it.
struct Ranked {
  u64 vruntime = 0;
  Load<u64> load;
};
enum class Taken { leftmost, second, next, last };

/// pick_next_entity(). `left` is the first of the waiting tasks and the running one, which counts
/// when it is strictly earlier; `second` the one after it, if the task that yielded is `left`.
/// Null: there is none.
inline Taken pick(const Tunables& t,
                  const Ranked& left,
                  const Ranked* second,
                  const Ranked* next,
                  const Ranked* last) {
  const auto may = [&](const Ranked* other) {
    return other != nullptr && !overtakes(t, other->vruntime, left.vruntime, left.load);
  };
  if (may(next)) return Taken::next;
  if (may(last)) return Taken::last;
  return may(second) ? Taken::second : Taken::leftmost;
}

enum class TickVerdict { goes_on, slice, leftmost };

/// check_preempt_tick() with another task waiting. `slice_ns` is the running entity's; a slice above
/// the latency is not cut (recorded: 6.1.192, min_granularity 20 ms, latency 6 ms, runs of 20 ms).
inline TickVerdict tick_verdict(
    const Tunables& t, u64 ran, u64 slice_ns, u64 current, u64 leftmost) {
  if (cfs::slice_expired(ran, slice_ns)) return TickVerdict::slice;
  if (ran < t.min_granularity) return TickVerdict::goes_on;
  return cfs::too_far_right(current, leftmost, slice_ns, false) ? TickVerdict::leftmost
                                                             : TickVerdict::goes_on;
}

}  // namespace fw::rules::cfs61
