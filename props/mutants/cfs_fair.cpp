// SPDX-License-Identifier: Apache-2.0
#include "props/mutants/cfs_fair.h"

#include <array>

namespace fw::mutants {
namespace {

constexpr Mutant impl_only(std::string_view id, std::string_view about) {
  return {id, "cfs", about, false, {}};
}
constexpr Mutant both_sides(std::string_view id, std::string_view about) {
  return {id, "cfs", about, true, {}};
}

constexpr std::array table = {
    // Arithmetic.
    both_sides(
        "A03_unsigned_max_placement",
        "a sleeper is placed at the unsigned maximum of its vruntime and its earliest place"),
    both_sides("A08_boosted_granularity_shifted",
               "the wakeup granularity of tasks above nice 0 is 1024 times too small"),
    impl_only("A09_weight_for_inverse",
              "a delta becomes virtual by the weight where its inverse is needed"),
    impl_only("A10_vslice_without_unit", "a newcomer's virtual slice lacks the factor 1024"),
    both_sides("A11_inverse_digit_dropped", "the inverse weight of nice 1 lost its first digit"),
    impl_only("A12_inverse_not_invalidated",
              "a newcomer's slice uses the queue's inverse weight from before it"),
    both_sides("A13_inverse_truncated", "a queue's inverse weight is 2^32 / weight, truncated"),
    both_sides("A17_product_overflows",
               "large products are not rounded before they meet the inverse weight"),
    both_sides("A21_truncating_shift", "fixed-point results are truncated, not rounded"),
    impl_only("A28_unsigned_vruntime_compare", "the tree compares vruntimes as unsigned numbers"),
    // Ordering.
    impl_only("O01_pick_skips_leftmost", "the search for the next task turns right, never back"),
    impl_only("O05_min_follows_current_only",
              "the minimum follows the running task past the leftmost waiter"),
    both_sides("O06_min_follows_tree_only",
               "the minimum follows the leftmost waiter past the running task"),
    impl_only("O08_minimum_kept_at_dequeue",
              "the minimum is not refreshed when the running task is dequeued"),
    impl_only("O09_placed_in_the_tree", "a woken task is placed after it was put into the tree"),
    impl_only("O11_equal_keys_go_left", "of equal vruntimes the newcomer goes first"),
    impl_only("O14_charge_moves_minimum", "what a task is charged also moves the queue's minimum"),
    impl_only("O17_renice_places_anew", "a renice places the task as if it were new"),
    impl_only("O18_wake_order_by_name", "wakeups of one instant are done in the order of names"),
    // Placement.
    both_sides("P01_sleeper_moved_back", "a sleeper is placed even if it moves back in time"),
    impl_only("P07_child_without_max_of_parent",
              "a child is placed from the minimum, not behind its parent"),
    impl_only("P12_newcomer_not_counted",
              "a newcomer's slice is computed before the newcomer is counted"),
    impl_only("P24_weight_kept_at_renice", "a renice changes nice, not the weight"),
    impl_only("P25_child_of_parents_weight", "a child takes the weight its parent has now"),
    both_sides("S18_child_inherits_credit", "a child starts where its parent stands, undebited"),
    // Accounting.
    impl_only("C16_lone_run_dropped", "what a task alone on its queue ran is dropped"),
    impl_only("C20_charged_twice_at_tick", "the tick charges but leaves the time stamp"),
    impl_only("C24_load_kept_at_block", "a task that blocks leaves its weight in the queue's load"),
    impl_only("S09_no_charge_at_sleep", "what ran since the last tick is not charged at a block"),
    impl_only("S11_reschedule_at_run_boundary", "each run of a program asks for a schedule"),
    impl_only("I11b1b8bc2b98_charged_at_new_weight",
              "a renice charges the running task at its new weight, a change of CPU not at all"),
    impl_only("I52d15521eb75_counted_again_at_renice", "a renice counts the task once more"),
    // Preemption and yield.
    impl_only("W01_preempt_on_nice", "a woken task of better nice preempts wherever it stands"),
    impl_only("W02_wakeup_on_stale_clock", "a wakeup is judged without charging the running task"),
    impl_only("W06_slice_weighted_twice", "the tick's slice is scaled by the weight once more"),
    impl_only("W15_noop_renice_acts", "setting the same nice again dequeues and reschedules"),
    impl_only("W17_lone_task_preempted", "a task alone on its queue is preempted at its slice"),
    both_sides("W19_slice_ends_at_equal",
               "a task that ran exactly its slice has used it up already"),
    impl_only("W30_no_mark_on_idle_cpu", "a wakeup on an idle CPU does not mark it"),
    impl_only("W32_yield_overwritten", "a compatible yield sets nothing back"),
    both_sides("W34_tick_check_skipped_for_two", "with two runnable tasks the tick checks nothing"),
    impl_only("W35_yield_pays_a_slice", "a yield sets the task back by a virtual slice"),
    impl_only("Ifaa42d29419d_idle_policy_runner_kept",
              "a normal waker does not preempt a SCHED_IDLE runner at once"),
    // Buddies.
    impl_only("B01_buddy_granularity_of_queue",
              "a buddy's allowed lead is scaled by the load of the whole queue"),
    impl_only("B02_buddy_lead_unlimited", "a buddy is picked however far it is ahead"),
    impl_only("B08_buddy_kept_when_picked", "a nomination outlives its pick"),
    impl_only("B11_idle_policy_nominated", "SCHED_IDLE tasks are nominated too"),
    impl_only("B16_nomination_preempts", "a woken task preempts when it becomes the next buddy"),
    impl_only("B17_next_buddy_blocks_preemption",
              "while a next buddy waits, no woken task preempts"),
    impl_only("B12_buddy_left_at_dequeue", "a nomination outlives the task's dequeue"),
    impl_only("B12_buddy_kept_at_expiry", "a nomination outlives a used-up slice"),
};

}  // namespace

std::span<const Mutant> cfs_fair_mutants() { return table; }

}  // namespace fw::mutants
