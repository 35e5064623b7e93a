// SPDX-License-Identifier: Apache-2.0
// The published vectors E1 to E9, E11, E13 and E15 to E18 of the CFS dossier. E10 and E14:
// cfs_old_test.cpp; E12: cfs_switches_test.cpp; E19: cfs_balance_test.cpp; E20: model/machine.
#include "model/rules/cfs.h"

#include <gtest/gtest.h>

#include <vector>

namespace fw::rules::cfs {
namespace {

using U = std::vector<u64>;

TEST(CfsRules, E1BootScaling) {
  EXPECT_EQ(boot_factor(1), 1u);
  EXPECT_EQ(boot_factor(3), 2u);
  EXPECT_EQ(boot_factor(4), 3u);
  EXPECT_EQ(boot_factor(8), 4u);
  EXPECT_EQ(boot_factor(16), 4u);
  EXPECT_EQ(boot_factor(64), 4u);
  EXPECT_EQ(recomputed_nr_latency(18'000'000, 2'250'000), 8u);
  EXPECT_EQ(recomputed_nr_latency(18'000'001, 2'250'000), 9u);
}

TEST(CfsRules, TableInversesAreRoundedButForFourRows) {
  for (int nice = -20; nice <= 19; ++nice) {
    const Load<u64> load = load_of_nice(nice);
    const u64 truncated = (u64{1} << 32) / load.weight;
    const u64 rounded = ((u64{1} << 32) + load.weight / 2) / load.weight;
    const bool odd = nice == 13 || nice == 14 || nice == 16 || nice == 17;
    EXPECT_EQ(load.inverse, odd ? truncated : rounded) << nice;
    EXPECT_TRUE(!odd || rounded == truncated + 1) << nice;
  }
}

TEST(CfsRules, E2LazyInverse) {
  const U weights_ = {1024, 2048, 3072, 4096, 335, 15, 3, 2, 1, 88761, 100000};
  const U want = {4190212,
                  2096129,
                  1397646,
                  1048320,
                  12782641,
                  268435456,
                  1073741824,
                  1431655766,
                  2147483649,
                  48387,
                  42949};
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(lazy_inverse(weights_[i]), want[i]);
  for (const u64 weight : weights_) {
    const bool odd = weight == 2048 || weight == 2 || weight == 1;
    EXPECT_EQ(lazy_inverse(weight, Word::bits32), lazy_inverse(weight) - (odd ? 1 : 0)) << weight;
  }
  EXPECT_EQ(lazy_inverse(u64{2048}, Word::bits32), 2096128u);
  EXPECT_EQ(lazy_inverse(u64{2}, Word::bits32), 1431655765u);
  EXPECT_EQ(lazy_inverse(u64{1}, Word::bits32), 2147483648u);
  EXPECT_EQ(lazy_inverse(u64{0}, Word::bits32), 0u);
  EXPECT_EQ(lazy_inverse(u64{1} << 32), 1u);
  EXPECT_EQ(lazy_inverse(u64{0}), (u64{1} << 32) + 1);
}

TEST(CfsRules, TheWordSizesDifferForFifteenSmallWeights) {
  U odd;
  for (u64 weight = 1; weight < 200'000; ++weight) {
    const u64 gap = lazy_inverse(weight) - lazy_inverse(weight, Word::bits32);
    EXPECT_LE(gap, 1u) << weight;
    if (gap != 0) odd.push_back(weight);
  }
  EXPECT_EQ(odd,
            (U{1, 2, 8, 66, 200, 602, 682, 1281, 2048, 6146, 20856, 45760, 62570, 137282, 187712}));
}

TEST(CfsRules, E3VirtualTimeOfADelta) {
  const U deltas = {1000, 1000000, 4000000, 10000000, 1000000000};
  const std::vector<std::pair<int, U>> rows = {
      {-20, {12, 11537, 46146, 115366, 11536598}},
      {-10, {107, 107248, 428990, 1072476, 107247591}},
      {-5, {328, 328100, 1312400, 3281000, 328099966}},
      {-1, {802, 801879, 3207518, 8018794, 801879406}},
      {0, deltas},
      {1, {1249, 1248780, 4995122, 12487805, 1248780489}},
      {5, {3057, 3056716, 12226866, 30567164, 3056716442}},
      {10, {9309, 9309091, 37236363, 93090909, 9309090853}},
      {19, {68267, 68266667, 273066667, 682666667, 68266666651}}};
  for (const auto& [nice, want] : rows) {
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(fair(deltas[i], load_of_nice(nice)), want[i]) << nice << " " << deltas[i];
    }
  }
  const U idle = {341333, 341333333, 1365333333, 3413333333};
  for (std::size_t i = 0; i < idle.size(); ++i)
    EXPECT_EQ(fair(deltas[i], idle_policy_load), idle[i]);
  EXPECT_EQ(fair(u64{1000000}, lazy_load(u64{2048})), 499756u);
  EXPECT_EQ(fair(u64{10000000}, lazy_load(u64{2048})), 4997561u);
  const auto short_word = [](u64 delta) {
    return fair(delta, lazy_load(u64{2048}, Word::bits32), Word::bits32);
  };
  EXPECT_EQ(short_word(1000000), 499756u);
  EXPECT_EQ(short_word(10000000), 4997559u);
}

TEST(CfsRules, E4BranchSwitchAndStep) {
  const U deltas = {4194304, 4194305, 4194336, 4194337, 4194400, 4194401};
  const U nice_1 = {5237765, 5237765, 5237845, 5237845, 5237925, 5237925};
  const U nice_10 = {39045157, 39045157, 39045753, 39045753, 39046349, 39046349};
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    EXPECT_EQ(fair(deltas[i], load_of_nice(1)), nice_1[i]);
    EXPECT_EQ(fair(deltas[i], load_of_nice(10)), nice_10[i]);
  }
  const U near = {4194304, 4194305, 4194335, 4194336, 4194337};
  const U halves = {2096129, 2096129, 2096129, 2096161, 2096161};
  for (std::size_t i = 0; i < near.size(); ++i) {
    EXPECT_EQ(scaled(near[i], u64{1024}, lazy_load(u64{2048})), halves[i]);
  }
  EXPECT_EQ(fair(u64{31457216}, load_of_nice(19)), 2147479278u);
  EXPECT_EQ(fair(u64{31457279}, load_of_nice(19)), 2147483648u);
  EXPECT_EQ(fair(u64{100000000}, load_of_nice(19)), 6826666665u);
  const auto short_word = [](u64 delta) { return fair(delta, load_of_nice(19), Word::bits32); };
  EXPECT_EQ(short_word(31457216), 2147479278u);
  EXPECT_EQ(short_word(31457279), 2147483647u);
  EXPECT_EQ(short_word(100000000), 2147483647u);
  // A delta loses what does not fit the word, at nice 0, too.
  EXPECT_EQ(fair((u64{1} << 32) + 5, load_of_nice(0), Word::bits32), 5u);
}

