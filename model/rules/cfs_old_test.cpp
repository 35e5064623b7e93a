// SPDX-License-Identifier: Apache-2.0
// E1, E9, E10 and E14 of the CFS dossier, as far as they are about 2.6.32 to 2.6.34.
#include "model/rules/cfs_old.h"

#include <gtest/gtest.h>

#include <vector>

#include "model/rules/cfs_switches.h"

namespace fw::rules::cfs {
namespace {

TEST(CfsOldRules, E1BootScalingOf32HasNoCapOnCpus) {
  EXPECT_EQ(boot_factor_32(1), 1u);
  EXPECT_EQ(boot_factor_32(3), 2u);
  EXPECT_EQ(boot_factor_32(4), 3u);
  EXPECT_EQ(boot_factor_32(16), 5u);
  EXPECT_EQ(boot_factor_32(64), 7u);
}

TEST(CfsOldRules, E9WithoutCreditASleeperStartsAtTheMinimum) {
  EXPECT_FALSE(gets_credit(false, {}, {}));
  constexpr u64 min = 5000000000;
  const std::vector<std::pair<u64, u64>> rows = {{4980000000, 5000000000},
                                                 {4991000000, 5000000000},
                                                 {4995000000, 5000000000},
                                                 {5003000000, 5003000000}};
  for (const auto& [sleeper, want] : rows) EXPECT_EQ(placed_at_wakeup(sleeper, min, u64{0}), want);
}

TEST(CfsOldRules, E10NormalizedSleeper) {
  struct Row {
    int nice;
    u64 credit, gentle, full;
  };
  const std::vector<Row> rows = {{0, 15000000, 4992500000, 4985000000},
                                 {-5, 4921499, 4997539251, 4995078501},
                                 {5, 45850747, 4977074627, 4954149253}};
  for (const Row& row : rows) {
    const u64 latency = normalized_latency(u64{15000000}, load_of_nice(row.nice));
    EXPECT_EQ(latency, row.credit);
    constexpr u64 min = 5000000000;
    EXPECT_EQ(placed_at_wakeup(u64{0}, min, sleeper_credit(latency, true)), row.gentle);
    EXPECT_EQ(placed_at_wakeup(u64{0}, min, sleeper_credit(latency, false)), row.full);
  }
}

TEST(CfsOldRules, E14AdaptiveGranularity) {
  struct Row {
    u64 ran, avg_wakeup, nr, cap, want;
  };
  const std::vector<Row> rows = {{0, 1000000, 3, 1000000, 1000000},
                                 {500000, 100000, 3, 1000000, 100000},
                                 {700000, 100000, 3, 1000000, 0},
                                 {100000, 50000, 4, 3000000, 300000},
                                 {0, 400000, 5, 3000000, 3000000}};
  for (const Row& row : rows) {
    EXPECT_EQ(adaptive_granularity(row.ran, row.avg_wakeup, row.nr, row.cap), row.want);
  }
  EXPECT_EQ(granularity(u64{300000}, load_of_nice(5)), 917015u);
}

TEST(CfsOldRules, OverlapsAreComparedWithTheMigrationCost) {
  EXPECT_TRUE(both_overlap_little(u64{499999}, u64{499999}, u64{500000}));
  EXPECT_FALSE(both_overlap_little(u64{500000}, u64{0}, u64{500000}));
  EXPECT_FALSE(both_overlap_little(u64{0}, u64{500000}, u64{500000}));
}

TEST(CfsOldRules, AffineWakeupsCompareWithoutPower) {
  EXPECT_TRUE(affine_balanced_old(u64{0}, u64{0}, u64{9999}, u64{112}));
  EXPECT_TRUE(affine_balanced_old(u64{96}, u64{1000}, u64{1024}, u64{112}));
  EXPECT_FALSE(affine_balanced_old(u64{97}, u64{1000}, u64{1024}, u64{112}));
}

}  // namespace
}  // namespace fw::rules::cfs
