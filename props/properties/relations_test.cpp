// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "props/properties/clock_shift.h"
#include "props/properties/hand.h"
#include "props/properties/noop_change.h"
#include "props/properties/rename.h"
#include "props/properties/split_run.h"

namespace fw::props {
namespace {

TEST(Relations, WantTheSameDecisions) {
  const auto relation = make_split_run();
  Decision a = hand::record(DecisionKind::pick, TaskId{1}, Why::leftmost);
  EXPECT_FALSE(relation->compare(a, a));
  Decision b = a;
  b.state[0] = 1;
  const auto found = relation->compare(a, b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "pick");
}

TEST(SplitRun, KeepsTheTotal) {
  const fw::Setup setup = hand::setup(1, 2);
  for (std::uint64_t salt = 0; salt < 20; ++salt) {
    const auto varied = make_split_run()->variant(setup, salt);
    ASSERT_TRUE(varied);
    const auto& ops = varied->workload.tasks[0].phases[0].ops;
    ASSERT_EQ(ops.size(), 2u);
    EXPECT_GT(ops[0].amount.ns, 0);
    EXPECT_GT(ops[1].amount.ns, 0);
    EXPECT_EQ(ops[0].amount.ns + ops[1].amount.ns, 1'000'000);
  }
}

TEST(NoopChange, LeavesTasksAloneThatDoChange) {
  fw::Setup setup = hand::setup(1, 2);
  setup.workload.tasks[0].nice = 3;
  setup.workload.tasks[1].phases[0].nice = 4;
  const auto varied = make_noop_change()->variant(setup, 0);
  ASSERT_TRUE(varied);
  EXPECT_EQ(varied->workload.tasks[0].phases[0].nice, 3);
  EXPECT_EQ(varied->workload.tasks[1], setup.workload.tasks[1]);
}

TEST(ClockShift, KeepsClearOfAbsoluteClockValuesOnSeveralCpus) {
  const auto single = make_clock_shift()->variant(hand::setup(1, 2), 4);
  EXPECT_LT(single->spec.knobs.at("clock_base"), 0);
  EXPECT_LT(single->spec.knobs.at("vruntime_base"), 0);
  fw::Setup setup = hand::setup(2, 2);
  EXPECT_EQ(make_clock_shift()->variant(setup, 4)->spec.knobs.count("clock_base"), 0u);
  setup.spec.knobs["clock_base"] = std::int64_t{1} << 60;
  EXPECT_GT(make_clock_shift()->variant(setup, 4)->spec.knobs.at("clock_base"),
            std::int64_t{1} << 60);
}

TEST(Rename, IsConsistentAndReversesTheOrder) {
  fw::Setup setup = hand::setup(1, 2);
  auto& ops = setup.workload.tasks[0].phases[0].ops;
  Op fork = hand::op(OpKind::fork);
  fork.ref = "t1";
  Op lock = hand::op(OpKind::lock);
  lock.ref = "a";
  Op wait = hand::op(OpKind::wait);
  wait.ref = "b";
  wait.mutex = "a";
  Op timer = hand::op(OpKind::timer);
  timer.ref = "unique7";
  ops = {fork, lock, wait, timer};
  setup.workload.spinlocks.insert("a");
  setup.workload.threads.insert("t1");
  const auto varied = make_rename()->variant(setup, 0);
  ASSERT_TRUE(varied);
  const auto& tasks = varied->workload.tasks;
  EXPECT_GT(tasks[0].name, tasks[1].name);
  const auto& renamed = tasks[0].phases[0].ops;
  EXPECT_EQ(renamed[0].ref, tasks[1].name);
  EXPECT_EQ(renamed[2].mutex, renamed[1].ref);
  EXPECT_GT(renamed[1].ref, renamed[2].ref);
  EXPECT_EQ(renamed[3].ref.rfind("unique", 0), 0u);
  EXPECT_EQ(varied->workload.spinlocks.count(renamed[1].ref), 1u);
  EXPECT_EQ(varied->workload.threads.count(tasks[1].name), 1u);
}

}  // namespace
}  // namespace fw::props
