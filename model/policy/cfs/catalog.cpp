// SPDX-License-Identifier: Apache-2.0
#include "model/policy/cfs/catalog.h"

#include <array>

namespace fw::model {
namespace {
using namespace std::string_view_literals;

constexpr std::int64_t second = 1'000'000'000;

constexpr std::array versions = {"2.6.35"sv, "2.6.36-rc3"sv, "2.6.36"sv};

constexpr std::array features = {
    FeatureInfo{"GENTLE_FAIR_SLEEPERS", true, "*", "halves the credit of a sleeper at its wakeup"},
    FeatureInfo{"START_DEBIT", true, "*", "a new task starts one virtual slice late"},
    FeatureInfo{"WAKEUP_PREEMPT", true, "*", "wakeups and the tick's leftmost test may preempt"},
    FeatureInfo{"NEXT_BUDDY", true, "", "the task woken last is favoured at the next pick"},
    FeatureInfo{"LAST_BUDDY", true, "*", "a task preempted by a wakeup is favoured afterwards"},
    FeatureInfo{"CACHE_HOT_BUDDY", true, "*", "the balancer takes buddies for cache-hot"},
    FeatureInfo{"LB_BIAS", true, "*", "the balancer reads loads biased by their history"},
    FeatureInfo{"AFFINE_WAKEUPS", false, "*", "listed by these kernels, but nothing reads it"},
    FeatureInfo{"ARCH_POWER", false, "", "CPU power from the architecture"},
    FeatureInfo{"HRTICK", false, "", "preemption by high-resolution timer"},
    FeatureInfo{"DOUBLE_TICK", false, "", "timer tick beside HRTICK"},
    FeatureInfo{"LB_SHARES_UPDATE", false, "*", "group scheduling only"},
    FeatureInfo{"ASYM_EFF_LOAD", false, "*", "group scheduling only"},
    FeatureInfo{"OWNER_SPIN", false, "*", "mutex spinning, not CFS"},
};

constexpr std::array word_choices = {"64"sv};

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
             "the tick compares the lead as unsigned, as 64-bit kernels did"},
    KnobInfo{"hz", KnobUnit::count, 10, 10'000, "1000", "ticks a second"},
    KnobInfo{"word",
             KnobUnit::choice,
             0,
             0,
             "64",
             "machine word; the 32-bit rules are not modelled",
             word_choices},
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
                             "Completely Fair Scheduler of Linux 2.6.35 to 2.6.36"};
}  // namespace

const PolicyInfo& cfs_info() { return info; }

}  // namespace fw::model
