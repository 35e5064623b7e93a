// SPDX-License-Identifier: Apache-2.0
// Products and reciprocals of both machine words and of 6.1: E2 to E6 of the CFS dossier, EE-2 of
// the EEVDF dossier.
#include "impl/cfs/arithmetic.h"

#include <gtest/gtest.h>

#include "impl/cfs/test_bench.h"

namespace impl::cfs {
namespace {

u64 reciprocal(Arithmetic kind, u64 weight) {
  LoadWeight load{weight, 0};
  calc_delta(kind, 1, 1, load);
  return load.inverse;
}

u64 fair(Arithmetic kind, u64 delta, int nice) {
  LoadWeight load = weight_of(nice, TaskPolicy::normal);
  return calc_delta(kind, delta, 1024, load);
}

TEST(Arithmetic, E2LazyReciprocals) {
  struct Row {
    u64 weight, word64, word32;
  };
  const std::vector<Row> rows = {{1024, 4190212, 4190212},
                                 {2048, 2096129, 2096128},
                                 {3072, 1397646, 1397646},
                                 {4096, 1048320, 1048320},
                                 {335, 12782641, 12782641},
                                 {15, 268435456, 268435456},
                                 {3, 1073741824, 1073741824},
                                 {2, 1431655766, 1431655765},
                                 {1, 2147483649, 2147483648},
                                 {88761, 48387, 48387},
                                 {100000, 42949, 42949}};
  for (const Row& row : rows) {
    EXPECT_EQ(reciprocal(Arithmetic::word64, row.weight), row.word64) << row.weight;
    EXPECT_EQ(reciprocal(Arithmetic::word32, row.weight), row.word32) << row.weight;
  }
}

TEST(Arithmetic, TheWordsDifferForTheseWeightsOnly) {
  const std::vector<u64> expected = {
      1, 2, 8, 66, 200, 602, 682, 1281, 2048, 6146, 20856, 45760, 62570, 137282, 187712};
  std::vector<u64> differing;
  for (u64 weight = 1; weight < 200'000; ++weight) {
    const u64 wide = reciprocal(Arithmetic::word64, weight);
    const u64 narrow = reciprocal(Arithmetic::word32, weight);
    if (wide == narrow) continue;
    EXPECT_EQ(wide, narrow + 1);
    differing.push_back(weight);
  }
  EXPECT_EQ(differing, expected);
}

TEST(Arithmetic, E3AGroupsWeightByWord) {
  const auto group = [](Arithmetic kind, u64 delta) {
    LoadWeight load{2048, 0};
    return calc_delta(kind, delta, 1024, load);
  };
  EXPECT_EQ(group(Arithmetic::word64, 1'000'000), 499756u);
  EXPECT_EQ(group(Arithmetic::word32, 1'000'000), 499756u);
  EXPECT_EQ(group(Arithmetic::word64, 10'000'000), 4997561u);
  EXPECT_EQ(group(Arithmetic::word32, 10'000'000), 4997559u);
}

TEST(Arithmetic, E4BranchesStepsAndSaturation) {
  const std::vector<std::array<u64, 3>> rows = {{4194304, 5237765, 39045157},
                                                {4194305, 5237765, 39045157},
                                                {4194336, 5237845, 39045753},
                                                {4194337, 5237845, 39045753},
                                                {4194400, 5237925, 39046349},
                                                {4194401, 5237925, 39046349}};
  for (const auto& [delta, nice1, nice10] : rows) {
    EXPECT_EQ(fair(Arithmetic::word64, delta, 1), nice1);
    EXPECT_EQ(fair(Arithmetic::word64, delta, 10), nice10);
  }
  const std::vector<std::pair<u64, u64>> halves = {{4194304, 2096129},
                                                   {4194305, 2096129},
                                                   {4194335, 2096129},
                                                   {4194336, 2096161},
                                                   {4194337, 2096161}};
  for (const auto& [delta, expected] : halves) {
    LoadWeight load{2048, 0};
    EXPECT_EQ(calc_delta(Arithmetic::word64, delta, 1024, load), expected);
  }
  struct Row {
    u64 delta, word64, word32;
  };
  for (const Row& row : {Row{31457216, 2147479278, 2147479278},
                         Row{31457279, 2147483648, 2147483647},
                         Row{100000000, 6826666665, 2147483647}}) {
    EXPECT_EQ(fair(Arithmetic::word64, row.delta, 19), row.word64);
    EXPECT_EQ(fair(Arithmetic::word32, row.delta, 19), row.word32);
  }
}

TEST(Arithmetic, ANarrowWordTakesTheLowHalfOfADelta) {
  constexpr u64 delta = (u64{5} << 32) + 1000;
  EXPECT_EQ(fair(Arithmetic::word32, delta, 5), 3057u);
  LoadWeight nothing{0, 0};
  EXPECT_EQ(calc_delta(Arithmetic::word32, 1000, 1024, nothing), 0u);  // the reciprocal wraps to 0
}

TEST(Arithmetic, EE2LaterKernelsRoundDown) {
  const std::vector<std::pair<int, std::array<u64, 3>>> rows = {
      {-20, {16151, 11536, 46146}},
      {-10, {150146, 107247, 428990}},
      {-5, {459339, 328099, 1312399}},
      {-1, {1122631, 801879, 3207517}},
      {1, {1748292, 1248780, 4995121}},
      {5, {4279403, 3056716, 12226865}},
      {10, {13032727, 9309090, 37236363}},
      {15, {39822222, 28444444, 113777777}},
      {19, {95573333, 68266666, 273066666}}};
  for (const auto& [nice, expected] : rows) {
    EXPECT_EQ(fair(Arithmetic::floor, 1'400'000, nice), expected[0]) << nice;
    EXPECT_EQ(fair(Arithmetic::floor, 1'000'000, nice), expected[1]) << nice;
    EXPECT_EQ(fair(Arithmetic::floor, 4'000'000, nice), expected[2]) << nice;
  }
  LoadWeight idle = weight_of(0, TaskPolicy::idle);
  EXPECT_EQ(calc_delta(Arithmetic::floor, 1'400'000, 1024, idle), 477866666u);
  EXPECT_EQ(reciprocal(Arithmetic::floor, 1024), 4194303u);  // a queue's, not the table's
  EXPECT_EQ(reciprocal(Arithmetic::floor, 3072), 1398101u);
}

// A machine word of 32 bits in the class: knob `word`, by index.
TEST(Word32, E5SlicesOfTwoDiffer) {
  Bench bench(1, with({{"word", 1}}));
  std::vector<u64> slices;
  for (int n = 1; n <= 10; ++n) {
    const Task& task = bench.queued();
    slices.push_back(bench.fair.slice(bench.fair.queue(0), task));
  }
  EXPECT_EQ(
      slices,
      (std::vector<u64>{
          5994146, 2998535, 1999349, 1499634, 1199766, 999837, 857024, 749908, 749920, 749929}));
}

TEST(Word32, ALongPeriodLosesItsTopHalf) {
  // 5000 tasks x 1 s: 5e12 ns is cut to its low word, 705032704.
  Bench bench(1, with({{"word", 1}, {"min_granularity", 1'000'000'000}, {"nr_latency", 8}}));
  for (int i = 0; i < 5000; ++i) bench.queued();
  LoadWeight load = bench.fair.queue(0).load;
  const u64 low = 5'000'000'000'000 & 0xFFFF'FFFF;
  EXPECT_EQ(bench.fair.slice(bench.fair.queue(0), bench.tasks.front()),
            calc_delta_word32(low, 1024, load));
}

TEST(Word32, E15TheTickComparesSigned) {
  for (const i64 asked : {0, 1}) {
    Bench bench(1, with({{"word", 1}, {"vruntime_base", 0}, {"tick_unsigned", asked}}));
    Task& curr = bench.queued(0, 10'000'000);
    bench.queued(0, 10'500'000);
    bench.queued(0, 10'500'000);
    bench.run(curr);
    curr.sum_exec = 1'000'000;
    EXPECT_EQ(bench.fair.check_preempt_tick(bench.fair.queue(0), curr), Reason::none);
  }
}

TEST(Word32, ACharge) {
  Bench bench(1, with({{"word", 1}, {"vruntime_base", 0}}));
  Task& curr = bench.queued(19, 0);
  bench.run(curr);
  bench.fair.set_time(100'000'000, 100);
  bench.fair.update_curr(bench.fair.queue(0));
  EXPECT_EQ(curr.vruntime, 2147483647u);
  EXPECT_EQ(curr.sum_exec, 100'000'000u);
  bench.fair.set_time(100'000'000 + (i64{1} << 32), 4395);
  bench.fair.update_curr(bench.fair.queue(0));  // a whole turn of the word: nothing to charge
  EXPECT_EQ(curr.sum_exec, 100'000'000u);
  EXPECT_EQ(curr.exec_start, 100'000'000u);
}

}  // namespace
}  // namespace impl::cfs
