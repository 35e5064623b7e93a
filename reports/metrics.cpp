// SPDX-License-Identifier: Apache-2.0
#include "reports/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace fw::reports {
namespace {

/// Where a task stands while the decisions are read.
struct Standing {
  bool runnable = false;
  std::optional<CpuId> runs_on;
  std::optional<std::int64_t> waits_since;
  std::optional<std::int64_t> woken_at;
  std::vector<std::int64_t> waits, wakeups;
};

class Reader {
 public:
  explicit Reader(Metrics& metrics) : metrics_(metrics), standing_(metrics.tasks.size()) {}

  void read(const Decision& decision) {
    switch (decision.kind) {
      case DecisionKind::wake:
        ++metrics_.tasks[at(decision.task)].wakeups;
        standing_[at(decision.task)].woken_at = decision.t.ns;
        becomes_runnable(decision);
        break;
      case DecisionKind::fork:
        becomes_runnable(decision);
        break;
      case DecisionKind::block:
      case DecisionKind::exit:
        leaves(decision.task);
        break;
      case DecisionKind::migrate:
        moves(decision);
        break;
      case DecisionKind::pick:
        picks(decision);
        break;
      default:
        break;
    }
  }

  void finish() {
    std::vector<std::int64_t> waits, wakeups;
    for (std::size_t i = 0; i < standing_.size(); ++i) {
      Standing& task = standing_[i];
      TaskMetrics& out = metrics_.tasks[i];
      if (task.waits_since) out.waiting_at_end_ns = metrics_.end_ns - *task.waits_since;
      waits.insert(waits.end(), task.waits.begin(), task.waits.end());
      wakeups.insert(wakeups.end(), task.wakeups.begin(), task.wakeups.end());
      out.wait = latency_of(std::move(task.waits));
      out.wakeup = latency_of(std::move(task.wakeups));
    }
    metrics_.wait = latency_of(std::move(waits));
    metrics_.wakeup = latency_of(std::move(wakeups));
  }

 private:
  static std::size_t at(TaskId task) { return static_cast<std::size_t>(task.value); }

  void becomes_runnable(const Decision& decision) {
    Standing& task = standing_[at(decision.task)];
    task.runnable = true;
    task.waits_since = decision.t.ns;
  }

  void leaves(TaskId id) {
    Standing& task = standing_[at(id)];
    task.runnable = false;
    task.runs_on.reset();
    task.waits_since.reset();
    task.woken_at.reset();
  }

  void moves(const Decision& decision) {
    ++metrics_.tasks[at(decision.task)].migrations;
    ++metrics_.migrations;
    Standing& task = standing_[at(decision.task)];
    if (!task.runs_on) return;
    // A running task was taken off its CPU (an affinity change): it waits from here on.
    task.runs_on.reset();
    task.waits_since = decision.t.ns;
  }

  void picks(const Decision& decision) {
    if (decision.task != decision.other) {
      ++metrics_.switches;
      if (!decision.other.idle() && standing_[at(decision.other)].runs_on == decision.cpu) {
        ++metrics_.tasks[at(decision.other)].preempted;
        standing_[at(decision.other)].waits_since = decision.t.ns;
        standing_[at(decision.other)].runs_on.reset();
      }
    }
    if (decision.task.idle()) return;
    Standing& task = standing_[at(decision.task)];
    // A log that starts in the middle shows tasks first by their pick.
    const bool first_seen = !task.runnable;
    if (first_seen || task.waits_since) ++metrics_.tasks[at(decision.task)].runs;
    if (task.waits_since) task.waits.push_back(decision.t.ns - *task.waits_since);
    if (task.woken_at) task.wakeups.push_back(decision.t.ns - *task.woken_at);
    task.runnable = true;
    task.runs_on = decision.cpu;
    task.waits_since.reset();
    task.woken_at.reset();
  }

