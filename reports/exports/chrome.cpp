// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/exports/exporter.h"
#include "reports/metrics.h"

namespace fw::exports {
namespace {

using Json = nlohmann::ordered_json;

// Processes of the picture; threads are CPUs and tasks.
constexpr int cpus = 1;
constexpr int tasks = 2;

/// Chrome's unit; three decimals keep every nanosecond of runs up to about 100 days.
double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

Json meta(const char* what, int process, int thread, const std::string& name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

class Writer {
 public:
  explicit Writer(const Recording& run)
      : run_(run), begun_(run.task_names.size()), runnable_(run.task_names.size()) {}

  Json write() {
    names();
    const auto by_cpu = reports::stretches(run_);
    for (std::size_t cpu = 0; cpu < by_cpu.size(); ++cpu) {
      for (const reports::Stretch& stretch : by_cpu[cpu]) ran(static_cast<int>(cpu), stretch);
    }
    for (const Decision& decision : run_.decisions) read(decision);
    for (std::size_t i = 0; i < begun_.size(); ++i) waited(static_cast<int>(i), run_.end.ns);
    for (const Recording::Series& series : run_.series) counter(series);
    return std::move(events_);
  }

 private:
  void names() {
    events_.push_back(meta("process_name", cpus, 0, "CPUs"));
    events_.push_back(meta("process_name", tasks, 0, "Tasks"));
    for (int cpu = 0; cpu < run_.cpus; ++cpu) {
      events_.push_back(meta("thread_name", cpus, cpu, fmt::format("CPU {}", cpu)));
    }
    for (std::size_t i = 0; i < run_.task_names.size(); ++i) {
      events_.push_back(
          meta("thread_name", tasks, static_cast<int>(i), reports::valid_utf8(run_.task_names[i])));
    }
  }

  std::string name(TaskId task) const {
    return reports::valid_utf8(reports::task_name(run_, task));
  }

  void slice(int process, int thread, const std::string& what, std::int64_t from, std::int64_t to) {
    events_.push_back({{"ph", "X"},
                       {"name", what},
                       {"cat", "sched"},
                       {"pid", process},
                       {"tid", thread},
                       {"ts", microseconds(from)},
                       {"dur", microseconds(to - from)}});
  }

  void ran(int cpu, const reports::Stretch& stretch) {
    slice(cpus, cpu, name(stretch.task), stretch.from_ns, stretch.to_ns);
    slice(tasks, stretch.task.value, fmt::format("CPU {}", cpu), stretch.from_ns, stretch.to_ns);
  }

  /// Closes a task's wait, if it is waiting.
  void waited(int task, std::int64_t until) {
    auto& since = begun_[static_cast<std::size_t>(task)];
    if (since && *since < until) slice(tasks, task, "runnable", *since, until);
    since.reset();
  }

  void read(const Decision& d) {
    switch (d.kind) {
      case DecisionKind::wake:
      case DecisionKind::fork:
        begun_[index(d.task)] = d.t.ns;
        runnable_[index(d.task)] = true;
        if (!d.other.idle()) arrow(d);
        break;
      case DecisionKind::pick:
        if (!d.task.idle()) waited(d.task.value, d.t.ns);
        if (!d.other.idle() && d.other != d.task && runnable_[index(d.other)]) {
          begun_[index(d.other)] = d.t.ns;  // it lost the CPU
        }
        break;
      case DecisionKind::block:
      case DecisionKind::exit:
        runnable_[index(d.task)] = false;
        begun_[index(d.task)].reset();
        break;
      case DecisionKind::preempt:
        instant(d, fmt::format("preempt {} ({})", name(d.task), why_name(d.why)));
        break;
      case DecisionKind::migrate:
        instant(d, fmt::format("migrate {} from CPU {}", name(d.task), d.from.value));
        break;
      default:
        break;
    }
  }

  void arrow(const Decision& d) {
    ++arrows_;
    const auto end = [&](const char* phase, TaskId task) {
      Json event = {{"ph", phase},
                    {"name", d.kind == DecisionKind::fork ? "fork" : "wakeup"},
                    {"cat", "wakeup"},
                    {"id", arrows_},
                    {"pid", tasks},
                    {"tid", task.value},
                    {"ts", microseconds(d.t.ns)}};
      if (phase[0] == 'f') event["bp"] = "e";
      events_.push_back(std::move(event));
    };
    end("s", d.other);
    end("f", d.task);
  }

  void instant(const Decision& d, const std::string& what) {
    events_.push_back({{"ph", "i"},
                       {"s", "t"},
                       {"name", what},
                       {"cat", "sched"},
                       {"pid", cpus},
                       {"tid", d.cpu.value},
                       {"ts", microseconds(d.t.ns)}});
  }

  void counter(const Recording::Series& series) {
    for (const auto& point : series.points) {
      events_.push_back({{"ph", "C"},
                         {"name", reports::valid_utf8(series.name)},
                         {"pid", tasks},
                         {"tid", 0},
                         {"ts", microseconds(point.first)},
                         {"args", {{series.unit.empty() ? "value" : series.unit, point.second}}}});
    }
  }

  static std::size_t index(TaskId task) { return static_cast<std::size_t>(task.value); }

  const Recording& run_;
  Json events_ = Json::array();
  std::vector<std::optional<std::int64_t>> begun_;  ///< by task: runnable without a CPU since
  std::vector<bool> runnable_;
  int arrows_ = 0;
};

}  // namespace

Exported export_chrome(const Case& c, const Recording& run) {
  Json events = Writer(run).write();
  if (!c.property.empty() && c.expected.event >= 0) {
    events.push_back({{"ph", "i"},
                      {"s", "g"},
                      {"name", c.property + ": " + reports::valid_utf8(c.expected.text)},
                      {"cat", "violation"},
                      {"pid", cpus},
                      {"tid", 0},
                      {"ts", microseconds(c.expected.t.ns)}});
  }
  const Json page = {{"displayTimeUnit", "ns"},
                     {"traceEvents", std::move(events)},
                     {"metadata", {{"spec", c.spec.text}, {"topology", c.topology}}}};
  Exported out;
  out.text = page.dump(1) + "\n";
  return out;
}

}  // namespace fw::exports
