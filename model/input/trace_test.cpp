// SPDX-License-Identifier: Apache-2.0
#include "model/input/trace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace fw::input {
namespace {

std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Trace read_ok(std::string_view text) {
  Outcome<Trace> trace = read_trace(text, "t.txt");
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().text());
  return trace.ok() ? std::move(*trace) : Trace{};
}

std::int64_t count_of(const Trace& trace, std::string_view part) {
  for (const TraceNote& note : trace.notes) {
    if (note.text.find(part) != std::string::npos) return note.count;
  }
  return 0;
}

/// What inputs/README.md says of each file there; span as printed, in seconds with six decimals.
struct Expected {
  std::string_view file;
  TraceKind kind;
  std::int64_t lines, switches, wakeups, migrations, cpus;
  std::int64_t span_us;
  std::int64_t lost, steps_back;
};
constexpr Expected table[] = {
    {"bart-plugin-spelling.txt", TraceKind::trace_cmd, 7, 3, 0, 0, 2, 107, 0, 0},
    {"catapult-android-2012-first1500.txt.gz",
     TraceKind::ftrace,
     1515,
     912,
     518,
     0,
     1,
     1882628,
     0,
     0},
    {"catapult-android-literal-escapes.txt", TraceKind::ftrace, 95, 58, 33, 0, 1, 119915, 0, 0},
    {"catapult-atrace-missing-tgids.txt", TraceKind::ftrace, 127, 72, 44, 0, 1, 1000109, 0, 0},
    {"catapult-atrace-raw.txt", TraceKind::ftrace, 128, 72, 44, 0, 1, 1000109, 0, 0},
    {"ftrace-5.15-colon-names.txt", TraceKind::ftrace, 22, 20, 0, 0, 4, 3110, 0, 0},
    {"ftrace-rt-7flags-mail-bars.txt", TraceKind::ftrace, 5, 2, 2, 0, 1, 45, 0, 0},
    {"kerneldoc-ppc-perf-script.txt", TraceKind::perf, 8, 1, 2, 1, 4, 149, 0, 0},
    {"linux-2.6.34-doc-sched_switch-tracer.txt",
     TraceKind::switch_tracer,
     19,
     10,
     5,
     0,
     2,
     777,
     0,
     0},
    {"lisa-trace-raw-fields.txt.gz", TraceKind::trace_cmd, 1897, 1215, 671, 0, 6, 5058609, 0, 0},
    {"perf-3.10-rhel7-callchain.txt", TraceKind::perf, 14, 2, 0, 0, 1, 560, 0, 0},
    {"perf-5.3-plugin-vruntime.txt", TraceKind::perf, 7, 1, 2, 0, 1, 1000496, 0, 0},
    {"perfetto-sched-blocked.systrace", TraceKind::ftrace, 6, 4, 0, 0, 2, 10864985, 0, 0},
    {"perfetto-unknown-thread-name.systrace", TraceKind::ftrace, 2, 1, 0, 0, 1, 1, 0, 0},
    {"schedviz-ebpf_trace.txt", TraceKind::schedviz, 1000, 975, 16, 0, 4, 12321, 0, 0},
    {"scx-characterize-perf.sched.script", TraceKind::perf, 7, 1, 0, 0, 1, 0, 0, 1},
    {"tracecmd-juno-rtapp.txt.gz", TraceKind::trace_cmd, 1579, 1552, 0, 0, 6, 9303145, 0, 0},
    {"tracecmd-juno-switch-plugin.txt.gz", TraceKind::trace_cmd, 760, 755, 0, 0, 4, 3793, 0, 0},
    {"trappy-idle-unsorted.txt", TraceKind::trace_cmd, 17, 7, 0, 0, 4, 499, 0, 1},
    {"trappy-legacy-systrace.html", TraceKind::ftrace, 52, 3, 2, 0, 2, 472, 0, 0},
    {"trappy-raw-fields.txt", TraceKind::trace_cmd, 7, 3, 0, 0, 2, 127, 0, 0},
};

