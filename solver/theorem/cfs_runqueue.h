// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "solver/engine/induction.h"

/// What the systems of a CFS runqueue share: its state before or after an event (the same symbols,
/// the later ones with a 1), and what an event of 2.6.36 does to it in all of them.
namespace fw::theorem::runqueue {

using solver::Formula;
using solver::Int;
using solver::Named;
using solver::Task;

struct State {
  std::string suffix;
  Int m = Int::constant("m" + suffix);    ///< min_vruntime
  Int rv = Int::constant("rv" + suffix);  ///< virtual time run since the pick
  Formula has_current = Formula("hc" + suffix);
  Formula idle = Formula("idle" + suffix);  ///< nothing has been picked since the queue was empty
  Task current = Task("cur" + suffix);
  Task lowest = Task("lo" + suffix);  ///< a runnable task of least vruntime, if there is one

  Int v(const Task& x) const { return solver::int_of("v" + suffix, x); }
  Formula on(const Task& x) const { return solver::truth_of("on" + suffix, x); }
  Formula waiting(const Task& x) const { return on(x) && !(has_current && x == current); }
};

inline const Int th = Int::constant("th");
inline const Int g = Int::constant("g");
inline const Task subject{"j"};  ///< the task an event is about
inline const Task left{"left"};  ///< leftmost waiting task
inline const Formula has_left{"hl"};

Named lowest_is_least(const State& s);
Named left_is_leftmost(const State& s);
/// The assumption that nothing is placed while min_vruntime is stale.
Named gap(const State& a);

/// Charges of virtual time: what a nice-0 load makes of real time is that same time, so the rule is
/// read with the charge already converted. The conversion has lemmas of its own.
Int charge(const Int& vruntime, const Int& virtual_time);

/// The subject, and nobody else, comes onto the queue.
Formula joins(const State& a, const State& b);
/// One task's vruntime becomes `value`, all others stay.
Formula only_v(const State& a, const State& b, const Task& who, const Int& value);
/// The current task blocks or exits: it still counts in the minimum.
void leaves(const State& a, const State& b, std::vector<Named>& step);

}  // namespace fw::theorem::runqueue
