// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/input/trace_line.h"

namespace fw::input {
namespace {

using std::string_view;

/// Cuts the last `KEY` (written with its blank and `=`) off the end of `rest`: what stood behind
/// it. From the right, because names may hold ` pid=77` or `==>`.
std::optional<string_view> take(string_view& rest, string_view key) {
  const std::size_t at = rest.rfind(key);
  if (at == string_view::npos) return std::nullopt;
  const string_view value = trim(rest.substr(at + key.size()));
  rest = rest.substr(0, at);
  return value;
}

bool take_int(string_view& rest, string_view key, std::int32_t& out) {
  string_view shorter = rest;
  const auto value = take(shorter, key);
  const auto number = value ? leading_number<std::int32_t>(*value) : std::nullopt;
  if (!number) return false;
  rest = shorter;
  out = *number;
  return true;
}

bool take_wide(string_view& rest, string_view key, std::int64_t& out) {
  string_view shorter = rest;
  const auto value = take(shorter, key);
  if (!value) return false;
  const auto number = leading_number<std::int64_t>(*value);
  rest = shorter;
  if (number) out = *number;
  return number.has_value();
}

/// `comm=NAME` (or another key) that `rest` must have become.
bool take_name(string_view rest, string_view key, TraceBuilder& builder, NameId& out) {
  if (rest.substr(0, key.size()) != key) return false;
  out = builder.intern(trim(rest.substr(key.size())));
  return true;
}

/// `comm:pid [prio]` of the plug-in spelling, at the end of `text`.
bool parse_entity(
    string_view text, TraceBuilder& builder, std::int32_t& pid, NameId& name, std::int32_t& prio) {
  text = trim(text);
  if (text.empty() || text.back() != ']') return false;
  const std::size_t open = text.rfind('[');
  if (open == string_view::npos) return false;
  const auto number = whole_number<std::int32_t>(text.substr(open + 1, text.size() - open - 2));
  const string_view task = trim(text.substr(0, open));
  const std::size_t colon = task.rfind(':');
  if (!number || colon == string_view::npos) return false;
  const auto who = whole_number<std::int32_t>(task.substr(colon + 1));
  if (!who) return false;
  prio = *number;
  pid = *who;
  name = builder.intern(trim(task.substr(0, colon)));
  return true;
}

Parsed parse_plugin_switch(string_view payload, TraceBuilder& builder, TraceEvent& event) {
  const std::size_t arrow = payload.rfind(" ==> ");
  if (arrow == string_view::npos) return Parsed::no;
  const string_view left = trim(payload.substr(0, arrow));
  const std::size_t close = left.rfind(']');
  if (close == string_view::npos) return Parsed::no;
  if (!parse_entity(left.substr(0, close + 1), builder, event.pid, event.name, event.prio)) {
    return Parsed::no;
  }
  set_state(trim(left.substr(close + 1)), builder, event);
  if (!parse_entity(payload.substr(arrow + 5),
                    builder,
                    event.other_pid,
                    event.other_name,
                    event.other_prio)) {
    event.other_pid = -1;
    return Parsed::partly;
  }
  return Parsed::yes;
}

Parsed parse_switch(string_view rest, TraceBuilder& builder, TraceEvent& event) {
  if (rest.substr(0, 10) != "prev_comm=") return parse_plugin_switch(rest, builder, event);
  take_int(rest, " next_prio=", event.other_prio);
  const bool next = take_int(rest, " next_pid=", event.other_pid);
  if (next) {
    if (const auto name = take(rest, " next_comm=")) event.other_name = builder.intern(*name);
    rest = trim(rest);
    if (rest.size() >= 3 && rest.substr(rest.size() - 3) == "==>") rest.remove_suffix(3);
  }
  if (const auto state = take(rest, " prev_state=")) set_state(*state, builder, event);
  take_int(rest, " prev_prio=", event.prio);
  if (!take_int(rest, " prev_pid=", event.pid)) return Parsed::no;
  take_name(rest, "prev_comm=", builder, event.name);
  return next ? Parsed::yes : Parsed::partly;
}

Parsed parse_wakeup(string_view rest, TraceBuilder& builder, TraceEvent& event) {
  if (rest.substr(0, 5) != "comm=") {  // plug-in: `comm:pid [prio] success=1 CPU:001`
    const std::size_t close = rest.rfind(']');
    if (close == string_view::npos ||
        !parse_entity(rest.substr(0, close + 1), builder, event.pid, event.name, event.prio)) {
      return Parsed::no;
    }
    string_view tail = rest.substr(close + 1);
    take_int(tail, " CPU:", event.target_cpu);
    std::int32_t success = 1;
    take_int(tail, " success=", success);
    event.success = success != 0;
    return Parsed::yes;
  }
  take_int(rest, " target_cpu=", event.target_cpu);
  std::int32_t success = 1;
  take_int(rest, " success=", success);
  event.success = success != 0;
  take_int(rest, " prio=", event.prio);
  if (!take_int(rest, " pid=", event.pid)) return Parsed::no;
  take_name(rest, "comm=", builder, event.name);
  return Parsed::yes;
}

Parsed parse_fork(string_view rest, TraceBuilder& builder, TraceEvent& event) {
  if (!take_int(rest, " child_pid=", event.pid)) return Parsed::no;
  if (const auto name = take(rest, " child_comm=")) event.name = builder.intern(*name);
  if (!take_int(rest, " parent_pid=", event.other_pid)) {
    take_int(rest, " pid=", event.other_pid);
  }
  if (!take_name(rest, "comm=", builder, event.other_name)) {
    take_name(rest, "parent_comm=", builder, event.other_name);
  }
  return Parsed::yes;
}

Parsed parse_migrate(string_view rest, TraceBuilder& builder, TraceEvent& event) {
  take_int(rest, " dest_cpu=", event.target_cpu);
  take_int(rest, " orig_cpu=", event.from_cpu);
  take_int(rest, " prio=", event.prio);
  if (!take_int(rest, " pid=", event.pid)) return Parsed::no;
  take_name(rest, "comm=", builder, event.name);
  return Parsed::yes;
}

Parsed parse_runtime(string_view rest, TraceBuilder& builder, TraceEvent& event) {
  take_wide(rest, " vruntime=", event.vruntime_ns);
  if (!take_wide(rest, " runtime=", event.runtime_ns)) return Parsed::no;
  if (!take_int(rest, " pid=", event.pid)) return Parsed::no;
  take_name(rest, "comm=", builder, event.name);
  return Parsed::yes;
}

Parsed parse_exit(string_view rest, TraceBuilder& builder, TraceEvent& event) {
  take_int(rest, " prio=", event.prio);
  if (!take_int(rest, " pid=", event.pid)) return Parsed::no;
  take_name(rest, "comm=", builder, event.name);
  return Parsed::yes;
}

Parsed parse_exec(string_view rest, TraceBuilder& builder, TraceEvent& event) {
  take_int(rest, " old_pid=", event.other_pid);
  if (!take_int(rest, " pid=", event.pid)) return Parsed::no;
  take_name(rest, "filename=", builder, event.name);
  return Parsed::yes;
}

struct Row {
  string_view event;
  TraceEventKind kind;
  Parsed (*parse)(string_view, TraceBuilder&, TraceEvent&);
};
constexpr Row rows[] = {
    {"sched_switch", TraceEventKind::sched_switch, parse_switch},
    {"sched_waking", TraceEventKind::waking, parse_wakeup},
    {"sched_wakeup", TraceEventKind::wakeup, parse_wakeup},
    {"sched_wakeup_new", TraceEventKind::wakeup_new, parse_wakeup},
    {"sched_process_fork", TraceEventKind::fork, parse_fork},
    {"sched_process_exit", TraceEventKind::exit, parse_exit},
    {"sched_process_exec", TraceEventKind::exec, parse_exec},
    {"sched_migrate_task", TraceEventKind::migrate, parse_migrate},
    {"sched_stat_runtime", TraceEventKind::runtime, parse_runtime},
};

/// `pid:prio:state` with the pid and prio that `text` begins with.
bool parse_triple(string_view text, std::int32_t& pid, std::int32_t& prio, string_view& state) {
  text = trim(text);
  if (!text.empty() && text.front() == '[') {  // some versions print the CPU first
    const std::size_t close = text.find(']');
    if (close == string_view::npos) return false;
    text = trim(text.substr(close + 1));
  }
  const std::size_t first = text.find(':');
  if (first == string_view::npos) return false;
  const std::size_t second = text.find(':', first + 1);
  if (second == string_view::npos) return false;
  const auto a = whole_number<std::int32_t>(text.substr(0, first));
  const auto b = whole_number<std::int32_t>(text.substr(first + 1, second - first - 1));
  if (!a || !b) return false;
  pid = *a;
  prio = *b;
  state = trim(text.substr(second + 1)).substr(0, 1);
  return true;
}

}  // namespace

Parsed parse_event(const TraceLine& line, TraceBuilder& builder, TraceEvent& event) {
  for (const Row& row : rows) {
    if (row.event != line.event) continue;
    event.kind = row.kind;
    return row.parse(line.payload, builder, event);
  }
  return Parsed::foreign;
}

Parsed parse_switch_tracer(const TraceLine& line, TraceBuilder& builder, TraceEvent& event) {
  if (line.event.empty() || !is_digit(line.event.front())) return Parsed::foreign;
  string_view state;
  std::int32_t pid = -1;
  std::int32_t prio = 0;
  if (!parse_triple(line.event, pid, prio, state)) return Parsed::foreign;
  string_view next_state;
  if (line.payload.substr(0, 3) == "==>") {
    event.kind = TraceEventKind::sched_switch;
    event.pid = pid;
    event.prio = prio;
    event.name = builder.intern(line.comm);
    set_state(state, builder, event);
    const bool next =
        parse_triple(line.payload.substr(3), event.other_pid, event.other_prio, next_state);
    return next ? Parsed::yes : Parsed::partly;
  }
  if (line.payload.substr(0, 1) == "+") {
    event.kind = TraceEventKind::wakeup;
    return parse_triple(line.payload.substr(1), event.pid, event.prio, next_state) ? Parsed::yes
                                                                                   : Parsed::no;
  }
  return Parsed::foreign;
}

void set_state(string_view text, TraceBuilder& builder, TraceEvent& event) {
  if (text.empty()) {
    event.prev_state = '?';
    return;
  }
  if (is_digit(text.front())) {
    const auto mask = leading_number<std::uint64_t>(text);
    if (mask) set_raw_state(*mask, builder, event);
    return;
  }
  constexpr string_view letters = "RSDTtXxZPIKWN";
  event.prev_state = letters.find(text.front()) == string_view::npos ? '?' : text.front();
  event.preempted = text.find('+') != string_view::npos;
  if (event.prev_state == '?') builder.note("prev_state is none of the known letters");
}

void set_raw_state(std::uint64_t mask, TraceBuilder& builder, TraceEvent& event) {
  // Bits 0..3 mean the same in every kernel; 16, 32, 64 are one or other dead state by age, or
  // (4.14 on) parked; the lone bits from 1024 on have been the preempted mark at some age.
  event.preempted = mask == 1024 || mask == 2048 || mask == 4096;
  if (mask == 0 || event.preempted) {
    event.prev_state = 'R';
  } else if ((mask & 1) != 0) {
    event.prev_state = 'S';
  } else if ((mask & 2) != 0) {
    event.prev_state = 'D';
  } else if ((mask & 4) != 0) {
    event.prev_state = 'T';
  } else if ((mask & 8) != 0) {
    event.prev_state = 't';
  } else if ((mask & (16 | 32 | 64 | 128)) != 0) {
    event.prev_state = 'X';
  } else {
    event.prev_state = (mask & 256) != 0 ? 'W' : '?';
  }
  if (mask > 8) {
    builder.note(
        "prev_state is a number whose bits differ by kernel age; the usual reading is taken"
        " (16, 32, 64 dead, 256 waiting, 1024, 2048, 4096 preempted)");
  }
}

}  // namespace fw::input
