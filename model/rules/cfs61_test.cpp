// SPDX-License-Identifier: Apache-2.0
#include "model/rules/cfs61.h"

#include <gtest/gtest.h>

namespace fw::rules::cfs61 {
namespace {

/// EEVDF dossier, vector EE-2: the same arithmetic as 6.1's.
TEST(Cfs61Fair, RoundsDownAsTheVectorsSay) {
  struct Row {
    int nice;
    u64 of_1400000, of_1000000, of_4000000;
  };
  for (const Row& row : {Row{-20, 16151, 11536, 46146},
                         Row{-10, 150146, 107247, 428990},
                         Row{-5, 459339, 328099, 1312399},
                         Row{-1, 1122631, 801879, 3207517},
                         Row{0, 1400000, 1000000, 4000000},
                         Row{1, 1748292, 1248780, 4995121},
                         Row{5, 4279403, 3056716, 12226865},
                         Row{10, 13032727, 9309090, 37236363},
                         Row{15, 39822222, 28444444, 113777777},
                         Row{19, 95573333, 68266666, 273066666}}) {
    EXPECT_EQ(fair(1'400'000, cfs::load_of_nice(row.nice)), row.of_1400000) << row.nice;
    EXPECT_EQ(fair(1'000'000, cfs::load_of_nice(row.nice)), row.of_1000000) << row.nice;
    EXPECT_EQ(fair(4'000'000, cfs::load_of_nice(row.nice)), row.of_4000000) << row.nice;
  }
  EXPECT_EQ(fair(1'400'000, cfs::idle_policy_load), 477'866'666u);
}

TEST(Cfs61Slice, IsNeverBelowTheMinimumGranularityWithBaseSlice) {
  Tunables t;
  EXPECT_EQ(slice(t, 2, 1024, 2048), 2'999'998u);
  EXPECT_EQ(slice(t, 9, 15, 8 * 1024 + 15), 750'000u);
  t.base_slice = false;
  EXPECT_LT(slice(t, 9, 15, 8 * 1024 + 15), 13'000u);
}

TEST(Cfs61Tick, ComparesTheLeadAsSigned) {
  const Tunables t;
  EXPECT_EQ(tick_verdict(t, 1'000'000, 3'000'000, 100, 200), TickVerdict::goes_on);
  EXPECT_EQ(tick_verdict(t, 3'000'001, 3'000'000, 100, 200), TickVerdict::slice);
  EXPECT_EQ(tick_verdict(t, 749'999, 3'000'000, 9'000'000, 0), TickVerdict::goes_on);
  EXPECT_EQ(tick_verdict(t, 750'000, 3'000'000, 3'000'000, 0), TickVerdict::goes_on);
  EXPECT_EQ(tick_verdict(t, 750'000, 3'000'000, 3'000'001, 0), TickVerdict::leftmost);
  // A slice above the latency is not cut to it.
  EXPECT_EQ(tick_verdict(t, 9'000'000, 9'000'000, 100, 200), TickVerdict::goes_on);
  EXPECT_EQ(tick_verdict(t, 9'000'001, 9'000'000, 100, 200), TickVerdict::slice);
}

TEST(Cfs61Pick, PrefersNextThenLastThenSecondWithinTheGranularity) {
  const Tunables t;
  const auto at = [](u64 v) { return Ranked{v, cfs::load_of_nice(0)}; };
  const Ranked left = at(0), near = at(1'000'000), far = at(1'000'001);
  EXPECT_EQ(pick(t, left, nullptr, nullptr, nullptr), Taken::leftmost);
  EXPECT_EQ(pick(t, left, &near, &near, &near), Taken::next);
  EXPECT_EQ(pick(t, left, &near, &far, &near), Taken::last);
  EXPECT_EQ(pick(t, left, &near, &far, &far), Taken::second);
  EXPECT_EQ(pick(t, left, &far, nullptr, nullptr), Taken::leftmost);
}

}  // namespace
}  // namespace fw::rules::cfs61
