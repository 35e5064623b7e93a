// SPDX-License-Identifier: Apache-2.0
#include "model/input/import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace fw::input {
namespace {

std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Imported import_text(std::string_view text, const ImportOptions& options = {}) {
  const Outcome<Trace> trace = read_trace(text, "t.txt");
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().text());
  if (!trace) return {};
  Outcome<Imported> imported = import_trace(*trace, options);
  EXPECT_TRUE(imported.ok()) << (imported.ok() ? "" : imported.error().text());
  return imported.ok() ? std::move(*imported) : Imported{};
}

std::int64_t count_of(const Imported& imported, std::string_view part) {
  for (const TraceNote& note : imported.notes) {
    if (note.text.find(part) != std::string::npos) return note.count;
  }
  return 0;
}

/// A program on one line: `run 5; sem_post w.b; ...`, phases parted by `|`.
std::string program(const Imported& imported, std::string_view name) {
  for (const TaskDef& task : imported.workload.tasks) {
    if (task.name != name) continue;
    std::string out;
    for (const Phase& phase : task.phases) {
      if (&phase != &task.phases.front()) out += "| ";
      if (phase.nice) out += "nice " + std::to_string(*phase.nice) + " ";
      for (const Op& op : phase.ops) {
        out += std::string(op_name(op.kind));
        if (!op.ref.empty()) out += " " + op.ref;
        if (op.amount.ns != 0) out += " " + std::to_string(op.amount.ns / 1000);
        out += "; ";
      }
    }
    return out;
  }
  return "no task " + std::string(name);
}

/// One ftrace line; `us` after second 1.
std::string line(int us, std::string_view task, std::string_view flags, std::string_view rest) {
  std::string micros = std::to_string(1'000'000 + us).substr(1);
  return " " + std::string(task) + " [000] " + std::string(flags) + " 1." + micros + ": " +
         std::string(rest) + "\n";
}
std::string switched(int us,
                     std::string_view prev,
                     int prev_pid,
                     std::string_view state,
                     std::string_view next,
                     int next_pid,
                     int next_prio = 120) {
  return line(us,
              std::string(prev) + "-" + std::to_string(prev_pid),
              "d..2.",
              "sched_switch: prev_comm=" + std::string(prev) + " prev_pid=" +
                  std::to_string(prev_pid) + " prev_prio=120 prev_state=" + std::string(state) +
                  " ==> next_comm=" + std::string(next) + " next_pid=" + std::to_string(next_pid) +
                  " next_prio=" + std::to_string(next_prio));
}

