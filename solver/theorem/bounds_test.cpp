// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/bounds.h"

#include <gtest/gtest.h>

namespace fw::theorem {
namespace {

// Units of the study's tables: one unit = one tick.
CfsLimits ticks(std::int64_t budget, std::int64_t credit) {
  // Two equal tasks: latency / 2 + tick = budget.
  return {2 * (budget - 1), 0, 1'000'000, 1, credit, 0};
}
CfsMix equal(std::size_t count) { return {std::vector<std::uint64_t>(count, 1024), false, {}}; }

// 6 ms / 2 ms / nr_latency 3, 1 ms ticks, in us: the study's reference numbers.
constexpr CfsLimits old_us{6'000, 2'000, 3, 1'000, 6'000, 0};

TEST(CfsBudget, MatchesTheStudy) {
  EXPECT_EQ(cfs_budget_U(old_us, equal(2)), 4'000);
  EXPECT_EQ(cfs_budget_U_any(old_us, 1024), 4'000);
  EXPECT_EQ(cfs_budget_U_any(old_us, 15), 273'066);  // "about 273 ms"
  const CfsMix mixed{{1024, 335, 15}, false, {}};
  EXPECT_EQ(cfs_budget(old_us, mixed, 2), 85'879);
  EXPECT_EQ(cfs_budget_U(old_us, mixed), 85'879);
}

TEST(CfsSpread, MatchesTheStudy) {
  EXPECT_EQ(cfs_spread_bound(old_us, equal(3)), 10'000);
  EXPECT_EQ(cfs_spread_bound(old_us, {{1024, 335, 15}, false, {}}), 91'879);
  EXPECT_EQ(cfs_spread_bound(ticks(4, 6), equal(4)), 10);
}

TEST(CfsWait, MatchesTheExhaustiveGraphs) {
  EXPECT_EQ(cfs_wait_bound(ticks(4, 6), equal(2), 0), 14);
  EXPECT_EQ(cfs_wait_bound(ticks(4, 6), equal(3), 0), 28);
  EXPECT_EQ(cfs_wait_bound(ticks(4, 6), equal(4), 0), 42);
  EXPECT_EQ(cfs_wait_bound(ticks(2, 3), equal(4), 0), 21);
}

TEST(CfsWait, BuddiesAddTwoLeadsPerTask) {
  CfsLimits limits = ticks(4, 6);
  limits.granularity_ns = 1;
  EXPECT_EQ(cfs_wait_bound(limits, equal(2), 0), 16);
  EXPECT_EQ(cfs_wait_bound(limits, equal(3), 0), 32);
  EXPECT_EQ(buddy_delay_bound(limits, equal(3), 0), 4);
  EXPECT_EQ(cfs_spread_bound(limits, equal(3)), 11);
}

TEST(CfsBuddyLead, IsScaledForTheLightest) {
  CfsLimits limits = old_us;
  limits.granularity_ns = 1'000;
  EXPECT_EQ(cfs_buddy_lead(limits, {{1024, 15}, false, {}}), 68'267);  // "68 ms at nice 19"
  EXPECT_EQ(cfs_buddy_lead(old_us, {{1024, 15}, false, {}}), 0);
}

TEST(CfsBudget, AnOpenMixIsNeverTighterThanAClosedOne) {
  for (const std::uint64_t other : {3u, 15u, 335u, 1024u, 9548u, 88761u}) {
    for (const std::uint64_t own : {3u, 110u, 1024u, 88761u}) {
      CfsMix closed{{own, other, other, other, other, other}, false, {}};
      CfsMix open{{own, other}, true, {}};
      EXPECT_GE(cfs_budget(old_us, open, 0), cfs_budget(old_us, closed, 0)) << own << " " << other;
      EXPECT_GE(cfs_budget_U_any(old_us, std::min(own, other)), cfs_budget_U(old_us, closed));
    }
  }
}

TEST(CfsBudget, KernelArithmeticOnlyWidens) {
  const CfsLimits limits{24'000'000, 3'000'000, 8, 1'000'000, 12'000'000, 4'000'000};
  CfsMix mix{{88761, 1024, 15, 15, 3}, false, Arithmetic::exact};
  const std::int64_t exact_spread = cfs_spread_bound(limits, mix);
  const std::int64_t exact_wait = cfs_wait_bound(limits, mix, 1);
  mix.arithmetic = Arithmetic::kernel;
  EXPECT_GE(cfs_spread_bound(limits, mix), exact_spread);
  EXPECT_LE(cfs_spread_bound(limits, mix), exact_spread + exact_spread / 50);
  EXPECT_GT(cfs_wait_bound(limits, mix, 1), exact_wait);
}

TEST(CfsLeastCharge, LosesAtMostAnEighth) {
  EXPECT_EQ(cfs_least_charge(1024), 8);
  EXPECT_EQ(cfs_least_charge(88761), 694);
  EXPECT_EQ(cfs_least_charge(15), 1);
}

}  // namespace
}  // namespace fw::theorem
