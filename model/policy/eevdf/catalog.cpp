// SPDX-License-Identifier: Apache-2.0
#include "model/policy/eevdf/catalog.h"

#include <array>

namespace fw::model {
namespace {
using namespace std::string_view_literals;

constexpr std::array versions = {"6.6"sv, "6.12"sv, "6.18"sv};

constexpr std::array features = {
    FeatureInfo{"PLACE_LAG", true, "*", "a task that joins keeps the lag it left with"},
    FeatureInfo{
        "PLACE_DEADLINE_INITIAL", true, "*", "a new task's first slice is halved (not 6.6)"},
    FeatureInfo{"PLACE_REL_DEADLINE",
                true,
                "6.12 6.18",
                "a task moved or reniced keeps what is left of its deadline"},
    FeatureInfo{"RUN_TO_PARITY", true, "*", "the running task is protected for a slice"},
    FeatureInfo{
        "PREEMPT_SHORT", true, "6.12 6.18", "a woken task of shorter slice breaks protection"},
    FeatureInfo{"DELAY_DEQUEUE", true, "6.12 6.18", "a sleeper that owes time stays on the queue"},
    FeatureInfo{"DELAY_ZERO", true, "6.12 6.18", "such a sleeper earns no lag meanwhile"},
    FeatureInfo{"WAKEUP_PREEMPTION", true, "*", "wakeups may preempt"},
    FeatureInfo{"NEXT_BUDDY", true, "", "a wakeup names its task as the next to be picked"},
    FeatureInfo{"PICK_BUDDY", true, "6.18", "the named task is picked if eligible"},
    FeatureInfo{"CACHE_HOT_BUDDY", false, "*", "load balancing only"},
    FeatureInfo{"HRTICK", false, "", "preemption by high-resolution timer"},
    FeatureInfo{"HRTICK_DL", false, "", "the same for the deadline class"},
    FeatureInfo{"DOUBLE_TICK", false, "", "timer tick beside HRTICK"},
    FeatureInfo{"NONTASK_CAPACITY", false, "*", "CPU capacity only"},
    FeatureInfo{"TTWU_QUEUE", false, "*", "how remote wakeups travel"},
    FeatureInfo{"SIS_PROP", false, "", "search for idle CPUs"},
    FeatureInfo{"SIS_UTIL", false, "*", "search for idle CPUs"},
    FeatureInfo{"WARN_DOUBLE_CLOCK", false, "", "debugging"},
    FeatureInfo{"RT_PUSH_IPI", false, "", "real-time class"},
    FeatureInfo{"RT_RUNTIME_SHARE", false, "", "real-time class"},
    FeatureInfo{"LB_MIN", false, "", "load balancing only"},
    FeatureInfo{"ATTACH_AGE_LOAD", false, "*", "load tracking only"},
    FeatureInfo{"WA_IDLE", false, "*", "choice of CPU at wakeups"},
    FeatureInfo{"WA_WEIGHT", false, "*", "choice of CPU at wakeups"},
    FeatureInfo{"WA_BIAS", false, "*", "choice of CPU at wakeups"},
    FeatureInfo{"UTIL_EST", false, "*", "load tracking only"},
    FeatureInfo{"LATENCY_WARN", false, "", "debugging"},
    FeatureInfo{"NI_RANDOM", false, "*", "load balancing only"},
};

constexpr std::array profiles = {"E66"sv, "E612"sv, "E618"sv, "E618s"sv, "E618L"sv};
constexpr std::array references = {"min"sv, "zero"sv, "zero_at_use"sv};
constexpr std::array yields = {"deadline"sv, "forfeit"sv};
constexpr std::array lag_limits = {"old"sv, "new"sv};
constexpr std::array reweights = {"e66"sv, "e612"sv, "e618"sv, "e71"sv};
constexpr std::array vprot_sets = {"current"sv, "pick"sv};
constexpr std::array vprot_reweights = {"untouched"sv, "scaled"sv};
constexpr std::array vdelta_kinds = {"inverse"sv, "divide"sv};

constexpr KnobInfo choice(std::string_view name,
                          std::string_view about,
                          std::span<const std::string_view> choices,
                          std::string_view standard = "by profile") {
  return {name, KnobUnit::choice, 0, 0, standard, about, choices};
}

constexpr std::array knobs = {
    choice(
        "profile", "which kernel's rules; those below change one by one", profiles, "by version"),
    KnobInfo{"base_slice",
             KnobUnit::duration,
             100'000,
             1'000'000'000,
             "by profile",
             "slice of a task without a request (effective value)"},
    choice("reference", "what v is stored relative to, and an empty queue's V", references),
    choice("yield", "what a yield gives up", yields),
    choice(
        "lag_limit", "bound of a stored lag: own slice, or greatest slice plus tick", lag_limits),
    choice("reweight", "what a change of weight does to deadline and lag", reweights),
    choice("vprot_set", "when slice protection is set", vprot_sets),
    choice(
        "vprot_on_reweight", "slice protection of a group whose weight changes", vprot_reweights),
    choice("vdelta_kind", "virtual time by inverse table or by division", vdelta_kinds),
    KnobInfo{"hz", KnobUnit::count, 10, 10'000, "1000", "ticks a second"},
    KnobInfo{"clock_base", KnobUnit::wide, 0, 0, "0", "the runqueue clocks' value at t = 0"},
    KnobInfo{"vruntime_base",
             KnobUnit::wide,
             0,
             0,
             "18446744073708503040",
             "the queues' first min_vruntime or zero_vruntime"},
};

constexpr std::array task_ints = {"vruntime"sv,
                                  "deadline"sv,
                                  "slice"sv,
                                  "vlag"sv,
                                  "exec_start"sv,
                                  "prev_sum_exec"sv,
                                  "protection"sv,
                                  "delayed"sv};
constexpr std::array cpu_ints = {"clock"sv,
                                 "base_vruntime"sv,
                                 "avg_vruntime"sv,
                                 "avg_load"sv,
                                 "weighted_sum"sv,
                                 "next"sv,
                                 "nr_queued"sv};
constexpr std::array log_keys = {"v"sv, "deadline"sv, "lag"sv};

constexpr PolicyInfo info = {"eevdf",
                             versions,
                             features,
                             knobs,
                             {task_ints, cpu_ints, {}, log_keys, 3},
                             "Earliest Eligible Virtual Deadline First of Linux 6.6 to 6.18"};
}  // namespace

const PolicyInfo& eevdf_info() { return info; }

}  // namespace fw::model