u64 slice_of(u64 nr, u64 nr_latency, u64 latency, u64 min, u64 weight, u64 queue_weight) {
  return slice(period(nr, nr_latency, latency, min), weight, queue_weight);
}

TEST(CfsRules, E5SlicesOfEqualTasks) {
  const U new_36 = {
      5994146, 2998537, 1999349, 1499634, 1199766, 999837, 857024, 749908, 749920, 749929};
  for (u64 n = 1; n <= new_36.size(); ++n) {
    EXPECT_EQ(slice_of(n, 8, 6000000, 750000, 1024, 1024 * n), new_36[n - 1]);
  }
  for (u64 n = 1; n <= new_36.size(); ++n) {
    EXPECT_EQ(
        slice(period(n, u64{8}, u64{6000000}, u64{750000}), u64{1024}, 1024 * n, Word::bits32),
        n == 2 ? 2998535 : new_36[n - 1]);
  }
  const U old_35 = {5994146, 2998537, 1999349, 1999512, 1999609};
  for (u64 n = 1; n <= old_35.size(); ++n) {
    EXPECT_EQ(slice_of(n, 3, 6000000, 2000000, 1024, 1024 * n), old_35[n - 1]);
  }
  const U old_32 = {4995122, 2498780, 1666124, 1249695, 999805, 999837, 999861};
  for (u64 n = 1; n <= old_32.size(); ++n) {
    EXPECT_EQ(slice_of(n, 5, 5000000, 1000000, 1024, 1024 * n), old_32[n - 1]);
  }
}

