// SPDX-License-Identifier: Apache-2.0
#include "model/input/import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace fw::input {
namespace {

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
  EXPECT_EQ(program(imported, "a"), "run 10; | nice 0 run 10; suspend; ");
  EXPECT_EQ(count_of(imported, "real-time"), 1);
  EXPECT_EQ(count_of(imported, "stopper"), 1);
  EXPECT_EQ(imported.workload.tasks.size(), 2u);
}

/// As perf prints: no flags column.
std::string without_flags(std::string text) {
  for (const std::string_view flags : {" d..2.", " dN.2.", " dNh2."}) {
    for (std::size_t at = text.find(flags); at != std::string::npos; at = text.find(flags)) {
      text.erase(at, flags.size());
    }
  }
  return text;
}

TEST(TraceImport, GuessesInterruptsWhereThereAreNoFlags) {
  // A timer interrupts a hog, which sleeps now and then; p wakes c and blocks at once.
  std::string text = switched(0, "t", 9, "S", "hog", 1);
  for (int k = 1; k <= 6; ++k) {
    const int at = k * 10'000;
    text += line(at, "hog-1", "dNh2.", "sched_wakeup: comm=t pid=9 prio=120 target_cpu=000");
    text += switched(at, "hog", 1, "R", "t", 9) + switched(at + 50, "t", 9, "S", "p", 3);
    text += line(at + 90, "p-3", "d..2.", "sched_wakeup: comm=c pid=4 prio=120 target_cpu=000");
    text += switched(at + 100, "p", 3, "S", "c", 4) + switched(at + 300, "c", 4, "S", "hog", 1);
  }
  text += switched(70'000, "hog", 1, "S", "swapper/0", 0);
  const Imported flags = import_text(text);
  const Imported guessed = import_text(without_flags(text));
  for (const std::string_view task : {"hog", "t", "p", "c"}) {
    EXPECT_EQ(program(guessed, task), program(flags, task)) << task;
  }
  EXPECT_EQ(count_of(guessed, "causal, guessed"), 5);
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

}  // namespace
}  // namespace fw::input
