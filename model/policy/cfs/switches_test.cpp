// SPDX-License-Identifier: Apache-2.0
// The switches of section 25, step by step: the dossier's vectors E12 and R1 to R3.
#include <gtest/gtest.h>

#include "model/policy/cfs/test_bench.h"

namespace fw::model::cfs {
namespace {

Bench bench_of(int cpus, std::map<std::string, bool> features) {
  Setup setup = settings(cpus);
  setup.spec.features = std::move(features);
  return Bench(setup);
}

TEST(CfsDynMinVruntime, E12TheFloorFollowsTheTimeShared) {
  struct Row {
    std::uint64_t charged, min, current, left, off, on;
    int others;
    bool light;
  };
  for (const Row& row : {Row{3000000, 1000000, 4000000, 1500000, 1500000, 1999674, 2, false},
                         Row{3000000, 1000000, 4000000, 2500000, 2500000, 2500000, 2, false},
                         Row{1000000, 1000000, 2000000, 0, 2000000, 2000000, 0, false},
                         Row{5000000, 7000000, 12000000, 7100000, 7100000, 8155235, 3, true}}) {
    for (const bool on : {true, false}) {
      Bench bench = bench_of(1, {{"DYN_MIN_VRUNTIME", on}});
      bench.queue().min_vruntime = row.min;
      bench.running(0, row.current - row.charged);
      for (int i = 0; i < row.others; ++i) bench.waiting(0, row.left);
      if (row.light) bench.waiting(0, row.left, 5);
      bench.apply(StimulusKind::tick, -1, 0, static_cast<std::int64_t>(row.charged));
      EXPECT_EQ(bench.queue().min_vruntime, on ? row.on : row.off) << row.charged;
    }
  }
}

TEST(CfsStartNice, R1ChargesDoubleUntilTheWindowIsCrossed) {
  for (const bool v2 : {true, false}) {
    Bench bench = bench_of(1, {{v2 ? "START_NICE_V2" : "START_NICE", true}});
    const int parent = bench.running(0, 0);
    bench.waiting(0, 0);
    bench.waiting(0, 0);
    const int child = bench.fork(parent);
    EXPECT_EQ(bench.task(child).penalty_end, 1499634u);
    EXPECT_EQ(bench.task(parent).penalty_end, 1999349u);
    EXPECT_TRUE(bench.task(child).penalized && bench.task(parent).penalized);
    // The child alone on another queue, from vruntime 0 on.
    Bench alone = bench_of(1, {{v2 ? "START_NICE_V2" : "START_NICE", true}});
    const int id = alone.running(0, 0);
    alone.task(id).penalized = true;
    alone.task(id).penalty_end = bench.task(child).penalty_end;
    const std::vector<std::uint64_t> want =
        v2 ? std::vector<std::uint64_t>{2000000, 2800000, 3400000, 3900000}
           : std::vector<std::uint64_t>{2000000, 2800000, 4000000, 4500000};
    std::int64_t t = 0;
    std::size_t at = 0;
    for (const std::int64_t delta : {1000000, 400000, 600000, 500000}) {
      t += delta;
      alone.apply(StimulusKind::tick, -1, 0, t);
      EXPECT_EQ(alone.task(id).vruntime, want[at]);
      EXPECT_EQ(alone.task(id).penalized, at++ < 2);
    }
  }
}

TEST(CfsStartNice, ALaterForkStartsTheWindowAnewAndNothingElseEndsIt) {
  Bench bench = bench_of(1, {{"START_NICE", true}});
  const int parent = bench.running(0, 0);
  bench.fork(parent);
  bench.apply(StimulusKind::tick, -1, 0, 1000000);
  EXPECT_EQ(bench.task(parent).vruntime, 2000000u);
  const std::uint64_t end = bench.task(parent).penalty_end;
  bench.apply(StimulusKind::renice, parent, 0, 1000000, 1);
  bench.apply(StimulusKind::block, parent, 0, 1000000);
  bench.apply(StimulusKind::wake, parent, 0, 1000000);
  EXPECT_TRUE(bench.task(parent).penalized);
  EXPECT_EQ(bench.task(parent).penalty_end, end);
}

TEST(CfsTreePenalty, R2ChargesByDepth) {
  struct Row {
    const char* rule;
    std::int64_t choice;
    std::uint64_t depth, want;
  };
  for (const Row& row : {Row{"rate", 0, 0, 1000000},
                         Row{"rate", 0, 1, 2000000},
                         Row{"rate", 0, 4, 5000000},
                         Row{"shift", 1, 0, 1000000},
                         Row{"shift", 1, 1, 2000000},
                         Row{"shift", 1, 4, 16000000},
                         Row{"place", 2, 4, 1000000}}) {
    auto setup = settings(1);
    setup.spec.features["TREE_PENALTY"] = true;
    setup.spec.knobs["depth_rule"] = row.choice;
    Bench bench(setup);
    const int id = bench.running(0, 0);
    bench.task(id).depth = row.depth;
    bench.apply(StimulusKind::tick, -1, 0, 1000000);
    EXPECT_EQ(bench.task(id).vruntime, row.want) << row.rule << row.depth;
  }
}

TEST(CfsTreePenalty, R2PlacesByDepthAtWakeupAndFork) {
  auto setup = settings(4);
  setup.spec.features["TREE_PENALTY"] = true;
  setup.spec.knobs["depth_rule"] = 2;
  Bench bench(setup);
  bench.queue().min_vruntime = 5000000000;
  const int id = bench.sleeper(0, 4991000000);
  bench.task(id).depth = 3;
  bench.apply(StimulusKind::wake, id);
  // Alone, so its virtual slice is nearly the whole latency: mul(18000000, 1024, 1024).
  const std::uint64_t part = rules::cfs::slice<std::uint64_t>(18000000, 1024, 1024);
  EXPECT_EQ(bench.task(id).vruntime, 4991000000u + 3 * part);

  auto alone = settings(1);
  alone.spec.features["TREE_PENALTY"] = true;
  alone.spec.knobs["depth_rule"] = 2;
  Bench fork(alone);
  const int parent = fork.running(0, 0);
  fork.waiting(0, 0);
  fork.waiting(0, 0);
  EXPECT_EQ(fork.task(fork.fork(parent, 0, 2)).vruntime, 3u * 1499634);
}

TEST(CfsTreePenalty, DepthComesBeforeStartNice) {
  Bench bench = bench_of(1, {{"TREE_PENALTY", true}, {"START_NICE", true}});
  const int id = bench.running(0, 0);
  bench.task(id).depth = 2;
  bench.task(id).penalized = true;
  bench.task(id).penalty_end = 2000000;
  bench.apply(StimulusKind::tick, -1, 0, 1000000);
  EXPECT_EQ(bench.task(id).vruntime, 6000000u);
}

TEST(CfsInteractive, R3ExpeditedChildrenStartAtOnceAsNextBuddy) {
  for (const std::uint64_t vruntime : {1000000000u, 1000400000u, 1002000000u}) {
    Bench bench = bench_of(1, {{"INTERACTIVE_FORK_EXPEDITED", true}, {"START_NICE", true}});
    bench.queue().min_vruntime = 1000000000;
    const int parent = bench.running(0, vruntime);
    bench.waiting(0, 1000000000);
    bench.waiting(0, 1000000000);
    bench.task(parent).labels.input = true;
    const int child = bench.fork(parent);
    EXPECT_EQ(bench.task(child).vruntime, vruntime);
    EXPECT_EQ(bench.queue().next.value, child);
    EXPECT_FALSE(bench.task(child).labels.input);
    EXPECT_FALSE(bench.task(child).penalized || bench.task(parent).penalized);
  }
}

TEST(CfsInteractive, LabelledWakeupsBecomeNextWithoutAFullQueue) {
  struct Row {
    const char* feature;
    bool input;
    Why by;
    bool next;
  };
  for (const Row& row : {Row{"INTERACTIVE", true, Why::none, true},
                         Row{"INTERACTIVE", false, Why::timer, false},
                         Row{"TIMER", false, Why::timer, true},
                         Row{"TIMER", true, Why::none, false},
                         Row{"NEXT_BUDDY", true, Why::timer, false}}) {
    Bench bench = bench_of(1, {{row.feature, true}});
    bench.running(0, 0);
    const int woken = bench.sleeper(0, 0);
    bench.task(woken).input = row.input;
    bench.apply(StimulusKind::wake, woken, 0, 0, 0, nullptr, row.by);
    EXPECT_EQ(bench.queue().next.value, row.next ? woken : -1) << row.feature << row.input;
    bench.apply(StimulusKind::schedule);
  }
}

TEST(CfsInteractive, ALabelLastsUntilTheBlockAndAStartHasNone) {
  Bench bench = bench_of(1, {});
  const int id = bench.sleeper(0, 0);
  bench.task(id).input = true;
  bench.apply(StimulusKind::start, id, 0, 0, 0, nullptr, Why::start);
  EXPECT_EQ(bench.task(id).labels, rules::cfs::Labels{});
  bench.apply(StimulusKind::schedule);
  bench.apply(StimulusKind::block, id);
  bench.apply(StimulusKind::wake, id, 0, 0, 0, nullptr, Why::timer);
  EXPECT_EQ(bench.task(id).labels, (rules::cfs::Labels{true, true}));
  bench.apply(StimulusKind::schedule);
  EXPECT_TRUE(bench.task(id).labels.input);
  bench.apply(StimulusKind::block, id);
  EXPECT_EQ(bench.task(id).labels, rules::cfs::Labels{});
}

TEST(CfsFairSleepers, CreditIsGivenByLabel) {
  for (const bool timer : {true, false}) {
    Bench bench = bench_of(4, {{"FAIR_SLEEPERS", false}, {"FAIR_SLEEPERS_TIMER", true}});
    bench.queue().min_vruntime = 5000000000;
    const int id = bench.sleeper(0, 4980000000);
    bench.apply(StimulusKind::wake, id, 0, 0, 0, nullptr, timer ? Why::timer : Why::none);
    EXPECT_EQ(bench.task(id).vruntime, timer ? 4991000000u : 5000000000u);
  }
}

TEST(CfsHotBuddy, EachBoundaryReadsItsQueue) {
  struct Row {
    std::int64_t boundary, nr_latency;
    bool moved;
  };
  // CPU 1 is idle and pulls; CPU 0 runs one task and has its `next` buddy waiting.
  for (const Row& row :
       {Row{0, 8, false}, Row{1, 8, true}, Row{1, 2, false}, Row{2, 8, false}, Row{3, 8, true}}) {
    auto setup = settings(2);
    setup.spec.knobs["hot_buddy_boundary"] = row.boundary;
    setup.spec.knobs["nr_latency"] = row.nr_latency;
    Bench bench(setup);
    bench.running(0, 0);
    bench.queue(0).next = TaskId{bench.waiting(0, 0)};
    bench.apply(StimulusKind::balance, -1, 1, 1'000'000);
    EXPECT_EQ(bench.queue(1).nr_running, row.moved ? 1u : 0u) << row.boundary;
  }
}

}  // namespace
}  // namespace fw::model::cfs
