// SPDX-License-Identifier: Apache-2.0
// The checkers' own statement of EEVDF against the dossier's vectors (EE-1 to EE-9).
#include "props/properties/eevdf_rules.h"

#include <gtest/gtest.h>

#include "props/properties/eevdf_pick.h"
#include "props/properties/eevdf_view.h"
#include "props/properties/hand.h"

namespace fw::props {
namespace {

Setup setup(const char* version, int cpus, int hz = 250) {
  fw::Setup out;
  out.spec.policy = "eevdf";
  out.spec.version = version;
  out.topology.cpus = cpus;
  out.workload.hz = hz;
  return out;
}

const exact::WeightRow& row(int nice) { return exact::weight_row(nice, false); }

View empty_view() {
  View out;
  out.cpus.resize(1);
  out.cpus[0].ints.assign(eevdf::cpu_ints, 0);
  out.cpus[0].ints[eevdf::next] = -1;
  return out;
}

void add(View& view, TaskState state, int nice, std::int64_t v, std::int64_t deadline) {
  TaskView task;
  task.id = TaskId{static_cast<std::int32_t>(view.tasks.size())};
  task.state = state;
  task.nice = nice;
  task.weight = row(nice).weight;
  task.ints[eevdf::vruntime] = v;
  task.ints[eevdf::deadline] = deadline;
  task.ints[eevdf::slice] = 1'400'000;
  if (state == TaskState::running) view.cpus[0].curr = task.id;
  if (state == TaskState::queued) view.cpus[0].queue.push_back(task.id);
  view.tasks.push_back(task);
}

TEST(EevdfRules, ScaleTheBaseSliceAndClampRequests) {
  EXPECT_EQ(eevdf::Tunables(setup("6.6", 2)).base_slice_ns, 1'500'000u);
  EXPECT_EQ(eevdf::Tunables(setup("6.18", 2)).base_slice_ns, 1'400'000u);
  EXPECT_EQ(eevdf::Tunables(setup("6.18", 16)).base_slice_ns, 2'800'000u);
  const eevdf::Tunables rules(setup("6.18", 2));
  EXPECT_EQ(rules.granted(50'000), 100'000u);
  EXPECT_EQ(rules.granted(200'000'000), 100'000'000u);
  EXPECT_EQ(eevdf::Tunables(setup("6.6", 2)).granted(300'000), 1'500'000u);
}

TEST(EevdfRules, AgreeWithTheVectorsOfVirtualTime) {
  const eevdf::Tunables rules(setup("6.18", 2));
  EXPECT_EQ(rules.vdelta(1'400'000, row(-20)), 16'151u);
  EXPECT_EQ(rules.vdelta(1'000'000, row(-5)), 328'099u);
  EXPECT_EQ(rules.vdelta(4'000'000, row(5)), 12'226'865u);
  EXPECT_EQ(rules.vdelta(1'400'000, exact::weight_row(0, true)), 477'866'666u);
  EXPECT_EQ(rules.lag_limit(1'400'000, 1'400'000, row(5)), 12'226'865);
  fw::Setup later = setup("6.18", 2);
  later.spec.knobs["lag_limit"] = 1;
  EXPECT_EQ(eevdf::Tunables(later).lag_limit(1'400'000, 1'400'000, row(-5)), 1'771'739);
}

TEST(EevdfRules, AgreeWithTheVectorsOfAverageAndLag) {
  View view = empty_view();
  add(view, TaskState::running, 0, 10'000'000, 11'400'000);
  add(view, TaskState::queued, 5, 13'000'000, 17'279'403);
  add(view, TaskState::queued, -5, 9'000'000, 9'459'339);
  eevdf::Book book;
  book.open(view, CpuId{0});
  EXPECT_EQ(book.average(), 9'527'678u);
  EXPECT_FALSE(book.eligible(10'000'000));
  EXPECT_TRUE(book.eligible(9'000'000));
  const eevdf::Tunables rules(setup("6.18", 2));
  EXPECT_EQ(book.clamped_lag(rules, *book.find(TaskId{0})), -472'322);
  EXPECT_EQ(book.clamped_lag(rules, *book.find(TaskId{1})), -3'472'322);
  EXPECT_EQ(book.clamped_lag(rules, *book.find(TaskId{2})), 527'678);
}

/// EE-9: the earliest deadline is not eligible; the answer is A.
View vector_nine() {
  View view = empty_view();
  add(view, TaskState::queued, 0, 2'000'000, 2'300'000);
  add(view, TaskState::queued, 0, 1'000'000, 2'400'000);
  add(view, TaskState::queued, 0, 3'000'000, 3'400'000);
  add(view, TaskState::queued, 10, 1'500'000, 14'532'727);
  return view;
}

TEST(EevdfRules, PickTheEarliestEligibleDeadline) {
  const View view = vector_nine();
  eevdf::Book book;
  book.open(view, CpuId{0});
  EXPECT_EQ(book.average(), 1'982'715u);
}

TEST(EevdfPick, FindsAPickThatIsNotEligible) {
  const View before = vector_nine();
  for (const int picked : {1, 0}) {
    const auto checker = make_eevdf_pick();
    ASSERT_TRUE(checker->applies(setup("6.18", 2)));
    View after = before;
    after.cpus[0].curr = TaskId{picked};
    after.tasks[static_cast<std::size_t>(picked)].state = TaskState::running;
    const auto bad =
        hand::feed(*checker,
                   StimulusKind::schedule,
                   0,
                   idle_task,
                   before,
                   after,
                   {hand::record(DecisionKind::pick, TaskId{picked}, Why::earliest_deadline)});
    EXPECT_EQ(bad.has_value(), picked == 0);
    EXPECT_GE(checker->reached(), 1);
  }
}

}  // namespace
}  // namespace fw::props
