// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Bounds on what CFS can do, as formulas in its tunables and in the weights present. The same
/// functions are proved, tested against and reported. Whole numbers throughout, rounded so that the
/// bound stays a bound.
///
/// Assumptions common to all (each is a scope test of the property that uses the bound):
///  - one runqueue; tasks run, block, wake, fork, exit and yield; no renice, no migration;
///  - a running task is preempted at the first tick after its slice, the slice being that of
///  section 5;
///  - the pick is the leftmost task, or a buddy at most the granularity to its right;
///  - no task is placed (woken, started, forked) while min_vruntime is stale: while it lies below
///  every
///    runnable task of a CPU that is not idle. Such a moment exists between the pick after a
///    departure without a charge and the pick's first charge (the literal 2.6.36 order of updates);
///    with placements in it the spread has no bound at all.
/// Source: the study in the project's solver notes, sections 3, 4 and 6; the proof is one
/// quantified invariant per event: v(x) <= m + g + U always, v(x) >= m - th for runnable x.
namespace fw::theorem {

struct CfsLimits {
  std::int64_t latency_ns = 0;
  std::int64_t min_granularity_ns = 0;
  std::int64_t nr_latency = 0;
  std::int64_t tick_ns = 0;     ///< longest distance of two ticks
  std::int64_t credit_vns = 0;  ///< sleeper credit th; 0 when nothing ever sleeps or starts late
  std::int64_t granularity_ns = 0;  ///< wakeup granularity at nice 0; 0 when there are no buddies
};

/// How slices and charges are computed.
enum class Arithmetic {
  exact,   ///< slices rounded up, charges rounded down: the setting of the proofs
  kernel,  ///< fixed-point reciprocals, 64-bit; without the rounding of each single charge
};

/// The tasks of the queue.
struct CfsMix {
  std::vector<std::uint64_t> weights;  ///< one per task that can ever be there; 3 .. 88761
  bool open = false;  ///< forks: any number of further tasks of any of these weights
  Arithmetic arithmetic = Arithmetic::exact;
};

/// R_i: the longest CPU time between two picks of task `i` while somebody else is runnable.
///   slice_i + tick,  slice_i = max over runnable sets of n >= 2 tasks with i of period(n) * w_i /
///   load
/// (n unbounded and the others as light as possible when the mix is open).
/// Units: ns.  Tight: the slice alone is refutable.
std::int64_t cfs_run_limit(const CfsLimits& limits, const CfsMix& mix, std::size_t i);

/// U_i: the same in virtual time, floor(R_i * 1024 / w_i).  Units: vns.
std::int64_t cfs_budget(const CfsLimits& limits, const CfsMix& mix, std::size_t i);

/// U = max over i of U_i. Also at least any fork debit, which is a virtual slice.  Units: vns.
std::int64_t cfs_budget_U(const CfsLimits& limits, const CfsMix& mix);

/// Closed form over every number of tasks of weights >= `lightest`:
///   floor(1024 * (max(latency / 2, min_granularity) + tick) / lightest).  Units: vns.
std::int64_t cfs_budget_U_any(const CfsLimits& limits, std::uint64_t lightest);

/// g: how far right of the leftmost task a buddy may be picked, scaled for the lightest possible
/// leftmost: granularity * 1024 / lightest.  Units: vns.
std::int64_t cfs_buddy_lead(const CfsLimits& limits, const CfsMix& mix);

/// Greatest difference of the vruntimes of two runnable tasks:  th + U + g.
/// Units: vns.  Tight: exact without buddies, for a model that may preempt at any instant.
std::int64_t cfs_spread_bound(const CfsLimits& limits, const CfsMix& mix);

/// Longest time that task `b` stays queued before it is picked:
///   sum over x != b of (U_b + th + 2g) * w_x / 1024 + R_x.
/// Further assumptions: a closed set of tasks (mix.open false). In kernel arithmetic the first term
/// is floor(8 * w_x * (U_b + th + 2g) / 7168), for what rounded charges lose, under the minimum
/// charge of cfs_least_charge().
/// Units: ns.  Tight: exact without buddies in real arithmetic; sound, 1g of the 2g tight, with
/// them.
std::int64_t cfs_wait_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b);

/// vs: the least debit of a forked child with START_DEBIT: its virtual slice, itself counted, among
/// at most as many tasks as the mix has, the others as heavy as the heaviest of the mix; rounded
/// down.  Units: vns.
std::int64_t cfs_least_debit(const CfsLimits& limits, const CfsMix& mix);

/// Longest time that task `b` stays queued under an endless stream of forks, START_DEBIT on:
///   sum over x != b of F_x(Q + floor((U + 2g) / (vs - g)) * (U + g - vs)) + R_x,
///   Q = U + th + 2g, F_x as for the wait.
/// The mix names the slots: as many tasks as there are at a time, each with the heaviest weight
/// that its occupants have. INT64_MAX / 4 when vs <= g: then there is no bound.
/// Units: ns.
std::int64_t cfs_wait_forks_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b);

/// What buddies can add to the wait of task `b`: the wait bound with them less the one without,
/// sum over x != b of 2g * w_x / 1024 (8 * w_x * 2g / 7168 in kernel arithmetic), rounded up.
/// Units: ns.
std::int64_t buddy_delay_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b);

/// Longest time that a task which is leftmost, and stays so, can be passed over by buddies and by
/// the task that runs when it becomes leftmost:
///   sum over x != b of g * w_x / 1024 + R_x  (first term as for the wait).
/// Units: ns.
std::int64_t cfs_leftmost_wait_bound(const CfsLimits& limits, const CfsMix& mix, std::size_t b);

/// DYN_MIN_VRUNTIME: the most that min_vruntime can lie beyond a runnable task,
///   max over i of b({i}) / w_i,   b(all) = W th + max over j of (W - w_j)(U_j + g),
///   b(S) = max over c not in S of P (b(S + c) + w_c (U_c + g)) / (P + w_c),  P the weight of S;
/// for equal weights th + (U + g) H_{N-1}. Rounded up at each step.
/// Further assumptions: exact division of the charge (see cfs_dyn_lead_kernel in cfs_dyn.h), a
/// closed set; the gap rule is not needed. INT64_MAX / 4 for more than 16 tasks of different
/// weights.  Units: vns.
std::int64_t cfs_dyn_lead_bound(const CfsLimits& limits, const CfsMix& mix);

/// DYN_MIN_VRUNTIME: greatest difference of the vruntimes of two runnable tasks, D being the lead:
///   max(th + U + g, D - th), with forks and a debit of at most vs <= U also D + vs.  Units: vns.
std::int64_t cfs_dyn_spread_bound(const CfsLimits& limits, const CfsMix& mix);

/// Smallest single charge (ns) for which rounding loses at most an eighth of it: ceil(8 * w /
/// 1024). Without such a minimum a heavy task charged in pieces too small to count runs for ever.
std::int64_t cfs_least_charge(std::uint64_t weight);

/// How much one charge of `delta_ns` can add to vruntime beyond delta * 1024 / w, rounded up, and
/// beyond the error of the table's reciprocal that cfs_budget() accounts for. 0 at nice 0.  Units:
/// vns.
std::int64_t cfs_charge_excess(std::uint64_t weight, std::int64_t delta_ns);

}  // namespace fw::theorem
