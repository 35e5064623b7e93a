// SPDX-License-Identifier: Apache-2.0
// What the machine tells the fair class for the switches: labels of wakeups, depth of forks, who
// woke whom. Worked out by hand from cfs-semantics section 25 and the choices N7, N13, N15.
#include <gtest/gtest.h>

#include "impl/machine/test_run.h"

namespace impl {
namespace {

using Features = std::map<std::string, bool, std::less<>>;

constexpr std::int64_t ms = 1'000'000;

PhaseDef once(std::vector<OpDef> ops) { return {1, {}, {}, std::move(ops)}; }

TaskDef task(const char* name, std::vector<PhaseDef> phases, int instances = 1) {
  TaskDef out;
  out.name = name;
  out.instances = instances;
  out.loop = 1;
  out.phases = std::move(phases);
  return out;
}

cfs::Request switched(Features features, std::string version = "2.6.36") {
  return {std::move(version), std::move(features), {{"vruntime_base", 0}}};
}

/// vruntimes of a task's records of one kind, in order.
std::vector<std::int64_t> seen(Program program,
                               const cfs::Request& request,
                               const std::string& name,
                               RecordKind kind) {
  const auto run = simulate_cfs(std::move(program), test::machine(1, {}), request);
  std::vector<std::int64_t> out;
  Step step;
  while (run->advance(step)) {
    for (const Record& record : run->records()) {
      if (record.kind == kind && run->task_name(record.task) == name) {
        out.push_back(record.state[0]);
      }
    }
  }
  EXPECT_EQ(run->fault(), "");
  return out;
}

// a forks b (a process or a thread), which forks c; each runs 1 ms.
Program family(bool b_is_thread) {
  Program out;
  out.refs = {{"b"}, {"c"}};
  out.tasks = {task("a", {once({{OpCode::fork, 0, 0}, {OpCode::run, ms}})}),
               task("b", {once({{OpCode::fork, 0, 1}, {OpCode::run, ms}})}, 0),
               task("c", {once({{OpCode::run, ms}})}, 0)};
  out.tasks[1].thread = b_is_thread;
  return out;
}

TEST(CfsSwitches, DepthCountsProcesses) {
  const cfs::Request request = switched({{"TREE_PENALTY", true}, {"START_DEBIT", false}});
  const auto cost = [&request](bool b_is_thread, const char* name) {
    return seen(family(b_is_thread), request, name, RecordKind::exit).at(0) -
           seen(family(b_is_thread), request, name, RecordKind::fork).at(0);
  };
  EXPECT_EQ(cost(false, "b-1-0"), 2 * ms);
  EXPECT_EQ(cost(false, "c-2-0"), 3 * ms);
  EXPECT_EQ(cost(true, "b-1-0"), ms);  // a thread of a
  EXPECT_EQ(cost(true, "c-2-0"), 2 * ms);
}

// A hog, and a task that sleeps 5 ms beside it.
Program sleeper() {
  Program out;
  out.tasks = {task("hog", {once({{OpCode::run, 20 * ms}})}),
               task("naps", {once({{OpCode::sleep, 5 * ms}, {OpCode::run, ms}})})};
  return out;
}

TEST(CfsSwitches, ATimerLabelsItsWakeupsButNoStart) {
  Program late = sleeper();
  late.tasks[1].delay = 10 * ms;
  const Features off = {{"FAIR_SLEEPERS", false}};
  const Features timer = {{"FAIR_SLEEPERS", false}, {"FAIR_SLEEPERS_TIMER", true}};
  const auto without = seen(late, switched(off), "naps-1", RecordKind::wake);
  const auto with = seen(late, switched(timer), "naps-1", RecordKind::wake);
  EXPECT_EQ(without, (std::vector<std::int64_t>{10 * ms, 15 * ms}));
  EXPECT_EQ(with, (std::vector<std::int64_t>{10 * ms, 12 * ms}));
}

TEST(CfsSwitches, AnInputTasksWakeupsAreLabelledWhoeverIssuesThem) {
  Program program = sleeper();
  program.tasks.push_back(task("reader", {once({{OpCode::suspend}, {OpCode::run, ms}})}));
  program.refs = {{"reader"}};
  program.tasks[1].phases[0].ops.push_back({OpCode::resume, 0, 0});
  const Features features = {{"FAIR_SLEEPERS", false}, {"FAIR_SLEEPERS_INTERACTIVE", true}};
  const auto plain = seen(program, switched(features), "reader-2", RecordKind::wake);
  program.tasks[2].input = true;
  const auto input = seen(program, switched(features), "reader-2", RecordKind::wake);
  ASSERT_EQ(plain.size(), 2u);
  ASSERT_EQ(input.size(), 2u);
  EXPECT_EQ(input[0], plain[0]);  // the start
  EXPECT_EQ(plain[1] - input[1], 3 * ms);
}

// 2.6.33 measures how often a task wakes others; one that does so at short intervals needs a
// smaller lead to preempt.
TEST(CfsSwitches, WakeupsShortenTheGranularityOfTheWaker) {
  Program program;
  program.refs = {{"partner"}};
  program.tasks = {
      task("hog", {once({{OpCode::run, 400 * ms}})}),
      task("waker",
           {{100,
             {},
             {},
             {{OpCode::run, 10'000}, {OpCode::resume, 0, 0}, {OpCode::sleep, 500'000}}}}),
      task("partner", {{100, {}, {}, {{OpCode::suspend}, {OpCode::run, 1000}}}})};
  const auto preemptions = [&program](const char* version, bool adaptive) {
    cfs::Request request = switched({{"ADAPTIVE_GRAN", adaptive}}, version);
    request.knobs["wakeup_granularity"] = 4 * ms;  // more than any credit
    const auto run = simulate_cfs(program, test::machine(1, {}), request);
    int out = 0;
    Step step;
    while (run->advance(step)) {
      for (const Record& record : run->records()) {
        const bool wakes = record.kind == RecordKind::wake && record.why == Reason::timer;
        if (wakes && record.preempt) ++out;
      }
    }
    return out;
  };
  EXPECT_GT(preemptions("2.6.33", true), 50);
  EXPECT_EQ(preemptions("2.6.33", false), 0);
  EXPECT_EQ(preemptions("2.6.36", true), preemptions("2.6.36", false));
}

}  // namespace
}  // namespace impl
