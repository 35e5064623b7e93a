// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/command.h"
#include "model/vocab/case.h"
#include "reports/extra.h"

/// The points of `tune`: knobs over ranges, and at each the bounds and what simulation shows.
namespace fw::cli {

using reports::TunePoint;

/// The command itself; declared here so that the other commands are not compiled again for it.
std::unique_ptr<Command> make_tune(CLI::App& app);

/// One `--knob K=LO..HI`, its values in the knob's own unit (durations in ns).
struct KnobRange {
  std::string name;
  std::vector<std::int64_t> values;  ///< ascending, both ends included
};

/// Reads a range. Whole numbers, durations with units, or two alternatives of a choice (all between
/// them are taken). At most `steps` values, evenly spaced.
/// Errors:  no `=`, no `..`, an unknown knob (the nearest is named), a value out of the knob's
/// range, an empty range.
Outcome<KnobRange> read_range(const std::string& text,
                              const PolicySpec& base,
                              const PolicyInfo& info,
                              const Program& program,
                              int steps);

/// Every combination, the last knob fastest.
std::vector<PolicySpec> grid(const PolicySpec& base,
                             const std::vector<KnobRange>& ranges,
                             const PolicyInfo& info);

/// The bounds of every theorem of the policy that has a number, for tasks of these nice levels on
/// one CPU, with which tunable binds and what the spec lacks for it to hold.
void add_bounds(const PolicySpec& spec, const std::vector<int>& nices, TunePoint& point);

/// Runs the cases under the point's spec: the metrics, and the first property that fails.
/// Errors:  a workload that this spec cannot run.
Outcome<Done> add_metrics(const PolicyRow& row,
                          const std::vector<Case>& cases,
                          const PolicySpec& spec,
                          TunePoint& point);

/// Marks the points that no other one is at least as good as in everything and better in something.
/// Objectives, all to be small: every bound that holds, context switches per second, and without
/// bounds the longest wait seen. Returns their names.
std::vector<std::string> mark_pareto(std::vector<TunePoint>& points);

/// Where the bounds hold, in words.
std::string valid_region(const std::vector<TunePoint>& points);

}  // namespace fw::cli
