// SPDX-License-Identifier: Apache-2.0
// What 6.1 does otherwise. Source: eevdf-semantics section 6, choices N18, N20, N24 to N27.
#include <gtest/gtest.h>

#include "impl/cfs/test_bench.h"

namespace impl::cfs {
namespace {

using Features = std::map<std::string, bool, std::less<>>;
using Knobs = std::map<std::string, i64, std::less<>>;

Request linux61(Knobs knobs = {}, Features features = {}) {
  return with(std::move(knobs), std::move(features), "6.1");
}

TEST(Linux61, Tunables) {
  const Tunables one = resolve(linux61(), 1);
  EXPECT_EQ(one.latency, 6000000u);
  EXPECT_EQ(one.min_granularity, 750000u);
  EXPECT_EQ(one.wakeup_granularity, 1000000u);
  const Tunables two = resolve(linux61(), 2);
  EXPECT_EQ(two.latency, 12000000u);
  EXPECT_EQ(two.min_granularity, 1500000u);
  EXPECT_EQ(two.wakeup_granularity, 2000000u);
  EXPECT_EQ(two.nr_latency, 8u);
  EXPECT_EQ(resolve(linux61({{"latency", 10'000'000}}), 1).nr_latency, 14u);
}

TEST(Linux61, SlicesRoundDownAndHaveAFloor) {
  const auto slices = [](Features features) {
    Bench bench(1, linux61({}, std::move(features)));
    std::vector<u64> out;
    for (int n = 1; n <= 10; ++n) {
      const Task& task = bench.queued();
      out.push_back(bench.fair.slice(bench.fair.queue(0), task));
    }
    return out;
  };
  // Exactly floor(period x 1024 x floor((2^32 - 1) / (1024 n)) / 2^32), then the floor.
  EXPECT_EQ(
      slices({{"BASE_SLICE", false}}),
      (std::vector<u64>{
          5999998, 2999998, 1999999, 1499998, 1199998, 999999, 857142, 749998, 749998, 749999}));
  EXPECT_EQ(
      slices({}),
      (std::vector<u64>{
          5999998, 2999998, 1999999, 1499998, 1199998, 999999, 857142, 750000, 750000, 750000}));
}

TEST(Linux61, TheFloorOfAnIdlePolicyTask) {
  Bench bench(2, linux61());
  Runqueue& rq = bench.fair.queue(0);
  const auto add = [&](TaskPolicy policy) -> Task& {
    Task& task = bench.task(0, 0, policy);
    bench.fair.enqueue_task(rq, task, {});
    return task;
  };
  Task& idle = add(TaskPolicy::idle);
  for (int i = 0; i < 19; ++i) add(TaskPolicy::idle);
  EXPECT_EQ(bench.fair.slice(rq, idle), 1500000u);  // only such tasks: the ordinary floor
  Task& normal = add(TaskPolicy::normal);
  EXPECT_EQ(bench.fair.slice(rq, idle), 750000u);
  bench.fair.dequeue_task(rq, normal, true);
  EXPECT_EQ(bench.fair.slice(rq, idle), 1500000u);
}

TEST(Linux61, SleeperCredit) {
  Bench bench(2, linux61({{"vruntime_base", 5000000000}}));
  EXPECT_EQ(bench.fair.sleeper_credit(bench.task()), 6000000u);
  EXPECT_EQ(bench.fair.sleeper_credit(bench.task(0, 0, TaskPolicy::idle)), 750000u);
  Bench full(2, linux61({}, {{"GENTLE_FAIR_SLEEPERS", false}}));
  EXPECT_EQ(full.fair.sleeper_credit(full.task()), 12000000u);
  EXPECT_EQ(full.fair.sleeper_credit(full.task(0, 0, TaskPolicy::idle)), 1500000u);
}

TEST(Linux61, TheFloorDoesNotCountASleeper) {
  for (const auto& [version, expected] :
       std::vector<std::pair<const char*, u64>>{{"6.1", 4000000}, {"2.6.36", 1000000}}) {
    Bench bench(1, with({{"vruntime_base", 0}}, {}, version));
    Runqueue& rq = bench.fair.queue(0);
    Task& curr = bench.queued(0, 1000000);
    bench.queued(0, 4000000);
    bench.run(curr);
    bench.fair.dequeue_task(rq, curr, true);
    EXPECT_EQ(rq.min_vruntime, expected) << version;
  }
}

Reason ticked(u64 ran, u64 curr_vruntime, u64 left, Features features = {}, int others = 2) {
  Bench bench(1, linux61({{"vruntime_base", 0}}, std::move(features)));
  Runqueue& rq = bench.fair.queue(0);
  Task& curr = bench.queued(0, curr_vruntime);
  for (int i = 0; i < others; ++i) bench.queued(0, left);
  bench.run(curr);
  curr.sum_exec = ran;
  rq.next = &curr;
  const Reason why = bench.fair.task_tick(rq);
  EXPECT_EQ(rq.next == nullptr, why == Reason::slice);
  return why;
}

TEST(Linux61, Tick) {
  EXPECT_EQ(ticked(1999999, 10000000, 9000000), Reason::none);
  EXPECT_EQ(ticked(2000000, 10000000, 9000000), Reason::slice);
  EXPECT_EQ(ticked(749999, 20000000, 10000000), Reason::none);
  EXPECT_EQ(ticked(750000, 12000000, 10000000), Reason::leftmost);
  EXPECT_EQ(ticked(750000, 11999999, 10000000), Reason::none);
  EXPECT_EQ(ticked(1000000, 10000000, 10500000), Reason::none);  // left of everybody
  EXPECT_EQ(ticked(2000000, 10000000, 9000000, {{"WAKEUP_PREEMPTION", false}}), Reason::slice);
  EXPECT_EQ(ticked(9000000, 10000000, 0, {}, 0), Reason::none);  // alone
}

TEST(Linux61, ASliceAboveTheLatencyIsNotCut) {
  Bench bench(1, linux61({{"vruntime_base", 0}}));
  Runqueue& rq = bench.fair.queue(0);
  Task& heavy = bench.queued(-20, 10000000);
  for (int i = 0; i < 15; ++i) bench.queued(0, 10000000);
  bench.run(heavy);
  const u64 slice = bench.fair.slice(rq, heavy);
  EXPECT_GT(slice, 6000000u);
  heavy.sum_exec = slice;
  EXPECT_EQ(bench.fair.task_tick(rq), Reason::none);
  heavy.sum_exec = slice + 1;
  EXPECT_EQ(bench.fair.task_tick(rq), Reason::slice);
}

// A queue for picks: `curr` runs at its vruntime, the others wait.
struct Picks {
  explicit Picks(u64 curr_vruntime, const std::vector<u64>& waiting)
      : bench(1, linux61({{"vruntime_base", 100000000}})), rq(bench.fair.queue(0)) {
    curr = &bench.queued(0, curr_vruntime);
    bench.run(*curr);
    for (const u64 vruntime : waiting) others.push_back(&bench.queued(0, vruntime));
  }
  /// Id and reason, as after a put-previous.
  std::pair<int, Reason> pick() {
    bench.fair.put_prev_task(rq, *curr);
    const Pick pick = bench.fair.pick_next_task(rq);
    return {pick.task->id, pick.why};
  }
  Bench bench;
  Runqueue& rq;
  Task* curr = nullptr;
  std::vector<Task*> others;
};

TEST(Linux61, TheRunningTaskIsAmongTheCandidates) {
  EXPECT_EQ(Picks(100000000, {100000001}).pick(), (std::pair{0, Reason::leftmost}));
  EXPECT_EQ(Picks(100000000, {100000000}).pick(),
            (std::pair{1, Reason::leftmost}));  // not strictly
  EXPECT_EQ(Picks(100000000, {}).pick(), (std::pair{0, Reason::only}));
}

TEST(Linux61, PickedAgainItGoesOnAsItWas) {
  Picks picks(100000000, {100500000});
  picks.curr->sum_exec = 700000;
  picks.curr->prev_sum_exec = 200000;
  picks.rq.last = picks.curr;
  EXPECT_EQ(picks.pick(), (std::pair{0, Reason::last}));
  EXPECT_EQ(picks.curr->prev_sum_exec, 200000u);
  EXPECT_EQ(picks.rq.last, picks.curr);
  EXPECT_EQ(picks.rq.curr, picks.curr);
}

TEST(Linux61, NextBeforeLast) {
  Picks both(100900000, {100000000, 100400000, 100500000});
  both.rq.next = both.others[1];
  both.rq.last = both.others[2];
  EXPECT_EQ(both.pick(), (std::pair{2, Reason::next}));
  EXPECT_EQ(both.rq.next, nullptr);
  EXPECT_EQ(both.rq.last, both.others[2]);

  Picks far(100900000, {100000000, 101000001, 101000000});
  far.rq.next = far.others[1];  // too far right of the leftmost
  far.rq.last = far.others[2];
  EXPECT_EQ(far.pick(), (std::pair{3, Reason::last}));
}

TEST(Linux61, AYielderIsSkippedForTheSecond) {
  Picks yields(100000000, {100900000, 101500000});
  yields.bench.fair.yield_task(yields.rq);
  EXPECT_EQ(yields.rq.skip, yields.curr);
  EXPECT_EQ(yields.pick(), (std::pair{1, Reason::leftmost}));
  EXPECT_EQ(yields.rq.skip, yields.curr);  // until it is picked or leaves

  Picks too_far(100000000, {101000001});
  too_far.bench.fair.yield_task(too_far.rq);
  EXPECT_EQ(too_far.pick(), (std::pair{0, Reason::leftmost}));

  Picks waiting(100800000, {100000000, 100900000});  // the skipped waits; the runner is second
  waiting.rq.skip = waiting.others[0];
  EXPECT_EQ(waiting.pick(), (std::pair{0, Reason::leftmost}));

  Picks alone(100000000, {});
  alone.bench.fair.yield_task(alone.rq);
  EXPECT_EQ(alone.rq.skip, nullptr);
}

TEST(Linux61, AWakeupThatWinsIsNext) {
  const auto wakes = [](u64 lead, Features features = {}) {
    Bench bench(1, linux61({{"vruntime_base", 100000000}}, std::move(features)));
    Runqueue& rq = bench.fair.queue(0);
    bench.run(bench.queued(0, 110000000));
    Task& woken = bench.queued(0, 110000000 - lead);
    bench.fair.check_preempt_curr(rq, woken, false);
    EXPECT_EQ(rq.last, nullptr);  // too few run
    return std::pair{rq.need_resched, rq.next == &woken};
  };
  EXPECT_EQ(wakes(1000001), (std::pair{true, true}));
  EXPECT_EQ(wakes(1000000), (std::pair{false, false}));
  EXPECT_EQ(wakes(9000000, {{"WAKEUP_PREEMPTION", false}}), (std::pair{false, false}));
  EXPECT_EQ(wakes(9000000, {{"WAKEUP_PREEMPT", false}}), (std::pair{true, true}));
}

TEST(Linux61, AnIdlePolicyRunnerYieldsToAnyOther) {
  for (const auto& [policy, expected] : std::vector<std::pair<TaskPolicy, bool>>{
           {TaskPolicy::normal, true}, {TaskPolicy::batch, true}, {TaskPolicy::idle, false}}) {
    Bench bench(1, linux61({{"vruntime_base", 0}}));
    Runqueue& rq = bench.fair.queue(0);
    Task& curr = bench.task(0, 0, TaskPolicy::idle);
    bench.fair.enqueue_task(rq, curr, {});
    bench.run(curr);
    Task& woken = bench.task(0, 5000000, policy);
    bench.fair.enqueue_task(rq, woken, {});
    bench.fair.check_preempt_curr(rq, woken, false);
    EXPECT_EQ(rq.need_resched, expected);
  }
}

TEST(Linux61, AReniceStartsTheSliceAnew) {
  for (const auto& [nice, marks] : std::vector<std::pair<int, bool>>{{1, true}, {-1, false}}) {
    Bench bench(1, linux61({{"vruntime_base", 0}}));
    Runqueue& rq = bench.fair.queue(0);
    Task& curr = bench.queued(0, 2000000);
    bench.queued(0, 9000000);
    bench.run(curr);
    rq.min_vruntime = 2000000;
    curr.sum_exec = 700000;
    rq.next = &curr;
    bench.fair.renice_task(rq, curr, nice);
    EXPECT_EQ(curr.vruntime, 2000000u);
    EXPECT_EQ(rq.min_vruntime, 2000000u);
    EXPECT_EQ(curr.prev_sum_exec, 700000u);
    EXPECT_EQ(rq.next, nullptr);
    EXPECT_EQ(rq.need_resched, marks);
    EXPECT_EQ(rq.load.weight, 1024 + weight_of(nice, TaskPolicy::normal).weight);
  }
}

}  // namespace
}  // namespace impl::cfs
