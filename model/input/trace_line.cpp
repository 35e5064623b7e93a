// SPDX-License-Identifier: Apache-2.0
#include "model/input/trace_line.h"

#include <algorithm>
#include <charconv>

namespace fw::input {
namespace {

constexpr std::int32_t max_cpu = 65535;

std::size_t skip_blanks(std::string_view line, std::size_t at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  return at;
}

/// `seconds.fraction:` at `at`; moves `at` behind the colon.
std::optional<Instant> take_time(std::string_view line, std::size_t& at) {
  std::size_t i = at;
  std::int64_t seconds = 0;
  std::size_t digits = 0;
  for (; i < line.size() && is_digit(line[i]); ++i) {
    if (++digits > 9) return std::nullopt;
    seconds = seconds * 10 + (line[i] - '0');
  }
  if (digits == 0 || i >= line.size() || line[i] != '.') return std::nullopt;
  ++i;
  std::int64_t fraction = 0;
  std::size_t decimals = 0;
  for (; i < line.size() && is_digit(line[i]); ++i) {
    if (++decimals > 9) return std::nullopt;
    fraction = fraction * 10 + (line[i] - '0');
  }
  if (decimals == 0 || i >= line.size() || line[i] != ':') return std::nullopt;
  for (; decimals < 9; ++decimals) fraction *= 10;
  at = i + 1;
  return Instant{seconds * 1'000'000'000 + fraction};
}

/// Flags and time behind the CPU column that ends before `at`.
bool take_flags_and_time(std::string_view line, std::size_t& at, TraceLine& out) {
  if (at >= line.size() || !is_blank(line[at])) return false;
  at = skip_blanks(line, at);
  if (const auto t = take_time(line, at)) {
    out.t = *t;
    return true;
  }
  std::size_t end = at;
  while (end < line.size() && !is_blank(line[end])) ++end;
  if (end - at > 8 || end == line.size()) return false;
  out.flags = line.substr(at, end - at);
  at = skip_blanks(line, end);
  if (const auto t = take_time(line, at)) {
    out.t = *t;
    return true;
  }
  return false;
}

/// Name and pid from what stands before the CPU column.
bool take_task(std::string_view head, TraceLine& out) {
  head = trim(head);
  if (!head.empty() && head.back() == ')') {  // thread group: `( 1234)`, `(-----)`
    const std::size_t open = head.rfind('(');
    if (open == std::string_view::npos) return false;
    head = trim(head.substr(0, open));
  }
  std::size_t start = head.size();
  while (start > 0 && is_digit(head[start - 1])) --start;
  const auto pid = whole_number<std::int32_t>(head.substr(start));
  if (!pid || start == 0) return false;
  out.pid = *pid;
  char before = head[start - 1];
  if (before == '-' && *pid == 1 && start >= 2 && is_blank(head[start - 2])) {
    out.pid = -1;  // perf's pid of a task that is already dead
    out.perf = true;
    out.comm = trim(head.substr(0, start - 1));
    return true;
  }
  if (before == '-') {
    out.comm = trim(head.substr(0, start - 1));
    return true;
  }
  if (before == '/') {  // perf's pid/tid
    std::size_t first = start - 1;
    while (first > 0 && is_digit(head[first - 1])) --first;
    if (first == start - 1 || first == 0 || !is_blank(head[first - 1])) return false;
    start = first;
    before = ' ';
  }
  if (!is_blank(before)) return false;
  out.perf = true;
  out.comm = trim(head.substr(0, start));
  return true;
}

/// Event name and payload behind the time.
void take_event(std::string_view rest, TraceLine& out) {
  rest = trim(rest);
  const auto token = [&rest] {
    return rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size()));
  };
  std::string_view word = token();
  if (out.perf && !word.empty() && std::all_of(word.begin(), word.end(), is_digit)) {
    rest = trim(rest.substr(word.size()));  // the period column
    word = token();
  }
  out.payload = trim(rest.substr(word.size()));
  while (!word.empty() && word.back() == ':') word.remove_suffix(1);
  const std::size_t colon = word.rfind(':');
  // The sched_switch tracer has no event name; its first word is `pid:prio:state`.
  if (colon != std::string_view::npos && !is_digit(word.front())) word.remove_prefix(colon + 1);
  out.event = word;
}

}  // namespace

std::optional<TraceLine> cut_line(std::string_view line) {
  for (std::size_t open = line.find('['); open != std::string_view::npos;
       open = line.find('[', open + 1)) {
    const std::size_t close = line.find(']', open);
    if (close == std::string_view::npos) return std::nullopt;
    const auto cpu = whole_number<std::int32_t>(line.substr(open + 1, close - open - 1));
    if (!cpu || *cpu < 0 || *cpu > max_cpu) continue;
    TraceLine out;
    out.cpu = *cpu;
    std::size_t at = close + 1;
    if (!take_flags_and_time(line, at, out)) continue;
    if (!take_task(line.substr(0, open), out)) continue;
    take_event(line.substr(at), out);
    return out;
  }
  return std::nullopt;
}

bool lacks_cpu(std::string_view line) {
  std::size_t colon = line.find(": ");
  for (; colon != std::string_view::npos; colon = line.find(": ", colon + 1)) {
    std::size_t start = colon;
    while (start > 0 && (is_digit(line[start - 1]) || line[start - 1] == '.')) --start;
    std::size_t at = start;
    TraceLine ignored;
    if (start > 0 && take_time(line, at) && take_task(line.substr(0, start), ignored)) return true;
  }
  return false;
}

