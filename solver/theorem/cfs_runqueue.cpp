// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_runqueue.h"

#include "model/rules/cfs.h"

namespace fw::theorem::runqueue {

using solver::for_all;
using solver::implies;
namespace rc = rules::cfs;

Named lowest_is_least(const State& s) {
  return {"least", "lo is a runnable task of least vruntime", for_all([&](const Task& x) {
            return implies(s.on(x), s.on(s.lowest) && s.v(s.lowest) <= s.v(x));
          })};
}

Named left_is_leftmost(const State& s) {
  return {"leftmost",
          "left is the leftmost waiting task",
          implies(has_left, s.waiting(left)) && for_all([&](const Task& x) {
            return implies(s.waiting(x), has_left && s.v(left) <= s.v(x));
          })};
}

Named gap(const State& a) {
  return {"gap",
          "no task is placed while min_vruntime is stale: below every runnable task of a CPU that "
          "is not idle",
          a.idle || (a.on(a.lowest) && a.v(a.lowest) <= a.m)};
}

Int charge(const Int& vruntime, const Int& virtual_time) {
  const rc::Load<Int> unit{Int(rc::nice_0_weight), Int(rc::load_of_nice(0).inverse)};
  return rc::charged(vruntime, virtual_time, unit);
}

Formula joins(const State& a, const State& b) {
  return !a.on(subject) &&
         for_all([&](const Task& x) { return b.on(x) == (x == subject || a.on(x)); });
}

Formula only_v(const State& a, const State& b, const Task& who, const Int& value) {
  return for_all([&](const Task& x) { return b.v(x) == select(x == who, value, a.v(x)); });
}

void leaves(const State& a, const State& b, std::vector<Named>& step) {
  step.push_back({"running", "", a.has_current});
  step.push_back(left_is_leftmost(a));
  step.push_back({"off the queue", "", for_all([&](const Task& x) {
                    return b.on(x) == (a.on(x) && x != a.current);
                  })});
  step.push_back({"minimum",
                  "",
                  b.m == rc::updated_min(a.m, Formula(true), a.v(a.current), has_left, a.v(left))});
  step.push_back({"no current", "", !b.has_current && (b.idle == !has_left)});
}

}  // namespace fw::theorem::runqueue
