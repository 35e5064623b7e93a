// SPDX-License-Identifier: Apache-2.0
#include "solver/engine/term.h"

#include <gtest/gtest.h>

#include "model/rules/cfs.h"
#include "solver/engine/induction.h"

namespace fw::solver {
namespace {

const Int x = Int::constant("x");

TEST(Term, ConstantsAreFoldedWhileTheyFit) {
  EXPECT_EQ((Int(3) + Int(4) * Int(5)).text(), "23");
  EXPECT_EQ((Int(3) - Int(4)).text(), "(- 3 4)");
  EXPECT_EQ((Int(~std::uint64_t{0}) + Int(1)).text(), "(+ 18446744073709551615 1)");
  EXPECT_EQ((x + Int(0)).text(), "x");
  EXPECT_EQ((x * Int(1024)).text(), "(* 1024 x)");
  EXPECT_EQ(select(Int(1) < Int(2), x, Int(0)).text(), "x");
  EXPECT_EQ((Formula(true) && x < Int(2)).text(), "(< x 2)");
  EXPECT_EQ(all_of({Formula(true), x<Int(2), x> Int(0)}).text(), "(and (< x 2) (< 0 x))");
}

TEST(Term, ASymbolNamedByALiteralIsNoConstant) {
  EXPECT_FALSE(Formula("hl").known());
  EXPECT_EQ((!Formula("hl")).text(), "(not hl)");
}

TEST(Term, QuantifiersNameTheirVariablesByDepth) {
  const Formula nested = for_all([](const Task& a) {
    return exists([&](const Task& b) { return int_of("v", a) < int_of("v", b); });
  });
  EXPECT_EQ(nested.text(), "(forall ((x0 T)) (exists ((x1 T)) (< (v x0) (v x1))))");
}

TEST(Term, RulesOnConstantsGiveWhatIntegersGive) {
  using namespace rules::cfs;
  for (const int nice : {-20, -5, 0, 5, 19}) {
    const Load<rules::u64> load = load_of_nice(nice);
    const Load<Int> terms{Int(load.weight), Int(load.inverse)};
    for (const std::uint64_t d : {1ull, 1000ull, 4'194'304ull, 4'194'305ull, 1'000'000'000ull}) {
      EXPECT_EQ(fair(Int(d), terms).text(), std::to_string(fair(d, load))) << nice << " " << d;
    }
    EXPECT_EQ(lazy_inverse(Int(load.weight)).known(), lazy_inverse(load.weight));
  }
}

TEST(Term, ANiceZeroChargeIsTheIdentity) {
  using namespace rules::cfs;
  const Load<Int> unit{Int(nice_0_weight), Int(load_of_nice(0).inverse)};
  EXPECT_EQ(charged(x, Int::constant("q"), unit).text(), "(+ x q)");
}

TEST(Induction, AsksForInitiationEventsAndConclusionsWithVacuity) {
  System counter;
  counter.logic = "QF_LIA";
  counter.symbols.integer("x");
  counter.symbols.integer("x1");
  counter.initial = {{"zero", "", x == Int(0)}};
  counter.invariant = {{"positive", "", x >= Int(0)}};
  counter.kept = {{"positive", "", Int::constant("x1") >= Int(0)}};
  counter.events = {{"step",
                     {{"up", "it only goes up", Int::constant("x1") > x}},
                     {{"by one or two", "", Int::constant("x1") <= x + Int(2)}}}};
  counter.conclusions = {{"not below", "", x > Int(0) || x == Int(0)}};
  const Obligation out = induction(counter);
  ASSERT_EQ(out.queries.size(), 6u);
  EXPECT_EQ(out.queries[2].name, "event.step");
  EXPECT_EQ(out.queries[2].text,
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const x1 Int)\n"
            "; positive\n(assert (<= 0 x))\n"
            "; by one or two\n(assert (<= x1 (+ x 2)))\n; assumes up\n(assert (< x x1))\n"
            "; the goal, negated\n(assert (not (<= 0 x1)))\n(check-sat)\n");
  ASSERT_EQ(out.assumptions.size(), 1u);
  EXPECT_EQ(out.assumptions[0].name, "up");
  const Query control = event_control(without(counter, "up"), "step", "down");
  EXPECT_EQ(control.part, Part::control);
  EXPECT_EQ(control.text.find("; up"), std::string::npos);
}

}  // namespace
}  // namespace fw::solver
