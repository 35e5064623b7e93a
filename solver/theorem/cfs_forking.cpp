// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_forking.h"

#include "model/rules/cfs.h"
#include "solver/theorem/cfs_runqueue.h"

namespace fw::theorem {
namespace {

using runqueue::charge;
using runqueue::g;
using runqueue::gap;
using runqueue::has_left;
using runqueue::joins;
using runqueue::leaves;
using runqueue::left;
using runqueue::left_is_leftmost;
using runqueue::lowest_is_least;
using runqueue::only_v;
using runqueue::subject;
using runqueue::th;
using solver::Event;
using solver::for_all;
using solver::Formula;
using solver::implies;
using solver::Int;
using solver::int_of;
using solver::Named;
using solver::System;
using solver::Task;
namespace rc = rules::cfs;

struct State : runqueue::State {
  Int rq = Int::constant("rq" + suffix);  ///< as rv, since B was queued if that is later
  Int rw = Int::constant("rw" + suffix);  ///< wall time for rq

  Int r(const Task& x) const { return int_of("r" + suffix, x); }
  Int wall(const Task& x) const { return int_of("wl" + suffix, x); }
  Int advance(const Task& x) const { return int_of("e" + suffix, x); }
  Int given(const Task& x) const { return int_of("l" + suffix, x); }
  /// At most `above` over the effective minimum, which is max(m, v(lo)).
  Formula within(const Int& value, const Int& above) const {
    return value <= m + above || (on(lowest) && value <= v(lowest) + above);
  }
};

const Int most = Int::constant("U");
const Int debit_least = Int::constant("vs");
const Int base = Int::constant("base");
const Int vb = Int::constant("vB");
const Task b_task("B");

Int run_limit(const Task& x) { return int_of("R", x); }
Int pair(const char* function, const Task& x, const Int& value) {
  return Int::term(std::string("(") + function + " " + x.text() + " " + value.text() + ")");
}
Int wall_of(const Task& x, const Int& virtual_time) { return pair("F", x, virtual_time); }
Int given_within(const Task& x, const Int& advance) { return pair("H", x, advance); }
Int ahead() { return vb + g - base; }
/// The most virtual time that slot x can have run when it is picked.
Int reach(const Task& x) { return ahead() + th + given_within(x, ahead()); }

solver::Signature symbols() {
  solver::Signature out;
  for (const char* suffix : {"", "1"}) {
    const std::string s = suffix;
    for (const char* name : {"v", "r", "wl", "e", "l"}) out.int_function(name + s);
    out.truth_function("on" + s);
    for (const char* name : {"m", "rv", "rq", "rw"}) out.integer(name + s);
    out.truth("hc" + s);
    out.truth("idle" + s);
    out.task("cur" + s);
    out.task("lo" + s);
  }
  out.int_function("R");
  out.int_pair_function("F");
  out.int_pair_function("H");
  for (const char* name : {"th", "g", "U", "vs", "base", "vB", "q", "d", "debit"}) {
    out.integer(name);
  }
  for (const char* name : {"B", "j", "left"}) out.task(name);
  out.truth("hl");
  return out;
}

Formula minimum_at_base(const State& s) {
  return (s.m >= base ||
          for_all([&](const Task& x) { return implies(s.on(x), s.v(x) >= base); })) &&
         implies(s.idle, s.m >= base);
}

/// What the queue's own invariant says: at queueing, and ever after.
Formula high(const State& s) {
  return for_all([&](const Task& x) { return s.within(s.v(x), g + most); }) &&
         implies(s.has_current,
                 s.on(s.current) && Int(0) <= s.rv && s.rv <= most &&
                     s.within(s.v(s.current), g + s.rv)) &&
         implies(s.idle, !s.has_current && for_all([&](const Task& x) {
                   return s.v(x) <= s.m + g + most;
                 }));
}

std::vector<Named> invariant(const State& s) {
  const auto others = [](const std::function<Formula(const Task&)>& body) {
    return for_all([&](const Task& x) { return implies(x != b_task, body(x)); });
  };
  const Int before_run = s.r(s.current) - s.rq;
  return {
      {"B waits", "B stays queued where it was", s.on(b_task) && s.v(b_task) == vb},
      {"high", "the queue's own invariant", high(s)},
      {"behind", "who is runnable or has run lies right of the floor", others([&](const Task& x) {
         return implies(s.on(x) || s.r(x) > Int(0), s.v(x) >= base - th + s.r(x) - s.given(x));
       })},
      {"births",
       "each birth begins vs beyond the minimum, and the one before it was picked at most g right "
       "of it",
       others([&](const Task& x) {
         return Int(0) <= s.advance(x) && Int(0) <= s.given(x) &&
                s.given(x) <= given_within(x, s.advance(x)) &&
                implies(s.advance(x) == Int(0), s.given(x) == Int(0)) &&
                implies(s.advance(x) > Int(0), s.v(x) >= base + s.advance(x)) &&
                implies(s.advance(x) > Int(0) && !s.waiting(x),
                        s.within(base + s.advance(x), g) &&
                            implies(s.idle, base + s.advance(x) <= s.m + g));
       })},
      {"wall", "wall time is what virtual time stands for", others([&](const Task& x) {
         return Int(0) <= s.r(x) && s.wall(x) <= wall_of(x, s.r(x));
       })},
      {"share", "no slot runs more than F(reach) + R", others([&](const Task& x) {
         return s.wall(x) <= wall_of(x, reach(x)) + run_limit(x);
       })},
      {"current",
       "the current task was within reach when it was picked",
       implies(s.has_current,
               s.current != b_task && Int(0) <= before_run && before_run <= reach(s.current) &&
                   s.wall(s.current) <= wall_of(s.current, before_run) + s.rw && Int(0) <= s.rw &&
                   s.rw <= run_limit(s.current) && Int(0) <= s.rq)},
      {"minimum",
       "min_vruntime, where it is not stale, has not fallen behind the base",
       minimum_at_base(s)}};
}

struct Frame {
  bool m = true, current = true, idle = true, run = true, v = true, on = true, shares = true,
       births = true;
};

void keep(const State& a, const State& b, const Frame& frame, std::vector<Named>& step) {
  const auto same = [&](const char* name, const Formula& formula) {
    step.push_back({std::string("frame ") + name, "", formula});
  };
  if (frame.m) same("min_vruntime", b.m == a.m);
  if (frame.current) same("current", b.has_current == a.has_current && b.current == a.current);
  if (frame.idle) same("idle", b.idle == a.idle);
  if (frame.run) same("run", b.rv == a.rv && b.rw == a.rw && b.rq == a.rq);
  if (frame.v) same("vruntime", for_all([&](const Task& x) { return b.v(x) == a.v(x); }));
  if (frame.on) same("runnable", for_all([&](const Task& x) { return b.on(x) == a.on(x); }));
  if (frame.shares) {
    same("shares",
         for_all([&](const Task& x) { return b.r(x) == a.r(x) && b.wall(x) == a.wall(x); }));
  }
  if (frame.births) {
    same("births", for_all([&](const Task& x) {
           return b.advance(x) == a.advance(x) && b.given(x) == a.given(x);
         }));
  }
  step.push_back(lowest_is_least(b));
}

void fresh_run(const State& b, std::vector<Named>& step) {
  step.push_back({"run", "", b.rv == Int(0) && b.rw == Int(0) && b.rq == Int(0)});
}

Event run(const State& a, const State& b, const CfsForkingOptions& options) {
  const Int q = Int::constant("q");
  const Int d = Int::constant("d");
  const Task& c = a.current;
  const Int before = a.r(c) - a.rq;
  Event out;
  out.name = "run";
  out.guards.push_back({"run limit",
                        "between two picks a task in company runs at most R of wall time and U of "
                        "virtual time",
                        a.rw + d <= run_limit(c) + Int(options.longer_run) && a.rv + q <= most});
  out.guards.push_back({"least charge",
                        "no charge is smaller than ceil(8 w / 1024) ns",
                        wall_of(c, a.r(c) + q) >= wall_of(c, a.r(c)) + d});
  out.guards.push_back({"F grows",
                        "more virtual time stands for no less wall time",
                        implies(before <= reach(c), wall_of(c, before) <= wall_of(c, reach(c)))});
  out.step.push_back({"running", "", a.has_current && q >= Int(0) && d > Int(0)});
  out.step.push_back(left_is_leftmost(a));
  out.step.push_back({"charge", "", for_all([&](const Task& x) {
                        return b.v(x) == select(x == c, charge(a.v(c), q), a.v(x)) &&
                               b.r(x) == select(x == c, a.r(x) + q, a.r(x)) &&
                               b.wall(x) == select(x == c, a.wall(x) + d, a.wall(x));
                      })});
  out.step.push_back(
      {"minimum", "", b.m == rc::updated_min(a.m, Formula(true), b.v(c), has_left, a.v(left))});
  out.step.push_back({"run", "", b.rv == a.rv + q && b.rq == a.rq + q && b.rw == a.rw + d});
  keep(a, b, {.m = false, .run = false, .v = false, .shares = false}, out.step);
  return out;
}

Event pick(const State& a, const State& b, const CfsForkingOptions& options) {
  Event out;
  out.name = "pick";
  out.guards.push_back(
      {"pick",
       "the pick is the leftmost task or a buddy at most g to its right",
       rc::buddy_allowed(a.v(subject), a.v(a.lowest), g + Int(options.wider_pick))});
  out.guards.push_back(
      {"H grows",
       "a greater advance gives back no less",
       implies(a.advance(subject) <= ahead(),
               given_within(subject, a.advance(subject)) <= given_within(subject, ahead()))});
  out.step.push_back({"picked", "B still waits", a.on(subject) && subject != b_task});
  out.step.push_back({"now current", "", b.has_current && b.current == subject && !b.idle});
  fresh_run(b, out.step);
  keep(a, b, {.current = false, .idle = false, .run = false}, out.step);
  return out;
}

Event leave(const State& a, const State& b) {
  Event out;
  out.name = "leave";
  leaves(a, b, out.step);
  fresh_run(b, out.step);
  keep(a, b, {.m = false, .current = false, .idle = false, .run = false, .on = false}, out.step);
  return out;
}

Event wake(const State& a, const State& b, const CfsForkingOptions& options) {
  Event out;
  out.name = "wake";
  out.guards.push_back(gap(a));
  out.step.push_back({"joins", "", joins(a, b)});
  out.step.push_back(
      {"placement",
       "",
       only_v(a,
              b,
              subject,
              rc::placed_at_wakeup(a.v(subject), a.m, th + Int(options.deeper_credit)))});
  keep(a, b, {.v = false, .on = false}, out.step);
  return out;
}

/// A birth in a slot whose last occupant is gone.
Event fork(const State& a, const State& b, const CfsForkingOptions& options) {
  const Int debit = Int::constant("debit");
  const Int advance = debit_least - g;
  const Int given = most + g - debit_least;
  Event out;
  out.name = "fork";
  out.guards.push_back(gap(a));
  out.guards.push_back({"debit",
                        "START_DEBIT is on: a child's debit is at least vs and at most U",
                        debit_least <= debit + Int(options.smaller_debit) && debit <= most});
  if (!options.free_births) {
    out.guards.push_back({"H counts births",
                          "a birth's advance gives back what a birth gives back",
                          given_within(subject, a.advance(subject) + advance) >=
                              given_within(subject, a.advance(subject)) + given});
  }
  out.step.push_back({"running", "", a.has_current && subject != b_task});
  out.step.push_back({"joins", "", joins(a, b)});
  out.step.push_back(
      {"placement", "", only_v(a, b, subject, rc::placed_at_fork(a.v(a.current), a.m, debit))});
  out.step.push_back({"birth", "", for_all([&](const Task& x) {
                        return b.advance(x) ==
                                   select(x == subject, a.advance(x) + advance, a.advance(x)) &&
                               b.given(x) == select(x == subject, a.given(x) + given, a.given(x));
                      })});
  keep(a, b, {.v = false, .on = false, .births = false}, out.step);
  return out;
}

std::vector<Named> premises() {
  return {{"constants",
           "sleeper credit th and buddy lead g are not negative; the least debit vs is greater "
           "than g and at most the budget U",
           th >= Int(0) && g >= Int(0) && debit_least > g && debit_least <= most},
          {"limits",
           "run limits R are not negative; no virtual time stands for at least no wall time, no "
           "advance gives back nothing",
           for_all([](const Task& x) {
             return run_limit(x) >= Int(0) && wall_of(x, Int(0)) >= Int(0) &&
                    given_within(x, Int(0)) >= Int(0) && given_within(x, ahead()) >= Int(0) &&
                    wall_of(x, reach(x)) >= Int(0);
           })},
          {"queueing",
           "B is queued as the spread theorem says",
           base <= vb + th && vb <= base + g + most}};
}

}  // namespace

System cfs_forking(const CfsForkingOptions& options) {
  const State a{{""}};
  const State b{{"1"}};
  System out;
  out.symbols = symbols();
  out.premises = premises();
  out.definitions = {lowest_is_least(a)};
  out.initial = {{"queued", "B has just been queued", a.on(b_task) && a.v(b_task) == vb},
                 {"queue", "the queue's own invariant", high(a)},
                 {"nothing run yet", "", for_all([&](const Task& x) {
                    return a.r(x) == Int(0) && a.wall(x) == Int(0) && a.advance(x) == Int(0) &&
                           a.given(x) == Int(0) && implies(a.on(x), a.v(x) >= base - th);
                  })},
                 {"current",
                  "",
                  a.rq == Int(0) && a.rw == Int(0) && implies(a.has_current, a.current != b_task)},
                 {"minimum", "", minimum_at_base(a)}};
  out.invariant = invariant(a);
  out.kept = invariant(b);
  out.events = {run(a, b, options),
                pick(a, b, options),
                leave(a, b),
                wake(a, b, options),
                fork(a, b, options)};
  out.conclusions = {
      {"share",
       "each slot runs at most F(reach) + R while B waits",
       implies(subject != b_task,
               a.wall(subject) <= wall_of(subject, reach(subject)) + run_limit(subject))}};
  return out;
}

}  // namespace fw::theorem
