// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_spread.h"

#include "model/rules/cfs.h"
#include "solver/theorem/cfs_queue.h"

namespace fw::theorem {
namespace {

using solver::Formula;
using solver::Int;
using solver::Obligation;
namespace rc = rules::cfs;

/// The induction, and every way of weakening it by one unit or one rule.
Obligation spread(const CfsQueueOptions& options) {
  const solver::System system = cfs_queue(options);
  Obligation out = solver::induction(system);
  const auto control = [&](const char* event, const char* name, const CfsQueueOptions& changed) {
    out.queries.push_back(solver::event_control(cfs_queue(changed), event, name));
  };
  for (solver::Query& query : cfs_queue_cases(system)) out.queries.push_back(std::move(query));
  CfsQueueOptions changed = options;
  changed.deeper_credit = 1;
  control("wake", "credit-one-deeper", changed);
  changed = options;
  changed.longer_run = 1;
  control("run", "budget-one-longer", changed);
  changed = options;
  changed.wider_pick = 1;
  control("pick", "pick-one-too-far", changed);
  if (options.forks) {
    changed = options;
    changed.larger_debit = 1;
    control("fork", "debit-one-larger", changed);
  }
  out.queries.push_back(
      solver::event_control(solver::without(system, "gap"), "wake", "wake-in-the-gap"));
  return out;
}

/// A at x, B at min_vruntime 0: B is picked and leaves without running; A is picked and wakes B; A
/// runs a whole budget. `gap_rule`: the wakeup must also obey the gap rule.
solver::Script recurrence(bool gap_rule, bool with_goal) {
  solver::Signature symbols;
  const Int x = symbols.integer("x");
  const Int th = symbols.integer("th");
  const Int g = symbols.integer("g");
  const Int budget = symbols.integer("U");
  solver::Script out("QF_LIA", symbols);
  out.assume(x >= Int(0) && th >= Int(0) && g >= Int(0) && budget > Int(0), "constants");
  const Int zero(0);
  const Formula yes(true);
  const rc::Load<Int> unit{Int(rc::nice_0_weight), Int(rc::load_of_nice(0).inverse)};
  const Formula pick_b = rc::buddy_allowed(zero, rc::earlier_of(x, zero), zero);
  const Int m_left = rc::updated_min(zero, yes, zero, yes, x);
  const Int b_placed = rc::placed_at_wakeup(zero, m_left, th);
  const Formula fresh = x <= m_left;
  const Int a_ran = rc::charged(x, budget, unit);
  const Int m_ran = rc::updated_min(m_left, yes, a_ran, yes, b_placed);
  Formula goal =
      pick_b && m_left == zero && b_placed == zero && a_ran == x + budget && m_ran == zero;
  if (gap_rule) goal = goal && fresh;
  if (with_goal) out.refute(goal);
  return out;
}

}  // namespace

Obligation cfs_spread_plain() { return spread({.buddies = false}); }
Obligation cfs_spread_buddies() { return spread({}); }
Obligation cfs_spread_forks_debit() { return spread({.forks = true}); }
Obligation cfs_spread_forks_no_debit() { return spread({.forks = true, .debit = false}); }

Obligation cfs_dyn_spread() {
  const CfsQueueOptions options{.forks = true, .dynamic = true};
  Obligation out = spread(options);
  const solver::System system = cfs_queue(options);
  out.queries.push_back(
      solver::event_control(solver::without(system, "lead"), "wake", "lead-unbounded"));
  return out;
}

Obligation cfs_spread_without_gap() {
  Obligation out;
  out.assumptions = {
      {"no preemption by wakeups",
       "wakeups do not preempt (WAKEUP_PREEMPT off, or batch tasks), so the waker runs on",
       ""}};
  out.queries = {
      {"recurrence", solver::Part::lemma, recurrence(false, true).text(), false},
      {"vacuity.recurrence", solver::Part::vacuity, recurrence(false, false).text(), false},
      {"control.gap-rule-kept", solver::Part::control, recurrence(true, true).text(), false}};
  return out;
}

}  // namespace fw::theorem
