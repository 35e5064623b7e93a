// SPDX-License-Identifier: Apache-2.0
// Whole runs with published logs: E20 of the dossier, and the CHOICE page's worked trace.
#include <gtest/gtest.h>

#include "model/machine/run_log.h"

namespace fw::model::testing {
namespace {

std::vector<TaskDef> two_hogs() {
  return {task("A", {run(1000 * ms)}), task("B", {run(1000 * ms)})};
}

TEST(CfsTrace, E20ReschedulesTheLeftOfTwoHogsAtEveryTick) {
  const RunLog got = run_all(setup(two_hogs(), 1, 20 * ms + 1));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 v 0 min 0",
      "0 cpu0 wake B-1 by start nr 2 v 0 min 0",
      "0 cpu0 pick A-0 after idle leftmost nr 2 v 0 min 0",
      "3000000 cpu0 preempt A-0 slice nr 2 v 3000000 min 0",
      "3000000 cpu0 pick B-1 after A-0 leftmost nr 2 v 0 min 0",
      "4000000 cpu0 preempt B-1 leftmost nr 2 v 1000000 min 1000000",
      "4000000 cpu0 pick B-1 after B-1 leftmost nr 2 v 1000000 min 1000000",
      "5000000 cpu0 preempt B-1 leftmost nr 2 v 2000000 min 2000000",
      "5000000 cpu0 pick B-1 after B-1 leftmost nr 2 v 2000000 min 2000000",
      "8000000 cpu0 preempt B-1 slice nr 2 v 5000000 min 3000000",
      "8000000 cpu0 pick A-0 after B-1 leftmost nr 2 v 3000000 min 3000000",
      "9000000 cpu0 preempt A-0 leftmost nr 2 v 4000000 min 4000000",
      "9000000 cpu0 pick A-0 after A-0 leftmost nr 2 v 4000000 min 4000000",
      "12000000 cpu0 preempt A-0 slice nr 2 v 7000000 min 5000000",
      "12000000 cpu0 pick B-1 after A-0 leftmost nr 2 v 5000000 min 5000000",
      "13000000 cpu0 preempt B-1 leftmost nr 2 v 6000000 min 6000000",
      "13000000 cpu0 pick B-1 after B-1 leftmost nr 2 v 6000000 min 6000000",
      "16000000 cpu0 preempt B-1 slice nr 2 v 9000000 min 7000000",
      "16000000 cpu0 pick A-0 after B-1 leftmost nr 2 v 7000000 min 7000000",
      "17000000 cpu0 preempt A-0 leftmost nr 2 v 8000000 min 8000000",
      "17000000 cpu0 pick A-0 after A-0 leftmost nr 2 v 8000000 min 8000000",
      "20000000 cpu0 preempt A-0 slice nr 2 v 11000000 min 9000000",
      "20000000 cpu0 pick B-1 after A-0 leftmost nr 2 v 9000000 min 9000000"};
  EXPECT_EQ(got.log, want);
  // "10 passes through schedule() after the first."
  EXPECT_EQ(lines_with(got, " pick ").size(), 11u);
}

TEST(CfsTrace, E20WithASignedTickSwitchesEveryThreeMilliseconds) {
  auto settings = setup(two_hogs(), 1, 20 * ms + 1);
  settings.spec.knobs["tick_unsigned"] = 0;
  const RunLog got = run_all(settings);
  const std::vector<std::string> want = {
      "0 cpu0 pick A-0 after idle leftmost nr 2 v 0 min 0",
      "3000000 cpu0 pick B-1 after A-0 leftmost nr 2 v 0 min 0",
      "6000000 cpu0 pick A-0 after B-1 leftmost nr 2 v 3000000 min 3000000",
      "9000000 cpu0 pick B-1 after A-0 leftmost nr 2 v 3000000 min 3000000",
      "12000000 cpu0 pick A-0 after B-1 leftmost nr 2 v 6000000 min 6000000",
      "15000000 cpu0 pick B-1 after A-0 leftmost nr 2 v 6000000 min 6000000",
      "18000000 cpu0 pick A-0 after B-1 leftmost nr 2 v 9000000 min 9000000"};
  EXPECT_EQ(lines_with(got, " pick "), want);
  ASSERT_EQ(got.last.tasks.size(), 2u);
  EXPECT_EQ(got.last.tasks[0].ints[0], 11 * ms);
  EXPECT_EQ(got.last.tasks[1].ints[0], 9 * ms);
}

TEST(CfsTrace, WorkedTwoCpuTraceOfTheChoicePage) {
  const RunLog got = run_all(setup(two_hogs(), 2, 1 * ms + 1));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 v 0 min 0",
      "0 cpu0 wake B-1 by start nr 2 v 0 min 0",
      "0 cpu0 pick A-0 after idle leftmost nr 2 v 0 min 0",
      "1000000 cpu1 migrate B-1 from 0 periodic nr 1 v -1000000 min 0",
      "1000000 cpu1 pick B-1 after idle only nr 1 v -1000000 min 0"};
  EXPECT_EQ(got.log, want);
  const std::vector<StimulusKind> kinds = {StimulusKind::start,
                                           StimulusKind::start,
                                           StimulusKind::schedule,
                                           StimulusKind::tick,
                                           StimulusKind::balance,
                                           StimulusKind::idle_tick,
                                           StimulusKind::balance,
                                           StimulusKind::schedule};
  std::vector<StimulusKind> got_kinds;
  for (const Stimulus& stimulus : got.stimuli) got_kinds.push_back(stimulus.kind);
  EXPECT_EQ(got_kinds, kinds);
  EXPECT_FALSE(got.stimuli[4].counts);  // CPU 0's pass moved nothing
  EXPECT_TRUE(got.stimuli[6].counts);
}

TEST(CfsTrace, StartVruntimeIsTheBaseAndKeysAreRelativeToIt) {
  auto settings = setup(two_hogs(), 1, 20 * ms + 1);
  const RunLog zero = run_all(settings);
  settings.spec.knobs.erase("vruntime_base");  // the kernel's: wraps after a millisecond
  settings.spec.knobs["clock_base"] = -5'000'000;
  const RunLog wrapped = run_all(settings);
  EXPECT_EQ(zero.log, wrapped.log);
  EXPECT_EQ(static_cast<std::uint64_t>(wrapped.last.tasks[0].ints[0]),
            static_cast<std::uint64_t>(11 * ms) - 1048576);
}

TEST(CfsTrace, TwoRunsTakeTheSameDecisions) {
  auto settings = setup(two_hogs(), 4, 200 * ms);
  settings.workload.tasks.push_back(task("C", {run(3 * ms), sleep(2 * ms)}, -1));
  settings.workload.tasks.back().instances = 5;
  EXPECT_EQ(run_all(settings).log, run_all(settings).log);
}

}  // namespace
}  // namespace fw::model::testing
