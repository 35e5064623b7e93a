// SPDX-License-Identifier: Apache-2.0
// Brute force beside the formulas: what all reachable states of small instances show.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/exact/cfs_instance.h"
#include "solver/exact/compare.h"
#include "solver/exact/schedule.h"
#include "solver/theorem/theorem.h"

namespace fw::exact {
namespace {

constexpr std::size_t limit = 1'000'000;

CfsInstance named(std::string_view name) {
  for (CfsInstance& instance : cfs_instances()) {
    if (instance.name == name) return instance;
  }
  ADD_FAILURE() << "no instance " << name;
  return {};
}

TEST(BruteForce, NoRunOfASmallInstanceExceedsAProvedBound) {
  const auto all = brute_force();
  EXPECT_GE(all.size(), 15u);
  for (const BruteForce& one : all) {
    EXPECT_TRUE(one.agrees()) << one.theorem << ", " << one.instance << ": " << one.words();
    const theorem::Theorem* row = theorem::find_theorem(one.theorem);
    ASSERT_NE(row, nullptr) << one.theorem;
    EXPECT_EQ(row->claim == theorem::Claim::refuted, !one.bound) << one.theorem;
  }
}

// Without buddies the formulas are attained, for two tasks already; with them the lead counts once
// a task, not twice.
TEST(BruteForce, WorstCasesAreThoseOfTheFormulas) {
  struct Row {
    const char* instance;
    std::int64_t spread, wait, leftmost;
    solver::Ratio share;
  };
  for (const Row& row : {Row{"2 equal tasks", 10, 14, 4, {1, 2}},
                         Row{"3 equal tasks", 10, 28, 8, {1, 3}},
                         Row{"3 tasks, one of half the weight", 10, 19, 7, {2, 5}},
                         Row{"2 equal tasks, buddies", 10, 15, 5, {1, 2}},
                         Row{"3 equal tasks, buddies", 11, 30, 10, {1, 3}},
                         Row{"3 equal tasks, forks with a debit", 5, 14, 4, {1, 3}}}) {
    const CfsWorst worst = explore_cfs(named(row.instance), limit);
    ASSERT_TRUE(worst.complete) << row.instance;
    EXPECT_EQ(worst.spread, row.spread) << row.instance;
    EXPECT_FALSE(worst.wait_unbounded) << row.instance;
    EXPECT_EQ(worst.wait, row.wait) << row.instance;
    EXPECT_EQ(worst.leftmost_wait, row.leftmost) << row.instance;
    ASSERT_TRUE(worst.share.has_value()) << row.instance;
    EXPECT_EQ(*worst.share, row.share) << row.instance;
  }
}

TEST(BruteForce, TheLongestWaitIsAPathOfThatLength) {
  const CfsWorst worst = explore_cfs(named("3 equal tasks"), limit);
  const auto runs = std::count_if(worst.worst.begin(), worst.worst.end(), [](const CfsEvent& e) {
    return e.kind == CfsEvent::Kind::run;
  });
  EXPECT_EQ(runs, worst.wait);
  EXPECT_FALSE(worst.lead.empty());
}

TEST(BruteForce, WithoutTheGapRuleTheSpreadGrowsWithoutEnd) {
  CfsInstance instance = named("2 equal tasks");
  instance.gap_rule = false;
  const CfsWorst some = explore_cfs(instance, 5'000);
  const CfsWorst more = explore_cfs(instance, 50'000);
  EXPECT_FALSE(some.complete);
  EXPECT_FALSE(more.complete);
  EXPECT_GT(some.spread, theorem::cfs_spread_bound(instance.limits, mix_of(instance)));
  EXPECT_GT(more.spread, some.spread);
}

TEST(BruteForce, ALimitThatIsTooSmallIsNoAgreement) {
  const BruteForce cut{"cfs_spread", "", "vns", 5, false, 3, 10};
  EXPECT_FALSE(cut.agrees());
  const BruteForce above{"cfs_spread", "", "vns", 5, true, 11, 10};
  EXPECT_FALSE(above.agrees());
}

TEST(Lasso, ForksWithoutADebitStarveATaskInACycle) {
  const CfsWorst worst = explore_cfs(starved_by_forks(), limit);
  ASSERT_TRUE(worst.complete);
  ASSERT_TRUE(worst.wait_unbounded);
  EXPECT_EQ(worst.share, (solver::Ratio{0, 1}));
  EXPECT_TRUE(std::any_of(worst.worst.begin(), worst.worst.end(), [](const CfsEvent& event) {
    return event.kind == CfsEvent::Kind::fork;
  }));
  const auto schedule = schedule_of(starved_by_forks(), unrolled(worst, 3), 1000);
  ASSERT_TRUE(schedule.ok()) << schedule.error().text();
  EXPECT_NE(schedule->workload.find("\"fork"), std::string::npos) << schedule->workload;
  EXPECT_EQ(schedule->observed, "child1-2-0") << schedule->workload;
  EXPECT_GT(schedule->ticks, 0);
}

TEST(Longest, AnswersOnHandMadeGraphs) {
  using solver::Step;
  const std::vector<Step> line = {
      {0, 1, 2, 0, 0}, {1, 2, 0, 0, 0}, {2, 1, 0, 0, 0}, {2, 3, 5, 0, 0}};
  const solver::Longest path = solver::longest_time(4, line);
  EXPECT_FALSE(path.unbounded);
  EXPECT_EQ(path.time, 7);
  EXPECT_EQ(path.path, (std::vector<std::uint32_t>{0, 1, 3}));
  const std::vector<Step> ring = {
      {0, 1, 0, 0, 0}, {1, 2, 3, 1, 0}, {2, 1, 0, 0, 0}, {1, 1, 4, 1, 0}};
  EXPECT_TRUE(solver::longest_time(3, ring).unbounded);
  EXPECT_EQ(solver::least_share(3, ring), (solver::Ratio{1, 4}));
  EXPECT_EQ(solver::least_share(4, line), std::nullopt);
  EXPECT_EQ(solver::way_to(4, line, 3)->size(), 3u);
  EXPECT_EQ(solver::way_to(3, {{1, 2, 1, 0, 0}}, 2), std::nullopt);
}

}  // namespace
}  // namespace fw::exact
