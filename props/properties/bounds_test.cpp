// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "props/properties/cfs_bounds.h"
#include "props/properties/hand.h"
#include "props/properties/proportional_share.h"
#include "props/properties/vruntime_spread_bounded.h"
#include "props/properties/wait_bounded.h"
#include "props/properties/work_conservation.h"

namespace fw::props {
namespace {

using hand::add;
using hand::feed;

constexpr std::int64_t ms = 1'000'000;

TEST(BoundInputs, KnowTheScope) {
  fw::Setup setup = hand::setup(1, 3);
  const auto inputs = [&setup] { return cfs::bound_inputs(setup, cfs::Tunables(setup)); };
  ASSERT_TRUE(inputs());
  EXPECT_FALSE(inputs()->mix.open);
  EXPECT_EQ(inputs()->mix.weights.size(), 3u);
  EXPECT_EQ(inputs()->limits.granularity_ns, 0);  // too few tasks for buddies
  setup.workload.tasks[0].phases[0].ops.push_back(hand::op(OpKind::fork));
  EXPECT_TRUE(inputs()->mix.open);
  EXPECT_EQ(inputs()->limits.granularity_ns, ms);
  setup.workload.tasks[0].phases[0].nice = 3;
  EXPECT_FALSE(inputs());
  EXPECT_FALSE(cfs::bound_inputs(hand::setup(2, 3), cfs::Tunables(hand::setup(2, 3))));
  EXPECT_FALSE(cfs::bound_inputs(hand::setup(1, 1), cfs::Tunables(hand::setup(1, 1))));
}

View pair(std::int64_t running, std::int64_t waiting) {
  View out = hand::view(1);
  add(out, TaskState::running, running);
  add(out, TaskState::queued, waiting);
  return out;
}

TEST(VruntimeSpreadBounded, HoldsToCreditPlusBudget) {
  // Two nice-0 tasks at 6 ms: slice 3 ms + tick 1 ms + credit 3 ms, and a few ns of fixed point.
  const auto checker = make_vruntime_spread_bounded();
  ASSERT_TRUE(checker->applies(hand::setup(1, 2)));
  const View good = pair(7 * ms, 0);
  EXPECT_FALSE(feed(*checker, StimulusKind::tick, 1, idle_task, good, good));
  const View bad = pair(7 * ms + 10'000, 0);
  const auto found = feed(*checker, StimulusKind::tick, 2, idle_task, good, bad);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "spread");
  EXPECT_NEAR(checker->extreme()->bound, 7e6, 2e4);
  EXPECT_EQ(checker->reached(), 2);
}

TEST(VruntimeSpreadBounded, LeavesScopeAtAPlacementAgainstAStaleMinimum) {
  const auto checker = make_vruntime_spread_bounded();
  ASSERT_TRUE(checker->applies(hand::setup(1, 3)));
  View stale = pair(5 * ms, 6 * ms);  // minimum 0 below both
  stale.tasks[0].ints[cfs::exec_start] = 1;
  add(stale, TaskState::blocked, 0);
  EXPECT_FALSE(feed(*checker, StimulusKind::wake, 1, TaskId{2}, stale, stale));
  EXPECT_TRUE(checker->left_scope());
  const View bad = pair(70 * ms, 0);
  EXPECT_FALSE(feed(*checker, StimulusKind::tick, 2, idle_task, bad, bad));
}

TEST(WaitBounded, CountsFromQueueingToPick) {
  // (budget 4 ms + credit 3 ms + budget 4 ms) * 8/7 = about 12.6 ms.
  const auto checker = make_wait_bounded();
  ASSERT_TRUE(checker->applies(hand::setup(1, 2)));
  const View view = pair(0, 0);
  EXPECT_FALSE(feed(*checker, StimulusKind::tick, 0, idle_task, view, view));
  EXPECT_FALSE(feed(*checker, StimulusKind::tick, 12 * ms, idle_task, view, view));
  const auto found = feed(*checker, StimulusKind::tick, 13 * ms, idle_task, view, view);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "starved");
  EXPECT_EQ(found->task, TaskId{1});
}

TEST(ProportionalShare, ComparesCpuTimeByWeight) {
  fw::Setup setup = hand::setup(1, 2);
  setup.workload.tasks[1].nice = 5;
  const auto checker = make_proportional_share();
  ASSERT_TRUE(checker->applies(setup));
  View view = hand::view(1);
  add(view, TaskState::running, 0);
  add(view, TaskState::queued, 0, 0, 5);
  view.tasks[0].sum_exec_ns = 3'056'716'442;
  view.tasks[1].sum_exec_ns = 1'000'000'000;
  EXPECT_FALSE(feed(*checker, StimulusKind::tick, 1, idle_task, view, view));
  EXPECT_EQ(checker->reached(), 1);
  view.tasks[1].sum_exec_ns = 2'000'000'000;
  const auto found = feed(*checker, StimulusKind::tick, 2, idle_task, view, view);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "share");
  setup.workload.tasks[1].phases[0].ops.push_back(hand::op(OpKind::sleep, 1));
  EXPECT_FALSE(make_proportional_share()->applies(setup));
}

TEST(WorkConservation, WatchesOwnQueueAndCrowdedNeighbours) {
  const auto own = make_work_conservation();
  ASSERT_TRUE(own->applies(hand::setup(1, 2)));
  View idle = hand::view(1);
  add(idle, TaskState::queued, 0);
  EXPECT_FALSE(feed(*own, StimulusKind::start, 0, TaskId{0}, hand::view(1), idle));
  EXPECT_EQ(feed(*own, StimulusKind::tick, 1, idle_task, idle, idle)->kind, "own_queue");

  const auto checker = make_work_conservation();
  ASSERT_TRUE(checker->applies(hand::setup(2, 2)));
  View crowded = hand::view(2);
  add(crowded, TaskState::running, 0);
  add(crowded, TaskState::queued, 0);
  // min(4 ms * 64, 1000 * 2 / 10) + 3 * 4 + 4 ticks of 1 ms.
  EXPECT_FALSE(feed(*checker, StimulusKind::tick, 0, idle_task, crowded, crowded));
  EXPECT_FALSE(feed(*checker, StimulusKind::tick, 216 * ms, idle_task, crowded, crowded));
  const auto found = feed(*checker, StimulusKind::tick, 217 * ms, idle_task, crowded, crowded);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "idle_beyond_delay");
}

TEST(WorkConservation, WakesOnAnIdleCpuIfThereIsOne) {
  const auto checker = make_work_conservation();
  ASSERT_TRUE(checker->applies(hand::setup(2, 2)));
  View before = hand::view(2);
  add(before, TaskState::running, 0, 1);
  add(before, TaskState::blocked, 0, 1);
  View after = before;
  after.tasks[1].state = TaskState::queued;
  const auto found = feed(*checker, StimulusKind::wake, 0, TaskId{1}, before, after, {}, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "idle_passed_over");
  after.tasks[1].cpu = CpuId{0};
  EXPECT_FALSE(feed(*checker, StimulusKind::wake, 0, TaskId{1}, before, after, {}, 1));
  before.cpus[0].marked = true;  // its task was just taken: not known to be idle
  after.tasks[1].cpu = CpuId{1};
  EXPECT_FALSE(feed(*checker, StimulusKind::wake, 0, TaskId{1}, before, after, {}, 1));
}

}  // namespace
}  // namespace fw::props
