// SPDX-License-Identifier: Apache-2.0
#include "props/mutants/eevdf.h"

#include <array>

namespace fw::mutants {
namespace {

constexpr Mutant one_side(std::string_view id, std::string_view about, std::string_view spec = {}) {
  return {id, "eevdf", about, false, spec};
}
constexpr Mutant both_sides(std::string_view id, std::string_view about) {
  return {id, "eevdf", about, true, {}};
}

constexpr std::array table = {
    // Virtual time, average, eligibility.
    both_sides("A17_lag_not_clamped", "a lag is stored without its limit"),
    both_sides("E03_deadline_renewed_late", "a deadline is renewed only when v is past it"),
    both_sides("E09_weight_ignored_in_vtime", "virtual time passes alike for all weights"),
    both_sides("E14_average_truncated", "the average is rounded towards zero, not down"),
    one_side("O06_average_without_running", "the average leaves the running task out"),
    one_side("O06_minimum_without_running", "the minimum follows the tree past the running task"),
    one_side("E01_equal_lags_not_eligible", "an entity must have positive lag to be eligible"),
    one_side("E08_slice_renewed_thrice", "a used-up slice is followed by one three times as long"),
    // Picks and protection.
    one_side("O01_search_stops_at_ineligible",
             "when the first deadline is not eligible the search goes by vruntime"),
    one_side("E02_parity_not_kept", "the running task is never protected from a pick"),
    both_sides("P21_protection_set_by_own_slice",
               "protection lasts to the deadline whatever slices wait"),
    one_side("E12_equal_keys_reversed", "of equal keys the newcomer goes first"),
    one_side("B12_hint_kept_when_picked", "the hint outlives its pick", "eevdf@6.18+NEXT_BUDDY"),
    // Preemption and yield.
    one_side("W16_ineligible_runner_forced_off",
             "a wakeup forces a running task off that is not eligible"),
    one_side("W17_lone_task_marked", "a task alone on its queue is marked at the end of its slice"),
    one_side("W35_yield_pays_when_not_eligible",
             "a yield forfeits although the task is not eligible",
             "eevdf@6.18,yield=forfeit"),
    one_side("E05_short_slice_respects_protection", "PREEMPT_SHORT does nothing"),
    // Placement.
    both_sides("E04_request_not_clamped", "a requested slice is granted as it is"),
    both_sides("E06_lag_not_inflated", "a joining entity's lag is not inflated"),
    one_side("E07_debt_forgiven", "who left owing joins without debt"),
    one_side("P05_child_placed_on_parents_queue",
             "a child keeps the place that the parent's queue gave it"),
    one_side("P17_average_after_removal", "a leaver's lag is taken from the average of the others"),
    // Weight changes and requeueing.
    both_sides("E13_rescaled_the_wrong_way", "lag and deadline are scaled by w'/w"),
    one_side("P16_lag_kept_at_renice", "a renice leaves the lag as it was"),
    one_side("O17_deadline_reset_at_requeue",
             "a renice or a move gives a fresh deadline instead of the rest of the old one"),
    // Delayed sleepers.
    one_side("E10_sleepers_always_delayed", "an eligible sleeper stays on the queue, too"),
    one_side("E11_delayed_credit_kept", "a delayed sleeper keeps the lag it gained asleep"),
    one_side("E15_dropped_sleeper_keeps_credit",
             "a delayed sleeper that is picked takes its positive lag along"),
};

}  // namespace

std::span<const Mutant> eevdf_mutants() { return table; }

}  // namespace fw::mutants
