// SPDX-License-Identifier: Apache-2.0
// The workload interpreter, event by event.
#include <gtest/gtest.h>

#include "impl/machine/test_run.h"

namespace impl {
namespace {

using test::Lines;
using test::story;

constexpr std::int64_t us = 1000;

OpDef op(OpCode code, std::int64_t amount = 0, int ref = -1, int mutex = -1) {
  return {code, amount, ref, mutex};
}
OpDef run_for(std::int64_t amount) { return op(OpCode::run, amount); }

TaskDef task(std::string name, std::vector<OpDef> ops, std::int64_t loop = 1) {
  TaskDef out;
  out.name = std::move(name);
  out.loop = loop;
  out.phases = {{1, {}, {}, std::move(ops)}};
  return out;
}

// Everything after the starts and first picks; several CPUs and no balancing, each task on its own.
Lines apart(std::vector<TaskDef> tasks,
            std::vector<RefDef> refs,
            std::int64_t end = 900 * us,
            bool barging = false) {
  Program program;
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].cpus = {static_cast<int>(i)};
  MachineConfig config;
  config.shape.cpus = static_cast<int>(tasks.size());
  config.balance = false;
  config.end = end;
  program.tasks = std::move(tasks);
  program.refs = std::move(refs);
  program.barging = barging;
  Lines out;
  for (std::string& line : story(std::move(program), config)) {
    if (!line.starts_with("0 wake") && !line.starts_with("0 pick")) out.push_back(std::move(line));
  }
  return out;
}

TEST(Program, RunAndSleepOfZeroDoNothing) {
  EXPECT_EQ(apart({task("a", {run_for(0), op(OpCode::sleep, 0), run_for(100 * us)})}, {}),
            (Lines{"100000 exit a-0", "100000 pick idle"}));
}

TEST(Program, SleepEndsByTimer) {
  EXPECT_EQ(
      apart({task("a", {run_for(100 * us), op(OpCode::sleep, 50 * us), run_for(10 * us)})}, {}),
      (Lines{"100000 block a-0",
             "100000 pick idle",
             "150000 wake a-0 by timer",
             "150000 pick a-0",
             "160000 exit a-0",
             "160000 pick idle"}));
}

TEST(Program, RuntimeCountsWallTime) {
  // b preempts a for 300 us at 200 us; a's 400 us of wall time are over at 400 us all the same.
  Program program;
  program.tasks = {task("a", {op(OpCode::runtime, 20'400 * us)}), task("b", {run_for(300 * us)})};
  program.tasks[1].delay = 20'200 * us;
  EXPECT_EQ(story(program, {}),
            (Lines{"0 wake a-0 by start",
                   "0 pick a-0",
                   "20200000 wake b-1 by start",
                   "20200000 pick b-1",
                   "20500000 exit b-1",
                   "20500000 pick a-0",
                   "20500000 exit a-0",
                   "20500000 pick idle"}));
}

TEST(Program, RelativeTimerIsResetWhenLateAndAbsoluteIsNot) {
  OpDef timer = op(OpCode::timer, 100 * us, 0);
  const auto loop = [&timer] {
    return std::vector<OpDef>{run_for(250 * us), timer, run_for(10 * us), timer, run_for(10 * us)};
  };
  // Relative: late at 250, so from there: 350. Absolute: 100 is past, 200 is past, no sleep.
  EXPECT_EQ(apart({task("a", loop())}, {{"t"}}),
            (Lines{"260000 block a-0",
                   "260000 pick idle",
                   "350000 wake a-0 by timer",
                   "350000 pick a-0",
                   "360000 exit a-0",
                   "360000 pick idle"}));
  timer.absolute = true;
  EXPECT_EQ(apart({task("a", loop())}, {{"t"}}), (Lines{"270000 exit a-0", "270000 pick idle"}));
}

TEST(Program, SharedTimersAdvanceForAllAndUniqueOnesDoNot) {
  const std::vector<OpDef> ops = {run_for(10 * us), op(OpCode::timer, 100 * us, 0)};
  const Lines shared = apart({task("a", ops), task("b", ops)}, {{"t"}});
  EXPECT_EQ(shared[4], "100000 wake a-0 by timer");
  EXPECT_EQ(shared[shared.size() - 4], "200000 wake b-1 by timer");
  const Lines own = apart({task("a", ops), task("b", ops)}, {{"unique_t"}});
  EXPECT_EQ(own[own.size() - 4], "100000 wake b-1 by timer");
}

TEST(Program, MutexIsHandedOverInOrder) {
  const std::vector<OpDef> ops = {
      op(OpCode::lock, 0, 0), run_for(100 * us), op(OpCode::unlock, 0, 0)};
  EXPECT_EQ(apart({task("a", ops), task("b", ops), task("c", ops)}, {{"m"}}),
            (Lines{"0 block b-1",
                   "0 block c-2",
                   "100000 wake b-1 by a-0",
                   "100000 exit a-0",
                   "100000 pick idle",
                   "100000 pick b-1",
                   "200000 wake c-2 by b-1",
                   "200000 exit b-1",
                   "200000 pick idle",
                   "200000 pick c-2",
                   "300000 exit c-2",
                   "300000 pick idle"}));
}

TEST(Program, HandOffStopsARelockAndBargingDoesNot) {
  const std::vector<OpDef> twice = {op(OpCode::lock, 0, 0),
                                    run_for(100 * us),
                                    op(OpCode::unlock, 0, 0),
                                    op(OpCode::lock, 0, 0),
                                    run_for(100 * us),
                                    op(OpCode::unlock, 0, 0)};
  const std::vector<OpDef> once = {
      op(OpCode::lock, 0, 0), run_for(100 * us), op(OpCode::unlock, 0, 0)};
  const auto with = [&](bool barging) {
    return apart({task("a", twice), task("b", once)}, {{"m"}}, 900 * us, barging);
  };
  EXPECT_EQ(with(false),
            (Lines{"0 block b-1",
                   "100000 wake b-1 by a-0",
                   "100000 block a-0",
                   "100000 pick idle",
                   "100000 pick b-1",
                   "200000 wake a-0 by b-1",
                   "200000 exit b-1",
                   "200000 pick idle",
                   "200000 pick a-0",
                   "300000 exit a-0",
                   "300000 pick idle"}));
  EXPECT_EQ(with(true),
            (Lines{"0 block b-1",
                   "100000 wake b-1 by a-0",
                   "100000 pick b-1",
                   "100000 block b-1",
                   "100000 pick idle",
                   "200000 wake b-1 by a-0",
                   "200000 exit a-0",
                   "200000 pick idle",
                   "200000 pick b-1",
                   "300000 exit b-1",
                   "300000 pick idle"}));
}

TEST(Program, WaitGivesTheMutexBackAndTakesItAgain) {
  const TaskDef waiter = task("w",
                              {op(OpCode::lock, 0, 0),
                               op(OpCode::wait, 0, 1, 0),
                               run_for(10 * us),
                               op(OpCode::unlock, 0, 0)});
  const TaskDef waker = task("s",
                             {op(OpCode::lock, 0, 0),
                              run_for(100 * us),
                              op(OpCode::signal, 0, 1),
                              run_for(50 * us),
                              op(OpCode::unlock, 0, 0)});
  EXPECT_EQ(apart({waiter, waker}, {{"m"}, {"c"}}),
            (Lines{"0 block w-0",
                   "100000 wake w-0 by s-1",
                   "100000 pick w-0",
                   "100000 block w-0",
                   "100000 pick idle",
                   "150000 wake w-0 by s-1",
                   "150000 exit s-1",
                   "150000 pick idle",
                   "150000 pick w-0",
                   "160000 exit w-0",
                   "160000 pick idle"}));
}

TEST(Program, BroadWakesAllInOrderAndSignalToNobodyIsLost) {
  const TaskDef waiter = task("w", {op(OpCode::wait, 0, 0), run_for(10 * us)});
  const TaskDef waker =
      task("s", {op(OpCode::signal, 0, 0), run_for(100 * us), op(OpCode::broad, 0, 0)});
  Lines log = apart({waker, waiter, waiter}, {{"c"}});
  log.resize(4);
  EXPECT_EQ(
      log,
      (Lines{"0 block w-1", "0 block w-2", "100000 wake w-1 by s-0", "100000 wake w-2 by s-0"}));
}

TEST(Program, SyncSignalsHandsOverAndWaits) {
  const TaskDef first =
      task("a", {op(OpCode::lock, 0, 0), op(OpCode::wait, 0, 1, 0), op(OpCode::unlock, 0, 0)});
  const TaskDef second = task(
      "b", {run_for(50 * us), op(OpCode::lock, 0, 0), run_for(50 * us), op(OpCode::sync, 0, 1, 0)});
  const TaskDef third = task("c", {run_for(60 * us), op(OpCode::lock, 0, 0), run_for(10 * us)});
  Lines log = apart({first, second, third}, {{"m"}, {"c"}});
  log.resize(7);
  EXPECT_EQ(log,
            (Lines{"0 block a-0",
                   "60000 block c-2",
                   "60000 pick idle",
                   "100000 wake a-0 by b-1",
                   "100000 wake c-2 by b-1",
                   "100000 block b-1",
                   "100000 pick idle"}));
}

TEST(Program, BarrierCountsTheTextAndItsLastArriverGoesOn) {
  const TaskDef early = task("e", {run_for(10 * us), op(OpCode::barrier, 0, 0), run_for(10 * us)});
  const TaskDef late = task("l", {run_for(50 * us), op(OpCode::barrier, 0, 0), run_for(10 * us)});
  EXPECT_EQ(apart({late, early, early}, {{"b"}}),
            (Lines{"10000 block e-1",
                   "10000 pick idle",
                   "10000 block e-2",
                   "10000 pick idle",
                   "50000 wake e-1 by l-0",
                   "50000 wake e-2 by l-0",
                   "50000 pick e-1",
                   "50000 pick e-2",
                   "60000 exit l-0",
                   "60000 pick idle",
                   "60000 exit e-1",
                   "60000 pick idle",
                   "60000 exit e-2",
                   "60000 pick idle"}));
  EXPECT_EQ(apart({early}, {{"b"}}), (Lines{"20000 exit e-0", "20000 pick idle"}));
}

TEST(Program, ResumeWakesTheSuspendedAndIsLostOtherwise) {
  const TaskDef sleeper = task("z", {op(OpCode::suspend), run_for(10 * us)});
  const TaskDef waker = task("w",
                             {run_for(10 * us),
                              op(OpCode::resume, 0, 0),
                              run_for(10 * us),
                              op(OpCode::resume, 0, 0),
                              op(OpCode::resume, 0, 1)});
  EXPECT_EQ(apart({waker, sleeper}, {{"z"}, {"nobody"}}),
            (Lines{"0 block z-1",
                   "10000 wake z-1 by w-0",
                   "10000 pick z-1",
                   "20000 exit w-0",
                   "20000 pick idle",
                   "20000 exit z-1",
                   "20000 pick idle"}));
}

TEST(Program, SemaphoresCountAndWakeInOrder) {
  const TaskDef taker =
      task("t", {op(OpCode::sem_wait, 0, 0), op(OpCode::sem_wait, 0, 0), run_for(10 * us)});
  const TaskDef poster =
      task("p", {op(OpCode::sem_post, 0, 0), run_for(100 * us), op(OpCode::sem_post, 0, 0)});
  EXPECT_EQ(apart({poster, taker}, {{"s"}}),
            (Lines{"0 block t-1",
                   "100000 wake t-1 by p-0",
                   "100000 exit p-0",
                   "100000 pick idle",
                   "100000 pick t-1",
                   "110000 exit t-1",
                   "110000 pick idle"}));
}

TEST(Program, SpinlocksBurnTimeUntilHandedOver) {
  const std::vector<OpDef> ops = {
      op(OpCode::lock, 0, 0), run_for(100 * us), op(OpCode::unlock, 0, 0)};
  EXPECT_EQ(apart({task("a", ops), task("b", ops)}, {{"m", true}}),
            (Lines{"100000 exit a-0", "100000 pick idle", "200000 exit b-1", "200000 pick idle"}));
}

TEST(Program, YieldIsARecordAndAPick) {
  Program program;
  program.tasks = {task("a", {run_for(10 * us), op(OpCode::yield), run_for(10 * us)})};
  EXPECT_EQ(test::logged(program, {}),
            (Lines{"0 cpu0 wake a-0 nr 1 by start preempt v 0 min 0",
                   "0 cpu0 pick a-0 nr 1 prev idle only v 0 min 0",
                   "10000 cpu0 yield a-0 nr 1 v 0 min 0",
                   "10000 cpu0 pick a-0 nr 1 prev a-0 only v 10000 min 10000",
                   "20000 cpu0 exit a-0 nr 0 v 20000 min 20000",
                   "20000 cpu0 pick idle nr 0 prev a-0 idle v 0 min 20000"}));
}

TEST(Program, ForkedTasksSleepTheirDelayFirst) {
  Program program;
  program.refs = {{"c"}};
  program.tasks = {task("a", {op(OpCode::fork, 0, 0), run_for(10 * us)}),
                   task("c", {run_for(5 * us)})};
  program.tasks[1].instances = 0;
  program.tasks[1].delay = 100 * us;
  EXPECT_EQ(story(program, {}),
            (Lines{"0 wake a-0 by start",
                   "0 pick a-0",
                   "0 fork c-1-0",
                   "10000 exit a-0",
                   "10000 pick c-1-0",
                   "10000 block c-1-0",
                   "10000 pick idle",
                   "110000 wake c-1-0 by timer",
                   "110000 pick c-1-0",
                   "115000 exit c-1-0",
                   "115000 pick idle"}));
}

TEST(Program, LoopsNest) {
  TaskDef def = task("a", {}, 2);
  def.phases = {{3, {}, {}, {run_for(10 * us)}},
                {0, {}, {}, {run_for(999 * us)}},
                {1, {}, {}, {op(OpCode::sleep, 5 * us)}}};
  EXPECT_EQ(apart({def}, {}),
            (Lines{"30000 block a-0",
                   "30000 pick idle",
                   "35000 wake a-0 by timer",
                   "35000 pick a-0",
                   "65000 block a-0",
                   "65000 pick idle",
                   "70000 wake a-0 by timer",
                   "70000 pick a-0",
                   "70000 exit a-0",
                   "70000 pick idle"}));
}

TEST(Program, CostsAreBurntBeforeTheProgramGoesOn) {
  Program program;
  program.switch_cost = 5 * us;
  program.cache_refill = 7 * us;
  program.tasks = {task("a", {run_for(100 * us), op(OpCode::sleep, 200 * us), run_for(10 * us)}),
                   task("b", {run_for(100 * us)})};
  EXPECT_EQ(story(program, {}),
            (Lines{"0 wake a-0 by start",
                   "0 wake b-1 by start",
                   "0 pick a-0",
                   "105000 block a-0",
                   "105000 pick b-1",
                   "210000 exit b-1",
                   "210000 pick idle",
                   "305000 wake a-0 by timer",
                   "305000 pick a-0",
                   "327000 exit a-0",
                   "327000 pick idle"}));
}

std::string fault_of(std::vector<TaskDef> tasks, std::vector<RefDef> refs) {
  Program program;
  program.tasks = std::move(tasks);
  program.refs = std::move(refs);
  auto run = simulate_cfs(std::move(program), {}, {});
  Step step;
  for (int i = 0; i < 1'000'000 && run->advance(step); ++i) {
  }
  EXPECT_FALSE(run->advance(step));
  return run->fault();
}

TEST(Program, FaultsNameTheTaskAndWhatToDo) {
  EXPECT_EQ(fault_of({task("a", {op(OpCode::unlock, 0, 0)})}, {{"m"}}),
            "task a-0 at t=0 ns: unlocks `m`, which it does not hold; lock it first");
  EXPECT_EQ(fault_of({task("a", {op(OpCode::lock, 0, 0), op(OpCode::lock, 0, 0)})}, {{"m"}}),
            "task a-0 at t=0 ns: locks `m`, which it holds already; unlock it first");
  EXPECT_EQ(fault_of({task("a", {op(OpCode::wait, 0, 0, 1)})}, {{"c"}, {"m"}}),
            "task a-0 at t=0 ns: waits with `m`, which it does not hold; lock it first");
  EXPECT_EQ(fault_of({task("a", {op(OpCode::fork, 0, 0)})}, {{"x"}}),
            "task a-0 at t=0 ns: forks a task that the workload does not define");
  const std::string timeless =
      "its program passes more than 100000 events without taking time; give its loop a run";
  EXPECT_EQ(fault_of({task("a", {op(OpCode::signal, 0, 0)}, -1)}, {{"c"}}),
            "task a-0 at t=0 ns: " + timeless);
  EXPECT_EQ(fault_of({task("a", {}, -1)}, {}), "task a-0 at t=0 ns: " + timeless);
  EXPECT_EQ(fault_of({task("a", {op(OpCode::yield)}, -1)}, {}),
            "task a-0 at t=0 ns: yields more than 100000 times at one instant; let it run between");
  const TaskDef ping = task("a", {op(OpCode::sem_post, 0, 0), op(OpCode::sem_wait, 0, 1)}, -1);
  const TaskDef pong = task("b", {op(OpCode::sem_wait, 0, 0), op(OpCode::sem_post, 0, 1)}, -1);
  EXPECT_EQ(
      fault_of({ping, pong}, {{"s"}, {"r"}}),
      "task a-0 at t=0 ns: blocks more than 100000 times at one instant; let somebody run between");
  TaskDef nowhere = task("a", {run_for(1)});
  nowhere.cpus = {7, 8, 9, 12};
  EXPECT_EQ(
      fault_of({nowhere}, {}),
      "task a: cpus 7-9,12 has no CPU of this machine of 1; use a larger topology or other cpus");
}

TEST(Program, AThousandYieldsAreNoFault) {
  TaskDef def = task("a", {op(OpCode::yield)});
  def.phases[0].loop = 1000;
  EXPECT_EQ(fault_of({def}, {}), "");
}

TEST(Program, AForkBombIsAFault) {
  TaskDef bomb = task("a", {op(OpCode::fork, 0, 0)}, -1);
  bomb.phases[0].loop = 100;
  bomb.phases.push_back({1, {}, {}, {run_for(1)}});
  const std::string fault = fault_of({bomb}, {{"a"}});
  EXPECT_NE(fault.find(" ns: its fork would make more than 100000 tasks"), std::string::npos)
      << fault;
}

}  // namespace
}  // namespace impl
