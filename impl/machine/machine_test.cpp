// SPDX-License-Identifier: Apache-2.0
// Whole runs as decision logs: rounds, records, preemption, balancing.
#include <gtest/gtest.h>

#include "impl/machine/test_run.h"

namespace impl {
namespace {

using test::Lines;
using test::logged;

Program hogs(int count) {
  Program program;
  for (int i = 0; i < count; ++i) {
    TaskDef& def = program.tasks.emplace_back();
    def.name = std::string(1, static_cast<char>('A' + i));
    def.phases = {{-1, {}, {}, {{OpCode::run, 1'000'000'000}}}};
  }
  return program;
}

struct Switches {
  Lines who;  ///< `A 0`, `B 3`: task and ms, when another task is picked
  int passes = 0;
  std::int64_t v[2] = {0, 0};
  std::int64_t min = 0;
};

// The dossier's E20 starts with vruntime = min_vruntime = 0, both tasks on the queue.
Switches two_hogs(bool tick_unsigned) {
  cfs::Request request;
  request.knobs = {{"vruntime_base", 0}, {"tick_unsigned", tick_unsigned ? 1 : 0}};
  MachineConfig config;
  config.end = 20'000'001;
  auto run = simulate_cfs(hogs(2), config, request);
  Switches out;
  int previous = -1;
  Step step;
  while (run->advance(step)) {
    for (const Record& record : run->records()) {
      if (record.kind != RecordKind::pick) continue;
      ++out.passes;
      if (record.task != previous) {
        out.who.push_back(std::string(1, static_cast<char>('A' + record.task)) + " " +
                          std::to_string(record.t / 1'000'000));
      }
      previous = record.task;
    }
  }
  TaskShown task;
  for (int id : {0, 1}) {
    run->show_task(id, task);
    out.v[id] = task.ints[0];
  }
  CpuShown cpu;
  run->show_cpu(0, cpu);
  out.min = cpu.ints[1];
  return out;
}

TEST(Machine, E20SwitchesAsA64BitKernel) {
  const Switches run = two_hogs(true);
  EXPECT_EQ(run.who, (Lines{"A 0", "B 3", "A 8", "B 12", "A 16", "B 20"}));
  EXPECT_EQ(run.passes, 11);
  EXPECT_EQ(run.v[0], 11'000'000);
  EXPECT_EQ(run.v[1], 9'000'000);
  EXPECT_EQ(run.min, 9'000'000);
}

TEST(Machine, E20SwitchesAsASignedKernel) {
  const Switches run = two_hogs(false);
  EXPECT_EQ(run.who, (Lines{"A 0", "B 3", "A 6", "B 9", "A 12", "B 15", "A 18"}));
  EXPECT_EQ(run.passes, 7);
  EXPECT_EQ(run.v[0], 11'000'000);
  EXPECT_EQ(run.v[1], 9'000'000);
  EXPECT_EQ(run.min, 9'000'000);
}

TEST(Machine, E20DecisionLog) {
  MachineConfig config;
  config.end = 8'000'001;
  EXPECT_EQ(logged(hogs(2), config),
            (Lines{
                "0 cpu0 wake A-0 nr 1 by start preempt v 0 min 0",
                "0 cpu0 wake B-1 nr 2 by start v 0 min 0",
                "0 cpu0 pick A-0 nr 2 prev idle leftmost v 0 min 0",
                "3000000 cpu0 preempt A-0 nr 2 slice v 3000000 min 0",
                "3000000 cpu0 pick B-1 nr 2 prev A-0 leftmost v 0 min 0",
                "4000000 cpu0 preempt B-1 nr 2 leftmost v 1000000 min 1000000",
                "4000000 cpu0 pick B-1 nr 2 prev B-1 leftmost v 1000000 min 1000000",
                "5000000 cpu0 preempt B-1 nr 2 leftmost v 2000000 min 2000000",
                "5000000 cpu0 pick B-1 nr 2 prev B-1 leftmost v 2000000 min 2000000",
                "8000000 cpu0 preempt B-1 nr 2 slice v 5000000 min 3000000",
                "8000000 cpu0 pick A-0 nr 2 prev B-1 leftmost v 3000000 min 3000000",
            }));
}

// The worked trace of the policy's page of choices.
TEST(Machine, TwoCpusUnderOneCacheShareTwoHogs) {
  MachineConfig config = test::machine(2, {{DomainKind::mc, {0, 0}}});
  config.end = 1'000'001;
  EXPECT_EQ(logged(hogs(2), config),
            (Lines{
                "0 cpu0 wake A-0 nr 1 by start preempt v 0 min 0",
                "0 cpu0 wake B-1 nr 2 by start v 0 min 0",
                "0 cpu0 pick A-0 nr 2 prev idle leftmost v 0 min 0",
                "1000000 cpu1 migrate B-1 nr 1 from 0 periodic v -1000000 min 0",
                "1000000 cpu1 pick B-1 nr 1 prev idle only v -1000000 min 0",
            }));
}

TEST(Machine, StimuliOfOneRoundComeOneByOne) {
  MachineConfig config = test::machine(2, {{DomainKind::mc, {0, 0}}});
  config.end = 1'000'001;
  auto run = simulate_cfs(hogs(2), config, {});
  std::vector<StepKind> kinds;
  int counted = 0;
  Step step;
  while (run->advance(step)) {
    kinds.push_back(step.kind);
    counted += step.counts;
  }
  EXPECT_EQ(kinds,
            (std::vector<StepKind>{StepKind::start,
                                   StepKind::start,
                                   StepKind::schedule,
                                   StepKind::tick,
                                   StepKind::balance,
                                   StepKind::idle_tick,
                                   StepKind::balance,
                                   StepKind::schedule}));
  EXPECT_EQ(counted, 6);  // not the idle tick, not the pass that moved nothing
}

TEST(Machine, AStartedSleeperWakesAsSleptSinceZeroAndPreempts) {
  Program program = hogs(2);
  program.tasks[1].delay = 20'000'000;
  program.tasks[1].phases = {{1, {}, {}, {{OpCode::run, 1'000'000}}}};
  program.tasks[1].loop = 1;
  MachineConfig config;
  config.end = 21'500'000;
  EXPECT_EQ(logged(program, config),
            (Lines{
                "0 cpu0 wake A-0 nr 1 by start preempt v 0 min 0",
                "0 cpu0 pick A-0 nr 1 prev idle only v 0 min 0",
                "20000000 cpu0 wake B-1 nr 2 by start preempt v 17000000 min 20000000",
                "20000000 cpu0 pick B-1 nr 2 prev A-0 leftmost v 17000000 min 20000000",
                "21000000 cpu0 exit B-1 nr 1 v 18000000 min 20000000",
                "21000000 cpu0 pick A-0 nr 1 prev B-1 only v 20000000 min 20000000",
            }));
}

TEST(Machine, ARunEndsWhenNothingIsLeft) {
  Program program = hogs(1);
  program.tasks[0].loop = 1;
  program.tasks[0].phases = {{2, {}, {}, {{OpCode::run, 300'000}, {OpCode::sleep, 700'000}}}};
  auto run = simulate_cfs(program, {}, {});
  Step step;
  std::int64_t last = 0;
  while (run->advance(step)) last = step.t;
  EXPECT_EQ(last, 2'000'000);
  EXPECT_TRUE(run->live().empty());
  EXPECT_EQ(run->fault(), "");
  EXPECT_EQ(run->task_name(0), "A-0");
  EXPECT_EQ(run->task_name(-1), "idle");
}

TEST(Machine, TicksOfAnOddRateFallOnTheFloor) {
  MachineConfig config;
  config.end = 11'000'000;
  cfs::Request request;
  request.knobs = {{"hz", 300}};
  auto run = simulate_cfs(hogs(1), config, request);
  std::vector<std::int64_t> ticks;
  Step step;
  while (run->advance(step)) {
    if (step.kind == StepKind::tick) ticks.push_back(step.t);
  }
  EXPECT_EQ(ticks, (std::vector<std::int64_t>{3'333'333, 6'666'666, 10'000'000}));
}

TEST(Machine, ForksAreNamedAndPlacedOneSliceLate) {
  Program program = hogs(1);
  program.refs = {{"child"}};
  program.tasks[0].phases = {
      {1, {}, {}, {{OpCode::run, 500'000}, {OpCode::fork, 0, 0}, {OpCode::fork, 0, 0}}},
      {-1, {}, {}, {{OpCode::run, 1'000'000'000}}}};
  TaskDef& child = program.tasks.emplace_back();
  child.name = "child";
  child.instances = 0;
  child.loop = 1;
  child.phases = {{1, {}, {}, {{OpCode::run, 100'000}}}};
  MachineConfig config;
  config.end = 600'000;
  // vslice with the child counted: 2998537 of two, then 1999349 of three.
  EXPECT_EQ(logged(program, config),
            (Lines{
                "0 cpu0 wake A-0 nr 1 by start preempt v 0 min 0",
                "0 cpu0 pick A-0 nr 1 prev idle only v 0 min 0",
                "500000 cpu0 fork child-1-0 nr 2 by A-0 v 3498537 min 500000",
                "500000 cpu0 fork child-2-1 nr 3 by A-0 v 2499349 min 500000",
            }));
}

TEST(Machine, ReniceMarksAndKeepsTheVruntime) {
  Program program = hogs(1);
  program.tasks[0].phases = {{1, {}, {}, {{OpCode::run, 500'000}}},
                             {-1, 5, {}, {{OpCode::run, 1'000'000'000}}}};
  MachineConfig config;
  config.end = 600'000;
  EXPECT_EQ(logged(program, config),
            (Lines{
                "0 cpu0 wake A-0 nr 1 by start preempt v 0 min 0",
                "0 cpu0 pick A-0 nr 1 prev idle only v 0 min 0",
                "500000 cpu0 renice A-0 nr 1 nice 5 v 500000 min 500000",
                "500000 cpu0 pick A-0 nr 1 prev A-0 only v 500000 min 500000",
            }));
}

TEST(Machine, AffinityMovesTheRunningTaskAtOnce) {
  Program program = hogs(1);
  program.tasks[0].phases = {{1, {}, {}, {{OpCode::run, 500'000}}},
                             {-1, 3, std::vector<int>{1}, {{OpCode::run, 1'000'000'000}}}};
  MachineConfig config = test::machine(2, {{DomainKind::mc, {0, 0}}});
  config.end = 600'000;
  EXPECT_EQ(logged(program, config),
            (Lines{
                "0 cpu0 wake A-0 nr 1 by start preempt v 0 min 0",
                "0 cpu0 pick A-0 nr 1 prev idle only v 0 min 0",
                "500000 cpu0 affinity A-0 nr 1 cpus 1 v 0 min 0",
                "500000 cpu1 migrate A-0 nr 1 from 0 affinity v 0 min 0",
                "500000 cpu0 pick idle nr 0 prev A-0 idle v 0 min 500000",
                "500000 cpu1 pick A-0 nr 1 prev idle only v 0 min 0",
                "500000 cpu1 renice A-0 nr 1 nice 3 v 0 min 0",
                "500000 cpu1 pick A-0 nr 1 prev A-0 only v 0 min 0",
            }));
}

TEST(Machine, WithoutBalancingATaskStaysWhereItIs) {
  MachineConfig config = test::machine(2, {{DomainKind::mc, {0, 0}}});
  config.balance = false;
  config.end = 50'000'000;
  auto run = simulate_cfs(hogs(4), config, {});
  Step step;
  while (run->advance(step)) {
    EXPECT_NE(step.kind, StepKind::balance);
    EXPECT_TRUE(step.cpu == 0 || step.kind == StepKind::idle_tick);
  }
  CpuShown cpu;
  run->show_cpu(0, cpu);
  EXPECT_EQ(cpu.nr_running, 4);
}

}  // namespace
}  // namespace impl
