// SPDX-License-Identifier: Apache-2.0
// The patches of 2009 and 2010 as switches: E12 of the dossier, and R1 to R3 of section 28, which
// fix what this project means by rules whose code is lost.
#include <gtest/gtest.h>

#include "impl/cfs/test_bench.h"

namespace impl::cfs {
namespace {

using Features = std::map<std::string, bool, std::less<>>;
using Knobs = std::map<std::string, i64, std::less<>>;

TEST(Switches, E12TheFloorMovesOnWithTime) {
  struct Row {
    u64 charged, load, old_min, curr;
    i64 left;  ///< negative: none
    u64 off, on;
  };
  const std::vector<Row> rows = {
      {3000000, 3072, 1000000, 4000000, 1500000, 1500000, 1999674},
      {3000000, 3072, 1000000, 4000000, 2500000, 2500000, 2500000},
      {1000000, 1024, 1000000, 2000000, -1, 2000000, 2000000},
      {5000000, 4431, 7000000, 12000000, 7100000, 7100000, 8155235},
  };
  for (const Row& row : rows) {
    for (const bool on : {false, true}) {
      Bench bench(1, with({{"vruntime_base", 0}}, {{"DYN_MIN_VRUNTIME", on}}));
      Runqueue& rq = bench.fair.queue(0);
      bench.run(bench.queued(0, row.curr));
      if (row.left >= 0) bench.queued(0, static_cast<u64>(row.left));
      rq.load = {row.load, 0};
      rq.min_vruntime = row.old_min;
      bench.fair.update_min_vruntime(rq, row.charged);
      EXPECT_EQ(rq.min_vruntime, on ? row.on : row.off) << row.charged;
      rq.min_vruntime = row.old_min;
      bench.fair.update_min_vruntime(rq);  // without a charge the switch does nothing
      EXPECT_EQ(rq.min_vruntime, row.off) << row.charged;
    }
  }
}

TEST(Switches, DynMinVruntimeThroughAChargeAndADequeue) {
  Bench bench(1, with({{"vruntime_base", 0}}, {{"DYN_MIN_VRUNTIME", true}}));
  Runqueue& rq = bench.fair.queue(0);
  Task& curr = bench.queued();
  bench.queued();
  bench.queued();
  bench.run(curr);
  bench.fair.set_time(3000000, 3);
  bench.fair.update_curr(rq);
  EXPECT_EQ(rq.min_vruntime, 999674u);  // past those who wait at 0
  bench.fair.dequeue_task(rq, curr, true);
  EXPECT_EQ(rq.min_vruntime, 999674u);
}

// R1: three nice-0 tasks on one CPU, one forks; then both are charged one after the other.
struct Pair {
  explicit Pair(Features features, int child_nice = 0, Knobs knobs = {{"vruntime_base", 0}})
      : bench(1, with(std::move(knobs), std::move(features))) {
    parent = &bench.queued();
    bench.queued();
    bench.queued();
    bench.run(*parent);
    child = &bench.task(child_nice);
    bench.fair.task_fork(bench.fair.queue(0), *child);
  }
  /// vruntime gained by a task over charges of these lengths, cumulated.
  std::vector<u64> gains(Task& task, const std::vector<i64>& charges) {
    Runqueue& rq = bench.fair.queue(0);
    rq.curr = &task;
    const u64 before = task.vruntime;
    std::vector<u64> out;
    task.exec_start = static_cast<u64>(now);
    for (const i64 charge : charges) {
      bench.fair.set_time(now += charge, 0);
      bench.fair.update_curr(rq);
      out.push_back(task.vruntime - before);
    }
    return out;
  }
  Bench bench;
  Task* parent = nullptr;
  Task* child = nullptr;
  i64 now = 0;
};

TEST(Switches, R1StartNice) {
  const std::vector<i64> charges = {1000000, 400000, 600000, 500000};
  Pair v3({{"START_NICE", true}});
  EXPECT_EQ(v3.child->penalty_end, 1499634u);
  EXPECT_EQ(v3.parent->penalty_end, 1999349u);
  EXPECT_EQ(v3.gains(*v3.child, charges), (std::vector<u64>{2000000, 2800000, 4000000, 4500000}));
  EXPECT_EQ(v3.gains(*v3.parent, {1999349, 1, 1}),
            (std::vector<u64>{3998698, 3998700, 3998701}));  // the one that crosses counts double

  Pair v2({{"START_NICE_V2", true}});
  EXPECT_EQ(v2.gains(*v2.child, charges), (std::vector<u64>{2000000, 2800000, 3400000, 3900000}));
  Pair both({{"START_NICE", true}, {"START_NICE_V2", true}});
  EXPECT_EQ(both.gains(*both.child, charges),
            (std::vector<u64>{2000000, 2800000, 4000000, 4500000}));

  Pair light({{"START_NICE", true}}, 5);
  EXPECT_EQ(light.child->penalty_end, 589789u);
  EXPECT_EQ(light.gains(*light.child, {500000, 500000, 500000}),
            (std::vector<u64>{3056716, 6113432, 7641790}));
}

TEST(Switches, ALaterForkRestartsTheWindow) {
  Pair pair({{"START_NICE", true}});
  pair.gains(*pair.parent, {1500000});
  Task& second = pair.bench.task();
  pair.bench.fair.task_fork(pair.bench.fair.queue(0), second);
  EXPECT_EQ(pair.parent->penalty_end, 1500000u + 1999349u);
  EXPECT_EQ(pair.gains(*pair.parent, {1000000}), (std::vector<u64>{2000000}));  // twice, never four
}

TEST(Switches, StartNiceLeavesThePlacementAlone) {
  const Pair off({});
  const Pair on({{"START_NICE", true}});
  EXPECT_EQ(off.child->vruntime, on.child->vruntime);
  EXPECT_FALSE(off.child->penalized || off.parent->penalized);
}

// R2: what depth costs.
TEST(Switches, R2DepthOfACharge) {
  const auto gain = [](i64 rule, u64 depth) {
    Bench bench(1, with({{"vruntime_base", 0}, {"depth_rule", rule}}, {{"TREE_PENALTY", true}}));
    Task& task = bench.queued();
    task.depth = depth;
    bench.run(task);
    bench.fair.set_time(1000000, 1);
    bench.fair.update_curr(bench.fair.queue(0));
    return task.vruntime;
  };
  enum { rate, shift, place };
  EXPECT_EQ(gain(rate, 0), 1000000u);
  EXPECT_EQ(gain(rate, 1), 2000000u);
  EXPECT_EQ(gain(rate, 4), 5000000u);
  EXPECT_EQ(gain(shift, 0), 1000000u);
  EXPECT_EQ(gain(shift, 1), 2000000u);
  EXPECT_EQ(gain(shift, 4), 16000000u);
  EXPECT_EQ(gain(shift, 10), 1024000000u);
  EXPECT_EQ(gain(shift, 60), 1024000000u);
  EXPECT_EQ(gain(place, 4), 1000000u);
}

TEST(Switches, R2DepthOfAPlacement) {
  // E9's second case; eleven equal tasks have 2 ms each, made up for what the reciprocal loses.
  Bench bench(4,
              with({{"vruntime_base", 5000000000},
                    {"min_granularity", 2000172},
                    {"latency", 18000000},
                    {"nr_latency", 8},
                    {"depth_rule", 2}},
                   {{"TREE_PENALTY", true}}));
  Runqueue& rq = bench.fair.queue(0);
  for (int i = 0; i < 10; ++i) bench.queued(0, 5000000000);
  Task& sleeper = bench.queued(0, 4991000000);
  EXPECT_EQ(bench.fair.vslice(rq, sleeper), 2000000u);
  sleeper.depth = 3;
  bench.fair.place_entity(rq, sleeper, false);
  EXPECT_EQ(sleeper.vruntime, 4997000000u);

  Task& child = bench.task(0, 0);
  child.depth = 2;
  const u64 childs = bench.fair.vslice(rq, child);
  bench.fair.place_entity(rq, child, true);
  EXPECT_EQ(child.vruntime, 5000000000u + childs + 2 * childs);
}

TEST(Switches, DepthFirstThenDoubling) {
  Pair pair({{"START_NICE", true}, {"TREE_PENALTY", true}});
  pair.child->depth = 2;
  EXPECT_EQ(pair.gains(*pair.child, {1000000, 1000000, 1000000}),
            (std::vector<u64>{6000000, 12000000, 15000000}));
}

// R3: E8's queue; the parent was woken by a timer.
TEST(Switches, R3AnExpeditedFork) {
  struct Row {
    u64 parent, child;
  };
  for (const Row& row : {Row{1000000000, 0}, Row{1000400000, 400000}, Row{1002000000, 2000000}}) {
    Bench bench(1,
                with({{"vruntime_base", 1000000000}},
                     {{"TIMER_FORK_EXPEDITED", true}, {"START_NICE", true}}));
    Runqueue& rq = bench.fair.queue(0);
    Task& parent = bench.queued(0, row.parent);
    bench.queued(0, 1000000000);
    bench.queued(0, 1000000000);
    bench.run(parent);
    FairClass::label_wakeup(parent, false, true);
    Task& child = bench.task();
    bench.fair.task_fork(rq, child);
    EXPECT_EQ(child.vruntime, row.child);
    EXPECT_FALSE(child.penalized || parent.penalized);
    EXPECT_FALSE(child.woken_by_timer);
    bench.fair.enqueue_forked(rq, rq, child);
    bench.fair.check_preempt_curr(rq, child, true);
    EXPECT_EQ(rq.next, &child);
  }
}

TEST(Switches, OnlyTheRightLabelExpedites) {
  const auto expedited = [](const char* feature, bool input, bool timer) {
    Bench bench(1, with({{"vruntime_base", 0}}, {{feature, true}}));
    Runqueue& rq = bench.fair.queue(0);
    Task& parent = bench.queued();
    bench.run(parent);
    FairClass::label_wakeup(parent, input, timer);
    Task& child = bench.task();
    bench.fair.task_fork(rq, child);
    return child.vruntime == 0;
  };
  EXPECT_TRUE(expedited("TIMER_FORK_EXPEDITED", false, true));
  EXPECT_FALSE(expedited("TIMER_FORK_EXPEDITED", true, false));
  EXPECT_TRUE(expedited("INTERACTIVE_FORK_EXPEDITED", true, false));
  EXPECT_FALSE(expedited("INTERACTIVE_FORK_EXPEDITED", false, true));
}

// A wakeup with labels, beside a running task that it does not preempt.
struct Labelled {
  bool next = false;
  u64 vruntime = 0;
};
Labelled woken(Features features, bool input, bool timer, const char* version = "2.6.36") {
  Bench bench(1, with({{"vruntime_base", 100000000}}, std::move(features), version));
  Runqueue& rq = bench.fair.queue(0);
  bench.run(bench.queued(0, 100000000));
  Task& task = bench.task(0, 0);
  FairClass::label_wakeup(task, input, timer);
  bench.fair.enqueue_woken(rq, task);
  rq.need_resched = true;  // already marked: only the nomination is made
  bench.fair.check_preempt_curr(rq, task, false);
  return {rq.next == &task, task.vruntime};
}

TEST(Switches, ALabelledWakeupBecomesNextWhateverTheLoad) {
  EXPECT_FALSE(woken({}, true, true).next);
  EXPECT_TRUE(woken({{"INTERACTIVE", true}}, true, false).next);
  EXPECT_FALSE(woken({{"INTERACTIVE", true}}, false, true).next);
  EXPECT_TRUE(woken({{"TIMER", true}}, false, true).next);
  EXPECT_FALSE(woken({{"TIMER", true}}, true, false).next);
  for (const char* version : {"2.6.32", "2.6.34", "6.1"}) {
    EXPECT_TRUE(woken({{"TIMER", true}}, false, true, version).next) << version;
  }
}

TEST(Switches, SleeperCreditByLabel) {
  const Features off = {{"FAIR_SLEEPERS", false}};
  const Features by_input = {{"FAIR_SLEEPERS", false}, {"FAIR_SLEEPERS_INTERACTIVE", true}};
  const Features by_timer = {{"FAIR_SLEEPERS", false}, {"FAIR_SLEEPERS_TIMER", true}};
  constexpr u64 none = 100000000, credit = 97000000;
  EXPECT_EQ(woken({}, false, false).vruntime, credit);
  EXPECT_EQ(woken(off, true, true).vruntime, none);
  EXPECT_EQ(woken(by_input, true, false).vruntime, credit);
  EXPECT_EQ(woken(by_input, false, true).vruntime, none);
  EXPECT_EQ(woken(by_timer, false, true).vruntime, credit);
  EXPECT_EQ(woken(by_timer, true, false).vruntime, none);
}

TEST(Switches, ALabelEndsAtTheBlock) {
  Bench bench(1);
  Task& task = bench.task();
  FairClass::label_wakeup(task, true, true);
  bench.fair.enqueue_woken(bench.fair.queue(0), task);
  bench.fair.dequeue_task(bench.fair.queue(0), task, false);  // moved or reniced: it stays
  EXPECT_TRUE(task.woken_by_input && task.woken_by_timer);
  bench.fair.enqueue_task(bench.fair.queue(0), task, {});
  bench.fair.dequeue_task(bench.fair.queue(0), task, true);
  EXPECT_FALSE(task.woken_by_input || task.woken_by_timer);
}

TEST(Switches, WhenABuddyIsHot) {
  const auto hot = [](i64 boundary, int runnable, bool destination_runs) {
    Bench bench(2, with({{"hot_buddy_boundary", boundary}, {"nr_latency", 3}}));
    Task& buddy = bench.queued(0, 0, 0);
    for (int i = 1; i < runnable; ++i) bench.queued(0, 0, 0);
    if (destination_runs) bench.queued(0, 0, 1);
    bench.fair.queue(0).last = &buddy;
    bench.fair.set_time(1000000000, 1000);  // long since it ran
    return bench.fair.task_hot(buddy, bench.fair.queue(0), bench.fair.queue(1));
  };
  enum { none, latency, source, balancing };
  EXPECT_TRUE(hot(none, 1, false));
  EXPECT_FALSE(hot(latency, 2, true));
  EXPECT_TRUE(hot(latency, 3, false));
  EXPECT_TRUE(hot(source, 1, false));
  EXPECT_FALSE(hot(balancing, 3, false));
  EXPECT_TRUE(hot(balancing, 1, true));
  EXPECT_EQ(resolve({}, 1).hot_buddy, HotBuddy::destination_busy);
}

}  // namespace
}  // namespace impl::cfs