TEST(CfsRules, E6MixedSlices) {
  EXPECT_EQ(lazy_inverse(u64{5279}), 813441u);
  const std::vector<std::pair<int, std::pair<u64, u64>>> rows = {
      {-5, {3546591, 1163636}}, {0, {1163637, 1163637}}, {10, {125000, 1163636}}};
  for (const auto& [nice, want] : rows) {
    const Load<u64> load = load_of_nice(nice);
    const u64 real = slice_of(4, 8, 6000000, 750000, load.weight, 5279);
    EXPECT_EQ(real, want.first);
    EXPECT_EQ(fair(real, load), want.second);
  }
  EXPECT_EQ(lazy_inverse(u64{9551}), 449641u);
  EXPECT_EQ(slice_of(10, 8, 6000000, 750000, 1024, 9551), 804024u);
  EXPECT_EQ(slice_of(10, 8, 6000000, 750000, 335, 9551), 263034u);
}

TEST(CfsRules, E7SliceOfAChild) {
  const std::vector<std::pair<int, std::pair<u64, u64>>> rows = {
      {0, {1499634, 1499634}}, {5, {589789, 1802818}}, {-5, {3023249, 991928}}};
  for (const auto& [nice, want] : rows) {
    const Load<u64> load = load_of_nice(nice);
    const u64 real = slice_of(4, 8, 6000000, 750000, load.weight, 3072 + load.weight);
    EXPECT_EQ(real, want.first);
    EXPECT_EQ(fair(real, load), want.second);
  }
  EXPECT_EQ(slice_of(6, 5, 5000000, 1000000, 1024, 6144), 999837u);
  EXPECT_EQ(slice_of(6, 5, 5000000, 1000000, 335, 5120 + 335), 368402u);
  EXPECT_EQ(slice_of(1, 8, 6000000, 750000, 1024, 1024), 5994146u);
}

TEST(CfsRules, E8InitialPlacement) {
  constexpr u64 min = 1000000000;
  const U parents = {1000000000, 1000400000, 1002000000};
  const U with_debit = {1001499634, 1001499634, 1002000000};
  for (std::size_t i = 0; i < parents.size(); ++i) {
    EXPECT_EQ(placed_at_fork(parents[i], min, u64{1499634}), with_debit[i]);
    EXPECT_EQ(placed_at_fork(parents[i], min, u64{0}), parents[i]);
  }
}

TEST(CfsRules, E9WakeupPlacement) {
  constexpr u64 min = 5000000000;
  const U sleepers = {4980000000, 4991000000, 4995000000, 5003000000};
  const U gentle = {4991000000, 4991000000, 4995000000, 5003000000};
  const U full = {4982000000, 4991000000, 4995000000, 5003000000};
  for (std::size_t i = 0; i < sleepers.size(); ++i) {
    EXPECT_EQ(placed_at_wakeup(sleepers[i], min, sleeper_credit(u64{18000000}, true)), gentle[i]);
    EXPECT_EQ(placed_at_wakeup(sleepers[i], min, sleeper_credit(u64{18000000}, false)), full[i]);
  }
  EXPECT_EQ(placed_at_wakeup(u64{0}, u64{2000000}, sleeper_credit(u64{18000000}, true)), 0u);
}

TEST(CfsRules, E11MinVruntime) {
  EXPECT_EQ(updated_min(u64{100}, true, u64{150}, true, u64{120}), 120u);
  EXPECT_EQ(updated_min(u64{100}, true, u64{150}, true, u64{80}), 100u);
  EXPECT_EQ(updated_min(u64{100}, false, u64{0}, true, u64{130}), 130u);
  EXPECT_EQ(updated_min(u64{100}, false, u64{0}, false, u64{0}), 100u);
  EXPECT_EQ(updated_min(u64{100}, true, u64{105}, false, u64{0}), 105u);
  EXPECT_EQ(updated_min(u64{100}, true, u64{90}, false, u64{0}), 100u);
  EXPECT_EQ(updated_min(u64{0} - 50, true, u64{70}, true, u64{30}), 30u);
}

