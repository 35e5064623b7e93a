// SPDX-License-Identifier: Apache-2.0
// The published vectors of the EEVDF dossier, as far as they are arithmetic: EE-1 to EE-8, EE-11 to
// EE-14. The model's own test has them again on whole states.
#include "model/rules/eevdf.h"

#include <gtest/gtest.h>

#include <vector>

namespace fw::rules::eevdf {
namespace {

using U = std::vector<u64>;

u64 w(int nice) { return weight_of_nice(nice).weight; }

TEST(EevdfRules, EE1BaseSlices) {
  const U old_slices = {750'000, 1'500'000, 1'500'000, 2'250'000, 2'250'000, 3'000'000};
  const U new_slices = {700'000, 1'400'000, 1'400'000, 2'100'000, 2'100'000, 2'800'000};
  const std::vector<int> cpus = {1, 2, 3, 4, 7, 8};
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    EXPECT_EQ(750'000 * scaling(cpus[i]), old_slices[i]);
    EXPECT_EQ(700'000 * scaling(cpus[i]), new_slices[i]);
  }
  EXPECT_EQ(tick_ns(1000), 1'000'000u);
  EXPECT_EQ(tick_ns(250), 4'000'000u);
  EXPECT_EQ(tick_ns(100), 10'000'000u);
  EXPECT_EQ(tick_ns(300), 3'333'333u);
}

TEST(EevdfRules, EE2VirtualTimeOfADelta) {
  const U deltas = {1'400'000, 1'000'000, 4'000'000};
  const std::vector<std::pair<int, U>> rows = {{-20, {16151, 11536, 46146}},
                                               {-10, {150146, 107247, 428990}},
                                               {-5, {459339, 328099, 1312399}},
                                               {-1, {1122631, 801879, 3207517}},
                                               {0, deltas},
                                               {1, {1748292, 1248780, 4995121}},
                                               {5, {4279403, 3056716, 12226865}},
                                               {10, {13032727, 9309090, 37236363}},
                                               {15, {39822222, 28444444, 113777777}},
                                               {19, {95573333, 68266666, 273066666}}};
  for (const auto& [nice, want] : rows) {
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(vdelta(deltas[i], weight_of_nice(nice)), want[i]) << nice << " " << deltas[i];
    }
  }
  const U idle = {477'866'666, 341'333'333, 1'365'333'333};
  for (std::size_t i = 0; i < idle.size(); ++i) {
    EXPECT_EQ(vdelta(deltas[i], idle_policy_weight), idle[i]);
  }
  EXPECT_EQ(vdelta(u64{1'500'000}, weight_of_nice(-5)), 492149u);
  EXPECT_EQ(vdelta(u64{1'500'000}, weight_of_nice(5)), 4585074u);
  EXPECT_EQ(vdelta(u64{1'500'000}, weight_of_nice(19)), 102399999u);
  // Section 5b: by division, no inverse table.
  EXPECT_EQ(vdelta_divided(u64{1'400'000}, weight_of_nice(5)), 4279402u);
  EXPECT_EQ(vdelta_divided(u64{1'400'000}, weight_of_nice(0)), 1'400'000u);
}

TEST(EevdfRules, LargeDeltasDoNotOverflow) {
  const u64 quarter = 7'884'000'000'000'000;
  EXPECT_EQ(vdelta(quarter, weight_of_nice(0)), quarter);
  // nice 19: about 68.27 times as much.
  const u64 slow = vdelta(quarter, weight_of_nice(19));
  EXPECT_NEAR(static_cast<double>(slow) / static_cast<double>(quarter), 1024.0 / 15, 1e-6);
  EXPECT_EQ(vdelta_divided(quarter, weight_of_nice(19)), quarter * 1024 / 15);
}

TEST(EevdfRules, EE3AverageAndEligibility) {
  EXPECT_TRUE(average<Exact>(2001 * 1024, 2048) == 1000);
  EXPECT_TRUE(eligible<Exact>(2001 * 1024, 2048, 1000));
  EXPECT_FALSE(eligible<Exact>(2001 * 1024, 2048, 1001));
  const Exact sum = -3 * 1024;
  EXPECT_TRUE(average<Exact>(sum, 2048) == -2);
  for (const int v : {-3, -2}) EXPECT_TRUE(eligible<Exact>(sum, 2048, v)) << v;
  for (const int v : {-1, 0}) EXPECT_FALSE(eligible<Exact>(sum, 2048, v)) << v;
}

TEST(EevdfRules, EE4AverageOfThreeWeights) {
  const Exact weight = w(0) + w(5) + w(-5);
  EXPECT_TRUE(weight == 4480);
  const Exact sum = Exact(w(0)) * 10'000'000 + Exact(w(5)) * 13'000'000 + Exact(w(-5)) * 9'000'000;
  EXPECT_TRUE(sum == 42'684'000'000);
  EXPECT_TRUE(average(sum, weight) == 9'527'678);
  EXPECT_FALSE(eligible<Exact>(sum, weight, 10'000'000));
  EXPECT_FALSE(eligible<Exact>(sum, weight, 13'000'000));
  EXPECT_TRUE(eligible<Exact>(sum, weight, 9'000'000));
}

TEST(EevdfRules, EE5LagLimits) {
  const std::vector<std::pair<int, std::pair<u64, u64>>> rows = {
      {0, {4'000'000, 2'800'000}}, {5, {12226865, 8558806}}, {-5, {1312399, 918679}}};
  for (const auto& [nice, want] : rows) {
    const Weight load = weight_of_nice(nice);
    EXPECT_EQ(vdelta(lag_span(u64{1'400'000}, u64{4'000'000}), load), want.first);
    EXPECT_EQ(vdelta(lag_span(u64{1'400'000}, u64{1'000'000}), load), want.second);
  }
  EXPECT_TRUE(clamped<Exact>(-3472322, 12226865) == -3472322);
  EXPECT_TRUE(clamped<Exact>(7'581'192, 4'000'000) == 4'000'000);
  EXPECT_TRUE(clamped<Exact>(-352'418'808, 273066666) == -273066666);
}

TEST(EevdfRules, EE6Inflation) {
  const std::vector<std::pair<int, std::pair<s64, s64>>> rows = {{0, {700'000, 1'050'000}},
                                                                 {0, {-700'000, -1'050'000}},
                                                                 {0, {1, 1}},
                                                                 {0, {-1, -1}},
                                                                 {5, {700'000, 814'501}},
                                                                 {-5, {-333'333, -841'307}},
                                                                 {19, {5'000'000, 5'036'621}}};
  for (const auto& [nice, lag] : rows) {
    EXPECT_TRUE(inflated<Exact>(lag.first, 2048, w(nice)) == lag.second) << nice;
  }
}

TEST(EevdfRules, EE8Expiry) {
  EXPECT_FALSE(expired(u64{11'399'999}, u64{11'400'000}));
  EXPECT_TRUE(expired(u64{11'400'000}, u64{11'400'000}));
  EXPECT_TRUE(expired(u64{5}, u64{0} - 5));  // across the wrap
}

TEST(EevdfRules, EE11WeightChange) {
  EXPECT_TRUE(rescaled<Exact>(-250'000, w(0), w(5)) == -764'179);
  EXPECT_TRUE(inflated<Exact>(-764'179, w(0), w(5)) == -1'014'178);
  EXPECT_TRUE(rescaled<Exact>(1'200'000, w(0), w(5)) == 3'668'059);
  EXPECT_TRUE(inflated<Exact>(-764'179, w(0) + w(5), w(5)) == -952'552);
}

TEST(EevdfRules, EE12ProtectionAndRequests) {
  const auto until = [](u64 least, int nice) {
    const Weight load = weight_of_nice(nice);
    const u64 span = minimum(least, u64{1'400'000});
    return protected_until(u64{5'000'000},
                           5'000'000 + vdelta(u64{1'400'000}, load),
                           u64{1'400'000},
                           span,
                           vdelta(span, load));
  };
  EXPECT_EQ(until(2'000'000, 0), 6'400'000u);
  EXPECT_EQ(until(300'000, 0), 5'300'000u);
  EXPECT_EQ(until(100'000, 0), 5'100'000u);
  EXPECT_EQ(until(1'400'000, 5), 9'279'403u);
  EXPECT_EQ(until(300'000, 5), 5'917'014u);
  EXPECT_EQ(until(100'000, 5), 5'305'671u);
  EXPECT_EQ(granted_slice(u64{50'000}), 100'000u);
  EXPECT_EQ(granted_slice(u64{200'000'000}), 100'000'000u);
  EXPECT_TRUE(within(u64{4}, u64{5}));
  EXPECT_FALSE(within(u64{5}, u64{5}));
}

TEST(EevdfRules, EE13LaterLagLimits) {
  const std::vector<std::pair<int, std::pair<u64, u64>>> rows = {{0, {5'400'000, 2'400'000}},
                                                                 {-5, {1771739, 787439}},
                                                                 {5, {16506268, 7336119}},
                                                                 {19, {368639999, 163839999}}};
  const auto limit = [](u64 greatest, u64 tick, int nice) {
    return vdelta(lag_span_later(greatest, tick), weight_of_nice(nice));
  };
  for (const auto& [nice, want] : rows) {
    EXPECT_EQ(limit(1'400'000, 4'000'000, nice), want.first);
    EXPECT_EQ(limit(1'400'000, 1'000'000, nice), want.second);
  }
  EXPECT_EQ(limit(100'000'000, 4'000'000, 0), 104'000'000u);
  EXPECT_EQ(limit(100'000'000, 1'000'000, 0), 101'000'000u);
  EXPECT_EQ(limit(100'000'000, 4'000'000, 5), 317898509u);
  EXPECT_EQ(limit(100'000'000, 1'000'000, 5), 308728360u);
}

/// A whole number that is not a built-in one, as the solver's terms are not.
struct Bit {
  bool value;
};
struct Whole {
  s64 value;
  explicit Whole(s64 constant) : value(constant) {}
  friend Whole operator+(Whole a, Whole b) { return Whole(a.value + b.value); }
  friend Whole operator-(Whole a, Whole b) { return Whole(a.value - b.value); }
  friend Whole operator*(Whole a, Whole b) { return Whole(a.value * b.value); }
  friend Bit operator<(Whole a, Whole b) { return {a.value < b.value}; }
  friend Bit operator>(Whole a, Whole b) { return {a.value > b.value}; }
  friend Bit operator>=(Whole a, Whole b) { return {a.value >= b.value}; }
};
Whole select(Bit condition, Whole yes, Whole no) { return condition.value ? yes : no; }
Whole floor_divide(Whole a, Whole b) {
  return Whole(static_cast<s64>(rules::floor_divide(Exact(a.value), Exact(b.value))));
}
Whole trunc_divide(Whole a, Whole b) { return Whole(a.value / b.value); }

TEST(EevdfRules, RunOnANumberThatIsNotAnInteger) {
  for (const s64 lag : {-7'000'001, -1, 0, 3, 5'000'000}) {
    const auto same = [&](Whole got, Exact want) { EXPECT_TRUE(got.value == want) << lag; };
    same(clamped(Whole(lag), Whole(700'000)), clamped<Exact>(lag, 700'000));
    same(inflated(Whole(lag), Whole(2048), Whole(335)), inflated<Exact>(lag, 2048, 335));
    same(rescaled(Whole(lag), Whole(1024), Whole(335)), rescaled<Exact>(lag, 1024, 335));
    same(average(Whole(lag), Whole(1359)), average<Exact>(lag, 1359));
    EXPECT_EQ(eligible(Whole(lag), Whole(1359), Whole(-1)).value, eligible<Exact>(lag, 1359, -1));
  }
}

}  // namespace
}  // namespace fw::rules::eevdf
