// SPDX-License-Identifier: Apache-2.0
#include "model/ideal/fluid.h"

#include <gtest/gtest.h>

#include "model/machine/run_log.h"

namespace fw::model::testing {
namespace {

/// Runs to the end, watched by a Fluid; checks that each queue gives away exactly its busy time.
Fluid watch(const fw::Setup& settings, Rational& total, std::int64_t& received) {
  const std::unique_ptr<Side> side = make_cfs_model(settings);
  View before;
  View after;
  side->look(before);
  Fluid fluid;
  fluid.start(before);
  int tasks = static_cast<int>(before.tasks.size());
  while (side->advance()) {
    side->look(after);
    fluid.advance(before, after);
    for (const TaskView& task : after.tasks) tasks = std::max(tasks, task.id.value + 1);
    std::swap(before, after);
  }
  total = 0;
  received = 0;
  for (int task = 0; task < tasks; ++task) {
    total += fluid.ideal_ns(TaskId{task});
    received += fluid.received_ns(TaskId{task});
  }
  return fluid;
}

TEST(Fluid, SharesByWeightWhileTheLoadLasts) {
  // Nice 0 against nice 5 (1024 : 335), while both are runnable; then the first runs alone.
  std::vector<TaskDef> tasks = {task("A", {run(100 * ms)}), task("B", {run(1 * ms)})};
  tasks[1].nice = 5;
  Rational total;
  std::int64_t received = 0;
  const Fluid fluid = watch(setup(tasks, 1, 200 * ms), total, received);
  EXPECT_EQ(received, 101 * ms);
  EXPECT_EQ(total, Rational(101 * ms));
  EXPECT_EQ(fluid.received_ns(TaskId{1}), 1 * ms);
  const Rational ideal = fluid.ideal_ns(TaskId{1});
  // B is runnable from 0 until it has had its millisecond: A's slice of 4.5 ms (to the tick), then
  // it.
  EXPECT_EQ(ideal, Rational(6 * ms * 335, 1359));
  EXPECT_EQ(fluid.lag_ns(TaskId{0}) + fluid.lag_ns(TaskId{1}), 0);
}

TEST(Fluid, TwoEqualHogsGetHalfEach) {
  Rational total;
  std::int64_t received = 0;
  const Fluid fluid =
      watch(setup({task("A", {run(1000 * ms)}), task("B", {run(1000 * ms)})}, 1, 20 * ms + 1),
            total,
            received);
  EXPECT_EQ(fluid.ideal_ns(TaskId{0}), Rational(10 * ms));
  EXPECT_EQ(fluid.lag_ns(TaskId{0}), Rational(-1 * ms));
  EXPECT_EQ(fluid.lag_ns(TaskId{1}), Rational(1 * ms));
}

TEST(Fluid, IdealAndRealTimeBalanceOnSeveralCpusWithForksAndRenices) {
  std::vector<TaskDef> tasks = {task("A", {run(3 * ms), op(OpKind::fork, "C"), sleep(ms)}, 20),
                                task("B", {run(700'000), sleep(300'000)}, 40),
                                task("C", {run(5 * ms)})};
  tasks[0].phases.push_back(tasks[0].phases[0]);
  tasks[0].phases[0].nice = 3;
  tasks[0].phases[1].nice = -3;
  tasks[1].instances = 3;
  tasks[2].instances = 0;
  Rational total;
  std::int64_t received = 0;
  watch(setup(tasks, 2), total, received);
  EXPECT_EQ(received, 20 * 6 * ms + 3 * 40 * 700'000 + 40 * 5 * ms);
  EXPECT_EQ(total, Rational(received));
}

TEST(Fluid, UnknownTasksHaveNothing) {
  const Fluid fluid;
  EXPECT_EQ(fluid.ideal_ns(TaskId{7}), 0);
  EXPECT_EQ(fluid.received_ns(idle_task), 0);
}

}  // namespace
}  // namespace fw::model::testing
