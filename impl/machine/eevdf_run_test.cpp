// SPDX-License-Identifier: Apache-2.0
// EEVDF on the machine: short runs worked out by hand (6.18, one CPU, HZ 1000, base slice 0.7 ms).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "impl/machine/test_run.h"

namespace impl {
namespace {

using test::Lines;

/// `T KIND TASK [why] [preempt] v V d DEADLINE lag LAG` with times in us.
std::string line_of(const Simulation& run, const Record& record) {
  static constexpr const char* kinds[] = {
      "fork", "wake", "block", "exit", "yield", "renice", "affinity", "preempt", "pick", "migrate"};
  std::string out = std::to_string(record.t / 1000) + " " + kinds[static_cast<int>(record.kind)] +
                    " " + run.task_name(record.task);
  if (record.why != Reason::none) out += std::string(" ") + test::reason_text(record.why);
  if (record.preempt) out += " preempt";
  if (record.task < 0) return out;
  return out + " v " + std::to_string(record.state[0] / 1000) + " d " +
         std::to_string(record.state[1] / 1000) + " lag " + std::to_string(record.state[2] / 1000);
}

Lines logged(std::vector<TaskDef> tasks,
             std::int64_t end_us,
             const eevdf::Request& request = {},
             int cpus = 1) {
  MachineConfig config = test::machine(cpus, {});
  config.end = end_us * 1000;
  Program program;
  program.tasks = std::move(tasks);
  const auto run = simulate_eevdf(std::move(program), config, request);
  Lines out;
  Step step;
  while (run->advance(step)) {
    for (const Record& record : run->records()) out.push_back(line_of(*run, record));
  }
  if (!run->fault().empty()) out.push_back("fault: " + run->fault());
  return out;
}

OpDef run(std::int64_t us) { return {OpCode::run, us * 1000}; }
OpDef sleep(std::int64_t us) { return {OpCode::sleep, us * 1000}; }
OpDef yield() { return {OpCode::yield}; }

TaskDef task(std::string name, std::vector<OpDef> ops, std::int64_t loop = -1) {
  TaskDef out;
  out.name = std::move(name);
  out.loop = loop;
  PhaseDef& phase = out.phases.emplace_back();
  phase.ops = std::move(ops);
  return out;
}

TEST(EevdfRun, TwoHogsTakeTurnsAtTheTick) {
  EXPECT_EQ(logged({task("a", {run(9000)}), task("b", {run(9000)})}, 2500),
            (Lines{"0 wake a-0 start preempt v 0 d 700 lag 0",
                   "0 wake b-1 start v 0 d 700 lag 0",
                   "0 pick a-0 earliest-deadline v 0 d 700 lag 0",
                   "1000 preempt a-0 deadline v 1000 d 1700 lag -500",
                   "1000 pick b-1 earliest-deadline v 0 d 700 lag 500",
                   "2000 preempt b-1 deadline v 1000 d 1700 lag 0",
                   "2000 pick a-0 earliest-deadline v 1000 d 1700 lag 0"}));
}

// It pays while the hog runs: woken with positive lag it starts anew at the average of the others,
// which is the hog's vruntime as of its last charge.
TEST(EevdfRun, ASleeperThatIsAheadStaysQueuedUntilItsLagIsPaid) {
  EXPECT_EQ(logged({task("s", {run(400), sleep(1000)}), task("h", {run(9000)})}, 2500),
            (Lines{"0 wake s-0 start preempt v 0 d 700 lag 0",
                   "0 wake h-1 start v 0 d 700 lag 0",
                   "0 pick s-0 earliest-deadline v 0 d 700 lag 0",
                   "400 block s-0 v 400 d 700 lag -200",
                   "400 pick h-1 only v 0 d 700 lag 200",
                   "1400 wake s-0 timer preempt v 600 d 1300 lag 200",
                   "1400 pick s-0 earliest-deadline v 600 d 1300 lag 200",
                   "1800 block s-0 v 1000 d 1300 lag 0",
                   "1800 pick h-1 only v 1000 d 1700 lag 0"}));
}

TEST(EevdfRun, AnExitIsNeverDelayed) {
  EXPECT_EQ(logged({task("s", {run(400)}, 1), task("h", {run(9000)})}, 900),
            (Lines{"0 wake s-0 start preempt v 0 d 700 lag 0",
                   "0 wake h-1 start v 0 d 700 lag 0",
                   "0 pick s-0 earliest-deadline v 0 d 700 lag 0",
                   "400 exit s-0 v 400 d 700 lag -200",
                   "400 pick h-1 only v 0 d 700 lag 0"}));
}

TEST(EevdfRun, ALoneYieldIsChargedBeforeAWakeupOfTheSameInstant) {
  TaskDef late = task("b", {run(300)});
  late.delay = 500'000;
  EXPECT_EQ(logged({task("a", {run(500), yield()}), late}, 900),
            (Lines{"0 wake a-0 start preempt v 0 d 700 lag 0",
                   "0 pick a-0 only v 0 d 700 lag 0",
                   "500 yield a-0 v 0 d 700 lag 0",
                   "500 wake b-1 start v 500 d 1200 lag 0",
                   "500 pick a-0 protected v 500 d 700 lag 0"}));
}

TEST(EevdfRun, AShortCustomSlicePreempts) {
  TaskDef quick = task("q", {run(100)}, 1);
  quick.slice = 100'000;
  quick.delay = 300'000;
  EXPECT_EQ(logged({task("h", {run(9000)}), quick}, 900),
            (Lines{"0 wake h-0 start preempt v 0 d 700 lag 0",
                   "0 pick h-0 only v 0 d 700 lag 0",
                   "300 wake q-1 start preempt v 300 d 400 lag 0",
                   "300 pick q-1 earliest-deadline v 300 d 400 lag 0",
                   "400 exit q-1 v 400 d 500 lag -50",
                   "400 pick h-0 only v 300 d 700 lag 0"}));
  EXPECT_EQ(logged({task("h", {run(9000)}), quick}, 900, {"6.6", {}, {}}),
            (Lines{"0 wake h-0 start preempt v 0 d 750 lag 0",
                   "0 pick h-0 only v 0 d 750 lag 0",
                   "300 wake q-1 start v 300 d 1050 lag 0"}));
}

TEST(EevdfRun, ARenicedTaskKeepsItsLagAndTheRestOfItsSlice) {
  TaskDef parent = task("p", {});
  PhaseDef& first = parent.phases.front();
  first.ops = {run(200)};
  PhaseDef weaker;
  weaker.nice = 5;
  weaker.ops = {run(9000)};
  parent.phases.push_back(weaker);
  EXPECT_EQ(logged({parent, task("h", {run(9000)})}, 900),
            (Lines{"0 wake p-0 start preempt v 0 d 700 lag 0",
                   "0 wake h-1 start v 0 d 700 lag 0",
                   "0 pick p-0 earliest-deadline v 0 d 700 lag 0",
                   "200 renice p-0 v 405 d 1934 lag -305",
                   "200 pick h-1 earliest-deadline v 0 d 700 lag 99"}));
}

}  // namespace
}  // namespace impl
