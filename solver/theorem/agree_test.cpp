// SPDX-License-Identifier: Apache-2.0
// The rules of model/rules/cfs.h, read on 64-bit Z3 terms and on integers: the same values must
// come out. Terms are closed, so simplification decides them; nothing is searched for.
#include <gtest/gtest.h>
#include <z3++.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/rules/cfs.h"
#include "solver/theorem/bounds.h"

namespace fw::theorem {
namespace {

z3::context& context() {
  static z3::context instance;
  return instance;
}

/// A truth value as a term.
struct Formula {
  z3::expr term;
  friend Formula operator&&(const Formula& a, const Formula& b) { return {a.term && b.term}; }
  friend Formula operator||(const Formula& a, const Formula& b) { return {a.term || b.term}; }
  friend Formula operator!(const Formula& a) { return {!a.term}; }
};

/// A u64 as a term: the number type that model/rules/number.h asks for.
struct Term {
  z3::expr term;
  explicit Term(z3::expr e) : term(std::move(e)) {}
  explicit Term(std::uint64_t value) : term(context().bv_val(value, 64)) {}

  friend Term operator+(const Term& a, const Term& b) { return Term(a.term + b.term); }
  friend Term operator-(const Term& a, const Term& b) { return Term(a.term - b.term); }
  friend Term operator*(const Term& a, const Term& b) { return Term(a.term * b.term); }
  friend Term operator/(const Term& a, const Term& b) { return Term(z3::udiv(a.term, b.term)); }
  // The plain operators of z3::expr compare bit-vectors as signed.
  friend Formula operator<(const Term& a, const Term& b) { return {z3::ult(a.term, b.term)}; }
  friend Formula operator<=(const Term& a, const Term& b) { return {z3::ule(a.term, b.term)}; }
  friend Formula operator>(const Term& a, const Term& b) { return {z3::ugt(a.term, b.term)}; }
  friend Formula operator>=(const Term& a, const Term& b) { return {z3::uge(a.term, b.term)}; }
  friend Formula operator==(const Term& a, const Term& b) { return {a.term == b.term}; }
  friend Formula operator!=(const Term& a, const Term& b) { return {a.term != b.term}; }
};

Term select(const Formula& condition, const Term& yes, const Term& no) {
  return Term(z3::ite(condition.term, yes.term, no.term));
}
Term shift_right(const Term& value, unsigned bits) {
  return Term(z3::lshr(value.term, context().bv_val(bits, 64)));
}
Formula later(const Term& a, const Term& b) { return {(a.term - b.term) > 0}; }
Formula ahead_by_more(const Term& a, const Term& b, const Term& limit) {
  return {(a.term - b.term) > limit.term};
}
Term shifted_difference(const Term& a, const Term& b, unsigned bits) {
  return Term(z3::ashr(a.term - b.term, context().bv_val(bits, 64)));
}

std::uint64_t value(const Term& term) {
  std::uint64_t out = 0;
  EXPECT_TRUE(term.term.simplify().is_numeral_u64(out)) << term.term;
  return out;
}
bool value(const Formula& formula) {
  const z3::expr simple = formula.term.simplify();
  EXPECT_TRUE(simple.is_true() || simple.is_false()) << simple;
  return simple.is_true();
}

/// Values where rules change their mind: small, at the tunables, at the ring's ends.
class Draw {
 public:
  std::uint64_t time_ns() { return bits_() % 20'000'000; }
  std::uint64_t near(std::uint64_t place, std::uint64_t by) {
    return place + bits_() % (2 * by + 1) - by;
  }
  int nice() { return static_cast<int>(bits_() % 40) - 20; }
  std::uint64_t bits() { return bits_(); }

