// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "model/input/trace_line.h"

/// SchedViz's eBPF text: `ST:0:start`, `P:time:pid:prio:comm`, `S:time:cpu:prev:state:next`,
/// `M:time:cpu:from:to:pid`, `W:time:cpu:target:pid`; every number hexadecimal, times in ns.
namespace fw::input {
namespace {

/// The colon-parted columns; the last takes the rest (a name may hold colons).
template <std::size_t N>
std::optional<std::array<std::string_view, N>> columns(std::string_view line) {
  std::array<std::string_view, N> out;
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t colon = i + 1 == N ? std::string_view::npos : line.find(':');
    if (i + 1 < N && colon == std::string_view::npos) return std::nullopt;
    out[i] = line.substr(0, colon);
    if (i + 1 < N) line.remove_prefix(colon + 1);
  }
  return out;
}

template <std::size_t N>
std::optional<std::array<std::int64_t, N>> numbers(std::string_view line) {
  const auto texts = columns<N>(line);
  if (!texts) return std::nullopt;
  std::array<std::int64_t, N> out = {};
  for (std::size_t i = 0; i < N; ++i) {
    const auto number = whole_number<std::int64_t>((*texts)[i], 16);
    if (!number || *number < 0 || (i > 0 && *number > INT32_MAX)) return std::nullopt;
    out[i] = *number;
  }
  return out;
}

std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }

}  // namespace

bool is_schedviz_line(std::string_view line) {
  line = trim(line);
  if (line.substr(0, 3) == "ST:") return numbers<2>(line.substr(3)).has_value();
  if (line.size() < 2 || line[1] != ':') return false;
  const std::string_view rest = line.substr(2);
  switch (line[0]) {
    case 'P':
      return columns<4>(rest).has_value() && leading_number<std::int64_t>(rest, 16);
    case 'S':
    case 'M':
      return numbers<5>(rest).has_value();
    case 'W':
      return numbers<4>(rest).has_value();
    default:
      return false;
  }
}

SchedvizReader::Task SchedvizReader::task(std::int32_t pid) const {
  const auto known = tasks_.find(pid);
  return known == tasks_.end() ? Task{} : known->second;
}

void SchedvizReader::read(std::string_view line) {
  line = trim(line);
  if (!is_schedviz_line(line)) {
    builder_.note("lines that are no trace event were skipped");
    return;
  }
  if (line.substr(0, 3) == "ST:") return;
  const char letter = line[0];
  line.remove_prefix(2);
  if (letter == 'P') {
    const auto found = columns<4>(line);
    const auto pid = whole_number<std::int32_t>((*found)[1], 16);
    const auto prio = whole_number<std::int32_t>((*found)[2], 16);
    if (!pid || !prio) return builder_.note("scheduler events with fields that are not understood");
    tasks_[*pid] = {builder_.intern(trim((*found)[3])), *prio};
    return;
  }
  TraceEvent event;
  event.line = builder_.line();
  const std::int64_t t = leading_number<std::int64_t>(line, 16).value_or(0);
  const auto five = numbers<5>(line);
  const auto four = numbers<4>(line);
  event.t = Instant{t};
  event.cpu = narrow(letter == 'W' ? (*four)[1] : (*five)[1]);
  const auto running = current_.find(event.cpu);
  event.context_pid = running == current_.end() ? -1 : running->second;
  if (letter == 'S') {
    event.kind = TraceEventKind::sched_switch;
    event.pid = narrow((*five)[2]);
    set_raw_state(static_cast<std::uint64_t>((*five)[3]), builder_, event);
    event.other_pid = narrow((*five)[4]);
    event.other_name = task(event.other_pid).name;
    event.other_prio = task(event.other_pid).prio;
    event.context_pid = event.pid;
    current_[event.cpu] = event.other_pid;
  } else if (letter == 'M') {
    event.kind = TraceEventKind::migrate;
    event.from_cpu = narrow((*five)[2]);
    event.target_cpu = narrow((*five)[3]);
    event.pid = narrow((*five)[4]);
  } else {
    event.kind = TraceEventKind::wakeup;
    event.target_cpu = narrow((*four)[2]);
    event.pid = narrow((*four)[3]);
  }
  event.name = task(event.pid).name;
  event.prio = task(event.pid).prio;
  event.context_name = task(event.context_pid).name;
  builder_.saw(event.t, event.cpu);
  builder_.add(event);
}

}  // namespace fw::input
