// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/vocab/outcome.h"
#include "model/vocab/time.h"

/// Recorded scheduler traces as text: `perf script`, ftrace (`trace`, `trace_pipe`, systrace),
/// `trace-cmd report`, the sched_switch tracer of 2.6.26-2.6.34, and the eBPF text of SchedViz.
namespace fw::input {

enum class TraceKind { perf, ftrace, trace_cmd, switch_tracer, schedviz };
/// `perf script text`, `ftrace text`, ... as printed.
std::string_view trace_kind_name(TraceKind kind);

enum class TraceEventKind {
  sched_switch,
  waking,
  wakeup,
  wakeup_new,
  fork,
  exit,
  exec,
  migrate,
  runtime,
  lost  ///< events were lost on `cpu` (-1: which CPU is not said) before this line
};

/// Where the CPU was when it wrote an event. `unknown`: the format has no flags column.
enum class TraceContext { unknown, task, interrupt };

/// A name of a Trace; see Trace::name().
using NameId = std::int32_t;

/// One line of a trace that matters to a scheduler. Absent numbers are -1.
struct TraceEvent {
  Instant t;  ///< on the recording's own clock, ns; at most its precision
  TraceEventKind kind = TraceEventKind::sched_switch;
  std::int64_t line = 0;  ///< from 1
  std::int32_t cpu = -1;
  /// The task the line's head names: the current task of that CPU (perf: -1 for one already dead).
  std::int32_t context_pid = -1;
  NameId context_name = 0;
  TraceContext context = TraceContext::unknown;
  bool hard_interrupt = false;  ///< written in a hardware interrupt, as far as flags say
  /// Reschedule mark of the CPU's current as the line was written: `y`, `n`, `?` not said.
  char need_resched = '?';
  /// Whom the event is about: the previous task of a switch, the wakee, the child of a fork.
  std::int32_t pid = -1;
  NameId name = 0;
  std::int32_t prio = no_prio;
  /// Switch: the next task (-1: the line was cut). Fork: the parent.
  std::int32_t other_pid = -1;
  NameId other_name = 0;
  std::int32_t other_prio = no_prio;
  /// Switch: letter of prev_state (`R S D T t X Z P I ...`), `?` when it cannot be told.
  char prev_state = '?';
  bool preempted = false;        ///< prev_state carried the `+` (or its bit)
  bool success = true;           ///< wakeups: old kernels print 0 for one that woke nobody
  std::int32_t target_cpu = -1;  ///< wakeups, migrate
  std::int32_t from_cpu = -1;    ///< migrate
  std::int64_t runtime_ns = -1;
  std::int64_t vruntime_ns = -1;

  /// Kernel prio: 100..139 fair (120 = nice 0), 0..99 real time, -1 deadline.
  static constexpr std::int32_t no_prio = INT32_MIN;
};

/// What a line printed of a task's scheduling entity (EEVDF); what was not printed is empty.
struct EntityValues {
  std::optional<std::int64_t> vruntime_ns, deadline_ns;
  std::optional<std::int64_t> vlag_ns;  ///< of a running task: its deadline when it was picked
  std::optional<std::int64_t> slice_ns, weight;
  friend bool operator==(const EntityValues&, const EntityValues&) = default;
};

/// Values printed beside an event: further fields of its own line, or a line of a trace probe
/// (`ev_stat`, `ev_switch`, `ev_wake`, `ev_wakenew`) right behind it.
struct TraceProbe {
  std::size_t event = 0;  ///< its position in Trace::events
  EntityValues entity;    ///< of whom the event is about
  EntityValues next;      ///< of the next task of a switch
  /// Of the queue: zero_vruntime, sum of w*(v - it), weight and that without the current task; the
  /// number of entities with it.
  std::optional<std::int64_t> reference, weighted_sum, load, queued;
};

/// Something the reader met that a user should know: how often, and where first (0: no line).
struct TraceNote {
  std::string text;
  std::int64_t count = 0;
  std::int64_t first_line = 0;
};

struct Trace {
  TraceKind kind = TraceKind::ftrace;
  std::string file;
  std::vector<TraceEvent> events;  ///< in the order of the file
  /// sched_yield system calls (pid: the caller), in the order of the file; not among the events.
  std::vector<TraceEvent> yields;
  /// setpriority system calls (pid: whose nice, prio: the new one), likewise.
  std::vector<TraceEvent> renices;
  std::vector<TraceProbe> probes;  ///< by event
  std::vector<std::string> names{""};
  std::vector<std::int32_t> cpus;  ///< CPUs that wrote a line, ascending
  std::map<std::string, std::string>
      facts;                     ///< `# key: value` lines: features, tunables, clock, hz
  int cpus_named = 0;            ///< `#P:4`, `cpus=6`; 0 when not said
  std::vector<TraceNote> notes;  ///< by first line

  std::int64_t lines = 0;        ///< of the file, blank and comment lines included
  std::int64_t event_lines = 0;  ///< lines with a time, of whatever event
  std::int64_t switches = 0;
  std::int64_t wakeups = 0;  ///< waking, wakeup and wakeup_new lines together
  std::int64_t migrations = 0;
  std::int64_t lost_markers = 0;
  std::int64_t lost_events = 0;  ///< as far as the markers say
  std::int64_t steps_back = 0;   ///< lines earlier than the line before
  Instant first, last;           ///< earliest and latest time of any event line

  std::string_view name(NameId id) const { return names[static_cast<std::size_t>(id)]; }
  Duration span() const { return last - first; }
};

/// What `inspect` says about a trace.
struct TraceSummary {
  std::string kind;
  std::int64_t lines = 0, switches = 0, wakeups = 0, migrations = 0;
  std::int64_t cpus = 0;  ///< CPUs seen
  Duration span;
  std::int64_t lost = 0, steps_back = 0, tasks = 0;
  std::vector<std::string> notes;  ///< one sentence each, with count and first line
  /// The figures by name, in the order above; the span in ns.
  std::vector<std::pair<std::string, std::int64_t>> counts() const;
};

inline constexpr std::size_t max_trace_bytes = std::size_t{256} << 20;
inline constexpr std::size_t max_trace_events = 4'000'000;

/// Reads a trace; gzip is unpacked. Lines that are not understood are counted in the notes, never
/// an error by themselves.
/// Errors: nothing in it is a trace line; a format that must be converted first (named, with the
/// command); a sched_ext dump; more than max_trace_bytes or max_trace_events.
Outcome<Trace> read_trace(std::string_view text, std::string_view file_name);

TraceSummary summarize(const Trace& trace);

/// read_trace and summarize in one.
Outcome<TraceSummary> summarize_trace(std::string_view text, std::string_view file_name);

/// Whether `text` (or what it unpacks to) begins like a trace: one of the formats above, or one
/// that read_trace knows well enough to refuse by name (trace.dat, perf.data, Chrome JSON,
/// sched_ext dumps). Decided by the first few hundred lines.
bool looks_like_trace(std::string_view text);

/// What a note prints: `TEXT (COUNT, first in line N)`.
std::string note_text(const TraceNote& note);

}  // namespace fw::input