TraceContext context_of(std::string_view flags) {
  if (flags.size() < 3) return TraceContext::unknown;
  const bool interrupt = flags.substr(0, 4).find_first_of("hsHzZ") != std::string_view::npos;
  return interrupt ? TraceContext::interrupt : TraceContext::task;
}

bool hard_interrupt(std::string_view flags) {
  return flags.size() >= 3 && flags.substr(0, 4).find_first_of("hHzZ") != std::string_view::npos;
}

char need_resched(std::string_view flags) {
  if (flags.size() < 3) return '?';
  // `p` is the preempt count's half alone; kernels with lazy preemption add B b and L l.
  return flags[1] == 'N' || flags[1] == 'n' || flags[1] == 'B' || flags[1] == 'b' ? 'y' : 'n';
}

bool is_yield(const TraceLine& line) {
  return line.event.substr(0, 15) == "sys_sched_yield" || line.event == "sys_enter_sched_yield";
}

namespace {

/// A system call's argument, hexadecimal with or without 0x, cut to 32 bits.
std::optional<std::int32_t> argument(std::string_view payload, std::string_view name) {
  std::size_t at = payload.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  payload.remove_prefix(at + name.size());
  at = payload.find_first_not_of(" ");
  payload.remove_prefix(std::min(at, payload.size()));
  if (payload.substr(0, 2) == "0x") payload.remove_prefix(2);
  std::uint64_t value = 0;
  const auto read = std::from_chars(payload.data(), payload.data() + payload.size(), value, 16);
  if (read.ec != std::errc{}) return std::nullopt;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

}  // namespace

std::optional<Renice> renice_of(const TraceLine& line) {
  // ftrace writes `sys_setpriority(which: 0, ...)`: the first colon is within the parenthesis.
  const bool plain = line.event == "sys_setpriority(which";
  if (!plain && line.event != "sys_enter_setpriority") return std::nullopt;
  const auto which = argument(line.payload, plain ? "" : "which:");
  const auto who = argument(line.payload, "who:");
  const auto nice = argument(line.payload, "niceval:");
  if (!which || !who || !nice || *which != 0) return std::nullopt;
  return Renice{*who, 120 + std::clamp(*nice, -20, 19)};
}

std::optional<std::int64_t> lost_marker(std::string_view line, std::int32_t& cpu) {
  cpu = -1;
  const std::size_t perf = line.find("PERF_RECORD_LOST");
  if (perf != std::string_view::npos) {
    const std::size_t digits = line.find_first_of("0123456789", perf);
    if (digits == std::string_view::npos) return 0;
    return leading_number<std::int64_t>(line.substr(digits)).value_or(0);
  }
  const std::string_view text = trim(line);
  if (text.substr(0, 4) == "CPU:") {
    cpu = leading_number<std::int32_t>(text.substr(4)).value_or(-1);
    if (cpu < 0 || cpu > max_cpu) cpu = -1;
  } else if (text.substr(0, 5) != "Lost " && text.substr(0, 5) != "[LOST") {
    return std::nullopt;
  }
  const bool lost = text.find("LOST") != std::string_view::npos ||
                    text.find("EVENTS DROPPED") != std::string_view::npos ||
                    (text.substr(0, 5) == "Lost " && text.find("event") != std::string_view::npos);
  if (!lost) return std::nullopt;
  std::size_t from = text.find('[');
  if (from == std::string_view::npos) from = 0;
  const std::size_t digits = text.find_first_of("0123456789", from);
  if (digits == std::string_view::npos) return 0;
  return leading_number<std::int64_t>(text.substr(digits)).value_or(0);
}

NameId TraceBuilder::intern(std::string_view name) {
  if (name.empty()) return 0;
  const auto known = ids_.find(name);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<NameId>(trace_.names.size());
  trace_.names.emplace_back(name);
  ids_.emplace(std::string(name), id);
  return id;
}

void TraceBuilder::note(std::string_view text, std::int64_t count) { note_at(line_, text, count); }

void TraceBuilder::note_at(std::int64_t line, std::string_view text, std::int64_t count) {
  auto known = notes_.find(text);
  if (known == notes_.end()) {
    known = notes_.emplace(std::string(text), TraceNote{std::string(text), 0, line}).first;
  }
  known->second.count += count;
}

void TraceBuilder::saw(Instant t, std::int32_t cpu) {
  ++trace_.event_lines;
  if (cpu >= 0) cpus_[cpu] = true;
  if (!timed_) {
    trace_.first = trace_.last = t;
  } else if (t < previous_) {
    ++trace_.steps_back;
    note("the time steps back against the line before");
  }
  timed_ = true;
  previous_ = t;
  trace_.first = std::min(trace_.first, t);
  trace_.last = std::max(trace_.last, t);
}

void TraceBuilder::add(const TraceEvent& event) {
  switch (event.kind) {
    case TraceEventKind::sched_switch:
      ++trace_.switches;
      break;
    case TraceEventKind::waking:
    case TraceEventKind::wakeup:
    case TraceEventKind::wakeup_new:
      ++trace_.wakeups;
      break;
    case TraceEventKind::migrate:
      ++trace_.migrations;
      break;
    default:
      break;
  }
  trace_.events.push_back(event);
}

void TraceBuilder::finish() {
  for (const auto& [cpu, seen] : cpus_) {
    if (seen) trace_.cpus.push_back(cpu);
  }
  for (const auto& [text, found] : notes_) trace_.notes.push_back(found);
  std::stable_sort(
      trace_.notes.begin(), trace_.notes.end(), [](const TraceNote& a, const TraceNote& b) {
        return a.first_line < b.first_line;
      });
}

}  // namespace fw::input
