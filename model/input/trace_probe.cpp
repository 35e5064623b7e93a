// SPDX-License-Identifier: Apache-2.0
// Values of scheduling entities: lines of trace probes, and further fields of sched_stat_runtime.
#include "model/input/trace_line.h"

namespace fw::input {
namespace {

using std::string_view;
using Value = std::optional<std::int64_t>;

/// The `KEY=NUMBER` words of a probe's line.
class Words {
 public:
  explicit Words(string_view text) : text_(text) {}
  Value operator()(string_view key) const {
    for (std::size_t at = text_.find(key); at != string_view::npos; at = text_.find(key, at + 1)) {
      const std::size_t end = at + key.size();
      const bool word = at == 0 || is_blank(text_[at - 1]);
      if (!word || end >= text_.size() || text_[end] != '=') continue;
      return leading_number<std::int64_t>(text_.substr(end + 1));
    }
    return std::nullopt;
  }

 private:
  string_view text_;
};

struct Row {
  string_view event;
  TraceEventKind kind;
};
constexpr Row rows[] = {{"ev_stat", TraceEventKind::runtime},
                        {"ev_switch", TraceEventKind::sched_switch},
                        {"ev_wake", TraceEventKind::wakeup},
                        {"ev_wakenew", TraceEventKind::wakeup_new}};

}  // namespace

bool read_probe(const TraceLine& line, TraceBuilder& builder) {
  if (line.event.substr(0, 3) != "ev_") return false;
  for (const Row& row : rows) {
    if (row.event != line.event) continue;
    const std::vector<TraceEvent>& events = builder.trace().events;
    const Words word(line.payload);
    const bool of_switch = row.kind == TraceEventKind::sched_switch;
    const Value pid = word(of_switch ? "ppid" : "pid");
    if (!pid || events.empty() || events.back().kind != row.kind || events.back().pid != *pid ||
        events.back().cpu != line.cpu) {
      builder.note("probe lines that do not belong to the event before them");
      return true;
    }
    TraceProbe probe;
    probe.event = events.size() - 1;
    if (of_switch) {
      probe.entity = {word("pv"), word("pdl"), word("plag"), std::nullopt, std::nullopt};
      probe.next = {word("nv"), word("ndl"), word("nlag"), word("nsl"), std::nullopt};
    } else {
      probe.entity = {word("v"), word("dl"), word("lag"), word("sl"), word("w")};
    }
    probe.reference = word("minv");
    probe.weighted_sum = word("av");
    probe.load = word("al");
    probe.queued = word("nr");
    builder.trace().probes.push_back(probe);
    return true;
  }
  return false;
}

void read_further_fields(const TraceLine& line, TraceBuilder& builder) {
  const Words word(line.payload);
  if (!word("deadline")) return;
  TraceProbe probe;
  probe.event = builder.trace().events.size();
  probe.entity = {
      word("vruntime"), word("deadline"), word("vlag"), word("slice"), std::nullopt};
  builder.trace().probes.push_back(probe);
}

}  // namespace fw::input
