// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "solver/theorem/cfs_arithmetic.h"
#include "solver/theorem/cfs_dyn.h"
#include "solver/theorem/cfs_rules.h"
#include "solver/theorem/cfs_spread.h"
#include "solver/theorem/cfs_start_nice.h"
#include "solver/theorem/cfs_wait.h"
#include "solver/theorem/eevdf_pick.h"
#include "solver/theorem/theorem.h"
#include "solver/theorem/work_conservation.h"

namespace fw::theorem {
namespace {

/// The largest over the tasks of the mix.
template <std::int64_t (*Bound)(const CfsLimits&, const CfsMix&, std::size_t)>
std::int64_t worst_task(const CfsLimits& limits, const CfsMix& mix) {
  std::int64_t out = 0;
  for (std::size_t b = 0; b < mix.weights.size(); ++b) {
    out = std::max(out, Bound(limits, mix, b));
  }
  return out;
}

constexpr std::string_view one_queue =
    "one runqueue, any number of tasks, all weights, unbounded time; update order of 2.6.36";

constexpr std::array<Theorem, 24> rows = {{
    {.name = "cfs_spread",
     .policy = "cfs",
     .about = "vruntimes of two runnable tasks, no forks, no buddies",
     .scope = one_queue,
     .formula = "th + U",
     .unit = "vns",
     .obligation = cfs_spread_plain,
     .value = cfs_spread_bound,
     .witness = "old_sleeper_wakes"},
    {.name = "cfs_spread_buddies",
     .policy = "cfs",
     .about = "vruntimes of two runnable tasks, with next and last buddies",
     .scope = one_queue,
     .formula = "th + U + g",
     .unit = "vns",
     .obligation = cfs_spread_buddies,
     .value = cfs_spread_bound,
     .buddies = true},
    {.name = "cfs_spread_forks_debit",
     .policy = "cfs",
     .about = "vruntimes of two runnable tasks, with buddies and forks, START_DEBIT on",
     .scope = one_queue,
     .formula = "th + U + g",
     .unit = "vns",
     .obligation = cfs_spread_forks_debit,
     .value = cfs_spread_bound,
     .buddies = true,
     .forks = true},
    {.name = "cfs_spread_forks_no_debit",
     .policy = "cfs",
     .about = "vruntimes of two runnable tasks, with buddies and forks, START_DEBIT off",
     .scope = one_queue,
     .formula = "th + U + g",
     .unit = "vns",
     .obligation = cfs_spread_forks_no_debit,
     .value = cfs_spread_bound,
     .buddies = true,
     .forks = true},
    {.name = "cfs_wait",
     .policy = "cfs",
     .about = "time a task stays queued, closed task set, exact integers",
     .scope = one_queue,
     .formula = "sum over x != b of floor(8 w_x (U_b + th + 2g) / 7168) + R_x",
     .unit = "ns",
     .obligation = cfs_wait,
     .value = worst_task<cfs_wait_bound>,
     .buddies = true,
     .needs = "cfs_charge"},
    {.name = "cfs_wait_forks_debit",
     .policy = "cfs",
     .about = "time a task stays queued while others fork for ever, START_DEBIT on, exact integers",
     .scope =
         "one runqueue, any number of forks, a bounded number of tasks at a time, all weights, "
         "unbounded time; update order of 2.6.36",
     .formula = "sum over slots x != b of F_x(Q + floor((U + 2g) / (vs - g)) (U + g - vs)) + R_x, "
                "Q = U + th + 2g, F_x(r) = floor(8 w_x r / 7168)",
     .unit = "ns",
     .obligation = cfs_wait_forks_debit,
     .value = worst_task<cfs_wait_forks_bound>,
     .buddies = true,
     .forks = true,
     .needs = "cfs_charge"},
    {.name = "cfs_leftmost_wait",
     .policy = "cfs",
     .about = "time a task that is leftmost, and stays so, is passed over by buddies",
     .scope = one_queue,
     .formula = "sum over x != b of floor(8 w_x g / 7168) + R_x",
     .unit = "ns",
     .obligation = cfs_buddy_delay,
     .value = worst_task<cfs_leftmost_wait_bound>,
     .buddies = true,
     .needs = "cfs_charge"},
    {.name = "cfs_dyn_lead",
     .policy = "cfs",
     .about = "how far DYN_MIN_VRUNTIME moves min_vruntime beyond a runnable task, exact division",
     .scope = "one runqueue, any number of tasks, all weights, forks, buddies, unbounded time",
     .formula = "max over i of b({i}) / w_i; b(all) = W th + max (W - w_j)(U_j + g), "
                "b(S) = max over c of P (b(S + c) + w_c (U_c + g)) / (P + w_c); equal weights: "
                "th + (U + g) H_{N-1}",
     .unit = "vns",
     .obligation = cfs_dyn_lead,
     .value = cfs_dyn_lead_bound,
     .buddies = true},
    {.name = "cfs_dyn_lead_kernel",
     .policy = "cfs",
     .about = "the kernel's integers: with three tasks of nice -20, -19 and -13 every charge moves "
              "DYN_MIN_VRUNTIME further than the average, so that exact division is needed above",
     .scope = "charges of 1 ms; not replayed, so no refutation by itself",
     .formula = "W floor(d) > w fair(d), each of the three",
     .obligation = cfs_dyn_lead_kernel},
    {.name = "cfs_dyn_spread",
     .policy = "cfs",
     .about = "vruntimes of two runnable tasks with DYN_MIN_VRUNTIME, buddies and forks",
     .scope = one_queue,
     .formula =
         "max(th + U + g, D - th, D + vs), D the lead of cfs_dyn_lead; D + vs only with forks",
     .unit = "vns",
     .obligation = cfs_dyn_spread,
     .value = cfs_dyn_spread_bound,
     .buddies = true,
     .needs = "cfs_dyn_lead"},
    {.name = "cfs_start_nice",
     .policy = "cfs",
     .about = "what one run gains while START_NICE makes its task expensive, v3 and v2",
     .scope = "any number of charges; in time of nice 0",
     .formula = "R + min(R, window + tick); v2: R + min(R, window)",
     .obligation = cfs_start_nice},
    {.name = "work_conservation_round",
     .policy = "cfs",
     .about = "no CPU idles beside one with two tasks after one round of sequential balancing",
     .scope = "an abstract balancer, any number of CPUs, no arrivals during the round",
     .obligation = work_conservation_round},
    {.name = "eevdf_pick",
     .policy = "eevdf",
     .about = "somebody is always eligible; V is, V + 1 is not; the sum of keys fits 64 bits",
     .scope = "any number of entities and weights; the limit for 2900 of nice -20",
     .formula = "|sum w k| <= W Y < 2^63",
     .obligation = eevdf_pick},
    {.name = "cfs_charge",
     .policy = "cfs",
     .about = "error of the kernel's fixed-point charge, each weight",
     .scope = "the 40 nice levels and SCHED_IDLE, every charge up to 540 s",
     .formula = "7/8 d 1024/w <= fair(d) <= d 1024/w + d 1024/2^32 + excess(w, d); nearest to d "
                "1024 inv/2^32",
     .obligation = cfs_charge},
    {.name = "cfs_slice",
     .policy = "cfs",
     .about = "slices: each at most its part and its rounding, all together at most the period",
     .scope = "all weights; the sum for queues of weight up to 65536",
     .formula = "slice <= (P w inv + 2^15 inv + 2^31) / 2^32,  sum of slices <= P",
     .obligation = cfs_slice},
    {.name = "cfs_ring",
     .policy = "cfs",
     .about = "64-bit comparison, placement and minimum agree with whole numbers",
     .scope = "vruntimes within 2^62 of min_vruntime",
     .obligation = cfs_ring},
    {.name = "cfs_tick",
     .policy = "cfs",
     .about = "a tick ends a run exactly when it has lasted longer than the slice",
     .scope = "all times",
     .formula = "verdict = slice  <=>  ran > slice",
     .obligation = cfs_tick},
    {.name = "cfs_granularity",
     .policy = "cfs",
     .about = "the lead that a wakeup needs, each weight of the challenger",
     .scope = "the 40 nice levels and SCHED_IDLE, wakeup granularity up to 1 s",
     .formula = "granularity >= 7/8 g 1024/w",
     .obligation = cfs_granularity},
    {.name = "cfs_word",
     .policy = "cfs",
     .about = "no product of a charge wraps in 64 bits, each weight, ends of the ranges",
     .scope = "charges of 1 ns, 2^22 ns, 2^22 + 1 ns, 1 s and 540 s",
     .obligation = cfs_word},
    {.name = "cfs_load_history",
     .policy = "cfs",
     .about = "a load index lies between the old and the new load and falls on an idle CPU",
     .scope = "indices 1 to 4, all loads",
     .obligation = cfs_load_history},
    {.name = "cfs_idle_average",
     .policy = "cfs",
     .about = "the average idle time stays within twice the migration cost",
     .scope = "all times",
     .formula = "avg_idle <= 2 migration_cost",
     .obligation = cfs_idle_average},
    {.name = "cfs_imbalance",
     .policy = "cfs",
     .about = "load to move: at most one task, or what the busiest group has above the average",
     .scope = "groups of one CPU, local group below the average",
     .formula = "moved <= max(task, busiest - average)",
     .obligation = cfs_imbalance},
    {.name = "cfs_spread_without_gap",
     .policy = "cfs",
     .claim = Claim::refuted,
     .about = "a bound on the spread without the gap rule",
     .scope = "the update order of 2.6.36, wakeups without preemption",
     .obligation = cfs_spread_without_gap,
     .witness = "wake_in_the_gap"},
    {.name = "cfs_wait_forks_no_debit",
     .policy = "cfs",
     .claim = Claim::refuted,
     .about = "a bound on the wait under forks without START_DEBIT",
     .scope = "the update order of 2.6.36, START_DEBIT off",
     .obligation = cfs_wait_forks_no_debit,
     .witness = "endless_forks"},
}};

}  // namespace

std::span<const Theorem> theorems() { return rows; }

const Theorem* find_theorem(std::string_view name) {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [name](const Theorem& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace fw::theorem