TEST(TraceImport, MakesWakeupsByTasksCausalAndTheOthersTimed) {
  const Imported imported = import_text(
      switched(0, "b", 2, "S", "a", 1) +
      line(30, "a-1", "dN.2.", "sched_wakeup: comm=b pid=2 prio=120 target_cpu=000") +
      switched(40, "a", 1, "R", "b", 2) + switched(45, "b", 2, "S", "a", 1) +
      switched(60, "a", 1, "S", "swapper/0", 0) +
      line(160, "<idle>-0", "dNh2.", "sched_wakeup: comm=b pid=2 prio=120 target_cpu=000") +
      switched(160, "swapper/0", 0, "R", "b", 2) +
      line(170, "b-2", "dNh2.", "sched_wakeup: comm=a pid=1 prio=120 target_cpu=000") +
      switched(180, "b", 2, "X", "a", 1) + switched(200, "a", 1, "S", "swapper/0", 0));
  EXPECT_EQ(program(imported, "a"), "run 30; sem_post w.b; run 25; sleep 110; run 20; suspend; ");
  EXPECT_EQ(program(imported, "b"), "sem_wait w.b; run 5; sleep 115; run 20; ");
  EXPECT_EQ(imported.workload.duration->ns, 200'000);
  EXPECT_EQ(count_of(imported, "causal"), 1);
  EXPECT_EQ(count_of(imported, "timed: woken by an interrupt"), 2);
}

TEST(TraceImport, ForksFromTheParentsProgram) {
  const Imported imported = import_text(
      switched(0, "swapper/0", 0, "R", "sh", 5) +
      line(10, "sh-5", ".....", "sched_process_fork: comm=sh pid=5 child_comm=sh child_pid=6") +
      line(12, "sh-5", "d..2.", "sched_wakeup_new: comm=sh pid=6 prio=120 target_cpu=000") +
      switched(20, "sh", 5, "S", "sh", 6) + switched(50, "gcc", 6, "Z", "swapper/0", 0) +
      line(60, "<idle>-0", ".....", "foo: bar"));
  EXPECT_EQ(program(imported, "sh"), "run 12; fork gcc; run 8; suspend; ");
  EXPECT_EQ(program(imported, "gcc"), "run 30; ");
  EXPECT_EQ(imported.workload.tasks[1].instances, 0);
  EXPECT_TRUE(imported.tasks[1].forked);
}

TEST(TraceImport, ForksWhereOnlyTheForkLineIsRecorded) {
  const Imported imported = import_text(
      switched(0, "swapper/0", 0, "R", "sh", 5) +
      line(10, "sh-5", ".....", "sched_process_fork: comm=sh pid=5 child_comm=sh child_pid=6") +
      line(11, "sh-5", ".....", "sched_process_fork: comm=sh pid=5 child_comm=sh child_pid=7") +
      switched(20, "sh", 5, "S", "kid", 6) + switched(50, "kid", 6, "Z", "swapper/0", 0));
  EXPECT_EQ(program(imported, "sh"), "run 10; fork kid; run 10; suspend; ");
  EXPECT_EQ(imported.workload.tasks.size(), 2u);
  EXPECT_EQ(count_of(imported, "never ran"), 1);
}

TEST(TraceImport, KeepsAWakeupThatCameJustBeforeTheBlock) {
  std::string text = switched(0, "swapper/0", 0, "R", "a", 1);
  // On the second CPU b is still on its way to sleep when a wakes it.
  std::string other =
      switched(0, "swapper/1", 0, "R", "b", 2) + switched(21, "b", 2, "S", "swapper/1", 0) +
      switched(25, "swapper/1", 0, "R", "b", 2) + switched(40, "b", 2, "S", "swapper/1", 0);
  for (std::size_t at = other.find("[000]"); at != std::string::npos; at = other.find("[000]")) {
    other[at + 3] = '1';
  }
  text += line(20, "a-1", "d..2.", "sched_waking: comm=b pid=2 prio=120 target_cpu=001") +
          switched(50, "a", 1, "S", "swapper/0", 0) + other;
  const Imported imported = import_text(text);
  EXPECT_EQ(program(imported, "a"), "run 20; sem_post w.b; run 30; suspend; ");
  EXPECT_EQ(program(imported, "b"), "run 21; sem_wait w.b; run 15; suspend; ");
  EXPECT_EQ(imported.workload.topology, "2");
}

TEST(TraceImport, TurnsAPeriodIntoAbsoluteTimers) {
  std::string text = switched(0, "t", 9, "S", "hog", 1);
  for (int k = 1; k <= 6; ++k) {
    const int burst = 100 + 37 * k;
    text +=
        line(k * 10'000, "hog-1", "dNh2.", "sched_wakeup: comm=t pid=9 prio=120 target_cpu=000");
    text += switched(k * 10'000, "hog", 1, "R", "t", 9);
    text += switched(k * 10'000 + burst, "t", 9, "S", "hog", 1);
  }
  const Imported imported = import_text(text);
  EXPECT_EQ(program(imported, "t").substr(0, 56),
            "timer unique.0 10000; run 137; timer unique.1 20000; run");
  EXPECT_TRUE(imported.workload.tasks[0].phases[0].ops[0].absolute);
  const auto hog = std::find_if(imported.tasks.begin(), imported.tasks.end(), [](const auto& task) {
    return task.name == "hog";
  });
  ASSERT_NE(hog, imported.tasks.end());
  EXPECT_TRUE(hog->open_end);
}

TEST(TraceImport, ActsOnNiceChangesAndApproximatesRealTime) {
  const Imported imported = import_text(
      switched(0, "swapper/0", 0, "R", "a", 1, 120) + switched(10, "a", 1, "R", "rt", 3, 89) +
      line(10, "rt-3", "d..2.", "foo: bar") + switched(20, "rt", 3, "S", "a", 1, 125) +
      switched(30, "a", 1, "S", "migration/0", 7, 0) +
      switched(35, "migration/0", 7, "S", "swapper/0", 0));
  // The text prints prev_prio 120 for all: a goes 120, 125, 120.
  EXPECT_EQ(program(imported, "a"), "run 10; | nice 5 | nice 0 run 10; suspend; ");
  EXPECT_EQ(count_of(imported, "real-time"), 1);
  EXPECT_EQ(count_of(imported, "stopper"), 1);
  EXPECT_EQ(imported.workload.tasks.size(), 2u);
}

TEST(TraceImport, NamesAreUniqueAndPlain) {
  const Imported imported =
      import_text(switched(0, "x", 1, "S", "x", 2) + switched(1, "x", 2, "S", "odd/ (1)", 3) +
                  switched(2, "odd/ (1)", 3, "S", "", 4) + switched(3, "", 4, "S", "swapper/0", 0));
  std::set<std::string> names;
  for (const TaskDef& task : imported.workload.tasks) names.insert(task.name);
  EXPECT_EQ(names, (std::set<std::string>{"x.1", "x.2", "odd___1_.3", "task.4"}));
}

TEST(TraceImport, SaysWhenThereIsNothingToImport) {
  const auto error = [](const std::string& text) {
    const Outcome<Trace> trace = read_trace(text, "t.txt");
    const Outcome<Imported> imported = import_trace(*trace);
    return imported.ok() ? std::string("imported") : imported.error().text();
  };
  EXPECT_NE(error(line(1, "a-1", "....", "foo: bar")).find("no sched_switch"), std::string::npos);
  EXPECT_NE(error(switched(1, "swapper/0", 0, "R", "migration/0", 7, 0)).find("only idle"),
            std::string::npos);
}

TEST(TraceImport, StopsAtTheLimits) {
  std::string text;
  for (int k = 0; k < 100; ++k) text += switched(k * 10, "a", 1, "S", "a", 1);
  ImportOptions options;
  options.max_time = Duration{500'000};
  EXPECT_EQ(import_text(text, options).workload.duration->ns, 500'000);
  options = {};
  options.max_ops = 20;
  const Imported cut = import_text(text, options);
  EXPECT_LE(cut.ops, 25);
  EXPECT_EQ(count_of(cut, "stopped here"), 1);
}

/// On-CPU time by pid, counted by a rule of its own: from a switch-in (or a CPU's first line) to
/// the next switch on that CPU (or the end), left out when that one switches another task out.
std::map<std::int32_t, std::int64_t> on_cpu(const Trace& trace) {
  std::vector<const TraceEvent*> events;
  for (const TraceEvent& event : trace.events) events.push_back(&event);
  std::stable_sort(events.begin(), events.end(), [](const TraceEvent* a, const TraceEvent* b) {
    return a->t < b->t;
  });
  struct Stint {
    std::int32_t pid = -1;
    Instant from;
  };
  std::map<std::int32_t, Stint> cpus;
  std::map<std::int32_t, Instant> mentioned;
  std::map<std::int32_t, std::int64_t> out;
  for (const TraceEvent* event : events) {
    if (event->kind == TraceEventKind::lost) {
      for (auto& [cpu, stint] : cpus) {
        if (event->cpu < 0 || cpu == event->cpu) stint.pid = -1;
      }
      if (event->cpu >= 0) cpus[event->cpu].pid = -1;
      continue;
    }
    const bool is_switch = event->kind == TraceEventKind::sched_switch;
    if (cpus.count(event->cpu) == 0) {
      const std::int32_t pid = is_switch ? event->pid : event->context_pid;
      const auto before = mentioned.find(pid);
      // 999999 is the shared recordings' one name for all foreign tasks, on every CPU at once.
      const bool start = before == mentioned.end() || pid == 999999;
      cpus[event->cpu] = {pid, start ? trace.first : before->second};
    }
    if (is_switch || event->kind == TraceEventKind::wakeup) mentioned[event->pid] = event->t;
    if (!is_switch) continue;
    Stint& stint = cpus[event->cpu];
    if (stint.pid == event->pid) out[stint.pid] += (event->t - stint.from).ns;
    stint = {event->other_pid, event->t};
  }
  for (const auto& [cpu, stint] : cpus) {
    if (stint.pid > 0) out[stint.pid] += (trace.last - stint.from).ns;
  }
  return out;
}

/// The rules of a workload that any side can run: known names, one post for each wait, phases.
void expect_sound(const Imported& imported) {
  std::map<std::string, std::int64_t> posts, waits, forks;
  std::set<std::string> names;
  for (const TaskDef& task : imported.workload.tasks) {
    EXPECT_TRUE(names.insert(task.name).second) << task.name;
    EXPECT_FALSE(task.phases.empty()) << task.name;
    EXPECT_EQ(task.loop, 1);
    EXPECT_GE(task.delay.ns, 0);
    EXPECT_TRUE(task.nice >= -20 && task.nice <= 19) << task.name;
    for (const Phase& phase : task.phases) {
      EXPECT_EQ(phase.loop, 1);
      for (const Op& op : phase.ops) {
        EXPECT_GE(op.amount.ns, 0);
        if (op.kind == OpKind::sem_post) ++posts[op.ref];
        if (op.kind == OpKind::sem_wait) ++waits[op.ref];
        if (op.kind == OpKind::fork) ++forks[op.ref];
      }
    }
  }
  for (const auto& [ref, count] : waits) EXPECT_EQ(posts[ref], count) << ref;
  for (const TaskDef& task : imported.workload.tasks) {
    EXPECT_EQ(forks[task.name], task.instances == 0 ? 1 : 0) << task.name;
  }
}

/// Every task's run time is what it had on a CPU, up to what was left out.
void expect_conserved(const Trace& trace, const Imported& imported) {
  std::map<std::int32_t, std::int64_t> run, dropped;
  for (const ImportedTask& task : imported.tasks) {
    run[task.pid] += task.run.ns;
    dropped[task.pid] += task.dropped.ns;
  }
  const std::map<std::int32_t, std::int64_t> seen = on_cpu(trace);
  for (const auto& [pid, ns] : run) {
    const auto known = seen.find(pid);
    const std::int64_t want = known == seen.end() ? 0 : known->second;
    EXPECT_LE(std::abs(ns - want), dropped[pid])
        << "pid " << pid << " run " << ns << " seen " << want;
  }
  std::int64_t total = 0;
  for (const auto& [pid, ns] : run) total += ns;
  EXPECT_LE(total, trace.span().ns * static_cast<std::int64_t>(trace.cpus.size()));
}

void check_file(const std::filesystem::path& path) {
  SCOPED_TRACE(path.filename());
  const Outcome<Trace> trace = read_trace(slurp(path), path.filename().string());
  ASSERT_TRUE(trace.ok()) << trace.error().text();
  const Outcome<Imported> imported = import_trace(*trace);
  ASSERT_TRUE(imported.ok()) << imported.error().text();
  EXPECT_GE(imported->workload.tasks.size(), 1u);
  expect_sound(*imported);
  expect_conserved(*trace, *imported);
  const Outcome<Imported> again = import_trace(*trace);
  EXPECT_EQ(imported->workload.tasks, again->workload.tasks);
}

int check_folder(const std::filesystem::path& folder) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".md") continue;
    check_file(entry.path());
    ++files;
  }
  return files;
}

TEST(TraceImport, ConservesRunTimeInTheCommittedTraces) {
  EXPECT_EQ(check_folder(FW_SOURCE_DIR "/model/input/testdata/traces"), 3);
}

TEST(TraceImport, ConservesRunTimeInEverySharedTrace) {
  for (const std::string_view name : {"traces", "inputs/traces"}) {
    const std::filesystem::path folder =
        std::filesystem::path(FW_SOURCE_DIR "/../shared") / std::filesystem::path(name);
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared traces on this machine";
    EXPECT_GT(check_folder(folder), 20);
  }
}

}  // namespace
}  // namespace fw::input
