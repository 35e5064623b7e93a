// SPDX-License-Identifier: Apache-2.0
// The worked examples of the dossier (section 27) on the class alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "impl/cfs/test_bench.h"

namespace impl::cfs {
namespace {

TEST(Tunables, E1ScalingByCpus) {
  const auto row = [](const char* version, int cpus) {
    const Tunables out = resolve(with({}, {}, version), cpus);
    return std::vector<u64>{scaling_factor(cpus),
                            out.latency,
                            out.min_granularity,
                            out.wakeup_granularity,
                            out.nr_latency};
  };
  EXPECT_EQ(row("2.6.35", 4), (std::vector<u64>{3, 18000000, 6000000, 3000000, 3}));
  EXPECT_EQ(row("2.6.36-rc3", 4), (std::vector<u64>{3, 18000000, 6000000, 3000000, 3}));
  EXPECT_EQ(row("2.6.36", 1), (std::vector<u64>{1, 6000000, 750000, 1000000, 8}));
  EXPECT_EQ(row("2.6.36", 3), (std::vector<u64>{2, 12000000, 1500000, 2000000, 8}));
  EXPECT_EQ(row("2.6.36", 8), (std::vector<u64>{4, 24000000, 3000000, 4000000, 8}));
  EXPECT_EQ(row("2.6.36", 16), row("2.6.36", 8));
}

TEST(Tunables, AWrittenSysctlRecomputesNrLatency) {
  EXPECT_EQ(resolve(with({{"latency", 10'000'000}}), 1).nr_latency, 14u);
  EXPECT_EQ(resolve(with({{"wakeup_granularity", 5}}, {}, "2.6.35"), 1).nr_latency, 3u);
  EXPECT_EQ(resolve(with({{"latency", 10'000'000}, {"nr_latency", 7}}), 1).nr_latency, 7u);
  EXPECT_EQ(resolve(with({{"migration_cost", 0}}), 1).nr_latency, 8u);
}

TEST(Fair, E3RealToVirtual) {
  const std::vector<u64> deltas = {1000, 1000000, 4000000, 10000000, 1000000000};
  const std::vector<std::pair<int, std::vector<u64>>> rows = {
      {-20, {12, 11537, 46146, 115366, 11536598}},
      {-10, {107, 107248, 428990, 1072476, 107247591}},
      {-5, {328, 328100, 1312400, 3281000, 328099966}},
      {-1, {802, 801879, 3207518, 8018794, 801879406}},
      {0, deltas},
      {1, {1249, 1248780, 4995122, 12487805, 1248780489}},
      {5, {3057, 3056716, 12226866, 30567164, 3056716442}},
      {10, {9309, 9309091, 37236363, 93090909, 9309090853}},
      {19, {68267, 68266667, 273066667, 682666667, 68266666651}}};
  Bench bench;
  for (const auto& [nice, expected] : rows) {
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      EXPECT_EQ(bench.fair.calc_delta_fair(deltas[i], bench.task(nice)), expected[i]) << nice;
    }
  }
  const std::vector<u64> idle = {341333, 341333333, 1365333333, 3413333333};
  for (std::size_t i = 0; i < idle.size(); ++i) {
    EXPECT_EQ(bench.fair.calc_delta_fair(deltas[i], bench.task(0, 0, TaskPolicy::idle)), idle[i]);
  }
}

TEST(Fair, E5SlicesOfEqualTasks) {
  const auto slices = [](const char* version, int most) {
    std::vector<u64> out;
    Bench bench(1, with({}, {}, version));
    for (int n = 1; n <= most; ++n) {
      const Task& task = bench.queued();
      out.push_back(bench.fair.slice(bench.fair.queue(0), task));
    }
    return out;
  };
  EXPECT_EQ(
      slices("2.6.36", 10),
      (std::vector<u64>{
          5994146, 2998537, 1999349, 1499634, 1199766, 999837, 857024, 749908, 749920, 749929}));
  EXPECT_EQ(slices("2.6.35", 5), (std::vector<u64>{5994146, 2998537, 1999349, 1999512, 1999609}));
}

TEST(Fair, E6SlicesOfMixedTasks) {
  Bench bench;
  const Task& heavy = bench.queued(-5);
  const Task& plain = bench.queued(0);
  bench.queued(0);
  const Task& light = bench.queued(10);
  const Runqueue& rq = bench.fair.queue(0);
  EXPECT_EQ(rq.load.weight, 5279u);
  EXPECT_EQ(bench.fair.slice(rq, heavy), 3546591u);
  EXPECT_EQ(bench.fair.slice(rq, plain), 1163637u);
  EXPECT_EQ(bench.fair.slice(rq, light), 125000u);
  EXPECT_EQ(bench.fair.vslice(rq, heavy), 1163636u);
  EXPECT_EQ(bench.fair.vslice(rq, plain), 1163637u);
  EXPECT_EQ(bench.fair.vslice(rq, light), 1163636u);

  Bench more;
  for (int i = 0; i < 9; ++i) more.queued(0);
  const Task& five = more.queued(5);
  EXPECT_EQ(more.fair.slice(more.fair.queue(0), more.tasks[0]), 804024u);
  EXPECT_EQ(more.fair.slice(more.fair.queue(0), five), 263034u);
}

TEST(Fair, E7SlicesOfAChild) {
  Bench bench;
  const Runqueue& rq = bench.fair.queue(0);
  EXPECT_EQ(bench.fair.vslice(rq, bench.task(0)), 5994146u);
  for (int i = 0; i < 3; ++i) bench.queued(0);
  const std::vector<std::array<i64, 3>> rows = {
      {0, 1499634, 1499634}, {5, 589789, 1802818}, {-5, 3023249, 991928}};
  for (const auto& [nice, slice, vslice] : rows) {
    const Task& child = bench.task(static_cast<int>(nice));
    EXPECT_EQ(bench.fair.slice(rq, child), static_cast<u64>(slice));
    EXPECT_EQ(bench.fair.vslice(rq, child), static_cast<u64>(vslice));
  }
}

struct Forked {
  u64 parent, child;
  bool marked;
  friend bool operator==(const Forked&, const Forked&) = default;
};

// Three nice-0 tasks, one of them the parent; min_vruntime 1000000000. Gives the child's vruntime
// relative to it, as the fork hook leaves it.
Forked fork_from(u64 parent_vruntime, const Request& request) {
  Request all = request;
  all.knobs["vruntime_base"] = 1000000000;
  Bench bench(1, all);
  Task& parent = bench.queued(0, parent_vruntime);
  bench.queued(0, 1000000000);
  bench.queued(0, 1000000000);
  bench.run(parent);
  Runqueue& rq = bench.fair.queue(0);
  Task& child = bench.task();
  bench.fair.task_fork(rq, child);
  return {parent.vruntime, child.vruntime, rq.need_resched};
}

TEST(Fair, E8InitialPlacement) {
  EXPECT_EQ(fork_from(1000000000, {}).child, 1499634u);
  EXPECT_EQ(fork_from(1000400000, {}).child, 1499634u);
  EXPECT_EQ(fork_from(1002000000, {}).child, 2000000u);
  const Request no_debit = with({}, {{"START_DEBIT", false}});
  EXPECT_EQ(fork_from(1000000000, no_debit).child, 0u);
  EXPECT_EQ(fork_from(1000400000, no_debit).child, 400000u);
  EXPECT_EQ(fork_from(1002000000, no_debit).child, 2000000u);
  const Request child_first = with({{"child_runs_first", 1}});
  EXPECT_EQ(fork_from(1000400000, child_first), (Forked{1001499634, 400000, true}));
  EXPECT_EQ(fork_from(1002000000, child_first), (Forked{1002000000, 2000000, false}));
}

TEST(Fair, E9WakeupPlacement) {
  const auto placed = [](u64 min, u64 sleeper, bool gentle) {
    Bench bench(
        4, with({{"vruntime_base", static_cast<i64>(min)}}, {{"GENTLE_FAIR_SLEEPERS", gentle}}));
    Task& task = bench.task(0, sleeper);
    bench.fair.place_entity(bench.fair.queue(0), task, false);
    return task.vruntime;
  };
  const u64 min = 5000000000;
  const std::vector<std::array<u64, 3>> rows = {{4980000000, 4991000000, 4982000000},
                                                {4991000000, 4991000000, 4991000000},
                                                {4995000000, 4995000000, 4995000000},
                                                {5003000000, 5003000000, 5003000000}};
  for (const auto& [sleeper, gentle, full] : rows) {
    EXPECT_EQ(placed(min, sleeper, true), gentle);
    EXPECT_EQ(placed(min, sleeper, false), full);
  }
  EXPECT_EQ(placed(2000000, 0, true), 0u);
}

TEST(Fair, E11MinVruntime) {
  constexpr i64 absent = -1;
  const auto updated = [](u64 old, i64 curr, i64 left) {
    Bench bench(1, with({{"vruntime_base", 0}}));
    Runqueue& rq = bench.fair.queue(0);
    if (curr != absent) bench.run(bench.queued(0, static_cast<u64>(curr)));
    if (left != absent) bench.queued(0, static_cast<u64>(left));
    rq.min_vruntime = old;
    bench.fair.update_min_vruntime(rq);
    return rq.min_vruntime;
  };
  EXPECT_EQ(updated(100, 150, 120), 120u);
  EXPECT_EQ(updated(100, 150, 80), 100u);
  EXPECT_EQ(updated(100, absent, 130), 130u);
  EXPECT_EQ(updated(100, absent, absent), 100u);
  EXPECT_EQ(updated(100, 105, absent), 105u);
  EXPECT_EQ(updated(100, 90, absent), 100u);
  EXPECT_EQ(updated(static_cast<u64>(-50), 70, 30), 30u);
}

TEST(Fair, E13GranularityAndTheThreeWayTest) {
  Bench one;
  EXPECT_EQ(one.fair.wakeup_gran(one.task(), one.task(0)), 1000000u);
  EXPECT_EQ(one.fair.wakeup_gran(one.task(), one.task(1)), 1248780u);
  EXPECT_EQ(one.fair.wakeup_gran(one.task(), one.task(5)), 3056716u);
  EXPECT_EQ(one.fair.wakeup_gran(one.task(), one.task(-5)), 328100u);
  EXPECT_EQ(one.fair.wakeup_gran(one.task(), one.task(0, 0, TaskPolicy::idle)), 341333333u);
  Bench four(4);
  EXPECT_EQ(four.fair.wakeup_gran(four.task(), four.task(0)), 3000000u);
  EXPECT_EQ(four.fair.wakeup_gran(four.task(), four.task(1)), 3746341u);
  EXPECT_EQ(four.fair.wakeup_gran(four.task(), four.task(5)), 9170149u);
  EXPECT_EQ(four.fair.wakeup_gran(four.task(), four.task(-5)), 984300u);
  const Task& curr = one.task(0, 10000000);
  for (const auto& [lead, verdict] :
       std::vector<std::pair<u64, int>>{{0, -1}, {1, 0}, {3056716, 0}, {3056717, 1}}) {
    EXPECT_EQ(one.fair.wakeup_preempt_entity(curr, one.task(5, 10000000 - lead)), verdict);
  }
}

Reason ticked(u64 ran, u64 curr_vruntime, u64 left, bool as_unsigned) {
  Bench bench(1, with({{"vruntime_base", 0}, {"tick_unsigned", as_unsigned}}));
  Task& curr = bench.queued(0, curr_vruntime);
  bench.queued(0, left);
  bench.queued(0, left);
  bench.run(curr);
  curr.sum_exec = ran;
  return bench.fair.check_preempt_tick(bench.fair.queue(0), curr);
}

TEST(Fair, E15Tick) {
  struct Row {
    u64 ran, curr, left;
    Reason as_unsigned, as_signed;
  };
  const std::vector<Row> rows = {{1999349, 10000000, 9000000, Reason::none, Reason::none},
                                 {1999350, 10000000, 9000000, Reason::slice, Reason::slice},
                                 {700000, 20000000, 10000000, Reason::none, Reason::none},
                                 {1500000, 12000000, 10000651, Reason::none, Reason::none},
                                 {1500000, 12000000, 10000650, Reason::leftmost, Reason::leftmost},
                                 {1000000, 10000000, 10500000, Reason::leftmost, Reason::none},
                                 {1000000, 10000000, 10000000, Reason::none, Reason::none}};
  for (const Row& row : rows) {
    EXPECT_EQ(ticked(row.ran, row.curr, row.left, true), row.as_unsigned) << row.ran;
    EXPECT_EQ(ticked(row.ran, row.curr, row.left, false), row.as_signed) << row.ran;
  }
}

Reason picked(int left_nice, u64 next, u64 last) {
  Bench bench(1, with({{"vruntime_base", 100000000}}));
  Runqueue& rq = bench.fair.queue(0);
  bench.queued(left_nice, 100000000);
  if (next != 0) rq.next = &bench.queued(0, next);
  if (last != 0) rq.last = &bench.queued(0, last);
  return bench.fair.pick_next_task(rq).why;
}

TEST(Fair, E16Pick) {
  EXPECT_EQ(picked(0, 100900000, 0), Reason::next);
  EXPECT_EQ(picked(0, 101000000, 0), Reason::next);
  EXPECT_EQ(picked(0, 101000001, 0), Reason::leftmost);
  EXPECT_EQ(picked(0, 100500000, 100800000), Reason::last);
  EXPECT_EQ(picked(0, 100500000, 101200000), Reason::next);
  EXPECT_EQ(picked(-5, 100500000, 0), Reason::leftmost);
  EXPECT_EQ(picked(5, 102900000, 0), Reason::next);
}

TEST(Fair, APickedBuddyIsForgottenAndAFailedOneStays) {
  Bench bench(1, with({{"vruntime_base", 100000000}}));
  Runqueue& rq = bench.fair.queue(0);
  bench.queued(0, 100000000);
  Task& far = bench.queued(0, 105000000);
  rq.next = &far;
  Pick pick = bench.fair.pick_next_task(rq);
  EXPECT_EQ(pick.task->id, 0);
  EXPECT_EQ(rq.next, &far);
  bench.fair.dequeue_task(rq, far, true);
  EXPECT_EQ(rq.next, nullptr);
}

TEST(Fair, E17ChangingCpu) {
  const auto woken = [](u64 vruntime) {
    Bench bench(2);
    bench.fair.queue(0).min_vruntime = 7000000000;
    bench.fair.queue(1).min_vruntime = 2500000000;
    Task& task = bench.task(0, vruntime);
    bench.fair.task_waking(task);
    const u64 relative = task.vruntime;
    task.cpu = 1;
    bench.fair.enqueue_woken(bench.fair.queue(1), task);
    return std::pair{static_cast<i64>(relative), task.vruntime};
  };
  EXPECT_EQ(woken(6998500000), (std::pair<i64, u64>{-1500000, 2498500000}));
  EXPECT_EQ(woken(6980000000), (std::pair<i64, u64>{-20000000, 2494000000}));

  Bench bench(2);
  bench.fair.queue(0).min_vruntime = 7000000000;
  bench.fair.queue(1).min_vruntime = 2500000000;
  bench.queued(0, 7000000000);
  Task& pulled = bench.queued(0, 7004000000);
  bench.fair.dequeue_task(bench.fair.queue(0), pulled, false);
  EXPECT_EQ(pulled.vruntime, 4000000u);
  bench.fair.enqueue_task(bench.fair.queue(1), pulled, {});
  EXPECT_EQ(pulled.vruntime, 2504000000u);
}

TEST(Fair, E17UniprocessorWakesStayAbsolute) {
  Bench bench(1);
  bench.fair.queue(0).min_vruntime = 7000000000;
  Task& task = bench.task(0, 6998500000);
  bench.fair.task_waking(task);
  EXPECT_EQ(task.vruntime, 6998500000u);
  bench.fair.enqueue_woken(bench.fair.queue(0), task);
  EXPECT_EQ(task.vruntime, 6998500000u);
}

TEST(Fair, E18CpuLoadHistory) {
  Bench bench;
  Runqueue& rq = bench.fair.queue(0);
  const std::vector<std::pair<u64, std::array<u64, 5>>> rows = {{2048, {2048, 1024, 512, 256, 128}},
                                                                {2048, {2048, 1536, 896, 480, 248}},
                                                                {1024, {1024, 1280, 928, 548, 297}},
                                                                {0, {0, 640, 696, 479, 278}}};
  for (const auto& [load, expected] : rows) {
    rq.load = {load, 0};
    bench.fair.update_cpu_load(rq);
    EXPECT_EQ(rq.cpu_load, expected);
  }
}

TEST(Fair, E18PowerOfHardwareThreads) {
  NoLog log;
  const auto power = [&log](int threads) {
    FairClass fair(MachineShape{1, {}, {threads}}, {}, true, log);
    return fair.queue(0).power;
  };
  EXPECT_EQ(power(1), 1024u);
  EXPECT_EQ(power(2), 589u);
  EXPECT_EQ(power(4), 294u);
}

// Remote group: five nice-5 tasks on four CPUs; local: one. The amount is 668: two move.
TEST(Balance, E19TwoGroupsOfFour) {
  Bench bench(
      8,
      with({{"migration_cost", 0}}),
      {{DomainKind::mc, {0, 0, 0, 0, 1, 1, 1, 1}}, {DomainKind::node, {0, 0, 0, 0, 0, 0, 0, 0}}});
  FairClass& fair = bench.fair;
  bench.run(bench.queued(5, 0, 0));
  bench.run(bench.queued(5, 0, 4));  // one CPU with all five: one of them current
  for (int i = 0; i < 4; ++i) bench.queued(5, 0, 4);
  // Only the upper level counts here; CPU 1 is the first idle CPU of the local group.
  fair.queue(1).domains.erase(fair.queue(1).domains.begin());
  fair.queue(1).domains[0].child_prefers_siblings = false;
  fair.queue(1).idle_at_tick = true;
  for (int tick = 0; tick < 12; ++tick) {
    for (int cpu = 0; cpu < 8; ++cpu) fair.update_cpu_load(fair.queue(cpu));
  }
  fair.set_time(0, 1000);
  EXPECT_TRUE(fair.rebalance(fair.queue(1)));
  EXPECT_EQ(bench.log.moves.size(), 2u);
  EXPECT_EQ(fair.queue(4).nr_running, 3u);
}

// Three nice-0 tasks against an empty CPU: the amount is 1536, both waiting tasks move.
TEST(Balance, E19TwoSingleCpus) {
  Bench bench(2, with({{"migration_cost", 0}}), {{DomainKind::mc, {0, 0}}});
  FairClass& fair = bench.fair;
  bench.run(bench.queued(0, 0, 0));
  bench.queued(0, 0, 0);
  bench.queued(0, 0, 0);
  fair.queue(1).idle_at_tick = true;
  fair.set_time(0, 1);
  EXPECT_TRUE(fair.rebalance(fair.queue(1)));
  ASSERT_EQ(bench.log.moves.size(), 2u);
  EXPECT_EQ(bench.log.moves[0].task, 2);  // the last enqueued first
  EXPECT_EQ(bench.log.moves[0].why, Reason::periodic);
  EXPECT_EQ(fair.queue(1).domains[0].balance_interval, 1u);
}

TEST(Balance, HotTasksStayUntilAttemptsHaveFailed) {
  Bench bench(2, {}, {{DomainKind::mc, {0, 0}}});
  FairClass& fair = bench.fair;
  bench.run(bench.queued(0, 0, 0));
  Task& waiting = bench.queued(0, 0, 0);
  fair.queue(1).idle_at_tick = true;
  waiting.exec_start = 0;
  fair.set_time(499'999, 1);
  EXPECT_TRUE(fair.task_hot(waiting, fair.queue(0), fair.queue(1)));
  EXPECT_FALSE(fair.rebalance(fair.queue(1)));
  EXPECT_EQ(fair.queue(1).domains[0].nr_balance_failed, 1u);
  fair.set_time(500'000, 2);
  EXPECT_FALSE(fair.task_hot(waiting, fair.queue(0), fair.queue(1)));
  fair.queue(0).last = &waiting;
  EXPECT_FALSE(fair.task_hot(waiting, fair.queue(0), fair.queue(1)));  // nothing runs there
  EXPECT_TRUE(fair.rebalance(fair.queue(1)));
}

TEST(Balance, PinnedTasksAreExcludedAndTheIntervalGrows) {
  Bench bench(2, with({{"migration_cost", 0}}), {{DomainKind::mc, {0, 0}}});
  FairClass& fair = bench.fair;
  for (int i = 0; i < 3; ++i) bench.queued(0, 0, 0).allowed.clear(1);
  bench.run(bench.tasks[0]);
  fair.queue(1).idle_at_tick = true;
  u64 jiffies = 1;
  for (int attempt = 0; attempt < 12; ++attempt, jiffies += 1000) {
    fair.set_time(0, jiffies);
    EXPECT_FALSE(fair.rebalance(fair.queue(1)));
  }
  EXPECT_EQ(fair.queue(1).domains[0].balance_interval, 512u);
  EXPECT_TRUE(bench.log.moves.empty());
}

TEST(Balance, RepeatedFailureMovesTheRunningTask) {
  Bench bench(4,
              with({{"migration_cost", -1}}),
              {{DomainKind::mc, {0, 0, 1, 1}}, {DomainKind::node, {0, 0, 0, 0}}});
  FairClass& fair = bench.fair;
  // Two heavy tasks on CPU 0's side, each alone on its CPU: only pushing helps the idle package.
  bench.run(bench.queued(0, 0, 0));
  bench.run(bench.queued(0, 0, 1));
  fair.queue(2).idle_at_tick = true;
  u64 jiffies = 100;
  for (int attempt = 0; attempt < 20 && bench.log.moves.empty(); ++attempt, jiffies += 100) {
    fair.set_time(0, jiffies);
    for (int cpu = 0; cpu < 4; ++cpu) fair.update_cpu_load(fair.queue(cpu));
    fair.rebalance(fair.queue(2));
  }
  ASSERT_EQ(bench.log.moves.size(), 1u);
  EXPECT_EQ(bench.log.moves[0].why, Reason::active);
  EXPECT_EQ(bench.log.moves[0].to, 2);
  const Runqueue& from = fair.queue(bench.log.moves[0].from);
  EXPECT_TRUE(from.need_resched);
  EXPECT_EQ(from.curr, nullptr);
  EXPECT_FALSE(from.runs_idle());
}

}  // namespace
}  // namespace impl::cfs
