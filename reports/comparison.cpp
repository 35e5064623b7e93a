// SPDX-License-Identifier: Apache-2.0
#include "reports/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/metrics.h"
#include "reports/text.h"
#include "reports/escape.h"

namespace fw::reports {
namespace {

constexpr double significance = 0.01;

/// The same figure of every pair of runs.
class Samples {
 public:
  explicit Samples(const std::vector<std::pair<Metrics, Metrics>>& runs) : runs_(runs) {}

  template <class Get>
  void add(std::string name, std::string unit, Get get) {
    MetricResult out;
    out.name = std::move(name);
    out.unit = std::move(unit);
    std::vector<double> base, patched;
    for (const auto& run : runs_) {
      base.push_back(get(run.first));
      patched.push_back(get(run.second));
      if (patched.back() > base.back()) ++out.up;
      if (patched.back() < base.back()) ++out.down;
      if (patched.back() == base.back()) ++out.equal;
    }
    out.base = range_of(std::move(base));
    out.patched = range_of(std::move(patched));
    out.significant = sign_test(out.up, out.down) < significance;
    rows_.push_back(std::move(out));
  }
  std::vector<MetricResult> take() { return std::move(rows_); }

 private:
  static MetricResult::Range range_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values.front(), values[(values.size() - 1) / 2], values.back()};
  }
  const std::vector<std::pair<Metrics, Metrics>>& runs_;
  std::vector<MetricResult> rows_;
};

std::string figure(double value, const std::string& unit) {
  if (unit == "ns") return format_duration({static_cast<std::int64_t>(value)});
  if (unit == "%") return fmt::format("{:.1f} %", value);
  return fmt::format("{:.0f}", value);
}

std::string range_text(const MetricResult::Range& range, const std::string& unit) {
  const std::string median = figure(range.median, unit);
  if (range.low == range.high) return median;
  return fmt::format("{} [{} .. {}]", median, figure(range.low, unit), figure(range.high, unit));
}

std::string verdict_of(const MetricResult& metric) {
  if (metric.up == 0 && metric.down == 0) return "same";
  const std::string count = fmt::format("{} up, {} down", metric.up, metric.down);
  return metric.significant ? count : count + " (not significant)";
}

std::string first_text(const DecisionDifference& first, const ComparisonResult& of) {
  std::string out =
      fmt::format("First differing decision: {} on cpu {}, after {} decisions alike\n",
                  format_duration(first.t - Instant{}),
                  first.cpu.value,
                  first.decided_alike);
  out += fmt::format("  base     {}\n           with {}\n", first.base, first.base_keys);
  out += fmt::format("  patched  {}\n           with {}\n", first.patched, first.patched_keys);
  if (!first.first_state.empty()) {
    out += fmt::format("  the values parted before: {}\n", first.first_state);
  }
  if (!of.case_file.empty()) {
    out += fmt::format(
        "Smallest workload found: {} ({} tasks, {} events; from {} events in {} runs)\n",
        of.case_file,
        of.tasks,
        of.events,
        of.original_events,
        of.shrink_runs);
  }
  return out;
}

}  // namespace

double sign_test(int up, int down) {
  const int n = up + down;
  if (n == 0) return 1;
  double tail = 0;
  double choose = 1;  // of n, i
  for (int i = 0; i <= std::min(up, down); ++i) {
    tail += choose;
    choose = choose * (n - i) / (i + 1);
  }
  return std::min(1.0, 2 * tail / std::pow(2.0, n));
}

std::vector<MetricResult> compare_metrics(
    const std::vector<std::pair<Recording, Recording>>& runs) {
  std::vector<std::pair<Metrics, Metrics>> measured;
  std::size_t tasks = runs.empty() ? 0 : SIZE_MAX;
  for (const auto& run : runs) {
    measured.emplace_back(measure(run.first), measure(run.second));
    tasks =
        std::min({tasks, measured.back().first.tasks.size(), measured.back().second.tasks.size()});
  }
  if (measured.empty()) return {};
  const auto ns = [](std::int64_t value) { return static_cast<double>(value); };
  Samples out(measured);
  out.add("wakeup p50", "ns", [&](const Metrics& m) { return ns(m.wakeup.p50_ns); });
  out.add("wakeup p90", "ns", [&](const Metrics& m) { return ns(m.wakeup.p90_ns); });
  out.add("wakeup p99", "ns", [&](const Metrics& m) { return ns(m.wakeup.p99_ns); });
  out.add("wakeup max", "ns", [&](const Metrics& m) { return ns(m.wakeup.max_ns); });
  out.add("wait p99", "ns", [&](const Metrics& m) { return ns(m.wait.p99_ns); });
  out.add("wait max", "ns", [&](const Metrics& m) { return ns(m.wait.max_ns); });
  out.add("worst spread", "ns", [&](const Metrics& m) { return m.worst_spread.value_or(0); });
  out.add("switches", "", [&](const Metrics& m) { return ns(m.switches); });
  out.add("migrations", "", [&](const Metrics& m) { return ns(m.migrations); });
  constexpr std::size_t most_tasks = 8;
  for (std::size_t i = 0; i < std::min(tasks, most_tasks); ++i) {
    const std::string& name = measured.front().first.tasks[i].name;
    out.add("share " + name, "%", [&](const Metrics& m) { return 100 * m.tasks[i].share; });
    out.add(
        "wakeup p99 " + name, "ns", [&](const Metrics& m) { return ns(m.tasks[i].wakeup.p99_ns); });
  }
  return out.take();
}

std::string comparison_text(const ComparisonResult& of) {
  std::string out =
      fmt::format("base     {}\npatched  {}\non       {}\n\n", of.base, of.patched, of.workload);
  if (of.first) {
    out += first_text(*of.first, of);
  } else if (of.cases > 1) {
    out += fmt::format("No decision differs in {} random workloads ({} decisions compared).\n",
                       of.cases,
                       of.decisions);
  } else {
    out += "No decision differs.\n";
  }
  if (!of.metrics.empty()) {
    std::vector<std::vector<std::string>> rows = {{"metric", "base", "patched", "seeds"}};
    for (const MetricResult& metric : of.metrics) {
      rows.push_back({metric.name,
                      range_text(metric.base, metric.unit),
                      range_text(metric.patched, metric.unit),
                      verdict_of(metric)});
    }
    out +=
        fmt::format("\nMedian [lowest .. highest] over {} seeds\n{}", of.seeds, table_text(rows));
  }
  return printable(out, true);
}

}  // namespace fw::reports
