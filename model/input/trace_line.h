// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/input/trace.h"

/// The pieces of the trace reader: one line's head, one event's fields, one file's text.
namespace fw::input {

/// A line of ftrace, trace-cmd report or perf script text, cut into columns.
struct TraceLine {
  std::string_view comm;
  std::int32_t pid = -1;
  std::int32_t cpu = -1;
  std::string_view flags;  ///< empty: no such column
  Instant t;
  std::string_view event;  ///< without `sched:` and colon
  std::string_view payload;
  bool perf = false;  ///< name and pid parted by blanks, as perf does
};

/// Cuts a line. Names may hold blanks, hyphens, brackets: the CPU column is the first `[n]` that a
/// time follows, and the pid is what stands before it.
std::optional<TraceLine> cut_line(std::string_view line);

/// Whether a line would be one but for its missing `[cpu]` column (perf without -a).
bool lacks_cpu(std::string_view line);

/// Where the CPU was, by the flags column: `h`, `s`, `H`, `z` in one of the first four places (RT
/// kernels have one more place before it).
TraceContext context_of(std::string_view flags);

/// The same column: a hardware interrupt, and the reschedule mark (`y`, `n`, `?`).
bool hard_interrupt(std::string_view flags);
char need_resched(std::string_view flags);

/// Whether an event is the sched_yield system call.
bool is_yield(const TraceLine& line);

/// Whose nice the setpriority system call sets, 0: the caller's, and to which prio (120 + nice, as
/// the kernel clamps it). Only for one process or thread; none: another event.
struct Renice {
  std::int32_t pid = 0;
  std::int32_t prio = 120;
};
std::optional<Renice> renice_of(const TraceLine& line);

/// What parse_event made of a payload.
enum class Parsed {
  yes,
  partly,   ///< the line was cut; what it has is in the event
  no,       ///< a scheduler event with fields that are not understood
  foreign,  ///< not an event the reader wants
};

/// Names seen so far, and notes by text; both belong to the Trace under construction.
class TraceBuilder {
 public:
  explicit TraceBuilder(Trace& trace) : trace_(trace) {}
  NameId intern(std::string_view name);
  void note(std::string_view text, std::int64_t count = 1);
  void note_at(std::int64_t line, std::string_view text, std::int64_t count = 1);
  /// Takes the time and CPU of an event line into the trace's figures.
  void saw(Instant t, std::int32_t cpu);
  /// Appends and counts by kind.
  void add(const TraceEvent& event);
  void set_line(std::int64_t line) { line_ = line; }
  std::int64_t line() const { return line_; }
  Trace& trace() { return trace_; }
  /// Puts notes and CPUs into the trace.
  void finish();

 private:
  Trace& trace_;
  std::int64_t line_ = 0;
  std::map<std::string, NameId, std::less<>> ids_;
  std::map<std::string, TraceNote, std::less<>> notes_;
  std::map<std::int32_t, bool> cpus_;
  bool timed_ = false;
  Instant previous_;
};

/// Whether a line is one of a trace probe; its values are taken into the trace. One that does not
/// belong to the event before it is noted.
bool read_probe(const TraceLine& line, TraceBuilder& builder);

/// The further fields of a sched_stat_runtime line, for the event that is added next.
void read_further_fields(const TraceLine& line, TraceBuilder& builder);

/// Reads the fields of `line.event` into `event`; both spellings of switch and wakeup, raw fields.
Parsed parse_event(const TraceLine& line, TraceBuilder& builder, TraceEvent& event);

/// Reads `pid:prio:state ==> pid:prio:state` and `+` of the sched_switch tracer.
Parsed parse_switch_tracer(const TraceLine& line, TraceBuilder& builder, TraceEvent& event);

/// A state in letters (`R+`, `D|W`, `x`) or as the number of raw fields.
void set_state(std::string_view text, TraceBuilder& builder, TraceEvent& event);
void set_raw_state(std::uint64_t mask, TraceBuilder& builder, TraceEvent& event);

/// Lost-event markers in all spellings; the number of events, 0 when not said; none: not a marker.
std::optional<std::int64_t> lost_marker(std::string_view line, std::int32_t& cpu);

/// Whether a line is one of SchedViz's eBPF text, and the whole file read that way.
bool is_schedviz_line(std::string_view line);
class SchedvizReader {
 public:
  explicit SchedvizReader(TraceBuilder& builder) : builder_(builder) {}
  void read(std::string_view line);

 private:
  struct Task {
    NameId name = 0;
    std::int32_t prio = TraceEvent::no_prio;
  };
  Task task(std::int32_t pid) const;
  TraceBuilder& builder_;
  std::map<std::int32_t, Task> tasks_;
  std::map<std::int32_t, std::int32_t> current_;
};

// Small text tools, shared by the reader's files.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}
/// The whole number that `text` begins with.
template <class Int>
std::optional<Int> leading_number(std::string_view text, int base = 10) {
  Int out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return out;
}
/// `text` as a whole number, nothing behind it.
template <class Int>
std::optional<Int> whole_number(std::string_view text, int base = 10) {
  Int out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (error != std::errc{} || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

}  // namespace fw::input
