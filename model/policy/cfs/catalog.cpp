// SPDX-License-Identifier: Apache-2.0
#include "model/policy/cfs/catalog.h"

#include <array>

namespace fw::model {
namespace {
using namespace std::string_view_literals;

constexpr std::int64_t second = 1'000'000'000;

// The default comes last; 6.1 is here for `validate` and comparisons.
constexpr std::array versions = {
    "6.1"sv, "2.6.32"sv, "2.6.33"sv, "2.6.34"sv, "2.6.35"sv, "2.6.36-rc3"sv, "2.6.36"sv};

constexpr std::string_view all_2_6 = "2.6.32 2.6.33 2.6.34 2.6.35 2.6.36-rc3 2.6.36";
constexpr std::string_view to_34 = "2.6.32 2.6.33 2.6.34";
constexpr std::string_view only_32 = "2.6.32";
constexpr std::string_view only_61 = "6.1";

/// A feature that is off wherever it exists, and one that acts in some versions only (CHOICE page
/// N1: it is without effect in the others).
constexpr FeatureInfo off(std::string_view name, std::string_view about) {
  return {name, true, "", about};
}
constexpr FeatureInfo some(std::string_view name, std::string_view on_in, std::string_view about) {
  return {name, true, on_in, about};
}
/// Known to some kernel of the list, without effect here.
constexpr FeatureInfo idle(std::string_view name, std::string_view on_in, std::string_view about) {
  return {name, false, on_in, about};
}

constexpr std::array features = {
    FeatureInfo{"GENTLE_FAIR_SLEEPERS", true, "*", "halves the credit of a sleeper at its wakeup"},
    FeatureInfo{"START_DEBIT", true, "*", "a new task starts one virtual slice late"},
    FeatureInfo{"NEXT_BUDDY", true, "", "the task woken last is favoured at the next pick"},
    FeatureInfo{"LAST_BUDDY", true, "*", "a task preempted by a wakeup is favoured afterwards"},
    FeatureInfo{"CACHE_HOT_BUDDY", true, "*", "the balancer takes buddies for cache-hot"},
    some("WAKEUP_PREEMPT", all_2_6, "wakeups and the tick's leftmost test may preempt"),
    some("LB_BIAS", all_2_6, "the balancer reads loads biased by their history"),
    off("NORMALIZED_SLEEPER", "2.6.32 to .34: scales a sleeper's credit by its weight"),
    some("ADAPTIVE_GRAN", to_34, "wakeup granularity from how often the wakee wakes others"),
    some("ASYM_GRAN", to_34, "scales the granularity by the challenger, not the current"),
    off("WAKEUP_OVERLAP", "2.6.32 to .34: tasks that overlap little preempt each other"),
    off("WAKEUP_RUNNING", "2.6.32: a task that runs for shorter times preempts"),
    some("AFFINE_WAKEUPS", to_34, "a wakee may move to the waking CPU; later unread"),
    off("SYNC_MORE", "2.6.32 to .34: affine wakeups of tasks that overlap little count as sync"),
    some("WAKEUP_PREEMPTION", only_61, "wakeups may preempt"),
    some("BASE_SLICE", only_61, "slices are never below the minimum granularity"),
    // The patches of 2009 and 2010, in every version.
    off("START_NICE", "v3: parent and child pay double for their first slice after a fork"),
    off("START_NICE_V2", "v2: the same, but not for the charge that ends the slice"),
    off("DYN_MIN_VRUNTIME", "min_vruntime follows the time shared among all"),
    FeatureInfo{"FAIR_SLEEPERS", true, "*", "every sleeper gets credit at its wakeup"},
    off("FAIR_SLEEPERS_INTERACTIVE", "sleepers woken by input get credit without FAIR_SLEEPERS"),
    off("FAIR_SLEEPERS_TIMER", "sleepers woken by a timer get credit without FAIR_SLEEPERS"),
    off("INTERACTIVE", "a task woken by input becomes the next buddy"),
    off("TIMER", "a task woken by a timer becomes the next buddy"),
    off("INTERACTIVE_FORK_EXPEDITED", "children of a task woken by input start at once"),
    off("TIMER_FORK_EXPEDITED", "children of a task woken by a timer start at once"),
    off("TREE_PENALTY", "tasks pay by their depth in the fork tree (knob depth_rule)"),
    idle("ARCH_POWER", "", "CPU power from the architecture"),
    idle("HRTICK", "", "preemption by high-resolution timer"),
    idle("DOUBLE_TICK", "", "timer tick beside HRTICK"),
    idle("LB_SHARES_UPDATE", all_2_6, "group scheduling only"),
    idle("ASYM_EFF_LOAD", all_2_6, "group scheduling only"),
    idle("OWNER_SPIN", all_2_6, "mutex spinning, not CFS"),
    idle("WAKEUP_SYNC", "", "no wakeup carries the sync hint"),
    idle("SYNC_WAKEUPS", to_34, "no wakeup carries the sync hint"),
    idle("SYNC_LESS", to_34, "no wakeup carries the sync hint"),
    idle("ALT_PERIOD", only_61, "counts all tasks of the CPU; the same without groups"),
    idle("HRTICK_DL", "", "deadline class"),
    idle("NONTASK_CAPACITY", only_61, "balancing"),
    idle("TTWU_QUEUE", only_61, "remote wakeups by interrupt"),
    idle("SIS_PROP", "", "search for an idle CPU"),
    idle("SIS_UTIL", only_61, "search for an idle CPU"),
    idle("WARN_DOUBLE_CLOCK", "", "debugging"),
    idle("RT_PUSH_IPI", "", "real-time class"),
    idle("RT_RUNTIME_SHARE", "", "real-time class"),
    idle("LB_MIN", "", "balancing"),
    idle("ATTACH_AGE_LOAD", only_61, "balancing"),
    idle("WA_IDLE", only_61, "choice of a CPU"),
    idle("WA_WEIGHT", only_61, "choice of a CPU"),
    idle("WA_BIAS", only_61, "choice of a CPU"),
    idle("UTIL_EST", only_61, "balancing"),
    idle("UTIL_EST_FASTUP", only_61, "balancing"),
    idle("LATENCY_WARN", "", "debugging"),
    idle("NI_RANDOM", only_61, "balancing"),
};

constexpr std::array word_choices = {"64"sv, "32"sv};
constexpr std::array boundary_choices = {"none"sv, "latency"sv, "source"sv, "balancing"sv};
constexpr std::array depth_choices = {"rate"sv, "shift"sv, "place"sv};

constexpr std::array knobs = {
    KnobInfo{"latency",
             KnobUnit::duration,
             100'000,
             second,
             "by version",
             "period of a queue with up to nr_latency tasks (effective value)"},
    KnobInfo{"min_granularity",
             KnobUnit::duration,
             100'000,
             second,
             "by version",
             "least part of the period (effective value)"},
    KnobInfo{"wakeup_granularity",
             KnobUnit::duration,
             0,
             second,
             "by version",
             "lead a woken task needs to preempt (effective value)"},
    KnobInfo{"nr_latency",
             KnobUnit::count,
             1,
             1'000'000,
             "by version",
             "tasks up to which the period is latency; recomputed if a tunable is given"},
    KnobInfo{"migration_cost",
             KnobUnit::duration,
             0,
             second,
             "500us",
             "time for which a task counts as cache-hot"},
    KnobInfo{"nr_migrate",
             KnobUnit::count,
             0,
             1'000'000,
             "32",
             "tasks looked at in one balancing pass, less one"},
    KnobInfo{"child_runs_first", KnobUnit::count, 0, 1, "0", "a new task runs before its parent"},
    KnobInfo{"compat_yield", KnobUnit::count, 0, 1, "0", "yield goes behind the rightmost task"},
    KnobInfo{"tick_unsigned",
             KnobUnit::count,
             0,
             1,
             "1",
             "the tick compares the lead as unsigned, as 64-bit kernels of 2.6 did"},
    KnobInfo{"hz", KnobUnit::count, 10, 10'000, "1000", "ticks a second"},
    KnobInfo{"word",
             KnobUnit::choice,
             0,
             0,
             "64",
             "machine word of 2.6 kernels; 6.1 has 64 bits",
             word_choices},
    KnobInfo{"hot_buddy_boundary",
             KnobUnit::choice,
             0,
             0,
             "balancing",
             "whose queue must be how full for a buddy to count as cache-hot",
             boundary_choices},
    KnobInfo{"depth_rule",
             KnobUnit::choice,
             0,
             0,
             "rate",
             "what TREE_PENALTY makes dearer: charges, charges by powers of two, placements",
             depth_choices},
    KnobInfo{"clock_base", KnobUnit::wide, 0, 0, "0", "the runqueue clocks' value at t = 0"},
    KnobInfo{"vruntime_base",
             KnobUnit::wide,
             0,
             0,
             "18446744073708503040",
             "the queues' first min_vruntime"},
};

constexpr std::array task_ints = {"vruntime"sv, "exec_start"sv, "prev_sum_exec"sv};
constexpr std::array cpu_ints = {"clock"sv,
                                 "min_vruntime"sv,
                                 "next"sv,
                                 "last"sv,
                                 "leftmost"sv,
                                 "cpu_load0"sv,
                                 "cpu_load1"sv,
                                 "cpu_load2"sv,
                                 "cpu_load3"sv,
                                 "cpu_load4"sv,
                                 "avg_idle"sv,
                                 "idle_stamp"sv,
                                 "next_balance"sv,
                                 "exec_clock"sv,
                                 "nr_spread_over"sv};
constexpr std::array domain_ints = {"last_balance"sv, "balance_interval"sv, "nr_balance_failed"sv};
constexpr std::array log_keys = {"v"sv, "min"sv};

constexpr PolicyInfo info = {"cfs",
                             versions,
                             features,
                             knobs,
                             {task_ints, cpu_ints, domain_ints, log_keys, 1},
                             "Completely Fair Scheduler of Linux 2.6.32 to 2.6.36, and of 6.1"};
}  // namespace

const PolicyInfo& cfs_info() { return info; }

}  // namespace fw::model
