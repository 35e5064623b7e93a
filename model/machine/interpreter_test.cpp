// SPDX-License-Identifier: Apache-2.0
// What each kind of event does, on one CPU, and the faults of a workload.
#include <gtest/gtest.h>

#include "model/machine/run_log.h"

namespace fw::model::testing {
namespace {

using Log = std::vector<std::string>;

/// The log without its picks.
Log acts(const RunLog& run) {
  Log out;
  for (const std::string& text : run.log) {
    if (text.find(" pick ") == std::string::npos) out.push_back(text.substr(0, text.find(" nr ")));
  }
  return out;
}

TEST(Interpreter, RunTakesCpuTimeAndAnEndedProgramExits) {
  const RunLog got = run_all(setup({task("A", {run(2'500'000), run(0)}, 2)}));
  EXPECT_EQ(acts(got), (Log{"0 cpu0 wake A-0 by start preempts", "5000000 cpu0 exit A-0"}));
  EXPECT_TRUE(got.fault.empty());
  EXPECT_TRUE(got.last.tasks.empty());
}

TEST(Interpreter, RuntimeIsWallTimeAndEndsAtTheNextPick) {
  // A's 4 ms are over while B has the CPU (E20: B from 3 ms to 8 ms).
  const RunLog got =
      run_all(setup({task("A", {timed(OpKind::runtime, 4 * ms)}), task("B", {run(10 * ms)})}));
  EXPECT_EQ(lines_with(got, "exit A-0").at(0).substr(0, 9), "8000000 c");
}

TEST(Interpreter, SleepCountsFromItsStart) {
  const RunLog got = run_all(setup({task("A", {run(ms), sleep(ms), sleep(0)}, 2)}));
  EXPECT_EQ(acts(got),
            (Log{"0 cpu0 wake A-0 by start preempts",
                 "1000000 cpu0 block A-0",
                 "2000000 cpu0 wake A-0 by timer preempts",
                 "3000000 cpu0 block A-0",
                 "4000000 cpu0 wake A-0 by timer preempts",
                 "4000000 cpu0 exit A-0"}));
}

/// Instants of A's wakeups by timer.
Log timer_wakes(bool absolute, const std::string& ref) {
  TaskDef def = task("A", {run(100'000), timed(OpKind::timer, ms, ref, absolute)}, 5);
  def.phases[0].ops[0].amount = {100'000};
  def.phases.insert(def.phases.begin(), def.phases[0]);
  def.phases[0].ops = {run(2'500'000), timed(OpKind::timer, ms, ref, absolute)};
  def.phases[1].loop = 3;
  def.loop = 1;
  def.delay = {500'000};
  Log out;
  for (const std::string& text : lines_with(run_all(setup({def})), "by timer")) {
    out.push_back(text.substr(0, text.find(' ')));
  }
  return out;
}

TEST(Interpreter, TimersCountFromTheThreadsStart) {
  // Start 0.5 ms; the long run ends at 3 ms, the first expiry (1.5 ms) is past: no block.
  // Relative: reset to 3 ms. Absolute: 2.5 ms is past as well, then 3.5 and 4.5 ms.
  EXPECT_EQ(timer_wakes(false, "t"), (Log{"4000000", "5000000", "6000000"}));
  EXPECT_EQ(timer_wakes(true, "uniquet"), (Log{"3500000", "4500000"}));
}

TEST(Interpreter, ASharedTimerAdvancesWithEachUser) {
  const std::vector<Op> wait = {timed(OpKind::timer, ms, "both")};
  const RunLog got = run_all(setup({task("A", wait), task("B", wait)}));
  EXPECT_EQ(lines_with(got, "A-0 by timer").at(0).substr(0, 8), "1000000 ");
  EXPECT_EQ(lines_with(got, "B-1 by timer").at(0).substr(0, 8), "2000000 ");
  const std::vector<Op> own = {timed(OpKind::timer, ms, "unique")};
  const RunLog apart = run_all(setup({task("A", own), task("B", own)}));
  EXPECT_EQ(lines_with(apart, "B-1 by timer").at(0).substr(0, 8), "1000000 ");
}

TEST(Interpreter, LockHandsOverToTheLongestWaiter) {
  const std::vector<Op> use = {op(OpKind::lock, "m"), sleep(ms), op(OpKind::unlock, "m")};
  const RunLog got = run_all(setup({task("A", use), task("B", use), task("C", use)}));
  EXPECT_EQ(acts(got),
            (Log{"0 cpu0 wake A-0 by start preempts",
                 "0 cpu0 wake B-1 by start",
                 "0 cpu0 wake C-2 by start",
                 "0 cpu0 block A-0",
                 "0 cpu0 block B-1",
                 "0 cpu0 block C-2",
                 "1000000 cpu0 wake A-0 by timer preempts",
                 "1000000 cpu0 wake B-1 by A-0",
                 "1000000 cpu0 exit A-0",
                 "1000000 cpu0 block B-1",
                 "2000000 cpu0 wake B-1 by timer preempts",
                 "2000000 cpu0 wake C-2 by B-1",
                 "2000000 cpu0 exit B-1",
                 "2000000 cpu0 block C-2",
                 "3000000 cpu0 wake C-2 by timer preempts",
                 "3000000 cpu0 exit C-2"}));
}

TEST(Interpreter, BargingLetsTheNextTakerHaveTheLock) {
  // A frees the lock and takes it again at once; the woken B finds it taken and blocks again.
  auto settings = setup({task("A",
                              {op(OpKind::lock, "m"),
                               sleep(ms),
                               op(OpKind::unlock, "m"),
                               op(OpKind::lock, "m"),
                               sleep(ms),
                               op(OpKind::unlock, "m")}),
                         task("B", {op(OpKind::lock, "m"), op(OpKind::unlock, "m")})});
  EXPECT_EQ(lines_with(run_all(settings), "block B-1").size(), 1u);
  settings.workload.barging = true;
  const RunLog got = run_all(settings);
  EXPECT_EQ(lines_with(got, "block B-1").size(), 2u);
  EXPECT_EQ(lines_with(got, "exit B-1").at(0).substr(0, 8), "2000000 ");
}

TEST(Interpreter, SpinlocksBurnCpuInsteadOfBlocking) {
  auto settings = setup({task("A", {op(OpKind::lock, "s"), run(5 * ms), op(OpKind::unlock, "s")}),
                         task("B", {op(OpKind::lock, "s"), op(OpKind::unlock, "s")})},
                        2);
  settings.workload.spinlocks = {"s"};
  settings.workload.tasks[0].cpus = CpuSet::first(1);
  CpuSet second;
  second.insert(CpuId{1});
  settings.workload.tasks[1].cpus = second;
  const RunLog got = run_all(settings);
  EXPECT_TRUE(lines_with(got, "block").empty());
  // Unlocked in CPU 0's round at 5 ms: B goes on in CPU 1's round of the same instant.
  EXPECT_EQ(lines_with(got, "exit B-1").at(0).substr(0, 12), "5000000 cpu1");
  EXPECT_TRUE(got.fault.empty());
}

TEST(Interpreter, SpinnerOffTheCpuTakesTheFreedLockWhenPicked) {
  auto settings =
      setup({task("A", {op(OpKind::lock, "s"), run(4 * ms), op(OpKind::unlock, "s"), run(10 * ms)}),
             task("B", {op(OpKind::lock, "s"), op(OpKind::unlock, "s")})});
  settings.workload.spinlocks = {"s"};
  const RunLog got = run_all(settings);
  // B spins from 3 ms to 8 ms (its slice), A runs its last millisecond and on; B is picked again.
  const Log picks = lines_with(got, "pick B-1");
  ASSERT_GE(picks.size(), 2u);
  const std::string last = picks.back();
  EXPECT_EQ(lines_with(got, "exit B-1").at(0).substr(0, 9), last.substr(0, 9));
}

TEST(Interpreter, WaitReleasesItsMutexAndRetakesIt) {
  const RunLog got = run_all(setup(
      {task("A", {op(OpKind::lock, "m"), op(OpKind::wait, "c", "m"), op(OpKind::unlock, "m")}),
       task("B",
            {op(OpKind::lock, "m"), op(OpKind::signal, "c"), run(ms), op(OpKind::unlock, "m")})}));
  EXPECT_EQ(acts(got),
            (Log{"0 cpu0 wake A-0 by start preempts",
                 "0 cpu0 wake B-1 by start",
                 "0 cpu0 block A-0",
                 "0 cpu0 wake A-0 by B-1",
                 "1000000 cpu0 exit B-1",
                 "1000000 cpu0 exit A-0"}));
}

TEST(Interpreter, SyncSignalsThenHandsOverThenWaits) {
  const RunLog got = run_all(
      setup({task("A", {op(OpKind::wait, "c"), op(OpKind::signal, "d")}),
             task("B", {op(OpKind::lock, "m"), run(ms), op(OpKind::sync, "c", "m")}),
             task("C", {op(OpKind::lock, "m"), op(OpKind::signal, "c"), op(OpKind::unlock, "m")})},
            1,
            10 * ms));
  const Log got_acts = acts(got);
  const auto at = std::find(got_acts.begin(), got_acts.end(), "1000000 cpu0 wake A-0 by B-1");
  ASSERT_NE(at, got_acts.end());
}

TEST(Interpreter, BroadWakesAllInOrderOfWaiting) {
  const RunLog got = run_all(setup({task("A", {op(OpKind::wait, "c")}),
                                    task("B", {op(OpKind::wait, "c")}),
                                    task("C", {op(OpKind::broad, "c")})}));
  const Log got_acts = acts(got);
  EXPECT_EQ(Log(got_acts.begin() + 5, got_acts.end()),
            (Log{"0 cpu0 wake A-0 by C-2",
                 "0 cpu0 wake B-1 by C-2",
                 "0 cpu0 exit C-2",
                 "0 cpu0 exit A-0",
                 "0 cpu0 exit B-1"}));
}

TEST(Interpreter, BarrierWakesTheOthersInOrderOfArrival) {
  TaskDef def = task("A", {op(OpKind::barrier, "b"), run(ms)});
  def.instances = 3;
  const RunLog got = run_all(setup({def}));
  const Log got_acts = acts(got);
  EXPECT_EQ(Log(got_acts.begin() + 3, got_acts.begin() + 7),
            (Log{"0 cpu0 block A-0",
                 "0 cpu0 block A-1",
                 "0 cpu0 wake A-0 by A-2",
                 "0 cpu0 wake A-1 by A-2"}));
  def.instances = 1;  // alone: nobody waits
  EXPECT_TRUE(lines_with(run_all(setup({def})), "block").empty());
}

TEST(Interpreter, ResumeWakesAllSuspendedOfTheNameAndIsElseLost) {
  TaskDef sleepers = task("S", {op(OpKind::suspend)});
  sleepers.instances = 2;
  const RunLog got = run_all(setup({sleepers, task("R", {op(OpKind::resume, "S")})}));
  EXPECT_EQ(lines_with(got, "by R-2").size(), 2u);
  const RunLog lost = run_all(
      setup({task("R", {op(OpKind::resume, "S"), op(OpKind::resume, "nobody")}), sleepers}));
  EXPECT_TRUE(lines_with(lost, "by R-0").empty());
  EXPECT_TRUE(lost.fault.empty());
  EXPECT_EQ(lost.last.tasks.size(), 2u);  // the run ends with both still suspended
}

TEST(Interpreter, SemaphoresCount) {
  const RunLog got = run_all(setup(
      {task("P",
            {op(OpKind::sem_post, "s"),
             op(OpKind::sem_post, "s"),
             sleep(ms),
             op(OpKind::sem_post, "s")}),
       task("W",
            {op(OpKind::sem_wait, "s"), op(OpKind::sem_wait, "s"), op(OpKind::sem_wait, "s")})}));
  EXPECT_EQ(lines_with(got, "block W-1").size(), 1u);
  EXPECT_EQ(lines_with(got, "wake W-1 by P-0").at(0).substr(0, 8), "1000000 ");
}

TEST(Interpreter, YieldIsARecordThenAPick) {
  const RunLog got = run_all(setup({task("A", {run(ms), op(OpKind::yield), run(ms)})}));
  EXPECT_EQ(lines_with(got, "1000000 cpu0"),
            (Log{"1000000 cpu0 yield A-0 nr 1 v 0 min 0",
                 "1000000 cpu0 pick A-0 after A-0 only nr 1 v 1000000 min 1000000"}));
  // The tick of that instant charges nobody: the current has yielded.
  EXPECT_EQ(got.stimuli[3].kind, StimulusKind::idle_tick);
}

TEST(Interpreter, ForkNamesItsChildrenAndDelaysThem) {
  TaskDef child = task("C", {run(ms)});
  child.instances = 0;
  child.delay = {ms / 2};
  const RunLog got = run_all(setup(
      {task("A", {op(OpKind::fork, "C"), op(OpKind::fork, "C")}), task("B", {run(ms)}), child}));
  const Log got_acts = acts(got);
  EXPECT_EQ(got_acts[2], "0 cpu0 fork C-2-0 by A-0");
  EXPECT_EQ(got_acts[3], "0 cpu0 fork C-3-1 by A-0");
  EXPECT_EQ(lines_with(got, "wake C-2-0 by timer").size(), 1u);
  EXPECT_EQ(lines_with(got, "exit").size(), 4u);
}

TEST(Interpreter, PhasesSetNiceAndCpusEachTimeTheyAreEntered) {
  TaskDef def = task("A", {run(ms)}, 2);
  def.phases.push_back(def.phases[0]);
  def.phases[0].nice = 0;  // the nice it has: no record the first time
  def.phases[1].nice = 5;
  def.phases[1].cpus = CpuSet::first(1);
  const RunLog got = run_all(setup({def}, 2));
  EXPECT_EQ(acts(got),
            (Log{"0 cpu0 wake A-0 by start preempts",
                 "1000000 cpu0 affinity A-0 to 0",
                 "1000000 cpu0 renice A-0 to 5",
                 "2000000 cpu0 renice A-0 to 0",
                 "3000000 cpu0 renice A-0 to 5",
                 "4000000 cpu0 exit A-0"}));
}

TEST(Interpreter, AffinityMovesARunningTaskBeforeItsRenice) {
  TaskDef def = task("A", {run(ms)});
  CpuSet second;
  second.insert(CpuId{1});
  def.phases[0].cpus = second;
  def.phases[0].nice = 1;
  const RunLog got = run_all(setup({def}, 2));
  EXPECT_EQ(got.log,
            (Log{"0 cpu0 wake A-0 by start preempts nr 1 v 0 min 0",
                 "0 cpu0 pick A-0 after idle only nr 1 v 0 min 0",
                 "0 cpu0 affinity A-0 to 1 nr 1 v 0 min 0",
                 "0 cpu1 migrate A-0 from 0 affinity nr 1 v 0 min 0",
                 "0 cpu0 pick idle after A-0 idle nr 0 min 0",
                 "0 cpu1 pick A-0 after idle only nr 1 v 0 min 0",
                 "0 cpu1 renice A-0 to 1 nr 1 v 0 min 0",
                 "0 cpu1 pick A-0 after A-0 only nr 1 v 0 min 0",
                 "1000000 cpu1 exit A-0 nr 0 v 1248780 min 1248780",
                 "1000000 cpu1 pick idle after A-0 idle nr 0 min 1248780"}));
}

TEST(Interpreter, CostsAreBurntBeforeTheProgramGoesOn) {
  auto settings = setup({task("A", {run(ms), sleep(ms), run(ms)}), task("B", {run(ms)})});
  settings.workload.costs.switch_cost = {1'000};
  settings.workload.costs.cache_refill = {10'000};
  const RunLog got = run_all(settings);
  // A: 1 us + 1 ms; B: 1 us + 1 ms; A again, B having run since: 11 us + 1 ms.
  EXPECT_EQ(lines_with(got, "block A-0").at(0).substr(0, 8), "1001000 ");
  EXPECT_EQ(lines_with(got, "exit B-1").at(0).substr(0, 8), "2002000 ");
  EXPECT_EQ(lines_with(got, "exit A-0").at(0).substr(0, 8), "3013000 ");
}

TEST(Interpreter, AnEmptyWorkloadDoesNothing) {
  EXPECT_TRUE(run_all(setup({}, 2, 10 * ms)).stimuli.empty());
  TaskDef only_forked = task("A", {run(ms)});
  only_forked.instances = 0;
  EXPECT_TRUE(run_all(setup({only_forked}, 2, 10 * ms)).stimuli.empty());
}

TEST(Interpreter, DurationCutsTheRun) {
  auto settings = setup({task("A", {run(ms), sleep(ms)}, -1)});
  settings.workload.duration = Duration{3 * ms};
  const RunLog got = run_all(settings);
  EXPECT_LT(got.stimuli.back().t.ns, 3 * ms);
  EXPECT_EQ(lines_with(got, "by timer").size(), 1u);
}

struct Faulty {
  std::vector<TaskDef> tasks;
  std::string says;
};

TEST(Interpreter, FaultsOfAWorkloadNameTheTaskAndWhatToDo) {
  TaskDef empty = task("A", {}, -1);
  TaskDef far = task("A", {run(ms)});
  CpuSet cpus;
  cpus.insert(CpuId{9});
  far.cpus = cpus;
  TaskDef ping = task("A", {op(OpKind::resume, "B"), op(OpKind::suspend)}, -1);
  TaskDef pong = task("B", {op(OpKind::resume, "A"), op(OpKind::suspend)}, -1);
  TaskDef rude = task("A", {run(ms)});
  rude.nice = 20;
  const std::vector<Faulty> rows = {
      {{task("A", {run(0)}, -1)}, "task A-0 at t=0 ns: its program passes more than 100000 events"},
      {{empty}, "task A-0 at t=0 ns: its program passes more than 100000 events"},
      {{task("A", {op(OpKind::yield)}, -1)}, "task A-0 at t=0 ns: yields more than 100000 times"},
      {{ping, pong}, "blocks more than 100000 times at one instant"},
      {{task("A", {op(OpKind::unlock, "m")})},
       "unlocks `m`, which it does not hold; lock it first"},
      {{task("A", {op(OpKind::lock, "m"), op(OpKind::lock, "m")})},
       "locks `m`, which it holds already; unlock it first"},
      {{task("A", {op(OpKind::wait, "c", "m")})}, "waits with `m`, which it does not hold"},
      {{task("A", {op(OpKind::sync, "c", "m")})}, "waits with `m`, which it does not hold"},
      {{task("A", {op(OpKind::fork, "Z")})}, "forks a task that the workload does not define"},
      {{task("A", {op(OpKind::fork, "A")}, 1)}, "number 100001 at one instant"},
      {{task("A", {run(1), op(OpKind::fork, "A")}, -1)}, "more than 100000 tasks"},
      {{far}, "task A: cpus 9 has no CPU of this machine of 1"},
      {{rude}, "task A: priority 20 is outside [-20, 19]"}};
  for (const Faulty& row : rows) {
    const RunLog got = run_all(setup(row.tasks), 10'000'000);
    EXPECT_NE(got.fault.find(row.says), std::string::npos) << row.says << " / " << got.fault;
  }
}

TEST(Interpreter, PinnedPhasesWithoutARunAreAFaultNotAHang) {
  TaskDef def = task("A", {run(0)}, -1);
  def.phases.push_back(def.phases[0]);
  CpuSet second;
  second.insert(CpuId{1});
  def.phases[0].cpus = CpuSet::first(1);
  def.phases[1].cpus = second;
  const RunLog got = run_all(setup({def}, 2));
  EXPECT_NE(got.fault.find("changes its CPUs more than 100000 times"), std::string::npos);
}

}  // namespace
}  // namespace fw::model::testing
