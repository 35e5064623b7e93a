// SPDX-License-Identifier: Apache-2.0
#include "reports/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "reports/escape.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

void append_string(std::string& out, std::string_view text) {
  out += '"';
  append_json(out, printable(text));
  out += '"';
}

template <class List, class Write>
void append_list(std::string& out, const List& list, Write write) {
  out += '[';
  bool first = true;
  for (const auto& each : list) {
    if (!first) out += ',';
    first = false;
    write(each);
  }
  out += ']';
}

/// Integers that a script's numbers cannot hold are written as text.
void append_integer(std::string& out, std::int64_t value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const bool fits = value >= -exact && value <= exact;
  out += fits ? fmt::format("{}", value) : fmt::format("\"{}\"", value);
}

/// A contiguous part of the decisions.
struct Part {
  std::size_t from = 0, to = 0;
};

Part kept_decisions(const Recording& recording,
                    std::optional<std::int64_t> mark_ns,
                    std::size_t limit) {
  const std::size_t count = recording.decisions.size();
  if (count <= limit) return {0, count};
  if (!mark_ns) return {0, limit};
  const auto at = std::upper_bound(
      recording.decisions.begin(),
      recording.decisions.end(),
      *mark_ns,
      [](std::int64_t t_ns, const Decision& decision) { return t_ns < decision.t.ns; });
  const auto mark = static_cast<std::size_t>(at - recording.decisions.begin());
  const std::size_t to = std::min(count, std::max(mark + limit / 10, limit));
  return {to - limit, to};
}

using Points = std::vector<std::pair<std::int64_t, double>>;

/// Lowest and highest of equal parts, in order of time; what is not finite is left out.
Points thinned(const Points& all, std::int64_t from_ns, std::int64_t to_ns, std::size_t limit) {
  Points points;
  for (const auto& point : all) {
    if (point.first >= from_ns && point.first <= to_ns && std::isfinite(point.second)) {
      points.push_back(point);
    }
  }
  if (points.size() <= limit) return points;
  Points out;
  const std::size_t parts = std::max<std::size_t>(limit / 2, 1);
  for (std::size_t i = 0; i < parts; ++i) {
    const auto from = points.begin() + static_cast<std::ptrdiff_t>(points.size() * i / parts);
    const auto to = points.begin() + static_cast<std::ptrdiff_t>(points.size() * (i + 1) / parts);
    auto ends = std::minmax_element(
        from, to, [](const auto& a, const auto& b) { return a.second < b.second; });
    if (ends.second < ends.first) std::swap(ends.first, ends.second);
    out.push_back(*ends.first);
    if (ends.first != ends.second) out.push_back(*ends.second);
  }
  return out;
}

void append_decision(std::string& out, const Recording& recording, const Decision& decision) {
  out += '[';
  append_integer(out, decision.t.ns);
  fmt::format_to(std::back_inserter(out),
                 ",{},{},{},{},{},{},",
                 decision.cpu.value,
                 static_cast<int>(decision.kind),
                 decision.task.value,
                 decision.nr,
                 decision.other.value,
                 static_cast<int>(decision.why));
  switch (decision.kind) {
    case DecisionKind::renice:
      append_integer(out, decision.nice);
      break;
    case DecisionKind::migrate:
      append_integer(out, decision.from.value);
      break;
    case DecisionKind::affinity:
      append_string(out, decision.cpus ? decision.cpus->text() : "");
      break;
    default:
      out += decision.preempt ? '1' : '0';
  }
  const std::size_t keys = std::min(recording.log_keys.size(), decision.state.size());
  for (std::size_t i = 0; i < keys; ++i) {
    out += ',';
    append_integer(out, decision.state[i]);
  }
  out += ']';
}

void append_series(std::string& out, const Recording::Series& series, const Points& points) {
  out += "{\"name\":";
  append_string(out, series.name);
  out += ",\"unit\":";
  append_string(out, series.unit);
  out += ",\"t\":";
  append_list(out, points, [&](const auto& point) { append_integer(out, point.first); });
  out += ",\"y\":";
  append_list(out, points, [&](const auto& point) {
    fmt::format_to(std::back_inserter(out), "{}", point.second);
  });
  out += '}';
}

