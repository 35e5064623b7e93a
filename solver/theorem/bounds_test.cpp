// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/bounds.h"

#include <gtest/gtest.h>

#include "model/rules/cfs.h"

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

TEST(CfsLeastDebit, NoVirtualSliceOfTheRulesIsLess) {
  namespace rc = rules::cfs;
  const CfsLimits limits{24'000'000, 3'000'000, 8, 1'000'000, 0, 0};
  int close = 0;
  for (const int heavy : {-20, -10, 0, 10, 19}) {
    for (const int light : {-20, -7, 0, 5, 19}) {
      if (light < heavy) continue;
      for (std::size_t n = 2; n <= 20; ++n) {
        const auto top = rc::load_of_nice(heavy);
        const auto child = rc::load_of_nice(light);
        CfsMix mix{std::vector<std::uint64_t>(n, top.weight), true, Arithmetic::kernel};
        mix.weights[0] = child.weight;
        const auto least = static_cast<std::uint64_t>(cfs_least_debit(limits, mix));
        for (std::size_t runnable = 1; runnable <= n; ++runnable) {
          const std::uint64_t period =
              rc::period<rules::u64>(runnable, 8, limits.latency_ns, limits.min_granularity_ns);
          const std::uint64_t load = child.weight + (runnable - 1) * top.weight;
          const std::uint64_t debit = rc::fair(rc::slice(period, child.weight, load), child);
          EXPECT_GE(debit, least) << heavy << " " << light << " " << n << " " << runnable;
          close += debit < least + least / 20 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(close, 100);
}

TEST(CfsWaitForks, NeedsADebitAboveTheBuddyLead) {
  // The study's example: v_B - m is at most U = 4 ms, vs = 2 ms, no buddies, one more slot.
  const CfsMix two{{1024, 1024}, true, {}};
  EXPECT_EQ(cfs_least_debit(old_us, two), 3'000);
  EXPECT_EQ(cfs_wait_forks_bound(old_us, two, 0), 4'000 + 6'000 + 1'000 + 4'000);
  CfsLimits wide = old_us;
  wide.granularity_ns = 3'000;
  EXPECT_EQ(cfs_wait_forks_bound(wide, two, 0), INT64_MAX / 4);
}

TEST(CfsDynLead, IsTheHarmonicNumber) {
  // th = U = 60480 units, U + g the same for every N: (D - th) / U = H_{N-1}.
  CfsLimits limits{2 * 60'000, 60'000, 1'000'000, 480, 60'480, 0};
  const std::int64_t unit = 60'480;
  limits.latency_ns = 120'000;
  EXPECT_EQ(cfs_dyn_lead_bound(limits, equal(2)), 2 * unit);
  EXPECT_NEAR(static_cast<double>(cfs_dyn_lead_bound(limits, equal(3))), 2.5 * unit, 3);
  EXPECT_NEAR(static_cast<double>(cfs_dyn_lead_bound(limits, equal(4))), (2 + 5.0 / 6) * unit, 4);
  // The general recursion agrees when one weight differs by next to nothing.
  CfsMix nearly{{88760, 88761, 88761}, false, {}};
  CfsMix same{{88761, 88761, 88761}, false, {}};
  EXPECT_NEAR(static_cast<double>(cfs_dyn_lead_bound(limits, nearly)),
              static_cast<double>(cfs_dyn_lead_bound(limits, same)),
              20);
}

TEST(CfsDynSpread, IsThePlainOneForFewTasks) {
  const CfsLimits limits{120'000, 60'000, 1'000'000, 480, 60'480, 0};
  EXPECT_EQ(cfs_dyn_spread_bound(limits, equal(4)), cfs_spread_bound(limits, equal(4)));
  EXPECT_GT(cfs_dyn_spread_bound(limits, equal(5)), cfs_spread_bound(limits, equal(5)));
}

TEST(CfsLeastCharge, LosesAtMostAnEighth) {
  EXPECT_EQ(cfs_least_charge(1024), 8);
  EXPECT_EQ(cfs_least_charge(88761), 694);
  EXPECT_EQ(cfs_least_charge(15), 1);
}

}  // namespace
}  // namespace fw::theorem
