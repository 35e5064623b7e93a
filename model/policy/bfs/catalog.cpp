// SPDX-License-Identifier: Apache-2.0
#include "model/policy/bfs/catalog.h"

#include <array>

namespace fw::model {
namespace {
using namespace std::string_view_literals;

constexpr std::array versions = {"0.31x"sv, "0.36x"sv};

constexpr std::array features = {
    FeatureInfo{"FORK_DEPTH_PENALTY", true, "", "deadlines of deep descendants lie further off"}};

constexpr std::array depth_rules = {"linear"sv, "max"sv, "additive"sv};
constexpr std::array dist_units = {"literal"sv, "ms"sv};

constexpr std::array knobs = {
    KnobInfo{"rr_interval",
             KnobUnit::count,
             1,
             51,
             "by version and CPUs",
             "time slice in ms (effective value)"},
    KnobInfo{"depth_rule",
             KnobUnit::choice,
             0,
             0,
             "linear",
             "FORK_DEPTH_PENALTY: offset x (1 + depth), x max(1, depth), or one nice level a depth",
             depth_rules},
    KnobInfo{"dist_unit",
             KnobUnit::choice,
             0,
             0,
             "literal",
             "cost of a move: added to deadlines as the number of ms, or as that time",
             dist_units},
    KnobInfo{"hz", KnobUnit::count, 10, 10'000, "1000", "ticks a second"},
};

constexpr std::array task_ints = {"deadline"sv,
                                  "time_slice"sv,
                                  "last_ran"sv,
                                  "prio"sv,
                                  "place"sv,
                                  "depth"sv,
                                  "first_time_slice"sv};
constexpr std::array cpu_ints = {"niffies"sv, "qnr"sv, "rq_prio"sv, "rq_deadline"sv, "dither"sv};
constexpr std::array log_keys = {"deadline"sv, "slice"sv};

constexpr PolicyInfo info = {
    "bfs", versions, features, knobs, {task_ints, cpu_ints, {}, log_keys, 2}, "BFS of 2009-2010"};
}  // namespace

const PolicyInfo& bfs_info() { return info; }

}  // namespace fw::model
