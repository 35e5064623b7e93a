// SPDX-License-Identifier: Apache-2.0
// The published vectors of the BFS dossier, as far as they are arithmetic. The model's own test has
// them again on whole states.
#include "model/rules/bfs.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

namespace fw::rules::bfs {
namespace {

using U = std::vector<u64>;

u64 offset(int nice, u64 rr_ms) {
  return deadline_offset(ratio(static_cast<u64>(nice + 20), false), rr_ms);
}

TEST(BfsRules, Bfs1Ratios) {
  const U n = {128,  140,  154,  169,  185,  203,  223,  245,  269,  295,  324,  356,  391,  430,
               473,  520,  572,  629,  691,  760,  836,  919,  1010, 1111, 1222, 1344, 1478, 1625,
               1787, 1965, 2161, 2377, 2614, 2875, 3162, 3478, 3825, 4207, 4627, 5089};
  const U j = {100,  110,  121,  133,  146,  160,  176,  193,  212,  233,  256,  281,  309,  339,
               372,  409,  449,  493,  542,  596,  655,  720,  792,  871,  958,  1053, 1158, 1273,
               1400, 1540, 1694, 1863, 2049, 2253, 2478, 2725, 2997, 3296, 3625, 3987};
  EXPECT_EQ(U(ratios_n.begin(), ratios_n.end()), n);
  EXPECT_EQ(U(ratios_j.begin(), ratios_j.end()), j);
  EXPECT_EQ(std::accumulate(ratios_n.begin(), ratios_n.end(), u64{0}), 54869u);
  EXPECT_EQ(std::accumulate(ratios_j.begin(), ratios_j.end(), u64{0}), 43017u);
}

TEST(BfsRules, Bfs2RrInterval) {
  const std::vector<std::pair<u64, u64>> n = {{1, 6},
                                              {2, 9},
                                              {3, 10},
                                              {4, 12},
                                              {6, 14},
                                              {8, 15},
                                              {12, 17},
                                              {16, 18},
                                              {24, 20},
                                              {32, 20},
                                              {64, 22}};
  const std::vector<std::pair<u64, u64>> j = {{1, 6}, {2, 12}, {3, 12}, {4, 18}, {8, 24}, {16, 30}};
  for (const auto& [cpus, want] : n) EXPECT_EQ(scaled_rr_interval(6, cpus, false), want) << cpus;
  for (const auto& [cpus, want] : j) EXPECT_EQ(scaled_rr_interval(6, cpus, true), want) << cpus;
  EXPECT_EQ(full_slice(9, false), 9216u);
  EXPECT_EQ(full_slice(9, true), 9000u);
}

TEST(BfsRules, Bfs3DeadlineOffsets) {
  const std::vector<int> nices = {-20, -10, -5, -1, 0, 1, 5, 10, 15, 19};
  const U want = {9437184,
                  23887872,
                  38338560,
                  56033280,
                  61636608,
                  67756032,
                  99090432,
                  159326208,
                  256425984,
                  375201792};
  for (std::size_t i = 0; i < nices.size(); ++i) EXPECT_EQ(offset(nices[i], 9), want[i]);
  EXPECT_EQ(offset(0, 6), 41091072u);
  EXPECT_EQ(offset(19, 6), 250134528u);
  EXPECT_EQ(offset(0, 18), 123273216u);
  EXPECT_EQ(offset(19, 18), 750403584u);
  // The kernel's product is a 32-bit int before it is widened: the greatest knob is safe.
  EXPECT_LT(offset(19, 51), u64{1} << 31);
  EXPECT_GE(offset(19, 52), u64{1} << 31);
  EXPECT_EQ(deadline_offset_j<u64>(ratio(20, true), 6, 1000), 39u);
  EXPECT_EQ(deadline_offset_j<u64>(ratio(0, true), 6, 100), 1u);
}

TEST(BfsRules, Bfs5Charges) {
  const std::vector<std::pair<u64, u64>> fast = {
      {1000000, 976}, {2000000, 1953}, {2000001, 0}, {0, 0}, {512, 0}, {1024, 1}};
  for (const auto& [elapsed, want] : fast) {
    EXPECT_EQ(charged_slice(elapsed, u64{1'000'000}), want) << elapsed;
  }
  const std::vector<std::pair<u64, u64>> slow = {{4000000, 3906}, {8000000, 7812}, {8000001, 0}};
  for (const auto& [elapsed, want] : slow) {
    EXPECT_EQ(charged_slice(elapsed, u64{4'000'000}), want) << elapsed;
  }
}

TEST(BfsRules, Bfs6TicksOfAFreshSlice) {
  struct Row {
    u64 rr_ms, tick_ns;
    int ticks;
    s64 left;
  };
  for (const Row& row : {Row{9, 1'000'000, 10, -544},
                         Row{9, 4'000'000, 3, -2502},
                         Row{6, 1'000'000, 7, -688},
                         Row{6, 4'000'000, 2, -1668}}) {
    auto slice = static_cast<s64>(full_slice(row.rr_ms, false));
    int ticks = 0;
    while (!slice_over(slice, false)) {
      slice -= static_cast<s64>(charged_slice(row.tick_ns, row.tick_ns));
      ++ticks;
    }
    EXPECT_EQ(ticks, row.ticks);
    EXPECT_EQ(slice, row.left);
  }
  EXPECT_TRUE(slice_over(99, false));
  EXPECT_FALSE(slice_over(100, false));
  EXPECT_FALSE(slice_over(1, true));
  EXPECT_TRUE(slice_over(0, true));
  EXPECT_TRUE(can_split(200));
  EXPECT_FALSE(can_split(199));
  EXPECT_EQ(half_jiffy_us(1000), 500);
  EXPECT_EQ(half_jiffy_us(250), 2000);
}

TEST(BfsRules, Distances) {
  const u64 ms = slice_ms<u64>(ratio(20, false), 9, false);
  EXPECT_EQ(ms, 58u);
  EXPECT_EQ(distance(0, ms, false), 0u);
  EXPECT_EQ(distance(2, ms, false), 0u);
  EXPECT_EQ(distance(3, ms, false), 116u);
  EXPECT_EQ(distance(4, ms, false), 232u);
  EXPECT_EQ(slice_ms<u64>(ratio(20, true), 6, true), 39u);
  EXPECT_EQ(distance(0, u64{39}, true), 0u);
  EXPECT_EQ(distance(1, u64{39}, true), 39u);
  EXPECT_EQ(distance(3, u64{39}, true), 117u);
}

TEST(BfsRules, Bfs11Iso) {
  const u64 period = iso_period(1000, 2);
  EXPECT_EQ(period, 10'001u);
  u64 ticks = 0;
  int count = 0;
  while (!becomes_refractory(ticks, period, 70)) {
    ticks = iso_ticks_up(ticks, period);
    ++count;
  }
  EXPECT_EQ(ticks, 700'100u);
  EXPECT_EQ(count, 7001);
  EXPECT_FALSE(becomes_refractory(u64{700'070}, period, 70));
  EXPECT_TRUE(ends_refractory(u64{620'061}, period, 70));
  EXPECT_FALSE(ends_refractory(u64{620'062}, period, 70));
  EXPECT_EQ(iso_ticks_down(u64{700'100}, period), 700'029u);
  EXPECT_EQ(iso_ticks_down(u64{0}, period), 0u);
  EXPECT_EQ(iso_ticks_up(period * 100 - 100, period), period * 100);
  EXPECT_EQ(iso_ticks_up(period * 100 - 99, period), period * 100 - 99);
}

TEST(BfsRules, Bfs12ForkDepth) {
  const std::vector<std::pair<u64, u64>> rows = {
      {0, 61636608}, {1, 123273216}, {3, 246546432}, {6, 431456256}, {12, 801275904}};
  for (const auto& [depth, want] : rows) EXPECT_EQ(depth_linear(offset(0, 9), depth), want);
  EXPECT_EQ(depth_max(offset(0, 9), u64{0}), 61636608u);
  EXPECT_EQ(depth_max(offset(0, 9), u64{1}), 61636608u);
  EXPECT_EQ(depth_max(offset(0, 9), u64{3}), 184909824u);
  EXPECT_EQ(depth_level(u64{20}, u64{5}), 25u);
  EXPECT_EQ(depth_level(u64{38}, u64{5}), 39u);
}

}  // namespace
}  // namespace fw::rules::bfs
