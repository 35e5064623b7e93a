// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_dyn.h"

#include <string>
#include <vector>

#include "model/rules/cfs_switches.h"

namespace fw::theorem {
namespace {

using solver::Formula;
using solver::Int;
using solver::Obligation;
using solver::Part;
using solver::Script;
using solver::Signature;
namespace rc = rules::cfs;

/// A set S without the current task c, whose weight is p; j is another task, of weight r.
struct Sets {
  Signature symbols;
  Int weight = symbols.integer("P");
  Int p = symbols.integer("p");
  Int r = symbols.integer("r");
  Int sum = symbols.integer("X");        ///< X(S)
  Int bound = symbols.integer("bS");     ///< b(S)
  Int bound_c = symbols.integer("bSc");  ///< b(S + c)
  Int bound_j = symbols.integer("bSj");  ///< b(S + j)
  Int th = symbols.integer("th");
  Int g = symbols.integer("g");
  Int budget = symbols.integer("U");
  Int rv = symbols.integer("rv");
  Int q = symbols.integer("q");    ///< virtual time of a charge
  Int dm = symbols.integer("dm");  ///< what it moves min_vruntime by
  Int x = symbols.integer("x");    ///< m - v of j

  Script script() const {
    // Quantifier-free, but with this logic both solvers take products as they stand.
    Script out("UFNIA", symbols);
    const Int zero(0);
    out.assume(weight > zero && p > zero && r > zero && th >= zero && g >= zero && budget >= zero,
               "constants");
    out.assume(zero <= rv && rv <= budget && q >= zero && dm >= zero, "run");
    return out;
  }
  /// (I2): S without the current.
  Formula without_current(const Int& x_sum, const Int& run) const {
    return (weight + p) * x_sum <= weight * (bound_c + p * (g + run));
  }
  Formula recursion() const {
    return (weight + p) * bound >= weight * (bound_c + p * (budget + g));
  }
};

void add(Obligation& out, const char* name, Part part, const Script& script) {
  out.queries.push_back({name, part, script.text(), false});
}

/// The question, and the same without its goal.
void ask(Obligation& out, const std::string& name, const Script& premises, const Formula& goal) {
  add(out, ("vacuity." + name).c_str(), Part::vacuity, premises);
  Script asked = premises;
  add(out, name.c_str(), Part::event, asked.refute(goal));
}

/// A control's unknowns get values, so that a model is found at once.
Script pinned(Script script, const std::vector<std::pair<Int, std::uint64_t>>& values) {
  for (const auto& [symbol, value] : values) script.assume(symbol == Int(value), "pinned");
  return script;
}

void add_run(Obligation& out) {
  const Sets s;
  // S does not hold the current task: its weight and the current's are part of the queue's.
  Script run = s.script();
  run.assume(s.without_current(s.sum, s.rv), "invariant");
  Script exact = run;
  exact.assume((s.weight + s.p) * s.dm <= s.p * s.q, "exact division");
  exact.assume(s.weight * (s.p * s.q - (s.weight + s.p) * s.dm) >= Int(0), "product");
  ask(out, "run-of-another", exact, s.without_current(s.sum + s.weight * s.dm, s.rv + s.q));
  Script fast = pinned(run, {{s.weight, 2}, {s.p, 1}, {s.dm, 1}, {s.q, 2}, {s.g, 0}, {s.rv, 0}});
  add(out,
      "control.minimum-faster-than-average",
      Part::control,
      fast.refute(s.without_current(s.sum + s.weight * s.dm, s.rv + s.q)));
  // S + c holds it; X is that of S + c.
  Script own = s.script();
  own.assume(s.sum <= s.bound_c, "invariant");
  own.assume((s.weight + s.p) * s.dm <= s.p * s.q, "exact division");
  ask(out, "run-of-its-own", own, s.sum + (s.weight + s.p) * s.dm - s.p * s.q <= s.bound_c);
  // What the budget leaves of (I2) is (I1).
  Script end = s.script();
  end.assume(s.without_current(s.sum, s.rv), "invariant").assume(s.recursion(), "recursion");
  end.assume(s.weight * (s.p * (s.budget - s.rv)) >= Int(0), "product");
  Script less = end;
  less.assume((s.weight + s.p) * (s.sum - s.bound - Int(1)) >= Int(0) || s.sum <= s.bound,
              "product");
  ask(out, "end-of-run", less, s.sum <= s.bound);
  Script longer = s.script();
  longer.assume(s.without_current(s.sum, s.rv + Int(3)), "invariant");
  longer.assume(s.recursion(), "recursion");
  add(out,
      "control.budget-longer",
      Part::control,
      pinned(longer, {{s.weight, 1}, {s.p, 1}, {s.g, 0}, {s.budget, 1}, {s.rv, 1}, {s.bound_c, 1}})
          .refute(s.sum <= s.bound));
}

void add_pick(Obligation& out) {
  Sets s;
  const Int total = s.symbols.integer("mP");  ///< the sum of w m over S
  const Int low = s.symbols.integer("left");
  const Int v = s.symbols.integer("v");
  const Int m = s.symbols.integer("m");
  for (const bool wide : {false, true}) {
    Script pick = s.script();
    // v(left) <= v of each of S, so X(S) <= P (m - v(left)).
    pick.assume(s.sum <= total && total == s.weight * (m - low), "left is leftmost");
    pick.assume(rc::buddy_allowed(v, low, wide ? s.g + Int(2) : s.g), "pick");
    pick.assume(s.x == m - v && s.sum + s.p * s.x <= s.bound_c, "invariant of S + j");
    if (wide) {
      pick = pinned(pick, {{s.weight, 1}, {s.p, 1}, {s.g, 0}, {m, 5}, {low, 0}, {v, 2}});
      add(out,
          "control.pick-too-far",
          Part::control,
          pick.refute(s.without_current(s.sum, Int(0))));
      continue;
    }
    Script hinted = pick;
    hinted.assume(s.weight * (s.bound_c - s.sum - s.p * s.x) >= Int(0), "product");
    hinted.assume(s.weight * (s.x + s.g - (m - low)) >= Int(0), "product");
    hinted.assume(s.p * (s.weight * (s.x + s.g) - s.sum) >= Int(0), "product");
    ask(out, "pick", hinted, s.without_current(s.sum, Int(0)));
  }
}

void add_placements(Obligation& out) {
  Sets s;
  const Int v = s.symbols.integer("v");
  const Int m = s.symbols.integer("m");
  const Int debit = s.symbols.integer("vs");
  const Int parent = s.symbols.integer("parent");
  Script place = s.script();
  place.assume(debit >= Int(0), "debit");
  ask(out, "wakeup-places", place, m - rc::placed_at_wakeup(v, m, s.th) <= s.th);
  ask(out, "fork-places", place, m - rc::placed_at_fork(parent, m, debit) <= s.th);
  // One more task with m - v = x <= th, in a set with and without the current.
  Script join = s.script();
  join.assume(s.x <= s.th && s.bound_j >= s.bound + s.r * s.th, "joins");
  join.assume(s.sum <= s.bound, "invariant").assume(s.r * (s.th - s.x) >= Int(0), "product");
  ask(out, "join", join, s.sum + s.r * s.x <= s.bound_j);
  Script deep = s.script();
  deep.assume(s.x <= s.th + Int(1) && s.bound_j >= s.bound + s.r * s.th, "joins");
  deep.assume(s.sum <= s.bound, "invariant");
  add(out,
      "control.credit-deeper",
      Part::control,
      pinned(deep, {{s.r, 1}, {s.th, 1}, {s.x, 2}, {s.bound, 2}})
          .refute(s.sum + s.r * s.x <= s.bound_j));
  // Y = b(S + c) + p (g + rv) is at least (P + p) th; the goal, times P + p, is a sum of products.
  const Int y = s.symbols.integer("Y");
  Script with = s.script();
  with.assume(s.x <= s.th && y >= (s.weight + s.p) * s.th, "joins");
  with.assume((s.weight + s.p) * s.sum <= s.weight * y, "invariant, Y = b(S + c) + p (g + rv)");
  const Int whole = s.weight + s.p;
  const Int slack = s.weight * y - whole * s.sum;
  with.assume((whole + s.r) * slack >= Int(0), "product");
  with.assume(s.r * (s.p * (y - whole * s.th)) >= Int(0), "product");
  with.assume(whole * ((whole + s.r) * (s.r * (s.th - s.x))) >= Int(0), "product");
  ask(out,
      "join-beside-current",
      with,
      whole * ((whole + s.r) * (s.sum + s.r * s.x)) <=
          whole * ((s.weight + s.r) * (y + s.r * s.th)));
}

/// The new minimum is the moved floor, or no task is left of it.
void add_minimum(Obligation& out) {
  Signature symbols;
  const Int m = symbols.integer("m");
  const Int dm = symbols.integer("dm");
  const Int c = symbols.integer("vc");
  const Int low = symbols.integer("left");
  const Formula has = symbols.truth("hl");
  Script script("QF_LIA", symbols);
  script.assume(dm >= Int(0), "advance");
  const Int next = rc::updated_min_dynamic(m, dm, Formula(true), c, has, low);
  ask(out,
      "minimum",
      script,
      next >= m + dm && (next == m + dm || (next <= c && implies(has, next <= low))));
}

}  // namespace

Obligation cfs_dyn_lead() {
  Obligation out;
  out.assumptions = {
      {"exact division",
       "a charge moves min_vruntime no faster than the average: W dm <= w dv (the kernel's rounded "
       "reciprocals keep this for most loads only: see cfs_dyn_lead_kernel)",
       ""},
      {"budgets", "between two picks a task runs at most U_c of virtual time", ""},
      {"pick", "the pick is the leftmost task or a buddy at most g to its right", ""},
      {"sets", "b has the three properties; the bound's recursion is the least such b", ""}};
  add_run(out);
  add_pick(out);
  add_placements(out);
  add_minimum(out);
  return out;
}

Obligation cfs_dyn_lead_kernel() {
  Obligation out;
  out.assumptions = {{"load",
                      "three tasks of nice -20, -19 and -13 that never sleep, charged 1 ms "
                      "at a time",
                      ""}};
  const std::vector<rc::Load<rules::u64>> loads = {
      rc::load_of_nice(-20), rc::load_of_nice(-19), rc::load_of_nice(-13)};
  Signature symbols;
  const Int d = symbols.integer("d");
  Int total(0);
  for (const auto& load : loads) total = total + Int(load.weight);
  const auto query = [&](const char* name,
                         Part part,
                         std::uint64_t low,
                         std::uint64_t high,
                         bool faster,
                         bool goal) {
    Script script("QF_LIA", symbols);
    script.assume(Int(low) <= d && d <= Int(high), "charge");
    Formula each(true);
    for (const auto& load : loads) {
      const Int floor = total * rc::floor_advance(d, total);
      const Int average =
          Int(load.weight) * rc::fair(d, rc::Load<Int>{Int(load.weight), Int(load.inverse)});
      each = each && (faster ? floor > average : floor <= average);
    }
    if (goal) script.refute(each);
    add(out, name, part, script);
  };
  query("each-charge-gains", Part::lemma, 1'000'000, 1'000'000, true, true);
  query("vacuity.charge", Part::vacuity, 1'000'000, 1'000'000, true, false);
  query("control.each-charge-loses", Part::control, 1'000'000, 1'000'000, false, true);
  return out;
}

}  // namespace fw::theorem
