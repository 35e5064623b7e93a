// SPDX-License-Identifier: Apache-2.0
// The rules run on a number type that is not an integer, as the solver's terms are not: nothing is
// short-circuited, converted or compared behind its back. Results agree with the integers'.
#include "model/rules/number.h"

#include <gtest/gtest.h>

#include <vector>

#include "model/rules/cfs_balance.h"
#include "model/rules/cfs_old.h"
#include "model/rules/cfs_switches.h"

namespace fw::rules {
namespace term {

struct Bit {
  bool value;
  friend Bit operator&&(Bit a, Bit b) { return {a.value && b.value}; }
  friend Bit operator||(Bit a, Bit b) { return {a.value || b.value}; }
  friend Bit operator!(Bit a) { return {!a.value}; }
};

struct Term {
  u64 value;
  explicit Term(u64 constant) : value(constant) {}
  friend Term operator+(Term a, Term b) { return Term(a.value + b.value); }
  friend Term operator-(Term a, Term b) { return Term(a.value - b.value); }
  friend Term operator*(Term a, Term b) { return Term(a.value * b.value); }
  friend Term operator/(Term a, Term b) { return Term(a.value / b.value); }
  friend Bit operator<(Term a, Term b) { return {a.value < b.value}; }
  friend Bit operator<=(Term a, Term b) { return {a.value <= b.value}; }
  friend Bit operator>(Term a, Term b) { return {a.value > b.value}; }
  friend Bit operator>=(Term a, Term b) { return {a.value >= b.value}; }
  friend Bit operator==(Term a, Term b) { return {a.value == b.value}; }
  friend Bit operator!=(Term a, Term b) { return {a.value != b.value}; }
};
Term select(Bit condition, Term yes, Term no) { return condition.value ? yes : no; }
Term shift_right(Term a, unsigned bits) { return Term(a.value >> bits); }
Bit later(Term a, Term b) { return {rules::later(a.value, b.value)}; }
Bit ahead_by_more(Term a, Term b, Term limit) {
  return {rules::ahead_by_more(a.value, b.value, limit.value)};
}
Term shifted_difference(Term a, Term b, unsigned bits) {
  return Term(rules::shifted_difference(a.value, b.value, bits));
}

}  // namespace term

namespace {
using term::Bit;
using term::Term;
using namespace cfs;

const std::vector<u64> numbers = {0,
                                  1,
                                  15,
                                  1023,
                                  1024,
                                  2048,
                                  88761,
                                  999'999,
                                  4'194'305,
                                  6'000'000,
                                  5'000'000'000,
                                  ~u64{0} - 1048575,
                                  u64{1} << 62};

TEST(RulesOnTerms, ArithmeticOfTheFairClassAgreesWithIntegers) {
  for (const u64 a : numbers) {
    for (const u64 b : numbers) {
      const Load<u64> load = load_of_nice(5);
      const Load<Term> load_t = {Term(load.weight), Term(load.inverse)};
      EXPECT_EQ(lazy_inverse(Term(a % 100000)).value, lazy_inverse(a % 100000));
      EXPECT_EQ(charged(Term(a), Term(b), load_t).value, charged(a, b, load));
      EXPECT_EQ(
          slice(period(Term(a % 50), Term(8), Term(6000000), Term(750000)),
                Term(335),
                Term(b % 100000 + 335))
              .value,
          slice(period(a % 50, u64{8}, u64{6000000}, u64{750000}), u64{335}, b % 100000 + 335));
      EXPECT_EQ(updated_min(Term(a), Bit{true}, Term(b), Bit{a > b}, Term(a + 7)).value,
                updated_min(a, true, b, a > b, a + 7));
      EXPECT_EQ(placed_at_wakeup(Term(a), Term(b), sleeper_credit(Term(6000000), true)).value,
                placed_at_wakeup(a, b, sleeper_credit(u64{6000000}, true)));
      EXPECT_EQ(placed_at_fork(Term(a), Term(b), Term(99)).value, placed_at_fork(a, b, u64{99}));
      const Term gran = granularity(Term(1000000), load_t);
      EXPECT_EQ(gran.value, granularity(u64{1000000}, load));
      EXPECT_EQ(overtakes(Term(a), Term(b), gran).value, overtakes(a, b, gran.value));
      EXPECT_EQ(buddy_allowed(Term(a), Term(b), gran).value, buddy_allowed(a, b, gran.value));
      for (const bool as_unsigned : {true, false}) {
        EXPECT_EQ(tick_verdict(Term(a), Term(b), Term(750000), Term(a), Term(b), as_unsigned).value,
                  tick_verdict(a, b, u64{750000}, a, b, as_unsigned));
      }
      EXPECT_EQ(yielded(Term(a), Term(b)).value, yielded(a, b));
      EXPECT_EQ(updated_average(Term(a), Term(b)).value, updated_average(a, b));
      EXPECT_EQ(many_runnable(Term(a), Term(b)).value, many_runnable(a, b));
    }
  }
}

TEST(RulesOnTerms, ArithmeticOfTheOldVersionsAndTheSwitchesAgreesWithIntegers) {
  for (const u64 a : numbers) {
    for (const u64 b : numbers) {
      const Load<u64> load = lazy_load(a % 100000 + 1, Word::bits32);
      const Load<Term> load_t = lazy_load(Term(a % 100000 + 1), Word::bits32);
      EXPECT_EQ(load_t.inverse.value, load.inverse);
      EXPECT_EQ(fair(Term(b), load_t, Word::bits32).value, fair(b, load, Word::bits32));
      EXPECT_EQ(adaptive_granularity(Term(a), Term(b), Term(3), Term(1000000)).value,
                adaptive_granularity(a, b, u64{3}, u64{1000000}));
      EXPECT_EQ(floor_advance(Term(a), Term(b % 100000 + 15)).value,
                floor_advance(a, b % 100000 + 15));
      EXPECT_EQ(
          updated_min_dynamic(Term(a), Term(99), Bit{true}, Term(b), Bit{a > b}, Term(a + 7)).value,
          updated_min_dynamic(a, u64{99}, true, b, a > b, a + 7));
      for (const bool v2 : {true, false}) {
        const NiceCharge<Term> term = start_nice(Term(a), Bit{b > 9}, Term(a), Term(b), v2);
        const NiceCharge<u64> number = start_nice(a, b > 9, a, b, v2);
        EXPECT_EQ(term.virtual_ns.value, number.virtual_ns);
        EXPECT_EQ(term.penalized.value, number.penalized);
      }
      for (const DepthRule rule : {DepthRule::rate, DepthRule::shift, DepthRule::place}) {
        EXPECT_EQ(depth_charge(rule, Term(a), Term(b % 13)).value, depth_charge(rule, a, b % 13));
        EXPECT_EQ(depth_offset(rule, Term(b % 13), Term(a)).value, depth_offset(rule, b % 13, a));
      }
      for (const HotBuddyBoundary boundary : {HotBuddyBoundary::none,
                                              HotBuddyBoundary::latency,
                                              HotBuddyBoundary::source,
                                              HotBuddyBoundary::balancing}) {
        EXPECT_EQ(buddy_is_hot(boundary, Term(a), Term(b), Term(8)).value,
                  buddy_is_hot(boundary, a, b, u64{8}));
      }
      EXPECT_EQ(both_overlap_little(Term(a), Term(b), Term(500000)).value,
                both_overlap_little(a, b, u64{500000}));
    }
  }
}

TEST(RulesOnTerms, ArithmeticOfTheBalancerAgreesWithIntegers) {
  for (const u64 a : numbers) {
    for (const u64 b : numbers) {
      const u64 x = a % 1'000'000;
      const u64 y = b % 1'000'000;
      EXPECT_EQ(decayed_load(Term(x), Term(y), 3).value, decayed_load(x, y, 3));
      EXPECT_EQ(source_load(Term(x), Term(y)).value, source_load(x, y));
      EXPECT_EQ(target_load(Term(x), Term(y)).value, target_load(x, y));
      EXPECT_EQ(cache_hot(Term(a), Term(b), Term(500000)).value, cache_hot(a, b, u64{500000}));
      EXPECT_EQ(idle_average(Term(x), Term(y), Term(500000)).value,
                idle_average(x, y, u64{500000}));
      EXPECT_EQ(
          affine_balanced(Term(x), Term(1024), Term(y), Term(589), Term(335), Term(112)).value,
          affine_balanced(x, u64{1024}, y, u64{589}, u64{335}, u64{112}));
      EXPECT_EQ(affine_light(Term(x), Term(y), Term(x), Term(y)).value, affine_light(x, y, x, y));
      EXPECT_EQ(load_above_capacity(Term(x + 1), Term(1), Term(1024)).value,
                load_above_capacity(x + 1, u64{1}, u64{1024}));
      const u64 low = x < y ? x : y;
      const u64 high = low + (x < y ? y - x : x - y) + 1;
      const u64 mean = low + (high - low + 1) / 2;
      const GroupLoad<Term> busiest_t = {Term(high), Term(4096), Term(335)};
      const GroupLoad<Term> local_t = {Term(low), Term(4096), Term(335)};
      EXPECT_EQ(imbalance(busiest_t, local_t, Term(mean), Term(256), Term(2)).value,
                imbalance(GroupLoad<u64>{high, 4096, 335},
                          GroupLoad<u64>{low, 4096, 335},
                          mean,
                          u64{256},
                          u64{2}));
      EXPECT_EQ(capacity(Term(x)).value, capacity(x));
      EXPECT_EQ(load_average(Term(x), Term(589)).value, load_average(x, u64{589}));
    }
  }
}

}  // namespace
}  // namespace fw::rules
