// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_wait.h"

#include <algorithm>

#include "model/rules/cfs.h"
#include "solver/theorem/cfs_forking.h"
#include "solver/theorem/cfs_queue.h"
#include "solver/theorem/cfs_waiting.h"

namespace fw::theorem {
namespace {

using solver::Formula;
using solver::Int;
using solver::Obligation;
namespace rc = rules::cfs;

Obligation waiting(const CfsWaitingOptions& options) {
  Obligation out = solver::induction(cfs_waiting(options));
  const auto control = [&](const char* event, const char* name, const CfsWaitingOptions& changed) {
    out.queries.push_back(solver::event_control(cfs_waiting(changed), event, name));
  };
  CfsWaitingOptions changed = options;
  changed.deeper_credit = 1;
  control("wake", "credit-one-deeper", changed);
  changed = options;
  changed.longer_run = 1;
  control("run", "run-one-longer", changed);
  changed = options;
  changed.wider_pick = 1;
  control("pick", "pick-one-too-far", changed);
  changed = options;
  changed.free_charges = true;
  control("run", "charges-without-minimum", changed);
  return out;
}

/// P is leftmost at min_vruntime 0, B waits at b: P forks a child, the child is picked, runs r and
/// exits.
solver::Script lasso(bool debit, bool with_goal) {
  solver::Signature symbols;
  const Int b = symbols.integer("b");
  const Int r = symbols.integer("r");
  const Int vs = symbols.integer("vs");
  const Int budget = symbols.integer("U");
  solver::Script out("QF_LIA", symbols);
  out.assume(b > Int(0) && r > Int(0) && r <= budget && vs > Int(0), "constants");
  const Int zero(0);
  const Formula yes(true);
  const rc::Load<Int> unit{Int(rc::nice_0_weight), Int(rc::load_of_nice(0).inverse)};
  const Int child = rc::placed_at_fork(zero, zero, debit ? vs : zero);
  const Formula picked = rc::buddy_allowed(child, rc::earlier_of(zero, b), zero);
  const Int ran = rc::charged(child, r, unit);
  const Int waiting_left = rc::earlier_of(zero, b);
  const Int m_ran = rc::updated_min(zero, yes, ran, yes, waiting_left);
  const Int m_left = rc::updated_min(m_ran, yes, ran, yes, waiting_left);
  if (with_goal) out.refute(picked && m_ran == zero && m_left == zero);
  return out;
}

}  // namespace

Obligation cfs_wait() {
  Obligation out = waiting({});
  // The wait begins in a state of the queue's own invariant.
  const Obligation queue = solver::induction(cfs_queue({}));
  for (const solver::Query& query : queue.queries) {
    const auto at = query.name.find("consequence.");
    if (at != std::string::npos && query.name.find("queueing") == std::string::npos) continue;
    solver::Query copy = query;
    copy.name = (query.part == solver::Part::vacuity ? "vacuity.queue." : "queue.") +
                query.name.substr(query.part == solver::Part::vacuity ? 8 : 0);
    out.queries.push_back(copy);
  }
  for (const solver::Assumption& one : queue.assumptions) {
    const bool known = std::any_of(out.assumptions.begin(),
                                   out.assumptions.end(),
                                   [&](const auto& other) { return other.name == one.name; });
    if (!known) out.assumptions.push_back(one);
  }
  return out;
}

Obligation cfs_buddy_delay() { return waiting({.leftmost = true}); }

Obligation cfs_wait_forks_debit() {
  Obligation out = solver::induction(cfs_forking({}));
  const auto control = [&](const char* event, const char* name, const CfsForkingOptions& changed) {
    out.queries.push_back(solver::event_control(cfs_forking(changed), event, name));
  };
  control("wake", "credit-one-deeper", {.deeper_credit = 1});
  control("run", "run-one-longer", {.longer_run = 1});
  control("pick", "pick-one-too-far", {.wider_pick = 1});
  control("fork", "debit-one-smaller", {.smaller_debit = 1});
  control("fork", "births-not-counted", {.free_births = true});
  // H(e) = floor(e / a) * b, a = vs - g, b = U + g - vs, has both facts: quotients are written out.
  solver::Signature symbols;
  const Int a = symbols.integer("a");
  const Int b = symbols.integer("b");
  const Int e = symbols.integer("e");
  const Int e2 = symbols.integer("e2");
  const Int k = symbols.integer("k");
  const Int k2 = symbols.integer("k2");
  solver::Script script("QF_NIA", symbols);
  script.assume(a > Int(0) && b >= Int(0) && Int(0) <= e && e <= e2, "constants");
  script.assume(k * a <= e && e < k * a + a && k2 * a <= e2 && e2 < k2 * a + a, "quotients");
  const auto add = [&](const char* name, solver::Part part, const solver::Script& one) {
    out.queries.push_back({name, part, one.text(), false});
  };
  add("vacuity.births", solver::Part::vacuity, script);
  solver::Script grows = script;
  grows.assume(k > k2, "the quotient falls").assume((k - k2 - Int(1)) * a >= Int(0), "product");
  add("births-quotient-grows", solver::Part::lemma, grows.refute(Formula(false)));
  solver::Script product("QF_NIA", symbols);
  product.assume(b >= Int(0) && k <= k2, "quotients").assume((k2 - k) * b >= Int(0), "product");
  add("births-grow", solver::Part::lemma, product.refute(k * b <= k2 * b));
  solver::Script counts = script;
  counts.assume(e2 == e + a, "one birth later");
  solver::Script step = counts;
  step.assume(k2 > k + Int(1), "more").assume((k2 - k - Int(2)) * a >= Int(0), "product");
  add("births-count-from-above", solver::Part::lemma, step.refute(Formula(false)));
  step = counts;
  step.assume(k2 < k + Int(1), "less").assume((k - k2) * a >= Int(0), "product");
  add("births-count-from-below", solver::Part::lemma, step.refute(Formula(false)));
  return out;
}

Obligation cfs_wait_forks_no_debit() {
  Obligation out;
  out.assumptions = {
      {"free forks", "a fork costs its caller no CPU time before the child runs", ""}};
  out.queries = {{"lasso", solver::Part::lemma, lasso(false, true).text(), false},
                 {"vacuity.lasso", solver::Part::vacuity, lasso(false, false).text(), false},
                 {"control.with-debit", solver::Part::control, lasso(true, true).text(), false}};
  return out;
}

}  // namespace fw::theorem