TEST(CfsRules, E13GranularityAndThreeWayTest) {
  const std::vector<std::pair<int, u64>> one = {
      {0, 1000000}, {1, 1248780}, {5, 3056716}, {-5, 328100}};
  for (const auto& [nice, want] : one) {
    EXPECT_EQ(granularity(u64{1000000}, load_of_nice(nice)), want);
  }
  EXPECT_EQ(granularity(u64{1000000}, idle_policy_load), 341333333u);
  const std::vector<std::pair<int, u64>> four = {
      {0, 3000000}, {1, 3746341}, {5, 9170149}, {-5, 984300}};
  for (const auto& [nice, want] : four) {
    EXPECT_EQ(granularity(u64{3000000}, load_of_nice(nice)), want);
  }
  EXPECT_EQ(wakeup_order(10000000, 10000000, 3056716), -1);
  EXPECT_EQ(wakeup_order(10000000, 9999999, 3056716), 0);
  EXPECT_EQ(wakeup_order(10000000, 10000000 - 3056716, 3056716), 0);
  EXPECT_EQ(wakeup_order(10000000, 10000000 - 3056717, 3056716), 1);
  EXPECT_EQ(wakeup_order(5, u64{0} - 5, 9), 1);  // across the wrap
}

TEST(CfsRules, E15Tick) {
  struct Row {
    u64 ran, current, leftmost, as_unsigned, as_signed;
  };
  const std::vector<Row> rows = {{1999349, 10000000, 9000000, 0, 0},
                                 {1999350, 10000000, 9000000, 1, 1},
                                 {700000, 20000000, 10000000, 0, 0},
                                 {1500000, 12000000, 10000651, 0, 0},
                                 {1500000, 12000000, 10000650, 2, 2},
                                 {1000000, 10000000, 10500000, 2, 0},
                                 {1000000, 10000000, 10000000, 0, 0}};
  for (const Row& row : rows) {
    const auto verdict = [&](bool as_unsigned) {
      return tick_verdict(
          row.ran, u64{1999349}, u64{750000}, row.current, row.leftmost, as_unsigned);
    };
    EXPECT_EQ(verdict(true), row.as_unsigned) << row.ran << " " << row.leftmost;
    EXPECT_EQ(verdict(false), row.as_signed) << row.ran << " " << row.leftmost;
  }
}

TEST(CfsRules, E16Buddies) {
  constexpr u64 left = 100000000;
  EXPECT_TRUE(buddy_allowed(u64{100900000}, left, u64{1000000}));
  EXPECT_TRUE(buddy_allowed(u64{101000000}, left, u64{1000000}));
  EXPECT_FALSE(buddy_allowed(u64{101000001}, left, u64{1000000}));
  EXPECT_FALSE(buddy_allowed(u64{100500000}, left, granularity(u64{1000000}, load_of_nice(-5))));
  EXPECT_TRUE(buddy_allowed(u64{102900000}, left, granularity(u64{1000000}, load_of_nice(5))));
}

TEST(CfsRules, E17ChangingCpu) {
  constexpr u64 old_min = 7000000000;
  constexpr u64 new_min = 2500000000;
  const auto woken = [](u64 vruntime) {
    return placed_at_wakeup(
        vruntime - old_min + new_min, u64{new_min}, sleeper_credit(u64{12000000}, true));
  };
  EXPECT_EQ(woken(6998500000), 2498500000u);
  EXPECT_EQ(woken(6980000000), 2494000000u);
}

TEST(CfsRules, E18Average) {
  const U samples = {0, 0, 3000000, 250000};
  const U want = {875000, 765625, 1044921, 945555};
  u64 average = 1000000;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    average = updated_average(average, samples[i]);
    EXPECT_EQ(average, want[i]);
  }
  average = 5;
  for (const u64 next : U{4, 3, 2, 1, 0, 0}) {
    average = updated_average(average, u64{0});
    EXPECT_EQ(average, next);
  }
}

TEST(CfsRules, CompatYieldGoesBehindTheRightmostUnlessItIsThere) {
  EXPECT_EQ(yielded(u64{100}, u64{150}), 151u);
  EXPECT_EQ(yielded(u64{150}, u64{150}), 151u);
  EXPECT_EQ(yielded(u64{151}, u64{150}), 151u);
}

TEST(CfsRules, SpreadIsCountedBeyondThreeLatencies) {
  EXPECT_FALSE(spread_over(18'000'000, 0, 6'000'000));
  EXPECT_TRUE(spread_over(18'000'001, 0, 6'000'000));
  EXPECT_TRUE(spread_over(0, 18'000'001, 6'000'000));
}

}  // namespace
}  // namespace fw::rules::cfs