TEST(TraceRead, CountsAreThoseOfTheSharedTable) {
  const std::filesystem::path folder = FW_SOURCE_DIR "/../shared/inputs/traces";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared input folder on this machine";
  for (const Expected& want : table) {
    SCOPED_TRACE(want.file);
    const std::string text = slurp(folder / want.file);
    EXPECT_TRUE(looks_like_trace(text));
    const Outcome<Trace> trace = read_trace(text, want.file);
    ASSERT_TRUE(trace.ok()) << trace.error().text();
    const TraceSummary got = summarize(*trace);
    EXPECT_EQ(trace->kind, want.kind) << got.kind;
    EXPECT_EQ(got.lines, want.lines);
    EXPECT_EQ(got.switches, want.switches);
    EXPECT_EQ(got.wakeups, want.wakeups);
    EXPECT_EQ(got.migrations, want.migrations);
    EXPECT_EQ(got.cpus, want.cpus);
    EXPECT_EQ(got.span.ns / 1000, want.span_us);
    EXPECT_EQ(got.lost, want.lost);
    EXPECT_EQ(got.steps_back, want.steps_back);
    EXPECT_EQ(count_of(*trace, "not understood"), 0);
  }
}

TEST(TraceRead, RefusesSchedExtDumpsByName) {
  const std::filesystem::path folder = FW_SOURCE_DIR "/../shared/inputs/scx";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared input folder on this machine";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename());
    const std::string text = slurp(entry.path());
    EXPECT_TRUE(looks_like_trace(text));
    const Outcome<Trace> trace = read_trace(text, "dump.txt");
    ASSERT_FALSE(trace.ok());
    EXPECT_NE(trace.error().what.find("sched_ext"), std::string::npos);
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST(TraceRead, TakesEveryColumnOfAnFtraceSwitch) {
  const Trace trace = read_ok(
      "      odd [001]-27669 (  812) [003] dNh2. 3429.268255: sched_switch: prev_comm=odd pid=77 x"
      " prev_pid=27669 prev_prio=-1 prev_state=R+ ==> next_comm=odd==> next_pid=9 next_prio=89\n");
  ASSERT_EQ(trace.events.size(), 1u);
  const TraceEvent& event = trace.events[0];
  EXPECT_EQ(event.t.ns, 3429268255000);
  EXPECT_EQ(event.cpu, 3);
  EXPECT_EQ(event.context_pid, 27669);
  EXPECT_EQ(trace.name(event.context_name), "odd [001]");
  EXPECT_EQ(event.context, TraceContext::interrupt);
  EXPECT_EQ(trace.name(event.name), "odd pid=77 x");
  EXPECT_EQ(event.pid, 27669);
  EXPECT_EQ(event.prio, -1);
  EXPECT_EQ(event.prev_state, 'R');
  EXPECT_TRUE(event.preempted);
  EXPECT_EQ(trace.name(event.other_name), "odd==>");
  EXPECT_EQ(event.other_pid, 9);
  EXPECT_EQ(event.other_prio, 89);
}

TEST(TraceRead, TakesPerfTextWithNanosecondsAndBothPidForms) {
  const Trace trace = read_ok(
      "       odd [001]  27669 [000]  3429.274653503: sched:sched_wakeup_new: comm=a b pid=5 "
      "prio=125"
      " target_cpu=002\n"
      "kworker/u12:2 7/8 [001] 5.000001: 1 sched:sched_switch: kworker/u12:2:8 [120] D|W ==>"
      " swapper/1:0 [120]\n"
      "             :-1    -1 [001] 5.000002: sched:sched_stat_runtime: comm=x pid=3 runtime=7 [ns]"
      " vruntime=9 [ns]\n");
  ASSERT_EQ(trace.events.size(), 3u);
  EXPECT_EQ(trace.kind, TraceKind::perf);
  EXPECT_EQ(trace.name(trace.events[0].context_name), "odd [001]");
  EXPECT_EQ(trace.events[0].t.ns, 3429274653503);
  EXPECT_EQ(trace.events[0].target_cpu, 2);
  EXPECT_EQ(trace.events[0].prio, 125);
  EXPECT_EQ(trace.events[1].context_pid, 8);
  EXPECT_EQ(trace.events[1].prev_state, 'D');
  EXPECT_EQ(trace.name(trace.events[1].name), "kworker/u12:2");
  EXPECT_EQ(trace.events[2].context_pid, -1);
  EXPECT_EQ(trace.events[2].runtime_ns, 7);
  EXPECT_EQ(trace.events[2].vruntime_ns, 9);
}

TEST(TraceRead, KeepsLostMarkersInEverySpelling) {
  const Trace trace = read_ok(
      "CPU:1 [LOST 514 EVENTS]\nCPU:0 [EVENTS DROPPED]\nCPU:2 [7 EVENTS DROPPED]\n"
      "other 21191 [000]  3098.360286727: PERF_RECORD_LOST lost 725\nLost 3 events\n"
      " a-1 [000] 1.0: sched_wakeup: comm=b pid=2 prio=120 success=0 target_cpu=000\n");
  EXPECT_EQ(trace.lost_markers, 5);
  EXPECT_EQ(trace.lost_events, 514 + 7 + 725 + 3);
  EXPECT_EQ(trace.events[0].cpu, 1);
  EXPECT_EQ(trace.events[3].cpu, 0);
  EXPECT_EQ(trace.events[4].cpu, -1);
  EXPECT_FALSE(trace.events[5].success);
}

TEST(TraceRead, TakesHeaderFactsAndOverwrittenEvents) {
  const Trace trace = read_ok(
      "# features: START_DEBIT NO_NEXT_BUDDY\n# latency_ns: 6000000\n# HZ: 250\n# tracer: nop\n"
      "# entries-in-buffer/entries-written: 10/25   #P:2\n a-1 [000] 1.0: foo: bar\n");
  EXPECT_EQ(trace.facts.at("features"), "START_DEBIT NO_NEXT_BUDDY");
  EXPECT_EQ(trace.facts.at("latency_ns"), "6000000");
  EXPECT_EQ(trace.facts.at("hz"), "250");
  EXPECT_EQ(trace.cpus_named, 2);
  EXPECT_EQ(count_of(trace, "overwritten"), 15);
  EXPECT_EQ(count_of(trace, "other kinds"), 1);
}

TEST(TraceRead, TakesChangesOfNiceFromTheirSystemCalls) {
  const Trace trace = read_ok(
      " a-7 [000] ...1. 1.000001: sys_setpriority(which: 0, who: 68, niceval: fffffff0)\n"
      " a-7 [000] ...1. 1.000002: sys_setpriority(which: 0, who: 0, niceval: 3)\n"
      " a-7 [000] ...1. 1.000003: sys_setpriority(which: 1, who: 0, niceval: 3)\n"
      " b 9 [000] 1.000004: syscalls:sys_enter_setpriority: which: 0x00000000, who: 0x00000009, "
      "niceval: 0x00000040\n");
  ASSERT_EQ(trace.renices.size(), 3u);
  EXPECT_EQ(trace.renices[0].pid, 0x68);
  EXPECT_EQ(trace.renices[0].prio, 104);
  EXPECT_EQ(trace.renices[1].pid, 7);
  EXPECT_EQ(trace.renices[1].prio, 123);
  EXPECT_EQ(trace.renices[2].pid, 9);
  EXPECT_EQ(trace.renices[2].prio, 139);
  EXPECT_EQ(count_of(trace, "other kinds"), 1);
}

TEST(TraceRead, UsesTheUsualReadingOfRawStates) {
  const auto state = [](std::string_view number) {
    const Trace trace = read_ok(
        " a-1 [000] 1.0: sched_switch: prev_comm=a prev_pid=1 prev_prio=120"
        " prev_state=" +
        std::string(number) + " next_comm=b next_pid=2 next_prio=120\n");
    return std::string(1, trace.events[0].prev_state) + (trace.events[0].preempted ? "+" : "");
  };
  EXPECT_EQ(state("0"), "R");
  EXPECT_EQ(state("1"), "S");
  EXPECT_EQ(state("130"), "D");
  EXPECT_EQ(state("64"), "X");
  EXPECT_EQ(state("256"), "W");
  EXPECT_EQ(state("1024"), "R+");
  EXPECT_EQ(state("4096"), "R+");
}

TEST(TraceRead, NamesWhatItCannotRead) {
  const auto error = [](std::string_view text) {
    const Outcome<Trace> trace = read_trace(text, "t");
    return trace.ok() ? std::string("read") : trace.error().text();
  };
  EXPECT_EQ(error("").substr(0, 4), "t:1:");
  EXPECT_NE(error("\x17\x08\x44tracing").find("trace-cmd report"), std::string::npos);
  EXPECT_NE(error("PERFILE2....").find("perf script"), std::string::npos);
  EXPECT_NE(error(std::string_view("\0\1\2", 3)).find("binary"), std::string::npos);
  EXPECT_NE(error("{\"traceEvents\": []}").find("JSON"), std::string::npos);
  EXPECT_EQ(error("one\ntwo\n").substr(0, 4), "t:2:");
  EXPECT_NE(error(std::string("\x1f\x8b\x08garbage")).find("gzip"), std::string::npos);
  EXPECT_FALSE(looks_like_trace("{\"tasks\": {}}"));
  EXPECT_FALSE(looks_like_trace("GENTLE_FAIR_SLEEPERS NO_HRTICK\n"));
}

/// Small texts of every format, to be damaged.
constexpr std::string_view seeds[] = {
    "# tracer: nop\n a b-12 ( 3) [001] dNs3. 1.000002: sched_switch: prev_comm=a b prev_pid=12"
    " prev_prio=120 prev_state=S ==> next_comm=c next_pid=4 next_prio=120\nCPU:1 [LOST 2 EVENTS]\n",
    "x 1/2 [000] 0.000000001: sched:sched_switch: x:2 [120] R ==> y:3 [120]\n\tffff foo (k)\n\n",
    "cpus=2\n  <...>-7 [001] 5.1: sched_process_fork: comm=a pid=7 child_comm=a child_pid=8\n",
    " bash-39 [01] 240.132281:   39:120:R   +  40:120:R\n bash-39 [01] 240.2: 39:120:R ==> "
    "40:1:R\n",
    "ST:0:cc\nP:1:8:78:rcu\nS:12f:0:0:0:8\nW:13:0:1:8\nM:14:0:0:1:8\n",
};

TEST(TraceRead, SurvivesDamagedInput) {
  std::uint64_t state = 12345;
  const auto next = [&state](std::size_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::size_t>((state >> 33) % below);
  };
  constexpr std::string_view spice[] = {"[",
                                        "]",
                                        ":",
                                        " ==> ",
                                        "999999999999999999999",
                                        "-",
                                        "\n",
                                        " pid=",
                                        ".",
                                        "\xff",
                                        "\\n\\",
                                        "|",
                                        "[000]",
                                        "/",
                                        " "};
  std::int64_t read = 0, refused = 0;
  for (int round = 0; round < 40000; ++round) {
    std::string text(seeds[next(std::size(seeds))]);
    for (std::size_t edits = 1 + next(6); edits > 0; --edits) {
      const std::size_t at = next(text.size() + 1);
      switch (next(4)) {
        case 0:
          text.resize(at);
          break;
        case 1:
          text.insert(at, spice[next(std::size(spice))]);
          break;
        case 2:
          text.erase(at, 1 + next(8));
          break;
        default:
          if (at < text.size()) text[at] = static_cast<char>(next(256));
      }
    }
    const Outcome<TraceSummary> summary = summarize_trace(text, "fuzz");
    (summary.ok() ? read : refused) += 1;
    looks_like_trace(text);
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(TraceRead, UnpacksTheCommittedTraces) {
  const std::filesystem::path folder = FW_SOURCE_DIR "/model/input/testdata/traces";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".gz") continue;
    const std::string text = slurp(entry.path());
    const Outcome<Trace> trace = read_trace(text, entry.path().filename().string());
    ASSERT_TRUE(trace.ok()) << trace.error().text();
    EXPECT_GT(trace->switches, 100) << entry.path();
    const Outcome<Trace> cut = read_trace(std::string_view(text).substr(0, text.size() / 2), "cut");
    ASSERT_FALSE(cut.ok());
    EXPECT_NE(cut.error().what.find("too early"), std::string::npos);
    ++files;
  }
  EXPECT_EQ(files, 3);
}

TEST(TraceProbes, BelongToTheEventBeforeThem) {
  const Trace trace = read_ok(
      "  hog-7 [000] d..2. 1.000001: sched_stat_runtime: comm=hog pid=7 runtime=5 [ns]\n"
      "  hog-7 [000] d..3. 1.000002: ev_stat: (__probestub+0x4/0x10) pid=7 rt=5 v=105 dl=700105"
      " lag=700000 sl=700000 w=1048576\n"
      "  hog-7 [000] d..2. 1.000003: sched_switch: prev_comm=hog prev_pid=7 prev_prio=120"
      " prev_state=S ==> next_comm=b next_pid=8 next_prio=125\n"
      "  hog-7 [000] d..3. 1.000004: ev_switch: (__probestub+0x4/0x10) ppid=7 npid=8 pstate=1"
      " pv=105 pdl=700105 plag=-3 nv=1 ndl=2 nlag=2 nsl=9 minv=4 av=-11 al=335 nr=2\n"
      "  b-8 [000] d..3. 1.000005: ev_wake: (__probestub+0x4/0x10) pid=9 v=1\n");
  ASSERT_EQ(trace.events.size(), 2u);
  ASSERT_EQ(trace.probes.size(), 2u);
  EXPECT_EQ(trace.probes[0].event, 0u);
  EXPECT_EQ(trace.probes[0].entity, (EntityValues{105, 700105, 700000, 700000, 1048576}));
  EXPECT_FALSE(trace.probes[0].load.has_value());
  EXPECT_EQ(trace.probes[1].event, 1u);
  EXPECT_EQ(trace.probes[1].entity.vlag_ns, -3);
  EXPECT_EQ(trace.probes[1].next, (EntityValues{1, 2, 2, 9, std::nullopt}));
  EXPECT_EQ(trace.probes[1].reference, 4);
  EXPECT_EQ(trace.probes[1].weighted_sum, -11);
  EXPECT_EQ(trace.probes[1].load, 335);
  EXPECT_EQ(trace.probes[1].queued, 2);
  EXPECT_EQ(count_of(trace, "do not belong"), 1);
}

TEST(TraceProbes, FurtherFieldsOfARuntimeLine) {
  const Trace trace = read_ok(
      "  hog-7 [000] d.h.. 1.000000: sched_stat_runtime: comm=hog pid=7 runtime=4000000 [ns]"
      " vruntime=521 [ns] deadline=700521 vlag=517 slice=700000\n"
      "  hog-7 [000] d.h.. 2.000000: sched_stat_runtime: comm=hog pid=7 runtime=4 [ns]"
      " vruntime=525 [ns]\n");
  ASSERT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.events[0].vruntime_ns, 521);
  EXPECT_EQ(trace.events[0].runtime_ns, 4000000);
  ASSERT_EQ(trace.probes.size(), 1u);
  EXPECT_EQ(trace.probes[0].entity, (EntityValues{521, 700521, 517, 700000, std::nullopt}));
}

}  // namespace
}  // namespace fw::input
