// SPDX-License-Identifier: Apache-2.0
#include "props/run/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/ideal/fluid.h"
#include "props/run/case_run.h"

namespace fw::run {
namespace {

/// The plot's curves: the first policy integer of each task (vruntime, deadline, ...) and, per CPU,
/// the difference between the largest and the smallest of it among runnable tasks.
class Curves {
 public:
  Curves(const PolicySchema& schema, const RecordOptions& options)
      : schema_(schema), options_(options) {}

  void sample(const View& view, std::span<const Decision> decisions, const Side& side) {
    if (schema_.task_ints.empty()) return;
    find_base(view, decisions);
    if (!base_known_) return;
    std::map<std::int32_t, std::pair<std::int64_t, std::int64_t>> range;  // cpu -> lowest, highest
    for (const TaskView& task : view.tasks) {
      const auto value = relative(task.ints[0]);
      if (task.state != TaskState::blocked) {
        auto [at, fresh] = range.try_emplace(task.cpu.value, value, value);
        if (!fresh) {
          at->second.first = std::min(at->second.first, value);
          at->second.second = std::max(at->second.second, value);
        }
      }
      if (static_cast<std::size_t>(task.id.value) < options_.plotted_tasks) {
        add(fmt::format("{} {}", schema_.task_ints[0], side.task_name(task.id)), view.now, value);
      }
    }
    for (const auto& [cpu, bounds] : range) {
      const std::string name = view.cpus.size() == 1 ? "spread" : fmt::format("spread cpu {}", cpu);
      add(name, view.now, bounds.second - bounds.first);
    }
  }

  /// The lag of each plotted task: what the fluid ideal would have given it, less what it got.
  void sample_lag(const View& view, const model::Fluid& fluid, const Side& side) {
    if (view.now < next_lag_) return;
    next_lag_ = view.now + lag_step_;
    for (const TaskView& task : view.tasks) {
      if (static_cast<std::size_t>(task.id.value) >= options_.plotted_tasks) continue;
      const auto lag = fluid.lag_ns(task.id).convert_to<double>();
      add("lag " + side.task_name(task.id), view.now, static_cast<std::int64_t>(lag));
    }
  }
  void set_end(Instant end) {
    if (end != never) lag_step_ = {std::max<std::int64_t>(1, end.ns / lag_points)};
  }

  std::vector<Recording::Series> take() {
    std::vector<Recording::Series> out;
    for (auto& [name, series] : series_) {
      thin(series.points);
      out.push_back(std::move(series));
    }
    return out;
  }

 private:
  /// The log's values are relative to the first queue's start; views are absolute.
  void find_base(const View& view, std::span<const Decision> decisions) {
    if (base_known_ || schema_.log_keys.empty()) return;
    for (const Decision& d : decisions) {
      for (const TaskView& task : view.tasks) {
        if (task.id != d.task) continue;
        base_ = static_cast<std::uint64_t>(task.ints[0]) - static_cast<std::uint64_t>(d.state[0]);
        base_known_ = true;
        return;
      }
    }
  }
  std::int64_t relative(std::int64_t value) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - base_);
  }
  void add(const std::string& name, Instant now, std::int64_t value) {
    Recording::Series& series = series_[name];
    if (series.name.empty()) {
      series.name = name;
      series.unit = "ns";
    }
    auto& points = series.points;
    if (!points.empty() && points.back().first == now.ns) points.pop_back();
    points.emplace_back(now.ns, static_cast<double>(value));
  }
  void thin(std::vector<std::pair<std::int64_t, double>>& points) const {
    if (points.size() <= options_.max_points) return;
    std::vector<std::pair<std::int64_t, double>> kept;
    const std::size_t step = points.size() / options_.max_points + 1;
    for (std::size_t i = 0; i < points.size(); i += step) kept.push_back(points[i]);
    if (kept.back() != points.back()) kept.push_back(points.back());
    points = std::move(kept);
  }

  static constexpr std::int64_t lag_points = 400;  // each is a sum of rationals

  const PolicySchema& schema_;
  const RecordOptions& options_;
  Instant next_lag_{};
  Duration lag_step_{1'000'000};
  bool base_known_ = false;
  std::uint64_t base_ = 0;
  std::map<std::string, Recording::Series> series_;
};

}  // namespace

Outcome<Recording> record(const PolicyRow& row, const Setup& setup, const RecordOptions& options) {
  const auto side = options.model ? row.model(setup) : row.implementation(setup);
  const PolicySchema& schema = row.info->schema;
  Recording out;
  out.title = setup.workload.name;
  out.spec = setup.spec.text;
  out.cpus = setup.topology.cpus;
  for (const std::string_view key : schema.log_keys) out.log_keys.emplace_back(key);
  out.task_log_keys = schema.task_log_keys;
  out.end = setup.end;
  if (setup.workload.duration) out.end = std::min(out.end, Instant{} + *setup.workload.duration);
  Curves curves(schema, options);
  curves.set_end(out.end);
  View before, view;
  side->look(before);
  model::Fluid fluid;
  fluid.start(before);
  std::int32_t last_task = -1;
  Instant last{};
  while (const auto stimulus = side->advance()) {
    last = stimulus->t;
    const auto decisions = side->decisions();
    side->look(view);
    fluid.advance(before, view);
    curves.sample(view, decisions, *side);
    curves.sample_lag(view, fluid, *side);
    for (const TaskView& task : view.tasks) last_task = std::max(last_task, task.id.value);
    for (const Decision& d : decisions) {
      last_task = std::max({last_task, d.task.value, d.other.value});
      out.decisions.push_back(d);
    }
    if (static_cast<std::int64_t>(out.decisions.size()) >= options.max_decisions) break;
    std::swap(before, view);
  }
  if (!side->fault().empty()) return Error{side->fault(), "", setup.workload.name};
  for (std::int32_t id = 0; id <= last_task; ++id)
    out.task_names.push_back(side->task_name(TaskId{id}));
  if (out.end == never) out.end = last;
  out.series = curves.take();
  return out;
}

void add_spread_bound(Recording& recording, const PolicyRow& row, const Case& c) {
  CaseOptions only_spread;
  only_spread.only = "vruntime_spread_bounded";
  only_spread.lockstep = false;
  for (const PropertyTally& tally : run_case(row, c, only_spread).tallies) {
    if (!tally.extreme) continue;
    recording.series.push_back(
        {"bound", "ns", {{0, tally.extreme->bound}, {recording.end.ns, tally.extreme->bound}}});
  }
}

Outcome<std::int64_t> follow(const PolicyRow& row,
                             const Setup& setup,
                             bool model,
                             const OnDecision& on_decision) {
  const auto side = model ? row.model(setup) : row.implementation(setup);
  std::int64_t events = 0;
  while (const auto stimulus = side->advance()) {
    if (stimulus->counts) ++events;
    for (const Decision& d : side->decisions()) {
      if (const auto stop = on_decision(d, *side)) return *stop;
    }
  }
  if (!side->fault().empty()) return Error{side->fault(), "", setup.workload.name};
  return events;
}

}  // namespace fw::run
