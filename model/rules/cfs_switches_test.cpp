// SPDX-License-Identifier: Apache-2.0
// E12 and the vectors of section 28 of the CFS dossier, and the switches of section 25.
#include "model/rules/cfs_switches.h"

#include <gtest/gtest.h>

#include <vector>

namespace fw::rules::cfs {
namespace {

TEST(CfsSwitches, E12DynamicMinVruntime) {
  struct Row {
    u64 charged, weight, min, current;
    bool has_left;
    u64 left, added, off, on;
  };
  const std::vector<Row> rows = {
      {3000000, 3072, 1000000, 4000000, true, 1500000, 999674, 1500000, 1999674},
      {3000000, 3072, 1000000, 4000000, true, 2500000, 999674, 2500000, 2500000},
      {1000000, 1024, 1000000, 2000000, false, 0, 999024, 2000000, 2000000},
      {5000000, 4431, 7000000, 12000000, true, 7100000, 1155235, 7100000, 8155235}};
  for (const Row& row : rows) {
    const u64 advance = floor_advance(row.charged, row.weight);
    EXPECT_EQ(advance, row.added);
    EXPECT_EQ(updated_min(row.min, true, row.current, row.has_left, row.left), row.off);
    EXPECT_EQ(updated_min_dynamic(row.min, advance, true, row.current, row.has_left, row.left),
              row.on);
    EXPECT_EQ(updated_min_dynamic(row.min, u64{0}, true, row.current, row.has_left, row.left),
              row.off);
  }
}

/// Vruntime after each charge of a task in its expensive time.
std::vector<u64> gains(const std::vector<u64>& charges, u64 window, int nice, bool v2) {
  std::vector<u64> out;
  u64 vruntime = 0;
  u64 sum_exec = 0;
  bool penalized = true;
  const u64 end = penalty_end(u64{0}, window);
  for (const u64 delta : charges) {
    sum_exec += delta;
    const u64 plain = fair(delta, load_of_nice(nice));
    const NiceCharge<u64> cost = start_nice(plain, penalized, end, sum_exec, v2);
    penalized = cost.penalized;
    vruntime += cost.virtual_ns;
    out.push_back(vruntime);
  }
  EXPECT_EQ(penalized, sum_exec <= window);
  return out;
}

TEST(CfsSwitches, R1StartNiceDoublesUpToTheChargeThatCrosses) {
  // E7's queue: the windows of a child and of its parent.
  const auto window = [](u64 nr, u64 weight, u64 queue_weight) {
    return slice(period(nr, u64{8}, u64{6000000}, u64{750000}), weight, queue_weight);
  };
  EXPECT_EQ(window(4, 1024, 4096), 1499634u);
  EXPECT_EQ(window(3, 1024, 3072), 1999349u);
  EXPECT_EQ(window(4, 335, 3072 + 335), 589789u);
  const std::vector<u64> charges = {1000000, 400000, 600000, 500000};
  EXPECT_EQ(gains(charges, 1499634, 0, false),
            (std::vector<u64>{2000000, 2800000, 4000000, 4500000}));
  EXPECT_EQ(gains(charges, 1499634, 0, true),
            (std::vector<u64>{2000000, 2800000, 3400000, 3900000}));
  EXPECT_EQ(gains({500000, 500000, 500000}, 589789, 5, false),
            (std::vector<u64>{3056716, 6113432, 7641790}));
}

TEST(CfsSwitches, StartNiceCrossesStrictlyAfterTheEnd) {
  EXPECT_TRUE(start_nice(u64{7}, true, u64{100}, u64{100}, false).penalized);
  EXPECT_FALSE(start_nice(u64{7}, true, u64{100}, u64{101}, false).penalized);
  EXPECT_EQ(start_nice(u64{7}, true, u64{100}, u64{100}, true).virtual_ns, 14u);
  EXPECT_EQ(start_nice(u64{7}, false, u64{100}, u64{0}, false).virtual_ns, 7u);
}

TEST(CfsSwitches, R2DepthOfTheForkTree) {
  const std::vector<std::pair<u64, std::pair<u64, u64>>> rows = {
      {0, {1000000, 1000000}}, {1, {2000000, 2000000}}, {4, {5000000, 16000000}}};
  for (const auto& [depth, want] : rows) {
    EXPECT_EQ(depth_charge(DepthRule::rate, u64{1000000}, depth), want.first);
    EXPECT_EQ(depth_charge(DepthRule::shift, u64{1000000}, depth), want.second);
    EXPECT_EQ(depth_charge(DepthRule::place, u64{1000000}, depth), 1000000u);
  }
  EXPECT_EQ(depth_charge(DepthRule::shift, u64{3}, u64{10}), 3u << 10);
  EXPECT_EQ(depth_charge(DepthRule::shift, u64{3}, u64{11}), 3u << 10);
  const u64 offset = depth_offset(DepthRule::place, u64{3}, u64{2000000});
  EXPECT_EQ(offset, 6000000u);
  EXPECT_EQ(depth_offset(DepthRule::rate, u64{3}, u64{2000000}), 0u);
  EXPECT_EQ(placed_at_wakeup(u64{4991000000}, 5000000000 + offset, u64{9000000}), 4997000000u);
}

TEST(CfsSwitches, LabelsChooseCreditBuddyAndExpeditedForks) {
  const Labels input = {true, false};
  const Labels timer = {false, true};
  EXPECT_TRUE(gets_credit(true, {}, {}));
  EXPECT_TRUE(gets_credit(false, {true, false}, input));
  EXPECT_FALSE(gets_credit(false, {true, false}, timer));
  EXPECT_TRUE(gets_credit(false, {false, true}, timer));
  EXPECT_FALSE(gets_credit(false, {true, true}, {}));
  // The size test is for the plain next buddy only; forks only when expedited.
  EXPECT_FALSE(becomes_next(true, false, false, {}, {}, false));
  EXPECT_TRUE(becomes_next(true, true, false, {}, {}, false));
  EXPECT_TRUE(becomes_next(false, false, false, {true, false}, input, false));
  EXPECT_FALSE(becomes_next(false, true, false, {true, false}, timer, false));
  EXPECT_FALSE(becomes_next(true, true, true, {true, true}, input, false));
  EXPECT_TRUE(becomes_next(false, false, true, {}, {}, true));
}

TEST(CfsSwitches, HotBuddyBoundaries) {
  struct Row {
    u64 source, balancing;
    bool latency, by_balancing;
  };
  for (const Row& row : {Row{2, 0, false, false}, Row{3, 0, true, false}, Row{1, 1, false, true}}) {
    const auto hot = [&](HotBuddyBoundary boundary) {
      return buddy_is_hot(boundary, row.source, row.balancing, u64{3});
    };
    EXPECT_TRUE(hot(HotBuddyBoundary::none));
    EXPECT_TRUE(hot(HotBuddyBoundary::source));  // a queued task's queue is never empty
    EXPECT_EQ(hot(HotBuddyBoundary::latency), row.latency);
    EXPECT_EQ(hot(HotBuddyBoundary::balancing), row.by_balancing);
  }
  EXPECT_FALSE(buddy_is_hot(HotBuddyBoundary::source, u64{0}, u64{1}, u64{3}));
}

}  // namespace
}  // namespace fw::rules::cfs
