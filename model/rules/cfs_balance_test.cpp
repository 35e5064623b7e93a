// SPDX-License-Identifier: Apache-2.0
// E18 and E19 of the CFS dossier, and the rules of the CPU choice.
#include "model/rules/cfs_balance.h"

#include <gtest/gtest.h>

#include <array>

namespace fw::rules::cfs {
namespace {

TEST(CfsBalanceRules, E18LoadHistory) {
  const std::array<u64, 4> loads = {2048, 2048, 1024, 0};
  const std::array<std::array<u64, 5>, 4> want = {{{2048, 1024, 512, 256, 128},
                                                   {2048, 1536, 896, 480, 248},
                                                   {1024, 1280, 928, 548, 297},
                                                   {0, 640, 696, 479, 278}}};
  std::array<u64, 5> history = {};
  for (std::size_t t = 0; t < loads.size(); ++t) {
    for (unsigned i = 0; i < 5; ++i) history[i] = decayed_load(history[i], loads[t], i);
    EXPECT_EQ(history, want[t]) << t;
  }
}

TEST(CfsBalanceRules, E18PowerOfAThread) {
  EXPECT_EQ(thread_power(1), 1024u);
  EXPECT_EQ(thread_power(2), 589u);
  EXPECT_EQ(thread_power(4), 294u);
  EXPECT_EQ(capacity(u64{589}), 1u);
  EXPECT_EQ(capacity(u64{294}), 0u);
  EXPECT_EQ(capacity(u64{4096}), 4u);
}

TEST(CfsBalanceRules, E19TwoGroupsOfFour) {
  const GroupLoad<u64> busiest = {load_average(u64{1675}, u64{4096}), 4096, 335};
  const GroupLoad<u64> local = {load_average(u64{335}, u64{4096}), 4096, 335};
  EXPECT_EQ(busiest.average, 418u);
  EXPECT_EQ(local.average, 83u);
  const u64 average = load_average(u64{2010}, u64{8192});
  EXPECT_EQ(average, 251u);
  const u64 above = load_above_capacity(u64{5}, u64{4}, u64{4096});
  EXPECT_EQ(above, 256u);
  EXPECT_EQ(imbalance(busiest, local, average, above, u64{2}), 668u);
  // 2.6.32 and .33: 332 is less than a task, so the small fix makes it one.
  const u64 most = busiest.average - busiest.load_per_task;
  EXPECT_EQ(most, 83u);
  EXPECT_EQ(most * busiest.power / power_scale, 332u);
  EXPECT_EQ(imbalance(busiest, local, average, most, u64{2}, true), 335u);
}

TEST(CfsBalanceRules, E19TwoSingleCpuGroups) {
  const GroupLoad<u64> busiest = {3072, 1024, 1024};
  const GroupLoad<u64> local = {0, 1024, 0};
  const u64 above = load_above_capacity(u64{3}, u64{1}, u64{1024});
  EXPECT_EQ(imbalance(busiest, local, u64{1536}, above, u64{2}), 1536u);
  EXPECT_EQ(imbalance(busiest, local, u64{1536}, u64{3072 - 1024}, u64{2}, true), 1536u);
}

TEST(CfsBalanceRules, SmallFixMovesOneTaskWhenTheGapIsWide) {
  // Gap 1024 + 1024 >= 1024 * 2: one task, although the plain amount is 512.
  const GroupLoad<u64> busiest = {2048, 1024, 1024};
  const GroupLoad<u64> local = {1024, 1024, 1024};
  EXPECT_EQ(imbalance(busiest, local, u64{1536}, ~u64{0}, u64{2}), 1024u);
  // Gap 300: moving 1024 would only swap the sides.
  const GroupLoad<u64> near = {1324, 1024, 1024};
  EXPECT_EQ(imbalance(near, local, u64{1174}, ~u64{0}, u64{2}), 150u);
}

TEST(CfsBalanceRules, WakeAffineWeighsPowerAndImbalance) {
  const u64 factor = half_imbalance(125);
  EXPECT_EQ(factor, 112u);
  EXPECT_EQ(half_imbalance(110), 105u);
  EXPECT_TRUE(affine_balanced(u64{0}, u64{1024}, u64{0}, u64{1024}, u64{88761}, factor));
  // 100 * (1024 + 1024) <= 112 * load
  EXPECT_FALSE(affine_balanced(u64{1024}, u64{1024}, u64{1828}, u64{1024}, u64{1024}, factor));
  EXPECT_TRUE(affine_balanced(u64{1024}, u64{1024}, u64{1829}, u64{1024}, u64{1024}, factor));
  EXPECT_TRUE(affine_light(u64{1024}, u64{1024}, u64{0}, u64{1024}));
  EXPECT_FALSE(affine_light(u64{1024}, u64{1024}, u64{1}, u64{1024}));
}

TEST(CfsBalanceRules, CacheHotForTheMigrationCost) {
  EXPECT_TRUE(cache_hot(u64{499999}, u64{0}, u64{500000}));
  EXPECT_FALSE(cache_hot(u64{500000}, u64{0}, u64{500000}));
  EXPECT_FALSE(cache_hot(u64{0}, u64{0}, u64{0}));
  EXPECT_TRUE(cache_hot(u64{1} << 40, u64{0}, ~u64{0}));
  EXPECT_TRUE(cache_hot(u64{5}, u64{0} - 5, u64{500000}));  // across the wrap
}

TEST(CfsBalanceRules, IdleAverageIsCapped) {
  EXPECT_EQ(idle_average(u64{1000000}, u64{1000001}, u64{500000}), 1000000u);
  EXPECT_EQ(idle_average(u64{1000000}, u64{0}, u64{500000}), 875000u);
}

}  // namespace
}  // namespace fw::rules::cfs
