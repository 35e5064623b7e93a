// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/rules/cfs.h"

/// The switches of section 25 of the CFS dossier: the patches of 2009 and 2010. See cfs.h. The
/// rules of START_NICE, INTERACTIVE, TIMER and TREE_PENALTY are reconstructed.
namespace fw::rules::cfs {

/// 25.2: the end of a task's expensive time after a fork, in its own CPU time. `slice_ns`: of the
/// parent before the child counts; of the child when it does.
template <class N>
N penalty_end(const N& sum_exec, const N& slice_ns) {
  return sum_exec + slice_ns;
}

/// 25.2: what a charge costs, and whether the task is still in its expensive time after it.
template <class N>
struct NiceCharge {
  N virtual_ns;
  Truth<N> penalized;
};

/// 25.2: a charge of `virtual_ns` after which the task has run for `sum_exec`. v3 doubles the
/// charge that crosses the end, too; v2 does not.
template <class N>
NiceCharge<N> start_nice(
    const N& virtual_ns, const Truth<N>& penalized, const N& end, const N& sum_exec, bool v2) {
  const Truth<N> still = penalized && !later(sum_exec, end);
  return {select(v2 ? still : penalized, virtual_ns + virtual_ns, virtual_ns), still};
}

/// 25.3, DYN_MIN_VRUNTIME: how far a charge of `charged` ns moves the queue's floor.
template <class N>
N floor_advance(const N& charged, const N& queue_weight, Word word = Word::bits64) {
  return scaled(charged, N(nice_0_weight), lazy_load(queue_weight, word), word);
}

/// 25.3: a queue's new min_vruntime after a charge that moves the floor by `advance`; 0 without
/// one.
template <class N>
N updated_min_dynamic(const N& min_vruntime,
                      const N& advance,
                      const Truth<N>& has_current,
                      const N& current,
                      const Truth<N>& has_leftmost,
                      const N& leftmost) {
  return later_of(min_vruntime + advance,
                  lowest_vruntime(min_vruntime, has_current, current, has_leftmost, leftmost));
}

/// 25.5: where a wakeup came from; both may hold.
struct Labels {
  bool input = false;
  bool timer = false;
  friend bool operator==(const Labels&, const Labels&) = default;
};

/// 25.4 to 25.6: a switch for each label.
struct LabelSwitches {
  bool interactive = false;
  bool timer = false;
  friend bool operator==(const LabelSwitches&, const LabelSwitches&) = default;
};

/// Whether a wakeup of these labels is one that the switches mean: 25.4 (credit), 25.5 (next
/// buddy), 25.6 (expedited fork, by the labels of the parent).
inline bool meant(const LabelSwitches& switches, const Labels& labels) {
  return (switches.interactive && labels.input) || (switches.timer && labels.timer);
}

/// 25.4: a woken task gets credit. `selective`: FAIR_SLEEPERS_INTERACTIVE, FAIR_SLEEPERS_TIMER.
inline bool gets_credit(bool fair_sleepers, const LabelSwitches& selective, const Labels& labels) {
  return fair_sleepers || meant(selective, labels);
}

/// 25.5, step 4 of the preemption test: the woken task becomes `next`. `expedited`: 25.6.
inline bool becomes_next(bool next_buddy,
                         bool many,
                         bool fork,
                         const LabelSwitches& label_buddies,
                         const Labels& labels,
                         bool expedited) {
  if (fork) return expedited;
  return (next_buddy && many) || meant(label_buddies, labels);
}

/// 25.7: which queue must be how full for its buddies to count as cache-hot.
enum class HotBuddyBoundary { none, latency, source, balancing };

/// 25.7: a buddy counts as cache-hot.
template <class N>
Truth<N> buddy_is_hot(HotBuddyBoundary boundary,
                      const N& source_nr,
                      const N& balancing_nr,
                      const N& nr_latency) {
  switch (boundary) {
    case HotBuddyBoundary::latency:
      return source_nr >= nr_latency;
    case HotBuddyBoundary::source:
      return source_nr >= N(1);
    case HotBuddyBoundary::balancing:
      return balancing_nr >= N(1);
    case HotBuddyBoundary::none:
      break;
  }
  return N(0) == N(0);
}

/// 25.8: how a task's depth below the root of its fork tree counts.
enum class DepthRule { rate, shift, place };

/// 25.8, RATE and SHIFT: what a charge of `virtual_ns` costs at depth `depth`.
template <class N>
N depth_charge(DepthRule rule, const N& virtual_ns, const N& depth) {
  if (rule == DepthRule::rate) return virtual_ns * (depth + N(1));
  if (rule == DepthRule::place) return virtual_ns;
  N factor = N(1);
  for (u64 bits = 1; bits <= 10; ++bits) {
    factor = select(depth >= N(bits), N(u64{1} << bits), factor);
  }
  return virtual_ns * factor;
}

/// 25.8, PLACE: what a placement adds to the queue's min_vruntime first.
template <class N>
N depth_offset(DepthRule rule, const N& depth, const N& virtual_slice) {
  return rule == DepthRule::place ? depth * virtual_slice : N(0);
}

}  // namespace fw::rules::cfs