  Metrics& metrics_;
  std::vector<Standing> standing_;
};

/// Tasks that the decisions name, also ones without a name in the recording.
std::size_t task_count(const Recording& recording) {
  std::size_t count = recording.task_names.size();
  for (const Decision& decision : recording.decisions) {
    for (const TaskId task : {decision.task, decision.other}) {
      if (!task.idle()) count = std::max(count, static_cast<std::size_t>(task.value) + 1);
    }
  }
  return count;
}

std::optional<double> highest(const Recording& recording,
                              std::string_view name,
                              std::string& unit) {
  std::optional<double> out;
  for (const Recording::Series& series : recording.series) {
    if (series.name != name) continue;
    for (const auto& point : series.points) {
      if (!out || point.second > *out) out = point.second;
    }
    unit = series.unit;
  }
  return out;
}

}  // namespace

Latency latency_of(std::vector<std::int64_t> values_ns) {
  if (values_ns.empty()) return {};
  std::sort(values_ns.begin(), values_ns.end());
  const std::size_t count = values_ns.size();
  const auto rank = [&](std::size_t percent) {
    return values_ns[std::max<std::size_t>((count * percent + 99) / 100, 1) - 1];
  };
  return {static_cast<std::int64_t>(count), rank(50), rank(90), rank(99), values_ns.back()};
}

std::vector<std::vector<Stretch>> stretches(const Recording& recording) {
  std::vector<std::vector<Stretch>> out(static_cast<std::size_t>(std::max(recording.cpus, 0)));
  std::vector<bool> running(out.size());
  for (std::size_t i = 0; i < recording.decisions.size(); ++i) {
    const Decision& decision = recording.decisions[i];
    const auto cpu = static_cast<std::size_t>(decision.cpu.value);
    if (decision.kind != DecisionKind::pick || cpu >= out.size()) continue;
    std::vector<Stretch>& line = out[cpu];
    if (running[cpu] && line.back().task == decision.task) continue;
    if (running[cpu]) line.back().to_ns = decision.t.ns;
    running[cpu] = !decision.task.idle();
    if (running[cpu]) line.push_back({decision.t.ns, decision.t.ns, decision.task, i});
  }
  for (std::size_t cpu = 0; cpu < out.size(); ++cpu) {
    if (running[cpu]) out[cpu].back().to_ns = std::max(recording.end.ns, out[cpu].back().from_ns);
  }
  return out;
}

std::string task_name(const Recording& recording, TaskId task) {
  if (task.idle()) return "idle";
  const auto index = static_cast<std::size_t>(task.value);
  return index < recording.task_names.size() ? recording.task_names[index]
                                             : fmt::format("task {}", task.value);
}

Metrics measure(const Recording& recording) {
  Metrics out;
  out.cpus = recording.cpus;
  out.end_ns = recording.end.ns;
  out.tasks.resize(task_count(recording));
  for (std::size_t i = 0; i < out.tasks.size(); ++i) {
    out.tasks[i].name = task_name(recording, TaskId{static_cast<std::int32_t>(i)});
  }
  Reader reader(out);
  for (const Decision& decision : recording.decisions) {
    if (decision.task.idle() && decision.kind != DecisionKind::pick) continue;
    reader.read(decision);
  }
  reader.finish();
  std::int64_t busy_ns = 0;
  for (const std::vector<Stretch>& line : stretches(recording)) {
    for (const Stretch& stretch : line) {
      const std::int64_t length_ns = stretch.to_ns - stretch.from_ns;
      out.tasks[static_cast<std::size_t>(stretch.task.value)].run_ns += length_ns;
      busy_ns += length_ns;
    }
  }
  for (TaskMetrics& task : out.tasks) {
    if (busy_ns > 0) task.share = static_cast<double>(task.run_ns) / static_cast<double>(busy_ns);
  }
  const double capacity_ns = static_cast<double>(out.end_ns) * out.cpus;
  if (capacity_ns > 0) out.busy = static_cast<double>(busy_ns) / capacity_ns;
  out.worst_spread = highest(recording, "spread", out.spread_unit);
  std::string ignored;
  out.spread_bound = highest(recording, "bound", ignored);
  return out;
}

}  // namespace fw::reports
