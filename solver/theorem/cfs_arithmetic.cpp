// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_arithmetic.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/rules/cfs.h"
#include "solver/engine/word.h"
#include "solver/theorem/bounds.h"

namespace fw::theorem {
namespace {

using solver::Formula;
using solver::Int;
using solver::Obligation;
using solver::Part;
using solver::Script;
using solver::Signature;
namespace rc = rules::cfs;

constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
constexpr std::uint64_t longest_charge_ns = 540'000'000'000;
constexpr std::uint64_t finest_charge_ns = std::uint64_t{1} << 22;

Int number(std::int64_t value) { return Int(static_cast<std::uint64_t>(value)); }

struct Row {
  std::string name;
  rc::Load<rules::u64> load;
  rc::Load<Int> terms() const { return {Int(load.weight), Int(load.inverse)}; }
};

std::vector<Row> all_loads() {
  std::vector<Row> out;
  for (int nice = -20; nice <= 19; ++nice) {
    const std::string name = nice < 0 ? "minus" + std::to_string(-nice) : std::to_string(nice);
    out.push_back({"nice." + name, rc::load_of_nice(nice)});
  }
  out.push_back({"idle", rc::idle_policy_load});
  return out;
}

Script charge_of(const std::string& comment, std::uint64_t least, std::uint64_t most, Int& d) {
  Signature symbols;
  d = symbols.integer("d");
  Script out("QF_LIA", symbols);
  out.about(comment);
  out.assume(Int(least) <= d && d <= Int(most), "range");
  return out;
}

/// 8 w fair(d) >= 7168 d.
Formula keeps_seven_eighths(const Int& d, const Row& row) {
  return Int(8 * row.load.weight) * rc::fair(d, row.terms()) >= Int(7168) * d;
}

/// fair(d) <= 1024 d / w + 1024 d / 2^32 + the excess of bounds.h, times 2^32 w.
Formula within_excess(const Int& d, const Row& row, std::int64_t excess_at, bool allowed) {
  const std::uint64_t w = row.load.weight;
  const Int excess = allowed ? number(cfs_charge_excess(w, excess_at)) : Int(0);
  const Int inverse_part = allowed ? Int(1024 * w) * d : Int(0);
  return Int(two32 * w) * rc::fair(d, row.terms()) <=
         Int(1024 * two32) * d + inverse_part + Int(two32 * w) * excess;
}

/// fair(d) is the nearest whole number to d * 1024 * inverse / 2^32, give or take what the first of
/// two roundings moves it, times 2^32. Not at nice 0, where the charge is the time itself.
Formula nearest(const Int& d, const Row& row, bool two_roundings) {
  if (row.load.weight == rc::nice_0_weight) return rc::fair(d, row.terms()) == d;
  const Int charged = Int(two32) * rc::fair(d, row.terms());
  const Int ideal = Int(1024 * row.load.inverse) * d;
  const Int away = Int(two32 / 2 + (two_roundings ? 32768 * row.load.inverse : 0));
  return charged <= ideal + away && ideal <= charged + away;
}

Formula first_rounding_grows(const Int& d) {
  const auto rounded = [](const Int& delta) {
    return rc::rounded_shift(delta * Int(rc::nice_0_weight), 16);
  };
  return rounded(d) <= rounded(d + Int(1));
}

void add(Obligation& out, const std::string& name, Part part, const Script& script) {
  out.queries.push_back({name, part, script.text(), false});
}

}  // namespace

namespace {

/// One fact about a charge of d ns, for one load; proved for all loads, a few in one query.
struct ChargeFact {
  const char* name;
  std::uint64_t from, to;  ///< range of d
  Formula (*fact)(const Int& d, const Row& row);
};

Formula keeps_from_minimum(const Int& d, const Row& row) {
  return implies(number(cfs_least_charge(row.load.weight)) <= d, keeps_seven_eighths(d, row));
}
Formula excess_fine(const Int& d, const Row& row) { return within_excess(d, row, 0, true); }
Formula excess_coarse(const Int& d, const Row& row) {
  return within_excess(d, row, finest_charge_ns + 1, true);
}
Formula nearest_fine(const Int& d, const Row& row) { return nearest(d, row, false); }
Formula nearest_coarse(const Int& d, const Row& row) { return nearest(d, row, true); }
Formula grows(const Int& d, const Row& row) {
  return rc::fair(d, row.terms()) <= rc::fair(d + Int(1), row.terms());
}

/// `grows` by ranges: below the switch to two roundings, above it, and (a constant) across it.
constexpr ChargeFact charge_facts[] = {
    {"keeps", 1, longest_charge_ns, keeps_from_minimum},
    {"excess-fine", 0, finest_charge_ns, excess_fine},
    {"excess-coarse", finest_charge_ns + 1, longest_charge_ns, excess_coarse},
    {"nearest-fine", 0, finest_charge_ns, nearest_fine},
    {"nearest-coarse", finest_charge_ns + 1, longest_charge_ns, nearest_coarse},
    {"grows-fine", 0, finest_charge_ns - 1, grows},
    {"grows-across", finest_charge_ns, finest_charge_ns, grows},
    {"grows-coarse", finest_charge_ns + 1, longest_charge_ns, grows}};

constexpr std::size_t loads_in_a_query = 7;

void add_facts(const ChargeFact& fact, const std::vector<Row>& loads, Obligation& out) {
  for (std::size_t at = 0; at < loads.size(); at += loads_in_a_query) {
    const std::size_t end = std::min(loads.size(), at + loads_in_a_query);
    Int d(0);
    Script script = charge_of(loads[at].name + " to " + loads[end - 1].name, fact.from, fact.to, d);
    // The first rounding of the coarse range is a step of its own, the same for every load.
    if (fact.from > finest_charge_ns) {
      script.assume(first_rounding_grows(d), "proved: grows-rounding");
    }
    std::vector<Formula> facts;
    for (std::size_t i = at; i < end; ++i) facts.push_back(fact.fact(d, loads[i]));
    add(out,
        std::string(fact.name) + "." + loads[at].name,
        Part::lemma,
        script.refute(all_of(facts)));
  }
}

}  // namespace

Obligation cfs_charge() {
  Obligation out;
  out.assumptions = {
      {"charge", "one charge is at most 540 s, so that no product reaches 2^64", ""},
      {"least charge", "for the lower bound: a charge is at least ceil(8 w / 1024) ns", ""}};
  for (const ChargeFact& fact : charge_facts) add_facts(fact, all_loads(), out);
  Int d(0);
  Script rounding = charge_of("the first rounding grows with d", 0, longest_charge_ns, d);
  add(out, "grows-rounding", Part::lemma, rounding.refute(first_rounding_grows(d)));
  const Row heavy{"nice.minus20", rc::load_of_nice(-20)};
  const Row light{"nice.5", rc::load_of_nice(5)};
  add(out,
      "vacuity.range",
      Part::vacuity,
      charge_of("range", finest_charge_ns + 1, longest_charge_ns, d));
  Script small = charge_of("charges below the minimum", 1, longest_charge_ns, d);
  add(out, "control.no-minimum-charge", Part::control, small.refute(keeps_seven_eighths(d, heavy)));
  Script exact = charge_of("no excess allowed", 1'000'000, 1'010'000, d);
  add(out,
      "control.no-excess",
      Part::control,
      exact.refute(within_excess(d, light, finest_charge_ns + 1, false)));
  Script strict = charge_of("strictly growing", 0, longest_charge_ns, d);
  add(out,
      "control.strictly-growing",
      Part::control,
      strict.refute(rc::fair(d, heavy.terms()) < rc::fair(d + Int(1), heavy.terms())));
  return out;
}

namespace {

/// A queue's weight and its cached reciprocal, as the rule computes it.
struct Queue {
  Signature symbols;
  Int weight = symbols.integer("W");
  Int inverse = symbols.integer("inv");
  Script script(const std::string& logic, std::uint64_t heaviest) const {
    Script out(logic, symbols);
    out.assume(Int(1) <= weight && weight <= Int(heaviest), "weight");
    return out;
  }
};

constexpr std::uint64_t heaviest_sum = 65536;

/// What the rule says of the reciprocal, linear in it: the quotient by W + 1.
Formula reciprocal_rule(const Queue& queue) {
  return queue.inverse == rc::lazy_inverse(queue.weight);
}

/// inv * (W + 1) <= 2^32 + W / 2 + 1
Formula reciprocal_bound(const Queue& queue) {
  return Int(2) * (queue.inverse * (queue.weight + Int(1))) <=
         Int(2 * two32) + queue.weight + Int(3);
}

/// The slices of n tasks sum to at most the period: what rounding may add to each is less than what
/// the reciprocal loses for 200 us of period.
void add_sum(Obligation& out) {
  constexpr std::uint64_t least_part = 200'000;
  Queue queue;
  Script margin = queue.script("QF_NIA", heaviest_sum);
  margin.assume(reciprocal_rule(queue), "rule");
  add(out, "vacuity.sum-margin", Part::vacuity, margin);
  const Int lost = Int(two32) - queue.weight * queue.inverse;
  const Int rounding = Int(32768) * queue.inverse + Int(two32 / 2);
  Script enough = margin;
  add(out, "sum-margin", Part::lemma, enough.refute(rounding <= Int(least_part) * lost));
  Script tight = margin;
  tight.assume(queue.weight == Int(2048), "pinned");
  add(out, "control.sum-margin", Part::control, tight.refute(rounding <= Int(10'000) * lost));

  Signature symbols;
  const Int n = symbols.integer("n");
  const Int period = symbols.integer("P");
  const Int each = symbols.integer("each");
  const Int loss = symbols.integer("loss");
  Script sum("QF_NIA", symbols);
  sum.assume(Int(1) <= n && Int(least_part) * n <= period && Int(0) <= loss && Int(0) <= each,
             "period");
  add(out, "vacuity.sum", Part::vacuity, sum);
  sum.assume(each <= Int(least_part) * loss, "margin");
  const auto product = [&](const Int& x, const Int& y) {
    sum.assume(x * y >= Int(0), "a product of numbers that are not negative");
  };
  product(period - Int(least_part) * n, loss);
  product(n, Int(least_part) * loss - each);
  add(out, "sum", Part::lemma, sum.refute(n * each <= period * loss));
}

}  // namespace

Obligation cfs_slice() {
  Obligation out;
  out.assumptions = {
      {"queue", "for the sum: the queue's weight is at most 65536", ""},
      {"period", "for the sum: the period is at least 200 us for each runnable task", ""}};
  Queue queue;
  Script reciprocal = queue.script("QF_NIA", two32 - 1);
  reciprocal.assume(reciprocal_rule(queue), "rule");
  add(out, "vacuity.reciprocal", Part::vacuity, reciprocal);
  Script bound = reciprocal;
  add(out, "reciprocal", Part::lemma, bound.refute(reciprocal_bound(queue)));
  Script wrong = reciprocal;
  wrong.assume(queue.weight == Int(2048), "pinned");
  wrong.refute(queue.inverse * queue.weight <= Int(two32) - queue.weight * Int(1024));
  add(out, "control.reciprocal-too-small", Part::control, wrong);

  // One slice: t is period * weight, s the rule's result.
  Queue one;
  const Int t = one.symbols.integer("t");
  Script slice = one.script("QF_NIA", two32 - 1);
  slice.assume(Int(0) <= one.inverse && Int(0) <= t, "signs");
  const Int s = rc::scaled(t, Int(1), rc::Load<Int>{one.weight, one.inverse});
  const Int rounding = Int(32768) * one.inverse + Int(two32 / 2);
  add(out, "vacuity.slice", Part::vacuity, slice);
  const Formula limit = Int(two32) * s <= t * one.inverse + rounding;
  Script small = slice;
  small.assume(t <= Int(two32), "one rounding");
  add(out, "slice-small", Part::lemma, small.refute(limit));
  Script large = slice;
  large.assume(t > Int(two32), "two roundings");
  add(out, "slice-large", Part::lemma, large.refute(limit));
  Script unrounded = slice;
  unrounded.assume(one.inverse == Int(rules::cfs::lazy_inverse(rules::u64{3072})), "pinned");
  add(out,
      "control.no-rounding",
      Part::control,
      unrounded.refute(Int(two32) * s <= t * one.inverse));
  add_sum(out);
  return out;
}

namespace {

using solver::Word;

/// Within 2^62 of zero, as a signed number.
Formula near(const Word& difference) {
  const Word range(std::uint64_t{1} << 62);
  return !signed_less(difference, Word(0) - range) && signed_less(difference, range);
}

/// Two places on the ring by their signed distances da, db from min_vruntime m.
Script ring(const std::string& comment, bool both_near) {
  Signature symbols;
  for (const char* name : {"da", "db", "m", "credit"}) symbols.word(name);
  Script out("QF_BV", symbols);
  out.about(comment);
  out.assume(near(Word::constant("da")), "a near m");
  if (both_near) out.assume(near(Word::constant("db")), "b near m");
  out.assume(Word::constant("credit") < Word(std::uint64_t{1} << 62), "credit");
  return out;
}

}  // namespace

Obligation cfs_ring() {
  const Word da = Word::constant("da");
  const Word db = Word::constant("db");
  const Word m = Word::constant("m");
  const Word credit = Word::constant("credit");
  const Word a = m + da;
  const Word b = m + db;
  const auto signed_max = [](const Word& x, const Word& y) {
    return select(signed_less(x, y), y, x);
  };
  const Formula order = later(a, b) == signed_less(db, da);
  const Formula comparison =
      rc::overtakes(a, b, credit) == (signed_less(db, da) && signed_less(credit, da - db));
  const Formula wakeup = rc::placed_at_wakeup(a, m, credit) == m + signed_max(da, Word(0) - credit);
  const Formula birth = rc::placed_at_fork(a, m, credit) == m + signed_max(da, credit);
  const Formula yes(true);
  const Formula minimum = !signed_less(rc::updated_min(m, yes, a, yes, b) - m, Word(0));
  Obligation out;
  out.assumptions = {{"near",
                      "every vruntime lies within 2^62 of min_vruntime; a sleeper does while "
                      "min_vruntime advances by less than 2^62",
                      ""}};
  const auto lemma = [&](const std::string& name, const Formula& goal) {
    Script script = ring(name, true);
    add(out, name, Part::lemma, script.refute(goal));
  };
  lemma("order", order);
  lemma("overtakes", comparison);
  lemma("wakeup", wakeup);
  lemma("fork", birth);
  lemma("minimum-never-back", minimum);
  add(out, "vacuity.near", Part::vacuity, ring("range", true));
  Script far = ring("only one near", false);
  add(out, "control.one-far-away", Part::control, far.refute(order));
  return out;
}

}  // namespace fw::theorem
