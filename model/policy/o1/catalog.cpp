// SPDX-License-Identifier: Apache-2.0
#include "model/policy/o1/catalog.h"

#include <array>

namespace fw::model {
namespace {
using namespace std::string_view_literals;

constexpr std::array versions = {"2.5.59"sv};

constexpr std::array variants = {"virgin"sv, "part1"sv, "part2"sv, "both"sv};
constexpr std::array no_threshold = {"none"sv};

constexpr std::int64_t most_ticks = 10'000'000;

constexpr KnobInfo ticks(std::string_view name,
                         std::int64_t lowest,
                         std::string_view standard,
                         std::string_view about) {
  return {name, KnobUnit::ticks, lowest, most_ticks, standard, about};
}
constexpr KnobInfo count(std::string_view name,
                         std::int64_t highest,
                         std::string_view standard,
                         std::string_view about) {
  return {name, KnobUnit::count, 0, highest, standard, about};
}

constexpr std::array knobs = {
    KnobInfo{"variant",
             KnobUnit::choice,
             0,
             0,
             "virgin",
             "which part of the 2003 patch is applied; the knobs below change one by one",
             variants},
    ticks("min_timeslice", 1, "10ms", "time slice of nice 19"),
    ticks("max_timeslice", 1, "by variant", "time slice of nice -20; at least min_timeslice"),
    count("child_penalty", 100, "by variant", "percent of the sleep average a child is given"),
    count("parent_penalty", 100, "100", "percent of it the parent keeps at a fork"),
    count("exit_weight", 1000, "3", "weight of a parent's sleep average against its child's"),
    count("prio_bonus_ratio", 100, "25", "percent of the 40 priorities that the bonus spans"),
    count("interactive_delta", 40, "2", "how far above its nice an interactive task stands"),
    ticks("max_sleep_avg", 1, "by variant", "sleep average of the greatest bonus"),
    ticks("starvation_limit",
          0,
          "by variant",
          "wait of the expired array, for each runnable task, that ends interactive re-insertion"),
    count("limit0_never", 1, "by variant", "starvation_limit=0 means never, not at once"),
    KnobInfo{"node_threshold",
             KnobUnit::count,
             0,
             1000,
             "125",
             "percent of the own node's load that another one must exceed",
             no_threshold},
    KnobInfo{"node_balance_rate",
             KnobUnit::count,
             1,
             10'000,
             "100",
             "every so many balancing attempts look at other nodes"},
    ticks("cache_decay", 0, "by hz", "time off the CPU after which a task may be moved"),
    KnobInfo{"hz", KnobUnit::count, 10, 10'000, "1000", "ticks a second"},
};

constexpr std::array task_ints = {
    "prio"sv, "time_slice"sv, "array"sv, "sleep_avg"sv, "sleep_timestamp"sv, "first_time_slice"sv};
constexpr std::array cpu_ints = {"nr_active"sv,
                                 "nr_expired"sv,
                                 "active_bitmap"sv,
                                 "expired_bitmap"sv,
                                 "expired_timestamp"sv,
                                 "nr_balanced"sv,
                                 "prev_nr_running"sv,
                                 "prev_node_load"sv};
constexpr std::array log_keys = {"prio"sv, "slice"sv, "array"sv, "sleep_avg"sv};

constexpr PolicyInfo info = {"o1",
                             versions,
                             {},
                             knobs,
                             {task_ints, cpu_ints, {}, log_keys, 4},
                             "O(1) scheduler of Linux 2.5.59"};
}  // namespace

const PolicyInfo& o1_info() { return info; }

}  // namespace fw::model