/// Writes one recording; takes what it used from `left` and says in `cut` what it left out.
void append_recording(std::string& out,
                      const Result& result,
                      std::size_t id,
                      const PageLimits& limits,
                      std::size_t& left,
                      std::string& cut) {
  const Recording& recording = result.recordings[id];
  const std::optional<std::int64_t> mark_ns = divergence_ns(result, recording);
  const Part part = kept_decisions(recording, mark_ns, std::min(limits.decisions, left));
  left -= part.to - part.from;
  const std::size_t count = recording.decisions.size();
  const bool whole = part.to - part.from == count;
  const bool some = part.to > part.from;
  const std::int64_t start_ns = part.from > 0 && some ? recording.decisions[part.from].t.ns : 0;
  const std::int64_t end_ns =
      part.to < count && some ? recording.decisions[part.to - 1].t.ns : recording.end.ns;
  if (!whole) {
    cut = fmt::format("Shown: {} of {} decisions, {} to {}.",
                      grouped(static_cast<std::int64_t>(part.to - part.from)),
                      grouped(static_cast<std::int64_t>(count)),
                      readable_ns(static_cast<double>(start_ns)),
                      readable_ns(static_cast<double>(end_ns)));
  }

  fmt::format_to(std::back_inserter(out),
                 "{{\"id\":{},\"cpus\":{},\"start\":",
                 id,
                 std::max(recording.cpus, 1));
  append_integer(out, start_ns);
  out += ",\"end\":";
  append_integer(out, end_ns);
  out += ",\"mark\":";
  if (mark_ns) {
    append_integer(out, *mark_ns);
  } else {
    out += "null";
  }
  out += ",\"tasks\":";
  append_list(
      out, recording.task_names, [&](const std::string& name) { append_string(out, name); });
  out += ",\"keys\":";
  append_list(out, recording.log_keys, [&](const std::string& key) { append_string(out, key); });
  fmt::format_to(std::back_inserter(out), ",\"taskKeys\":{}", recording.task_log_keys);
  out += ",\"decisions\":[";
  for (std::size_t i = part.from; i < part.to; ++i) {
    if (i > part.from) out += ",\n";
    append_decision(out, recording, recording.decisions[i]);
  }
  out += "],\"series\":[";
  std::size_t thin = 0;
  const std::size_t shown = std::min(recording.series.size(), limits.series);
  for (std::size_t i = 0; i < shown; ++i) {
    const Recording::Series& series = recording.series[i];
    const Points points = thinned(series.points, start_ns, end_ns, limits.points);
    thin += series.points.size() > limits.points ? 1 : 0;
    if (i > 0) out += ",\n";
    append_series(out, series, points);
  }
  out += "]}";
  if (shown < recording.series.size()) {
    cut += fmt::format(" Plotted: {} of {} series.", shown, recording.series.size());
  }
  if (thin > 0) {
    cut += fmt::format(" {} series thinned to the extremes of {} parts.", thin, limits.points / 2);
  }
}

}  // namespace

std::optional<std::int64_t> divergence_ns(const Result& result, const Recording& recording) {
  if (recording.failure.empty()) return std::nullopt;
  for (const Failure& failure : result.failures) {
    if (failure.signature == recording.failure && failure.divergence.event >= 0) {
      return failure.divergence.t.ns;
    }
  }
  return std::nullopt;
}

PageData page_data(const Result& result, const PageLimits& limits) {
  PageData out;
  out.json = "{\"kinds\":[";
  for (int i = 0; i <= static_cast<int>(DecisionKind::migrate); ++i) {
    out.json += i > 0 ? "," : "";
    append_string(out.json, decision_name(static_cast<DecisionKind>(i)));
  }
  out.json += "],\"whys\":[";
  for (int i = 0; i <= static_cast<int>(Why::start); ++i) {
    out.json += i > 0 ? "," : "";
    append_string(out.json, why_name(static_cast<Why>(i)));
  }
  out.json += "],\"recordings\":[";
  std::size_t left = limits.all_decisions;
  out.cuts.resize(result.recordings.size());
  for (std::size_t i = 0; i < result.recordings.size(); ++i) {
    if (i > 0) out.json += ",\n";
    append_recording(out.json, result, i, limits, left, out.cuts[i]);
  }
  out.json += "]}";
  return out;
}

}  // namespace fw::reports
