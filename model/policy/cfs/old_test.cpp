// SPDX-License-Identifier: Apache-2.0
// 2.6.32 to 2.6.34 and 32-bit words, step by step: the dossier's vectors E7, E9, E10, E14, E15, E17
// and E19 where they are about these.
#include <gtest/gtest.h>

#include "model/policy/cfs/test_bench.h"

namespace fw::model::cfs {
namespace {

Bench bench_of(const std::string& version, int cpus, std::map<std::string, bool> features = {}) {
  Setup setup = settings(cpus, version);
  setup.spec.features = std::move(features);
  return Bench(setup);
}

TEST(CfsOldWake, E9WithoutCreditAndE10BySleepersWeight) {
  for (const char* version : {"2.6.32", "2.6.33", "2.6.34"}) {
    Bench bench = bench_of(version, 4, {{"FAIR_SLEEPERS", false}});
    bench.queue().min_vruntime = 5000000000;
    const int low = bench.sleeper(0, 4980000000);
    bench.apply(StimulusKind::wake, low);
    EXPECT_EQ(bench.task(low).vruntime, 5000000000u);
    const int high = bench.sleeper(1, 5003000000);
    bench.queue(1).min_vruntime = 5000000000;
    bench.apply(StimulusKind::wake, high, 1);
    EXPECT_EQ(bench.task(high).vruntime, 5003000000u);
  }
  struct Row {
    int nice;
    bool gentle;
    std::uint64_t want;
  };
  for (const Row& row : {Row{0, true, 4992500000},
                         Row{0, false, 4985000000},
                         Row{-5, true, 4997539251},
                         Row{-5, false, 4995078501},
                         Row{5, true, 4977074627},
                         Row{5, false, 4954149253}}) {
    Bench bench =
        bench_of("2.6.32", 4, {{"NORMALIZED_SLEEPER", true}, {"GENTLE_FAIR_SLEEPERS", row.gentle}});
    bench.queue().min_vruntime = 5000000000;
    const int id = bench.sleeper(0, 0, row.nice);
    bench.apply(StimulusKind::wake, id);
    EXPECT_EQ(bench.task(id).vruntime, row.want) << row.nice << row.gentle;
  }
}

TEST(CfsOldFork, E7PlacesAChildAmongFive) {
  for (const auto& [nice, want] : {std::pair{0, 999837u}, std::pair{5, 1126100u}}) {
    Bench bench = bench_of("2.6.32", 1);
    const int parent = bench.running(0, 0);
    for (int i = 0; i < 4; ++i) bench.waiting(0, 0);
    EXPECT_EQ(bench.task(bench.fork(parent, nice)).vruntime, want);
  }
}

TEST(CfsOldFork, In32TheChildIsPlacedByTheCpuItGoesTo) {
  for (const bool first : {true, false}) {
    Bench bench = bench_of(first ? "2.6.32" : "2.6.33", 2, {{"START_DEBIT", false}});
    bench.queue(0).min_vruntime = 1000;
    bench.queue(1).min_vruntime = 500;
    const int parent = bench.running(0, 4000);
    bench.waiting(0, 1000);
    bench.running(1, 900, 10);
    const int child = bench.fork(parent);
    ASSERT_EQ(bench.task(child).cpu, 1);
    EXPECT_EQ(bench.task(child).vruntime, first ? 900u : 4000u - 1000 + 500);
  }
}

TEST(CfsOldWake, E14GranularityAdaptsToTheWakeesHabits) {
  struct Row {
    std::uint64_t ran, avg_wakeup, gran;
  };
  for (const Row& row :
       {Row{0, 1000000, 1000000}, Row{500000, 100000, 100000}, Row{700000, 100000, 0}}) {
    for (const std::uint64_t beyond : {0u, 1u}) {
      Bench bench = bench_of("2.6.34", 1);
      bench.queue().min_vruntime = 10000000;
      const int current = bench.running(0, 10000000 + row.gran + beyond);
      bench.waiting(0, 10000000);
      const int woken = bench.sleeper(0, 10000000);
      bench.task(current).sum_exec = row.ran;
      bench.task(woken).avg_wakeup = row.avg_wakeup;
      bench.apply(StimulusKind::wake, woken);
      EXPECT_EQ(bench.queue().marked, beyond != 0) << row.ran;
    }
  }
}

TEST(CfsOldWake, AveragesFollowWhoWakesWhomAndForHowLong) {
  Bench bench = bench_of("2.6.32", 1);
  const int waker = bench.running(0, 0);
  const int woken = bench.sleeper(0, 0);
  EXPECT_EQ(bench.task(waker).avg_wakeup, 1000000u);
  // It has run for 200 us when it wakes the other, for 300 us when it sleeps.
  bench.apply(StimulusKind::wake, woken, 0, 200000, 0, nullptr, Why::none, waker);
  EXPECT_EQ(bench.task(waker).avg_wakeup, 1000000u - 100000);
  EXPECT_EQ(bench.task(waker).last_wakeup, 200000u);
  bench.apply(StimulusKind::tick, -1, 0, 300000);
  bench.apply(StimulusKind::block, waker, 0, 300000);
  EXPECT_EQ(bench.task(waker).avg_overlap, 12500u);
  EXPECT_EQ(bench.task(waker).last_wakeup, 0u);
  bench.apply(StimulusKind::schedule, -1, 0, 300000);
  // 300 us after 0, then 0 because it sleeps: 37500 - 37500 / 8, rounded down.
  EXPECT_EQ(bench.task(waker).avg_running, 37500u - 4688);
  // Asleep without having woken anybody: as if it had waited a wakeup granularity.
  bench.apply(StimulusKind::block, woken, 0, 400000);
  EXPECT_EQ(bench.task(woken).avg_wakeup, 1000000u);
}

TEST(CfsOldPreempt, LittleOverlapPreemptsAndIn32SetsNoLastBuddy) {
  for (const bool first : {true, false}) {
    auto setup = settings(1, first ? "2.6.32" : "2.6.33");
    setup.spec.features["WAKEUP_OVERLAP"] = true;
    setup.spec.knobs["nr_latency"] = 1;
    Bench bench(setup);
    const int current = bench.running(0, 0);
    const int woken = bench.sleeper(0, 0);
    bench.apply(StimulusKind::wake, woken);
    EXPECT_TRUE(bench.queue().marked);
    EXPECT_EQ(bench.queue().last.value, first ? -1 : current);
  }
}

TEST(CfsOldPreempt, In32TasksOfShorterRunsPreemptAsNextBuddy) {
  Bench bench = bench_of("2.6.32", 1, {{"WAKEUP_RUNNING", true}});
  const int current = bench.running(0, 0);
  bench.task(current).avg_running = 1;
  const int woken = bench.sleeper(0, 0);
  bench.apply(StimulusKind::wake, woken);
  EXPECT_TRUE(bench.queue().marked);
  EXPECT_EQ(bench.queue().next.value, woken);
}

TEST(CfsOldWake, ACpuIsChosenByVersion) {
  struct Row {
    const char* version;
    bool prev_busy;
    int want;
  };
  // CPU 0, which wakes, runs a light task; the wakee slept on CPU 1; CPU 2 idles. 2.6.32 does not
  // look for idle CPUs, .33 and .34 do so before they compare the loads.
  for (const Row& row : {Row{"2.6.32", true, 0},
                         Row{"2.6.33", true, 2},
                         Row{"2.6.34", true, 2},
                         Row{"2.6.35", true, 2},
                         Row{"2.6.32", false, 1},
                         Row{"2.6.33", false, 1}}) {
    Bench bench = bench_of(row.version, 3);
    bench.running(0, 0, 10);
    if (row.prev_busy) {
      bench.running(1, 0);
      bench.waiting(1, 0);
    }
    const int woken = bench.sleeper(1, 0);
    bench.apply(StimulusKind::wake, woken);
    EXPECT_EQ(bench.task(woken).cpu, row.want) << row.version;
  }
}

TEST(CfsOldWake, AffineWakeupsCanBeSwitchedOff) {
  for (const bool on : {true, false}) {
    Bench bench = bench_of("2.6.32", 2, {{"AFFINE_WAKEUPS", on}});
    bench.running(1, 0);
    bench.waiting(1, 0);
    const int woken = bench.sleeper(1, 0);
    bench.apply(StimulusKind::wake, woken);  // by CPU 0, which has nothing to do
    EXPECT_EQ(bench.task(woken).cpu, on ? 0 : 1);
  }
}

TEST(CfsOldWake, E17ShiftsBetweenQueues) {
  for (const bool longer : {false, true}) {
    Bench bench = bench_of("2.6.32", 2);
    bench.queue(0).min_vruntime = 7000000000;
    bench.queue(1).min_vruntime = 2500000000;
    bench.running(0, 7000000000);
    const int id = bench.sleeper(0, longer ? 6980000000 : 6998500000);
    bench.apply(StimulusKind::wake, id, 1);
    ASSERT_EQ(bench.task(id).cpu, 1);
    // The credit is 5 ms on two CPUs of this version.
    EXPECT_EQ(bench.task(id).vruntime, longer ? 2495000000u : 2498500000u);
  }
}

TEST(CfsOldBalance, E19MovesWhatEachVersionAllows) {
  for (const char* version : {"2.6.32", "2.6.33", "2.6.34"}) {
    Bench bench = bench_of(version, 2);
    bench.running(0, 0);
    bench.waiting(0, 0);
    bench.waiting(0, 0);
    bench.apply(StimulusKind::balance, -1, 1, 1'000'000);
    EXPECT_EQ(bench.queue(1).load, 2048u) << version;
  }
}

TEST(CfsOldBalance, AnUnevenGroupCountsTasksAtMostAtTheAverage) {
  for (const bool old : {true, false}) {
    auto setup = settings(8, old ? "2.6.33" : "2.6.34");
    setup.topology.levels = {{LevelKind::cluster, {0, 0, 0, 0, 1, 1, 1, 1}},
                             {LevelKind::cpu, {0, 0, 0, 0, 0, 0, 0, 0}}};
    Bench bench(setup);
    for (const int cpu : {1, 2}) bench.running(cpu, 0, 5);
    bench.running(0, 0, 5);
    bench.waiting(0, 0, 5);
    bench.waiting(0, 0, 5);
    bench.running(5, 0, 5);
    for (int cpu = 0; cpu < 8; ++cpu) bench.queue(cpu).cpu_load.fill(bench.queue(cpu).load);
    bench.apply(StimulusKind::balance, -1, 4, 1'000'000);
    // E19's loads, but 3 + 1 + 1 + 0 tasks: a task counts 251, not 335, so that .33 moves (418 -
    // 251)
    // * 4 = 668, too: two tasks.
    EXPECT_EQ(bench.queue(4).load, 670u) << old;
  }
}

TEST(CfsOldBalance, In32AnIdleCpuTriesHoweverShortItsIdleTimes) {
  for (const bool first : {true, false}) {
    Bench bench = bench_of(first ? "2.6.32" : "2.6.33", 2);
    bench.running(0, 0);
    bench.waiting(0, 0);
    bench.queue(1).avg_idle = 0;
    bench.apply(StimulusKind::schedule, -1, 1, 1'000'000);
    EXPECT_EQ(bench.queue(1).nr_running, first ? 1u : 0u);
    EXPECT_EQ(bench.queue(1).idle_stamp, first ? 0u : 1'000'000u);
  }
}

TEST(CfsWord, E15And32BitWordsComparesSigned) {
  for (const bool short_word : {true, false}) {
    auto setup = settings(1);
    setup.spec.knobs["word"] = short_word ? 1 : 0;
    Bench bench(setup);
    const int current = bench.running(0, 10000000);
    bench.task(current).sum_exec = 1000000;
    bench.waiting(0, 10500000);
    bench.waiting(0, 60000000);
    bench.apply(StimulusKind::tick);
    EXPECT_EQ(bench.queue().marked, !short_word);
  }
}

TEST(CfsWord, E4AndLongChargesSaturate) {
  auto setup = settings(1);
  setup.spec.knobs["word"] = 1;
  Bench bench(setup);
  const int current = bench.running(0, 0, 19);
  bench.apply(StimulusKind::tick, -1, 0, 100000000);
  EXPECT_EQ(bench.task(current).vruntime, 2147483647u);
}

}  // namespace
}  // namespace fw::model::cfs
