// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "model/input/import.h"

/// What must hold of an imported workload whatever the trace: checked on real and on damaged ones.
namespace fw::input {
namespace {

std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whether every program gets to its end when tasks run in the order that `pick` likes, time left
/// out (a sleep ends when asked): no order of events may leave a wait without its post.
template <class Pick>
bool all_finish(const Imported& imported, Pick pick) {
  std::vector<std::vector<const Op*>> programs;
  std::map<std::string, std::size_t> index;
  std::vector<std::size_t> ready, at;
  for (const TaskDef& task : imported.workload.tasks) {
    index[task.name] = programs.size();
    if (task.instances > 0) ready.push_back(programs.size());
    programs.emplace_back();
    for (const Phase& phase : task.phases) {
      for (const Op& op : phase.ops) programs.back().push_back(&op);
    }
  }
  at.resize(programs.size());
  std::map<std::string, std::int64_t> posted;
  std::map<std::string, std::size_t> waiting;
  std::size_t finished = 0;
  while (!ready.empty()) {
    const auto chosen = ready.begin() + static_cast<std::ptrdiff_t>(pick(ready.size()));
    const std::size_t task = *chosen;
    ready.erase(chosen);
    bool waits = false;
    for (; at[task] < programs[task].size() && !waits; ++at[task]) {
      const Op& op = *programs[task][at[task]];
      if (op.kind == OpKind::fork) ready.push_back(index.at(op.ref));
      if (op.kind == OpKind::sem_post && ++posted[op.ref] == 0) {
        ready.push_back(waiting.at(op.ref));
        waiting.erase(op.ref);
      }
      if (op.kind == OpKind::sem_wait && --posted[op.ref] < 0) {
        waiting[op.ref] = task;
        waits = true;
      }
    }
    if (!waits) ++finished;
  }
  return finished == programs.size();
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
  EXPECT_TRUE(all_finish(*imported, [](std::size_t) { return std::size_t{0}; }));
  EXPECT_TRUE(all_finish(*imported, [](std::size_t count) { return count - 1; }));
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

TEST(TraceImportFiles, SurvivesAnyOrderAndLossOfLines) {
  const std::filesystem::path folder = FW_SOURCE_DIR "/model/input/testdata/traces";
  std::uint64_t state = 99;
  const auto next = [&state](std::size_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::size_t>((state >> 33) % below);
  };
  int imports = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".gz") continue;
    const Outcome<Trace> whole = read_trace(slurp(entry.path()), "whole");
    ASSERT_TRUE(whole.ok());
    for (int round = 0; round < 60; ++round) {
      Trace trace = *whole;
      for (std::size_t edits = next(400); edits > 0; --edits) {
        TraceEvent& event = trace.events[next(trace.events.size())];
        const TraceEvent& other = trace.events[next(trace.events.size())];
        switch (next(6)) {
          case 0:
            event.kind = TraceEventKind::lost;
            break;
          case 1:
            event.cpu = static_cast<std::int32_t>(next(3));
            break;
          case 2:
            event.pid = other.pid;
            break;
          case 3:
            event.other_pid = other.pid;
            break;
          case 4:
            event.kind = other.kind;
            break;
          default:
            event.prev_state = "RSDXZ?I"[next(7)];
        }
      }
      const Outcome<Imported> imported = import_trace(trace);
      ASSERT_TRUE(imported.ok()) << imported.error().text();
      expect_sound(*imported);
      EXPECT_TRUE(all_finish(*imported, [&next](std::size_t count) { return next(count); }));
      ++imports;
    }
  }
  EXPECT_EQ(imports, 180);
}

TEST(TraceImportFiles, ConservesRunTimeInTheCommittedTraces) {
  EXPECT_EQ(check_folder(FW_SOURCE_DIR "/model/input/testdata/traces"), 3);
}

TEST(TraceImportFiles, ConservesRunTimeInEverySharedTrace) {
  for (const std::string_view name : {"traces", "inputs/traces"}) {
    const std::filesystem::path folder =
        std::filesystem::path(FW_SOURCE_DIR "/../shared") / std::filesystem::path(name);
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared traces on this machine";
    EXPECT_GT(check_folder(folder), 20);
  }
}

}  // namespace
}  // namespace fw::input
