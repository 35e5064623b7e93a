// SPDX-License-Identifier: Apache-2.0
#include "props/mutants/cfs_balance.h"

#include <array>

namespace fw::mutants {
namespace {

constexpr Mutant one_side(std::string_view id, std::string_view about) {
  return Mutant{id, "cfs", about, false, {}};
}
constexpr Mutant both_sides(std::string_view id, std::string_view about) {
  return Mutant{id, "cfs", about, true, {}};
}

constexpr std::array rows = {
    // What is to be moved, and from where.
    both_sides("A24_imbalance_underflow",
               "the amount is (average - local) unsigned, though the local group may lie above it"),
    both_sides("L16_busiest_test_reversed",
               "a group may be the busiest when its tasks are fewer than its capacity"),
    both_sides("C17_load_index_stale_when_idle",
               "the load history of a CPU without load stands still"),
    one_side("L02_groups_seen_from_first_cpu",
             "every CPU takes the first group of a level for its own"),
    one_side("L09_load_times_count", "a CPU's load is multiplied by its number of tasks once more"),
    one_side("L19_lone_heavy_task_chosen",
             "a CPU with one task too heavy to move can be the busiest"),
    one_side("L35_failure_marks_imbalance",
             "a failed attempt marks every other group as imbalanced inside"),
    one_side("L42_mean_hides_crowd",
             "nothing is balanced while the mean load is below one nice-0 task"),
    // Which tasks are moved.
    both_sides("P02_vruntime_not_shifted_on_pull",
               "a pulled task keeps its vruntime though the minimum there is another"),
    one_side("A23_weight_shifted_by_failures",
             "the weight that is compared with the amount is shifted by the number of failures"),
    one_side("B10_buddy_kept_from_idle_cpu",
             "a buddy is cache hot even for a CPU that has nothing to run"),
    one_side("C10_load_left_at_pull", "a pulled task's load stays on the CPU it came from"),
    one_side("C13_moved_load_stale", "a moved task takes almost nothing off the remaining amount"),
    one_side("C21_pull_placed_as_wakeup", "a pulled task is placed as if it had just woken"),
    one_side("L07_heavy_task_pulled", "tasks are pulled however much they exceed the amount"),
    one_side("L20_hot_after_one_failure", "one failed attempt makes tasks in the cache movable"),
    one_side("L28_scan_without_limit", "nr_migrate does not end the search for tasks"),
    both_sides("L46_pinned_task_pulled", "the balancer does not see that a task may not go there"),
    one_side("W33_source_cpu_marked",
             "after a pull the CPU that lost the task is tested for preemption"),
    // What becomes of an attempt, and when the next one is due.
    both_sides("L41_avg_idle_without_cap",
               "a long idle period enters the average idle time in full"),
    one_side("L41_avg_idle_cut_on_failure",
             "a new-idle attempt that moves nothing halves the average idle time"),
    one_side("L06_pinned_not_slowed", "the interval does not grow when all tasks are pinned"),
    one_side("L11_pinned_cpu_ends_search",
             "when all tasks of the busiest CPU are pinned no other CPU is looked at"),
    one_side("L22_two_balancers",
             "the first CPU of a group balances it, too, beside the first idle one"),
    one_side("L33_push_ignores_affinity", "active balance pushes tasks that may not go there"),
    one_side("L36_pinned_by_running_task",
             "all count as pinned when the running task may not go there"),
    one_side("L38_pushed_too_early", "active balance starts at the first failed attempt"),
    one_side("R08_push_request_lost", "active balance is counted as done but does nothing"),
    one_side("R17_pick_without_newidle",
             "a CPU that runs dry does not try to pull before its pick"),
    // Where a woken or new task goes.
    one_side("R14_wakeup_ignores_affinity", "a wakeup may choose a CPU that is not allowed"),
    one_side("R14_runner_left_on_old_cpu",
             "a running task stays where it is when its new mask excludes that CPU"),
    one_side("R01_cpu_set_before_shift",
             "a woken task gets its new CPU before the old minimum is taken off its vruntime"),
    one_side("L24_local_load_unset",
             "the local load is garbage when the child may not run in the local group"),
    one_side("L25_fork_counts_child", "the child's load counts for the local group"),
    one_side("O18_cpu_zero_is_none", "CPU 0 is never found as an idle sibling"),
    one_side("W31_idle_sibling_missed", "a wakeup does not look for an idle sibling"),
};

}  // namespace

std::span<const Mutant> cfs_balance_mutants() { return rows; }

}  // namespace fw::mutants
