// SPDX-License-Identifier: Apache-2.0
// The policy step by step, without a machine: the dossier's vectors E8, E9, E15, E16, E17 and E19
// on states made by hand, features, and the shape of the state.
#include <gtest/gtest.h>

#include "model/policy/cfs/catalog.h"
#include "model/policy/cfs/test_bench.h"

namespace fw::model::cfs {
namespace {

TEST(CfsConfig, E1ScalesTheTunablesAtBoot) {
  struct Row {
    const char* version;
    int cpus;
    std::uint64_t latency, min, wakeup, nr;
  };
  const std::vector<Row> rows = {{"2.6.32", 4, 15000000, 3000000, 3000000, 5},
                                 {"2.6.32", 16, 25000000, 5000000, 5000000, 5},
                                 {"2.6.32", 64, 35000000, 7000000, 7000000, 5},
                                 {"2.6.34", 64, 20000000, 4000000, 4000000, 5},
                                 {"2.6.35", 4, 18000000, 6000000, 3000000, 3},
                                 {"2.6.36-rc3", 4, 18000000, 6000000, 3000000, 3},
                                 {"2.6.36", 1, 6000000, 750000, 1000000, 8},
                                 {"2.6.36", 3, 12000000, 1500000, 2000000, 8},
                                 {"2.6.36", 8, 24000000, 3000000, 4000000, 8},
                                 {"2.6.36", 16, 24000000, 3000000, 4000000, 8}};
  for (const Row& row : rows) {
    auto setup = settings(row.cpus);
    setup.spec.version = row.version;
    const Config config = configure(setup);
    EXPECT_EQ(config.latency_ns, row.latency) << row.version << row.cpus;
    EXPECT_EQ(config.min_granularity_ns, row.min);
    EXPECT_EQ(config.wakeup_granularity_ns, row.wakeup);
    EXPECT_EQ(config.nr_latency, row.nr);
  }
}

TEST(CfsConfig, GivingATunableRecomputesNrLatency) {
  auto setup = settings(1);
  setup.spec.knobs["min_granularity"] = 2'000'000;
  EXPECT_EQ(configure(setup).nr_latency, 3u);
  setup.spec.knobs["nr_latency"] = 5;
  EXPECT_EQ(configure(setup).nr_latency, 5u);
}

TEST(CfsCatalog, NamesMatchTheView) {
  const PolicyInfo& info = cfs_info();
  Bench bench(settings(2));
  View view;
  look(bench.config, bench.state, view);
  EXPECT_EQ(view.cpus[0].ints.size(), info.schema.cpu_ints.size() + info.schema.domain_ints.size());
  EXPECT_LE(info.schema.task_ints.size(), max_task_ints);
  for (const std::string_view version : info.versions) {
    const auto read = parse_spec("cfs@" + std::string(version), std::vector{&info});
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->version, version);
  }
  EXPECT_EQ(parse_spec("cfs", std::vector{&info})->version, "2.6.36");
  const auto read = [&](const char* text) { return parse_spec(text, std::vector{&info}); };
  EXPECT_EQ(read("cfs,word=32")->knobs.at("word"), 1);
  EXPECT_TRUE(read("cfs@2.6.34+SYNC_MORE-ASYM_GRAN").ok());
  for (const std::string_view version : info.versions) {
    EXPECT_TRUE(read(("cfs@" + std::string(version) + "+START_NICE").c_str()).ok()) << version;
  }
}

TEST(CfsFork, E8PlacesTheChild) {
  struct Row {
    std::uint64_t parent, child;
    bool debit;
  };
  const std::vector<Row> rows = {{1000000000, 1001499634, true},
                                 {1000400000, 1001499634, true},
                                 {1002000000, 1002000000, true},
                                 {1000000000, 1000000000, false},
                                 {1000400000, 1000400000, false},
                                 {1002000000, 1002000000, false}};
  for (const Row& row : rows) {
    auto setup = settings(1);
    setup.spec.features["START_DEBIT"] = row.debit;
    Bench bench(setup);
    bench.queue().min_vruntime = 1000000000;
    const int parent = bench.running(0, row.parent);
    bench.waiting(0, 1000000000);
    bench.waiting(0, 1000000000);
    bench.fork(parent);
    EXPECT_EQ(bench.task(3).vruntime, row.child);
    EXPECT_EQ(bench.log.back().kind, DecisionKind::fork);
    EXPECT_EQ(bench.log.back().state[0], static_cast<std::int64_t>(row.child));
  }
}

TEST(CfsFork, E8ChildRunsFirstSwapsAndMarks) {
  for (const bool swaps : {true, false}) {
    auto setup = settings(1);
    setup.spec.knobs["child_runs_first"] = 1;
    Bench bench(setup);
    bench.queue().min_vruntime = 1000000000;
    const int parent = bench.running(0, swaps ? 1000400000 : 1002000000);
    bench.waiting(0, 1000000000);
    bench.waiting(0, 1000000000);
    bench.fork(parent);
    EXPECT_EQ(bench.task(parent).vruntime, swaps ? 1001499634u : 1002000000u);
    EXPECT_EQ(bench.task(3).vruntime, swaps ? 1000400000u : 1002000000u);
    EXPECT_EQ(bench.queue().marked, swaps);
    EXPECT_EQ(bench.log.back().preempt, swaps);
  }
}

TEST(CfsWake, E9PlacesTheSleeper) {
  const std::vector<std::uint64_t> sleepers = {4980000000, 4991000000, 4995000000, 5003000000};
  for (const bool gentle : {true, false}) {
    const std::vector<std::uint64_t> want =
        gentle ? std::vector<std::uint64_t>{4991000000, 4991000000, 4995000000, 5003000000}
               : std::vector<std::uint64_t>{4982000000, 4991000000, 4995000000, 5003000000};
    for (std::size_t i = 0; i < want.size(); ++i) {
      auto setup = settings(4);
      setup.spec.features["GENTLE_FAIR_SLEEPERS"] = gentle;
      Bench bench(setup);
      bench.queue().min_vruntime = 5000000000;
      const int id = bench.sleeper(0, sleepers[i]);
      bench.apply(StimulusKind::wake, id);
      EXPECT_EQ(bench.task(id).vruntime, want[i]);
      EXPECT_TRUE(bench.log.back().preempt);  // the CPU was idle
    }
  }
}

TEST(CfsWake, E17ShiftsBetweenQueues) {
  for (const bool longer : {false, true}) {
    Bench bench(settings(2));
    bench.queue(0).min_vruntime = 7000000000;
    bench.queue(1).min_vruntime = 2500000000;
    bench.running(0, 7000000000);
    const int id = bench.sleeper(0, longer ? 6980000000 : 6998500000);
    bench.apply(StimulusKind::wake, id);  // CPU 0 is busy, CPU 1 idle: the idle sibling is taken
    EXPECT_EQ(bench.task(id).cpu, 1);
    EXPECT_EQ(bench.task(id).vruntime, longer ? 2494000000u : 2498500000u);
    ASSERT_EQ(bench.log.size(), 2u);
    EXPECT_EQ(bench.log[0].kind, DecisionKind::migrate);
    EXPECT_EQ(bench.log[0].why, Why::wakeup);
    EXPECT_EQ(bench.log[0].state, bench.log[1].state);
  }
}

TEST(CfsTick, E15ChecksSliceAndLeftmost) {
  struct Row {
    std::uint64_t ran, current, leftmost;
    Why as_unsigned, as_signed;
  };
  const std::vector<Row> rows = {{1999349, 10000000, 9000000, Why::none, Why::none},
                                 {1999350, 10000000, 9000000, Why::slice, Why::slice},
                                 {700000, 20000000, 10000000, Why::none, Why::none},
                                 {1500000, 12000000, 10000651, Why::none, Why::none},
                                 {1500000, 12000000, 10000650, Why::leftmost, Why::leftmost},
                                 {1000000, 10000000, 10500000, Why::leftmost, Why::none},
                                 {1000000, 10000000, 10000000, Why::none, Why::none}};
  for (const Row& row : rows) {
    for (const bool as_unsigned : {true, false}) {
      auto setup = settings(1);
      setup.spec.knobs["tick_unsigned"] = as_unsigned ? 1 : 0;
      Bench bench(setup);
      const int current = bench.running(0, row.current);
      bench.task(current).sum_exec = row.ran;
      bench.waiting(0, row.leftmost);
      bench.waiting(0, row.leftmost + 50000000);
      bench.apply(StimulusKind::tick);
      const Why want = as_unsigned ? row.as_unsigned : row.as_signed;
      EXPECT_EQ(bench.queue().marked, want != Why::none) << row.ran << " " << row.leftmost;
      EXPECT_EQ(bench.log.empty() ? Why::none : bench.log[0].why, want);
    }
  }
}

TEST(CfsPick, E16TakesBuddiesWithinTheGranularityOfTheLeftmost) {
  struct Row {
    int left_nice;
    std::uint64_t next, last;  // 0: none
    Why want;
  };
  const std::vector<Row> rows = {{0, 100900000, 0, Why::next},
                                 {0, 101000000, 0, Why::next},
                                 {0, 101000001, 0, Why::leftmost},
                                 {0, 100500000, 100800000, Why::last},
                                 {0, 100500000, 101200000, Why::next},
                                 {-5, 100500000, 0, Why::leftmost},
                                 {5, 102900000, 0, Why::next}};
  for (const Row& row : rows) {
    Bench bench(settings(1));
    const int left = bench.waiting(0, 100000000, row.left_nice);
    const int next = bench.waiting(0, row.next);
    bench.queue().next = TaskId{next};
    int last = -1;
    if (row.last != 0) {
      last = bench.waiting(0, row.last);
      bench.queue().last = TaskId{last};
    }
    bench.apply(StimulusKind::schedule);
    const Decision& pick = bench.log.back();
    EXPECT_EQ(pick.why, row.want) << row.next;
    EXPECT_EQ(pick.task.value, row.want == Why::last ? last : row.want == Why::next ? next : left);
    // The one that was taken is no buddy any more, the other one stays.
    EXPECT_EQ(bench.queue().next.idle(), row.want == Why::next);
  }
}

TEST(CfsBalance, E19PullsBothWaitingTasks) {
  Bench bench(settings(2));
  bench.running(0, 0);
  bench.waiting(0, 0);
  bench.waiting(0, 0);
  bench.apply(StimulusKind::balance, -1, 1, 1'000'000);
  ASSERT_EQ(bench.log.size(), 2u);
  EXPECT_EQ(bench.log[0].task.value, 2);  // most recently enqueued first
  EXPECT_EQ(bench.log[1].task.value, 1);
  EXPECT_EQ(bench.log[0].why, Why::periodic);
  EXPECT_EQ(bench.queue(0).nr_running, 1u);
  EXPECT_EQ(bench.queue(1).load, 2048u);
  EXPECT_TRUE(bench.queue(1).marked);
}

TEST(CfsBalance, E19TwoGroupsOfFourMoveTwoNiceFiveTasks) {
  auto setup = settings(8);
  setup.topology.levels = {{LevelKind::cluster, {0, 0, 0, 0, 1, 1, 1, 1}},
                           {LevelKind::cpu, {0, 0, 0, 0, 0, 0, 0, 0}}};
  Bench bench(setup);
  for (const int cpu : {1, 2, 3}) bench.running(cpu, 0, 5);
  bench.running(0, 0, 5);
  bench.waiting(0, 0, 5);
  bench.running(5, 0, 5);
  for (int cpu = 0; cpu < 8; ++cpu) {
    bench.queue(cpu).cpu_load.fill(bench.queue(cpu).load);
  }
  // The child level prefers siblings, so capacity is 1 and X does not limit; M - A does, as in the
  // vector: (418 - 251) * 4096 / 1024 = 668. One task waits, so one moves.
  bench.apply(StimulusKind::balance, -1, 4, 1'000'000);
  ASSERT_FALSE(bench.log.empty());
  EXPECT_EQ(bench.log[0].from.value, 0);
  EXPECT_EQ(bench.log[0].task.value, 4);
  EXPECT_EQ(bench.queue(4).nr_running, 1u);
}

TEST(CfsBalance, PinnedTasksLengthenTheInterval) {
  Bench bench(settings(2));
  bench.running(0, 0);
  bench.waiting(0, 0);
  for (int id : {0, 1}) bench.task(id).allowed = CpuSet::first(1);
  bench.apply(StimulusKind::balance, -1, 1, 1'000'000);
  EXPECT_TRUE(bench.log.empty());
  EXPECT_EQ(bench.queue(1).domains[0].balance_interval_ms, 2u);
  EXPECT_EQ(bench.queue(1).domains[0].nr_balance_failed, 0u);
}

TEST(CfsBalance, ATaskMayEndWhereAnActiveBalanceTookItBeforeItsOldCpuSwitches) {
  Bench bench(settings(2));
  const int taken = bench.running(0, 0);
  bench.queue(1).domains[0].nr_balance_failed = 3;  // one more attempt and it turns active
  bench.waiting(0, 0);
  bench.task(1).allowed = CpuSet::first(1);
  bench.queue(1).cpu_load.fill(0);
  bench.apply(StimulusKind::balance, -1, 1, 1'000'000);
  ASSERT_EQ(bench.log.size(), 1u);
  EXPECT_EQ(bench.log[0].why, Why::active);
  EXPECT_EQ(bench.log[0].task.value, taken);
  bench.apply(StimulusKind::schedule, -1, 1, 1'000'000);
  bench.apply(StimulusKind::exit, taken, 1, 1'000'000);
  bench.apply(StimulusKind::schedule, -1, 1, 1'000'000);
  bench.apply(StimulusKind::schedule, -1, 0, 1'000'000);
  EXPECT_EQ(bench.log.back().other.value, taken);  // as the one that CPU 0 ran before
  EXPECT_EQ(bench.log.back().task.value, 1);
  ASSERT_EQ(bench.state.tasks.size(), 1u);
}

TEST(CfsPreempt, LastBuddyNeedsAFullQueue) {
  for (const std::int64_t nr_latency : {3, 4}) {
    auto setup = settings(1);
    setup.spec.knobs["nr_latency"] = nr_latency;
    Bench bench(setup);
    bench.queue().min_vruntime = 10000000;
    const int current = bench.running(0, 20000000);
    bench.waiting(0, 10000000);
    const int woken = bench.sleeper(0, 10000000);
    bench.apply(StimulusKind::wake, woken);
    EXPECT_TRUE(bench.log.back().preempt);
    EXPECT_EQ(bench.queue().last.value, nr_latency == 3 ? current : -1);
  }
}

TEST(CfsPreempt, BatchTasksDoNotPreemptAndIdleOnesAreAlwaysPreempted) {
  Bench bench(settings(1));
  bench.queue().min_vruntime = 10000000;
  const int current = bench.running(0, 50000000);
  const int woken = bench.sleeper(0, 10000000);
  bench.task(woken).sched_class = SchedClass::batch;
  bench.apply(StimulusKind::wake, woken);
  EXPECT_FALSE(bench.queue().marked);
  bench.task(current).sched_class = SchedClass::idle;
  const int second = bench.sleeper(0, 90000000);
  bench.apply(StimulusKind::wake, second);
  EXPECT_TRUE(bench.queue().marked);
}

TEST(CfsYield, CompatModeGoesBehindTheRightmost) {
  auto setup = settings(1);
  setup.spec.knobs["compat_yield"] = 1;
  Bench bench(setup);
  const int current = bench.running(0, 5);
  bench.waiting(0, 10);
  bench.apply(StimulusKind::yield, current);
  EXPECT_EQ(bench.task(current).vruntime, 11u);
  EXPECT_TRUE(bench.queue().marked);
}

TEST(CfsRenice, KeepsTheVruntimeAndMarks) {
  Bench bench(settings(1));
  bench.queue().min_vruntime = 1000;
  const int current = bench.running(0, 5000);
  bench.apply(StimulusKind::renice, current, 0, 0, -5);
  EXPECT_EQ(bench.task(current).vruntime, 5000u);
  EXPECT_EQ(bench.task(current).weight, 3121u);
  EXPECT_EQ(bench.queue().load, 3121u);
  EXPECT_TRUE(bench.queue().marked);
}

TEST(CfsState, IsAValueThatPrintsOnOneLine) {
  Bench bench(settings(2));
  bench.running(0, 7);
  const State copy = bench.state;
  EXPECT_EQ(copy, bench.state);
  bench.waiting(0, 9);
  EXPECT_NE(copy, bench.state);
  const std::string line = text(bench.state);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(line.find("0(curr v=7"), std::string::npos);
}

TEST(CfsDomains, LevelsOfATwoSocketSmtMachine) {
  Topology topology;
  topology.cpus = 8;
  topology.levels = {{LevelKind::smt, {0, 0, 1, 1, 2, 2, 3, 3}},
                     {LevelKind::mc, {0, 0, 0, 0, 1, 1, 1, 1}},
                     {LevelKind::node, {0, 0, 0, 0, 0, 0, 0, 0}}};
  topology.thread_siblings.assign(8, 2);
  const std::vector<std::vector<Domain>> all = sched_domains(topology);
  ASSERT_EQ(all.size(), 8u);
  const std::vector<Domain>& mine = all[5];
  ASSERT_EQ(mine.size(), 3u);
  EXPECT_EQ(mine[0].span, (std::vector<int>{4, 5}));
  EXPECT_EQ(mine[1].groups.size(), 2u);
  EXPECT_EQ(mine[1].groups[1].cpus, (std::vector<int>{6, 7}));
  EXPECT_EQ(mine[1].groups[1].power, 2u * 589);
  EXPECT_EQ(mine[2].groups[0].cpus, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_FALSE(mine[1].child_prefers_sibling);
  EXPECT_TRUE(mine[2].child_prefers_sibling);
  EXPECT_TRUE(mine[2].rules.serialize);
}

TEST(CfsDomains, ALevelVanishesWhereItSpansNoMoreThanTheOneBelow) {
  Topology topology;
  topology.cpus = 3;
  topology.levels = {
      {LevelKind::smt, {0, 0, 1}}, {LevelKind::mc, {0, 0, 1}}, {LevelKind::cpu, {0, 0, 0}}};
  const std::vector<std::vector<Domain>> all = sched_domains(topology);
  EXPECT_EQ(all[0].size(), 2u);
  ASSERT_EQ(all[2].size(), 1u);
  EXPECT_EQ(all[2][0].level, 2);
  EXPECT_EQ(all[2][0].groups.size(), 2u);
}

}  // namespace
}  // namespace fw::model::cfs
