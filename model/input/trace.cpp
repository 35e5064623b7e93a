// SPDX-License-Identifier: Apache-2.0
#include "model/input/trace.h"

#include <algorithm>
#include <set>

#include "model/input/file.h"
#include "model/input/trace_line.h"

namespace fw::input {
namespace {

using std::string_view;

bool has(string_view text, string_view part) { return text.find(part) != string_view::npos; }

/// Cuts the next line (without its end) off `text`.
string_view next_line(string_view& text) {
  const std::size_t end = text.find('\n');
  string_view line = text.substr(0, end);
  text.remove_prefix(end == string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// Takes off what mail and JavaScript put around a line. A name never reaches the first column.
string_view bare_line(string_view line, TraceBuilder* builder) {
  if (line.size() >= 3 && line.substr(line.size() - 3) == "\\n\\") {
    line.remove_suffix(3);
    if (builder != nullptr)
      builder->note("`\\n\\` at line ends (a JavaScript string) was taken off");
  }
  if (!line.empty() && (line.front() == '|' || line.front() == '>')) {
    while (!line.empty() && (line.front() == '|' || line.front() == '>')) line.remove_prefix(1);
    if (builder != nullptr) builder->note("quote bars at line starts were taken off");
  }
  return line;
}

/// A format that this reader does not read, by the first bytes; empty: none.
struct Foreign {
  string_view what;
  string_view hint;
};
std::optional<Foreign> foreign_format(string_view text) {
  const string_view head = text.substr(0, 65536);
  if (head.substr(0, 3) == "\x17\x08\x44") {
    return Foreign{"this is a binary trace.dat of trace-cmd",
                   "convert it: trace-cmd report -i FILE > FILE.txt"};
  }
  if (head.substr(0, 8) == "PERFILE2" || head.substr(0, 8) == "2ELIFREP") {
    return Foreign{"this is a binary perf.data file",
                   "convert it: perf script --ns -F comm,tid,cpu,time,event,trace > FILE.txt"};
  }
  if (head.size() > 262 && head.substr(257, 5) == "ustar") {
    return Foreign{"this is a tar archive (SchedViz?)", "unpack it and give the text trace in it"};
  }
  if (head.substr(0, 4096).find('\0') != string_view::npos) {
    return Foreign{"this is a binary file, not a text trace",
                   "convert it with perf script, trace-cmd report or traceconv systrace"};
  }
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  const char start = begin == string_view::npos ? ' ' : head[begin];
  if ((start == '{' || start == '[') &&
      (has(head, "\"traceEvents\"") || has(head, "\"systemTraceEvents\"") || has(head, "\"ph\""))) {
    return Foreign{"this is a Chrome/Perfetto JSON trace, which is not read",
                   "export it as ftrace text: traceconv systrace FILE"};
  }
  return std::nullopt;
}

bool is_gzip(string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

bool is_scx_dump(string_view text) {
  const string_view head = text.substr(0, 65536);
  return has(head, "triggered exit kind") || has(head, "sched_ext_dump:") ||
         has(head, "scx_state/flags=") || has(head, "ops_qseq=");
}

Error error_at(string_view file, std::int64_t line, std::string what, std::string hint) {
  return Error{std::move(what), std::move(hint), std::string(file) + ":" + std::to_string(line)};
}

/// `# key: value`, `#P:4`, `cpus=6`: facts about the recording.
void read_header_line(string_view line, TraceBuilder& builder) {
  Trace& trace = builder.trace();
  const std::size_t cpus = line.find("#P:");
  if (cpus != string_view::npos) {
    const auto count = leading_number<int>(line.substr(cpus + 3));
    if (count && *count > 0 && *count <= 65536) trace.cpus_named = *count;
  }
  const std::size_t config = line.find("CONFIG_HZ=");
  if (config != string_view::npos) {
    if (const auto hz = leading_number<int>(line.substr(config + 10))) {
      trace.facts["hz"] = std::to_string(*hz);
    }
  }
  while (!line.empty() && line.front() == '#') line.remove_prefix(1);
  line = trim(line);
  const std::size_t colon = line.find(": ");
  if (colon == string_view::npos || colon == 0 || colon > 40) return;
  const string_view key = line.substr(0, colon);
  const string_view value = trim(line.substr(colon + 2));
  const bool plain = std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '-' || c == '/';
  });
  if (!plain || value.empty()) return;
  if (key == "entries-in-buffer/entries-written") {
    const auto kept = leading_number<std::int64_t>(value);
    const std::size_t slash = value.find('/');
    const auto written = slash == string_view::npos
                             ? std::nullopt
                             : leading_number<std::int64_t>(value.substr(slash + 1));
    if (kept && written && *kept < *written) {
      builder.note("older events were overwritten before the buffer was read", *written - *kept);
    }
    return;
  }
  trace.facts.try_emplace(key == "HZ" ? std::string("hz") : std::string(key), std::string(value));
}

/// Reads the lines of everything but SchedViz text.
class LineReader {
 public:
  explicit LineReader(TraceBuilder& builder) : builder_(builder) {}

  void read(string_view raw) {
    const string_view line = bare_line(raw, &builder_);
    const string_view text = trim(line);
    if (text.empty()) {
      in_chain_ = false;
      return;
    }
    if (text.front() == '#') return read_header_line(text, builder_);
    const auto cut = cut_line(line);
    std::int32_t lost_cpu = -1;
    if (const auto lost = lost_marker(line, lost_cpu)) return read_lost(cut, *lost, lost_cpu);
    if (cut) return read_event(*cut);
    skip(line, text);
  }

  /// The format that most lines had.
  TraceKind kind() const {
    if (perf_ > plain_) return TraceKind::perf;
    if (tracer_ > 0) return TraceKind::switch_tracer;
    return report_ ? TraceKind::trace_cmd : TraceKind::ftrace;
  }

 private:
  void read_lost(const std::optional<TraceLine>& cut, std::int64_t lost, std::int32_t cpu) {
    TraceEvent event;
    event.kind = TraceEventKind::lost;
    event.line = builder_.line();
    event.cpu = cpu;
    event.t =
        builder_.trace().events.empty() ? builder_.trace().first : builder_.trace().events.back().t;
    if (cut) {
      event.cpu = cut->cpu;
      event.t = cut->t;
      builder_.saw(cut->t, cut->cpu);
    }
    ++builder_.trace().lost_markers;
    builder_.trace().lost_events += lost;
    builder_.note("events were lost while recording", std::max<std::int64_t>(lost, 1));
    builder_.add(event);
  }

  void read_event(const TraceLine& cut) {
    in_chain_ = cut.perf;
    ++(cut.perf ? perf_ : plain_);
    builder_.saw(cut.t, cut.cpu);
    TraceEvent event;
    event.line = builder_.line();
    event.t = cut.t;
    event.cpu = cut.cpu;
    event.context_pid = cut.pid;
    event.context = context_of(cut.flags);
    event.hard_interrupt = hard_interrupt(cut.flags);
    event.need_resched = need_resched(cut.flags);
    if (is_yield(cut)) {
      event.pid = cut.pid;
      event.context_name = builder_.intern(cut.comm);
      builder_.trace().yields.push_back(event);
      return;
    }
    if (const auto renice = renice_of(cut)) {
      event.pid = renice->pid == 0 ? cut.pid : renice->pid;
      event.prio = renice->prio;
      builder_.trace().renices.push_back(event);
      return;
    }
    if (read_probe(cut, builder_)) return;
    Parsed parsed = parse_event(cut, builder_, event);
    if (parsed == Parsed::foreign) {
      parsed = parse_switch_tracer(cut, builder_, event);
      if (parsed != Parsed::foreign) ++tracer_;
    }
    switch (parsed) {
      case Parsed::foreign:
        builder_.note("events of other kinds were left out");
        return;
      case Parsed::no:
        builder_.note("scheduler events with fields that are not understood");
        return;
      case Parsed::partly:
        builder_.note("scheduler events whose line was cut");
        break;
      case Parsed::yes:
        break;
    }
    event.context_name = builder_.intern(cut.comm);
    if (event.kind == TraceEventKind::runtime) read_further_fields(cut, builder_);
    builder_.add(event);
  }

  void skip(string_view line, string_view text) {
    if (text.substr(0, 5) == "cpus=" || text.substr(0, 9) == "version =") {
      report_ = true;
      if (text.substr(0, 5) == "cpus=") {
        const auto count = whole_number<int>(text.substr(5));
        if (count && *count > 0 && *count <= 65536) builder_.trace().cpus_named = *count;
      }
      return;
    }
    if (text.substr(0, 4) == "CPU " && has(text, " is empty")) {
      report_ = true;
      return builder_.note("CPUs had an empty buffer");
    }
    if (in_chain_ && is_blank(line.front())) return builder_.note("call-chain lines were skipped");
    if (has(line, "sched_switch") && lacks_cpu(line)) {
      return builder_.note(
          "event lines without a [cpu] column were skipped: record with -a and let"
          " perf script print the cpu field");
    }
    builder_.note("lines that are no trace event were skipped");
  }

  TraceBuilder& builder_;
  bool in_chain_ = false;
  bool report_ = false;
  std::int64_t perf_ = 0, plain_ = 0, tracer_ = 0;
};

/// Whether the first lines with a colon are SchedViz text.
bool begins_like_schedviz(string_view text) {
  for (int i = 0; i < 20 && !text.empty(); ++i) {
    if (is_schedviz_line(next_line(text))) return true;
  }
  return false;
}

template <class Reader>
bool read_lines(string_view text, TraceBuilder& builder, Reader& reader) {
  Trace& trace = builder.trace();
  while (!text.empty()) {
    builder.set_line(++trace.lines);
    reader.read(next_line(text));
    if (trace.events.size() > max_trace_events) return false;
  }
  return true;
}

Outcome<Trace> read_text(string_view text, string_view file) {
  if (text.size() > max_trace_bytes) {
    return Error{
        "is larger than 256 MiB", "record a shorter time, or cut the file", std::string(file)};
  }
  if (text.empty()) return error_at(file, 1, "the file is empty", "record a trace first");
  if (const auto foreign = foreign_format(text)) {
    return error_at(file, 1, std::string(foreign->what), std::string(foreign->hint));
  }
  Trace trace;
  trace.file = std::string(file);
  TraceBuilder builder(trace);
  bool all = false;
  if (begins_like_schedviz(text)) {
    SchedvizReader reader(builder);
    all = read_lines(text, builder, reader);
    trace.kind = TraceKind::schedviz;
  } else {
    LineReader reader(builder);
    all = read_lines(text, builder, reader);
    trace.kind = reader.kind();
  }
  if (!all) {
    return error_at(file,
                    trace.lines,
                    "more than 4,000,000 scheduler events",
                    "record a shorter time, or cut the file");
  }
  if (trace.events.empty() && is_scx_dump(text)) {
    return error_at(file,
                    1,
                    "this is a sched_ext debug dump, which cannot be imported yet",
                    "give a trace of the time before it: perf sched record, perf script");
  }
  if (trace.event_lines == 0) {
    return error_at(file,
                    trace.lines,
                    "no line is a trace event of perf script, ftrace, trace-cmd"
                    " report or SchedViz text",
                    "record one: perf sched record -a; perf script --ns -F"
                    " comm,tid,cpu,time,event,trace > FILE.txt");
  }
  builder.finish();
  return trace;
}

}  // namespace

string_view trace_kind_name(TraceKind kind) {
  switch (kind) {
    case TraceKind::perf:
      return "perf script text";
    case TraceKind::ftrace:
      return "ftrace text";
    case TraceKind::trace_cmd:
      return "trace-cmd report text";
    case TraceKind::switch_tracer:
      return "sched_switch tracer text";
    case TraceKind::schedviz:
      return "SchedViz eBPF text";
  }
  return "";
}

std::string note_text(const TraceNote& note) {
  std::string out = note.text + " (" + std::to_string(note.count);
  if (note.first_line > 0) out += ", first in line " + std::to_string(note.first_line);
  return out + ")";
}

Outcome<Trace> read_trace(string_view text, string_view file_name) {
  if (!is_gzip(text)) return read_text(text, file_name);
  const Outcome<std::string> unpacked =
      unpack(std::string(text), std::string(file_name), max_trace_bytes);
  if (!unpacked) return unpacked.error();
  return read_text(*unpacked, file_name);
}

TraceSummary summarize(const Trace& trace) {
  TraceSummary out;
  out.kind = std::string(trace_kind_name(trace.kind));
  out.lines = trace.lines;
  out.switches = trace.switches;
  out.wakeups = trace.wakeups;
  out.migrations = trace.migrations;
  out.cpus = static_cast<std::int64_t>(trace.cpus.size());
  out.span = trace.span();
  out.lost = trace.lost_markers;
  out.steps_back = trace.steps_back;
  std::set<std::int32_t> tasks;
  for (const TraceEvent& event : trace.events) {
    if (event.pid > 0) tasks.insert(event.pid);
    if (event.kind == TraceEventKind::sched_switch && event.other_pid > 0) {
      tasks.insert(event.other_pid);
    }
  }
  out.tasks = static_cast<std::int64_t>(tasks.size());
  for (const TraceNote& note : trace.notes) out.notes.push_back(note_text(note));
  return out;
}

std::vector<std::pair<std::string, std::int64_t>> TraceSummary::counts() const {
  return {{"lines", lines},
          {"switches", switches},
          {"wakeups", wakeups},
          {"migrations", migrations},
          {"cpus", cpus},
          {"span_ns", span.ns},
          {"lost", lost},
          {"steps_back", steps_back},
          {"tasks", tasks}};
}

Outcome<TraceSummary> summarize_trace(string_view text, string_view file_name) {
  const Outcome<Trace> trace = read_trace(text, file_name);
  if (!trace) return trace.error();
  return summarize(*trace);
}

bool looks_like_trace(string_view text) {
  constexpr std::size_t look_at = 256 << 10;
  std::string unpacked;
  if (is_gzip(text)) {
    Outcome<std::string> whole = unpack(std::string(text), "", max_trace_bytes);
    if (!whole) return false;
    unpacked = std::move(*whole);
    text = unpacked;
  }
  text = text.substr(0, look_at);
  if (text.substr(0, 3) == "\x17\x08\x44" || text.substr(0, 8) == "PERFILE2") return true;
  if (text.empty() || text.substr(0, 4096).find('\0') != string_view::npos) return false;
  if (is_scx_dump(text) || foreign_format(text) || begins_like_schedviz(text)) return true;
  if (has(text, "linuxPerfData") || has(text, "class=\"trace-data\"")) return true;
  for (int i = 0; i < 400 && !text.empty(); ++i) {
    const string_view line = bare_line(next_line(text), nullptr);
    std::int32_t cpu = -1;
    if (cut_line(line) || lost_marker(line, cpu)) return true;
    if (line.substr(0, 10) == "# tracer: ") return true;
  }
  return false;
}

}  // namespace fw::input