 private:
  std::mt19937_64 bits_{20'100'901};
};

rules::cfs::Load<Term> as_terms(const rules::cfs::Load<rules::u64>& load) {
  return {Term(load.weight), Term(load.inverse)};
}

constexpr int rounds = 400;

TEST(Agree, Comparisons) {
  const std::uint64_t large = ~std::uint64_t{0};
  EXPECT_TRUE(value(Term(large) > Term(1)));
  EXPECT_TRUE(value(Term(1) != Term(large) && !(Term(1) == Term(large))));
  EXPECT_TRUE(value(later(Term(1), Term(large))));
}

TEST(Agree, ChargeAndSlice) {
  using namespace rules::cfs;
  Draw draw;
  for (int i = 0; i < rounds; ++i) {
    const Load<rules::u64> load = load_of_nice(draw.nice());
    const std::uint64_t v = draw.bits();
    const std::uint64_t delta = draw.time_ns();
    EXPECT_EQ(value(charged(Term(v), Term(delta), as_terms(load))), charged(v, delta, load));
    const std::uint64_t queue = load.weight + draw.bits() % 200'000;
    EXPECT_EQ(value(slice(Term(delta), Term(load.weight), Term(queue))),
              slice(delta, load.weight, queue))
        << delta << " " << load.weight << " " << queue;
    const std::uint64_t nr = draw.bits() % 20;
    EXPECT_EQ(value(period(Term(nr), Term(8), Term(delta), Term(delta / 8))),
              period(nr, std::uint64_t{8}, delta, delta / 8));
  }
}

TEST(Agree, MinimumAndPlacement) {
  using namespace rules::cfs;
  Draw draw;
  for (int i = 0; i < rounds; ++i) {
    // Around both places where a comparison could tip over.
    const std::uint64_t base = i % 2 == 0 ? 0 : std::uint64_t{1} << 63;
    const std::uint64_t old = draw.near(base, 10'000'000);
    const std::uint64_t current = draw.near(base, 10'000'000);
    const std::uint64_t left = draw.near(base, 10'000'000);
    const bool has_current = draw.bits() % 4 != 0;
    const bool has_left = draw.bits() % 4 != 0;
    const auto truth = [](bool b) { return Formula{context().bool_val(b)}; };
    EXPECT_EQ(value(updated_min(
                  Term(old), truth(has_current), Term(current), truth(has_left), Term(left))),
              updated_min(old, has_current, current, has_left, left));
    const std::uint64_t credit = draw.time_ns();
    EXPECT_EQ(value(placed_at_wakeup(Term(left), Term(old), Term(credit))),
              placed_at_wakeup(left, old, credit));
    EXPECT_EQ(value(placed_at_fork(Term(left), Term(old), Term(credit))),
              placed_at_fork(left, old, credit));
  }
}

TEST(Agree, PreemptionAndPick) {
  using namespace rules::cfs;
  Draw draw;
  for (int i = 0; i < rounds; ++i) {
    const std::uint64_t base = i % 2 == 0 ? 0 : std::uint64_t{1} << 63;
    const std::uint64_t a = draw.near(base, 8'000'000);
    const std::uint64_t b = draw.near(base, 8'000'000);
    const std::uint64_t gran = draw.time_ns();
    EXPECT_EQ(value(overtakes(Term(a), Term(b), Term(gran))), overtakes(a, b, gran));
    EXPECT_EQ(value(buddy_allowed(Term(a), Term(b), Term(gran))), buddy_allowed(a, b, gran));
    const std::uint64_t ran = draw.time_ns();
    for (const bool as_unsigned : {false, true}) {
      EXPECT_EQ(
          value(tick_verdict(Term(ran), Term(gran), Term(750'000), Term(a), Term(b), as_unsigned)),
          tick_verdict(ran, gran, std::uint64_t{750'000}, a, b, as_unsigned));
    }
    EXPECT_EQ(value(updated_average(Term(a), Term(b))), updated_average(a, b));
    EXPECT_EQ(value(yielded(Term(a), Term(b))), yielded(a, b));
  }
}

/// The bounds' kernel arithmetic covers what the rules' fixed point really gives, in every subset
/// of a random mix.
TEST(Agree, BoundsCoverTheFixedPoint) {
  using namespace rules::cfs;
  Draw draw;
  for (int round = 0; round < rounds; ++round) {
    CfsMix mix;
    mix.arithmetic = Arithmetic::kernel;
    std::vector<Load<rules::u64>> loads;
    for (std::uint64_t n = 2 + draw.bits() % 4; n > 0; --n) {
      loads.push_back(draw.bits() % 8 == 0 ? idle_policy_load : load_of_nice(draw.nice()));
      mix.weights.push_back(loads.back().weight);
    }
    const auto ns = [&draw] { return static_cast<std::int64_t>(100'000 + draw.time_ns()); };
    const CfsLimits limits{
        ns(), ns(), static_cast<std::int64_t>(1 + draw.bits() % 6), 1'000'000, 0, 1'000'000};
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const std::int64_t run = cfs_run_limit(limits, mix, i);
      CfsMix open = mix;
      open.open = true;
      EXPECT_GE(cfs_run_limit(limits, open, i), run);
      for (std::size_t subset = 0; subset < (std::size_t{1} << loads.size()); ++subset) {
        std::uint64_t weight = 0;
        std::uint64_t nr = 0;
        for (std::size_t x = 0; x < loads.size(); ++x) {
          if (((subset >> x) & 1) == 0) continue;
          weight += loads[x].weight;
          ++nr;
        }
        if (nr < 2 || ((subset >> i) & 1) == 0) continue;
        const std::uint64_t p = period(nr,
                                       static_cast<std::uint64_t>(limits.nr_latency),
                                       static_cast<std::uint64_t>(limits.latency_ns),
                                       static_cast<std::uint64_t>(limits.min_granularity_ns));
        EXPECT_GE(run - limits.tick_ns,
                  static_cast<std::int64_t>(slice(p, loads[i].weight, weight)));
      }
      const auto cost = static_cast<std::int64_t>(fair(static_cast<std::uint64_t>(run), loads[i]));
      EXPECT_GE(cfs_budget(limits, mix, i) + cfs_charge_excess(loads[i].weight, run), cost);
      EXPECT_GE(cfs_buddy_lead(limits, mix),
                static_cast<std::int64_t>(granularity(rules::u64{1'000'000}, loads[i])));
    }
  }
}

}  // namespace
}  // namespace fw::theorem
