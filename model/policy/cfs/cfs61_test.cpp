// SPDX-License-Identifier: Apache-2.0
// Linux 6.1 step by step on one CPU, where it differs from 2.6.36. The catalogue does not offer the
// version yet: specs are built by hand.
#include <gtest/gtest.h>

#include "model/policy/cfs/state.h"

namespace fw::model::cfs {
namespace {

struct Bench {
  Config config;
  State state;
  std::vector<Decision> log;

  explicit Bench(std::map<std::string, bool> features = {}) {
    Setup setup;
    setup.spec.policy = "cfs";
    setup.spec.version = "6.1";
    setup.spec.features = std::move(features);
    setup.spec.knobs["vruntime_base"] = 0;
    config = configure(setup);
    state = initial(config, {});
  }
  Queue& queue() { return state.queues[0]; }
  Task& task(int id) { return state.tasks[static_cast<std::size_t>(id)]; }
  int add(std::uint64_t vruntime, bool runnable, int nice = 0) {
    const TaskId id{static_cast<std::int32_t>(state.tasks.size())};
    Task made = initial(config, {{id, nice, SchedClass::normal, CpuSet::first(1)}}).tasks.front();
    made.vruntime = vruntime;
    made.on_rq = runnable;
    state.tasks.push_back(made);
    if (runnable) {
      queue().list.push_back(id);
      queue().load += made.weight;
      ++queue().nr_running;
    }
    return id.value;
  }
  /// Call in the order of the vruntimes.
  int waiting(std::uint64_t vruntime, int nice = 0) {
    const int id = add(vruntime, true, nice);
    queue().tree.push_back({vruntime, TaskId{id}});
    return id;
  }
  int running(std::uint64_t vruntime, int nice = 0) {
    const int id = add(vruntime, true, nice);
    queue().curr = queue().on_cpu = TaskId{id};
    return id;
  }
  void take(StimulusKind kind, std::int64_t t, int id = -1, int nice = 0) {
    Event event;
    event.kind = kind;
    event.t = Instant{t};
    event.task = TaskId{id};
    event.nice = nice;
    Step<State> out = step(config, std::move(state), event);
    state = std::move(out.state);
    log = std::move(out.decisions);
  }
};

TEST(Cfs61Config, HasTheReleaseTunablesAndItsOwnFeatures) {
  const Bench bench({{"WAKEUP_PREEMPTION", false}, {"BASE_SLICE", false}});
  EXPECT_EQ(bench.config.latency_ns, 6'000'000u);
  EXPECT_EQ(bench.config.min_granularity_ns, 750'000u);
  EXPECT_EQ(bench.config.nr_latency, 8u);
  EXPECT_FALSE(bench.config.wakeup_preempt);
  EXPECT_FALSE(bench.config.tunables_6_1.base_slice);
}

TEST(Cfs61Wakeup, MakesThePreemptingTaskNextWithoutTheFeature) {
  Bench bench;
  const int current = bench.running(10'000'000);
  bench.queue().min_vruntime = 10'000'000;
  const int sleeper = bench.add(0, false);
  bench.take(StimulusKind::wake, 0, sleeper);
  EXPECT_EQ(bench.task(sleeper).vruntime, 7'000'000u);
  EXPECT_TRUE(bench.queue().marked);
  EXPECT_EQ(bench.queue().next.value, sleeper);
  EXPECT_TRUE(bench.queue().last.idle());  // two tasks are few
  bench.take(StimulusKind::schedule, 0);
  EXPECT_EQ(bench.queue().curr.value, sleeper);
  EXPECT_EQ(bench.log.front().why, Why::next);
  EXPECT_TRUE(bench.queue().next.idle());
  EXPECT_EQ(bench.queue().tree.front().task.value, current);
}

TEST(Cfs61Wakeup, LeavesBuddiesAloneWhenTheTickHasMarked) {
  Bench bench;
  bench.running(10'000'000);
  bench.queue().min_vruntime = 10'000'000;
  bench.queue().marked = true;
  bench.take(StimulusKind::wake, 0, bench.add(0, false));
  EXPECT_TRUE(bench.queue().next.idle());
}

TEST(Cfs61Block, LeavesTheSleeperOutOfTheFloor) {
  Bench bench;
  const int current = bench.running(1'000);
  bench.waiting(5'000);
  bench.take(StimulusKind::block, 0, current);
  EXPECT_EQ(bench.queue().min_vruntime, 5'000u);
}

TEST(Cfs61Schedule, PickedAgainTheRunningTaskKeepsItsSlice) {
  Bench bench;
  const int current = bench.running(0);
  bench.waiting(5'000'000);
  bench.take(StimulusKind::schedule, 1'000'000);
  EXPECT_EQ(bench.queue().curr.value, current);
  EXPECT_EQ(bench.task(current).sum_exec, 1'000'000u);
  EXPECT_EQ(bench.task(current).prev_sum_exec, 0u);
  EXPECT_EQ(bench.queue().tree.size(), 1u);
}

TEST(Cfs61Schedule, OfEqualsTheWaitingTaskIsTaken) {
  Bench bench;
  bench.running(4'000'000);
  const int other = bench.waiting(5'000'000);
  bench.take(StimulusKind::schedule, 1'000'000);
  EXPECT_EQ(bench.queue().curr.value, other);
}

TEST(Cfs61Yield, GivesTheSecondATurnWithinTheGranularity) {
  for (const std::uint64_t lead : {1'000'000u, 1'000'001u}) {
    Bench bench;
    const int current = bench.running(0);
    const int other = bench.waiting(lead);
    bench.take(StimulusKind::yield, 0, current);
    EXPECT_EQ(bench.queue().skip.value, current);
    bench.take(StimulusKind::schedule, 0);
    EXPECT_EQ(bench.queue().curr.value, lead == 1'000'000u ? other : current) << lead;
    EXPECT_EQ(bench.queue().skip.value, current);
  }
}

TEST(Cfs61Tick, ATaskLeftOfTheOthersGoesOn) {
  Bench bench;
  bench.running(0);
  bench.waiting(9'000'000);
  bench.take(StimulusKind::tick, 1'000'000);  // 2.6.36 marks here: its test is unsigned
  EXPECT_FALSE(bench.queue().marked);
  bench.take(StimulusKind::tick, 3'000'000);
  EXPECT_TRUE(bench.queue().marked);
  EXPECT_EQ(bench.log.front().why, Why::slice);
}

TEST(Cfs61Renice, KeepsTheVruntimeAndMarksOnlyTheWeaker) {
  Bench bench;
  const int current = bench.running(1'000);
  bench.waiting(5'000);
  bench.take(StimulusKind::renice, 0, current, -5);
  EXPECT_FALSE(bench.queue().marked);
  EXPECT_EQ(bench.task(current).vruntime, 1'000u);
  EXPECT_EQ(bench.queue().load, 3121u + 1024u);
  bench.take(StimulusKind::renice, 0, current, 5);
  EXPECT_TRUE(bench.queue().marked);
}

}  // namespace
}  // namespace fw::model::cfs
