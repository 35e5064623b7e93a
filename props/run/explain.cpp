// SPDX-License-Identifier: Apache-2.0
#include "props/run/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace fw::run {
namespace {

std::string name_of(const Recording& recording, TaskId task) {
  if (task.idle()) return "idle";
  const auto i = static_cast<std::size_t>(task.value);
  return i < recording.task_names.size() ? recording.task_names[i] : fmt::format("#{}", task.value);
}

/// Follows every task through the log: waiting since when, on which CPU, with which key.
class WaitTracker {
 public:
  WaitTracker(const Recording& recording, TaskId wanted) : recording_(recording), wanted_(wanted) {}

  std::vector<Wait> run() {
    for (const Decision& d : recording_.decisions) follow(d);
    for (auto& [task, state] : tasks_) {
      if (!state.open) continue;
      state.open->to = recording_.end;
      state.open->ended = false;
      out_.push_back(std::move(*state.open));
    }
    std::sort(out_.begin(), out_.end(), [](const Wait& a, const Wait& b) {
      return std::tie(a.from, a.task) < std::tie(b.from, b.task);
    });
    return std::move(out_);
  }

 private:
  struct State {
    std::optional<Wait> open;
    CpuId cpu;
    std::int64_t key = 0;
    bool runnable = false;
  };

  void begin(TaskId task, Instant t, std::string how) {
    if (!wanted_.idle() && task != wanted_) return;
    Wait wait;
    wait.task = task;
    wait.from = t;
    wait.began = std::move(how);
    tasks_[task].open = std::move(wait);
  }

  void follow(const Decision& d) {
    if (!d.task.idle()) {
      State& state = tasks_[d.task];
      state.cpu = d.cpu;
      state.key = d.state[0];
    }
    switch (d.kind) {
      case DecisionKind::wake:
        tasks_[d.task].runnable = true;
        begin(d.task,
              d.t,
              "woken by " +
                  (d.other.idle() ? std::string(why_name(d.why)) : name_of(recording_, d.other)));
        break;
      case DecisionKind::fork:
        tasks_[d.task].runnable = true;
        begin(d.task, d.t, "forked by " + name_of(recording_, d.other));
        break;
      case DecisionKind::block:
      case DecisionKind::exit:
        tasks_[d.task].runnable = false;
        tasks_[d.task].open.reset();
        break;
      case DecisionKind::pick:
        pick(d);
        break;
      default:
        break;
    }
  }

  void pick(const Decision& d) {
    if (!d.task.idle()) {
      State& picked = tasks_[d.task];
      if (picked.open) {
        picked.open->to = d.t;
        out_.push_back(std::move(*picked.open));
        picked.open.reset();
      }
    }
    for (auto& [task, state] : tasks_) {
      if (!state.open || task == d.task || state.cpu != d.cpu) continue;
      PassedOver passed;
      passed.t = d.t;
      passed.task = name_of(recording_, d.task);
      passed.why = std::string(why_name(d.why));
      if (!recording_.log_keys.empty()) {
        passed.keys =
            fmt::format("{} {} against {}", recording_.log_keys[0], d.state[0], state.key);
      }
      state.open->chain.push_back(std::move(passed));
    }
    if (!d.other.idle() && d.other != d.task && tasks_[d.other].runnable && !tasks_[d.other].open &&
        tasks_[d.other].cpu == d.cpu) {
      begin(d.other, d.t, "lost the CPU");
    }
  }

  const Recording& recording_;
  TaskId wanted_;
  std::map<TaskId, State> tasks_;
  std::vector<Wait> out_;
};

}  // namespace

std::vector<Wait> waits_of(const Recording& recording, TaskId task) {
  return WaitTracker(recording, task).run();
}

TaskId task_named(const Recording& recording, std::string_view name) {
  for (std::size_t i = 0; i < recording.task_names.size(); ++i) {
    if (recording.task_names[i] == name) return TaskId{static_cast<std::int32_t>(i)};
  }
  return idle_task;
}

std::string explain_wait(const Wait& wait, const Recording& recording) {
  std::string out = fmt::format("{} waited {} from {} ({}) to {}{}\n",
                                name_of(recording, wait.task),
                                format_duration(wait.length()),
                                format_duration(wait.from - Instant{}),
                                wait.began,
                                format_duration(wait.to - Instant{}),
                                wait.ended ? "" : ", still waiting at the end");
  if (wait.chain.empty()) out += "  no other task was picked on its CPU meanwhile\n";
  for (const PassedOver& passed : wait.chain) {
    const std::string between = passed.why.empty() || passed.keys.empty() ? "" : "; ";
    const std::string reason = passed.why + between + passed.keys;
    out += fmt::format("  {:>14}  {} picked{}\n",
                       format_duration(passed.t - Instant{}),
                       passed.task,
                       reason.empty() ? "" : " (" + reason + ")");
  }
  return out;
}

}  // namespace fw::run
