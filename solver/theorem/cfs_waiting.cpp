// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_waiting.h"

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

/// rv counts from the pick, or from when B was queued if that is later.
struct State : runqueue::State {
  Int rw = Int::constant("rw" + suffix);  ///< wall time, the same

  Int r(const Task& x) const { return int_of("r" + suffix, x); }
  Int wall(const Task& x) const { return int_of("wl" + suffix, x); }
};

const Int base = Int::constant("base");     ///< where min_vruntime stands when B is queued
const Int floor_ = Int::constant("floor");  ///< nobody is placed left of it meanwhile
const Int vb = Int::constant("vB");
const Int reach = Int::constant("Q");
const Task b_task("B");

Int run_limit(const Task& x) { return int_of("R", x); }
Int wall_of(const Task& x, const Int& virtual_time) {
  return Int::term("(F " + x.text() + " " + virtual_time.text() + ")");
}

solver::Signature symbols() {
  solver::Signature out;
  for (const char* suffix : {"", "1"}) {
    const std::string s = suffix;
    for (const char* name : {"v", "r", "wl"}) out.int_function(name + s);
    out.truth_function("on" + s);
    for (const char* name : {"m", "rv", "rw"}) out.integer(name + s);
    out.truth("hc" + s);
    out.truth("idle" + s);
    out.task("cur" + s);
    out.task("lo" + s);
  }
  out.int_function("R");
  out.int_pair_function("F");
  for (const char* name : {"th", "g", "base", "floor", "vB", "Q", "q", "d"}) out.integer(name);
  for (const char* name : {"B", "j", "left"}) out.task(name);
  out.truth("hl");
  return out;
}

std::vector<Named> invariant(const State& s) {
  const auto others = [](const std::function<Formula(const Task&)>& body) {
    return for_all([&](const Task& x) { return implies(x != b_task, body(x)); });
  };
  const Int before_run = s.r(s.current) - s.rv;
  return {
      {"B waits", "B stays queued where it was", s.on(b_task) && s.v(b_task) == vb},
      {"behind", "who is runnable or has run lies r right of the floor", others([&](const Task& x) {
         return implies(s.on(x) || s.r(x) > Int(0), s.v(x) >= floor_ + s.r(x));
       })},
      {"wall", "wall time is what virtual time stands for", others([&](const Task& x) {
         return Int(0) <= s.r(x) && s.wall(x) <= wall_of(x, s.r(x));
       })},
      {"share", "nobody runs more than F(Q) + R", others([&](const Task& x) {
         return s.wall(x) <= wall_of(x, reach) + run_limit(x);
       })},
      {"current",
       "the current task was within Q when it was picked",
       implies(s.has_current,
               s.current != b_task && s.on(s.current) && Int(0) <= before_run &&
                   before_run <= reach &&
                   s.wall(s.current) <= wall_of(s.current, before_run) + s.rw && Int(0) <= s.rw &&
                   s.rw <= run_limit(s.current))},
      {"minimum",
       "min_vruntime, where it is not stale, has not fallen behind the base",
       (s.m >= base || for_all([&](const Task& x) { return implies(s.on(x), s.v(x) >= base); })) &&
           implies(s.idle, s.m >= base)}};
}

struct Frame {
  bool m = true, current = true, idle = true, run = true, v = true, on = true, shares = true;
};

void keep(const State& a, const State& b, const Frame& frame, std::vector<Named>& step) {
  const auto same = [&](const char* name, const Formula& formula) {
    step.push_back({std::string("frame ") + name, "", formula});
  };
  if (frame.m) same("min_vruntime", b.m == a.m);
  if (frame.current) same("current", b.has_current == a.has_current && b.current == a.current);
  if (frame.idle) same("idle", b.idle == a.idle);
  if (frame.run) same("run", b.rv == a.rv && b.rw == a.rw);
  if (frame.v) same("vruntime", for_all([&](const Task& x) { return b.v(x) == a.v(x); }));
  if (frame.on) same("runnable", for_all([&](const Task& x) { return b.on(x) == a.on(x); }));
  if (frame.shares) {
    same("shares",
         for_all([&](const Task& x) { return b.r(x) == a.r(x) && b.wall(x) == a.wall(x); }));
  }
  step.push_back(lowest_is_least(b));
}

Event run(const State& a, const State& b, const CfsWaitingOptions& options) {
  const Int q = Int::constant("q");
  const Int d = Int::constant("d");
  const Task& c = a.current;
  const Int before = a.r(c) - a.rv;
  Event out;
  out.name = "run";
  out.guards.push_back({"run limit",
                        "between two picks a task in company runs at most R of wall time",
                        a.rw + d <= run_limit(c) + Int(options.longer_run)});
  if (!options.free_charges) {
    out.guards.push_back({"least charge",
                          "no charge is smaller than ceil(8 w / 1024) ns",
                          wall_of(c, a.r(c) + q) >= wall_of(c, a.r(c)) + d});
  }
  out.guards.push_back({"F grows",
                        "more virtual time stands for no less wall time",
                        implies(before <= reach, wall_of(c, before) <= wall_of(c, reach))});
  out.step.push_back({"running", "", a.has_current && q >= Int(0) && d > Int(0)});
  out.step.push_back(left_is_leftmost(a));
  out.step.push_back({"charge", "", for_all([&](const Task& x) {
                        return b.v(x) == select(x == c, charge(a.v(c), q), a.v(x)) &&
                               b.r(x) == select(x == c, a.r(x) + q, a.r(x)) &&
                               b.wall(x) == select(x == c, a.wall(x) + d, a.wall(x));
                      })});
  out.step.push_back(
      {"minimum", "", b.m == rc::updated_min(a.m, Formula(true), b.v(c), has_left, a.v(left))});
  out.step.push_back({"run", "", b.rv == a.rv + q && b.rw == a.rw + d});
  keep(a, b, {.m = false, .run = false, .v = false, .shares = false}, out.step);
  return out;
}

Event pick(const State& a, const State& b, const CfsWaitingOptions& options) {
  Event out;
  out.name = "pick";
  out.guards.push_back(
      {"pick",
       "the pick is the leftmost task or a buddy at most g to its right",
       rc::buddy_allowed(a.v(subject), a.v(a.lowest), g + Int(options.wider_pick))});
  out.step.push_back({"picked", "B still waits", a.on(subject) && subject != b_task});
  out.step.push_back({"now current", "", b.has_current && b.current == subject && !b.idle});
  out.step.push_back({"run", "", b.rv == Int(0) && b.rw == Int(0)});
  keep(a, b, {.current = false, .idle = false, .run = false}, out.step);
  return out;
}

Event leave(const State& a, const State& b) {
  Event out;
  out.name = "leave";
  leaves(a, b, out.step);
  out.step.push_back({"run", "", b.rv == Int(0) && b.rw == Int(0)});
  keep(a, b, {.m = false, .current = false, .idle = false, .run = false, .on = false}, out.step);
  return out;
}

Event wake(const State& a, const State& b, const CfsWaitingOptions& options) {
  const Int credit = th + Int(options.deeper_credit);
  Event out;
  out.name = "wake";
  if (options.leftmost) {
    out.guards.push_back(
        {"leftmost",
         "no wakeup places a task left of B",
         rc::placed_at_wakeup(a.v(subject), a.m, credit) + Int(options.deeper_credit) >= floor_});
  } else {
    out.guards.push_back(gap(a));
  }
  out.step.push_back({"joins", "", joins(a, b)});
  out.step.push_back(
      {"placement", "", only_v(a, b, subject, rc::placed_at_wakeup(a.v(subject), a.m, credit))});
  keep(a, b, {.v = false, .on = false}, out.step);
  return out;
}

std::vector<Named> premises(const CfsWaitingOptions& options) {
  return {{"constants",
           "sleeper credit th and buddy lead g are not negative",
           th >= Int(0) && g >= Int(0)},
          {"limits",
           "run limits R are not negative; no virtual time stands for at least no wall time",
           for_all([](const Task& x) {
             return run_limit(x) >= Int(0) && wall_of(x, Int(0)) >= Int(0) &&
                    wall_of(x, reach) >= Int(0);
           })},
          {"queueing",
           options.leftmost ? "B is the leftmost task when it is queued"
                            : "B is queued as the spread theorem says",
           reach == vb + g - floor_ && floor_ <= vb &&
               (options.leftmost ? floor_ == vb : floor_ == base - th)}};
}

}  // namespace

System cfs_waiting(const CfsWaitingOptions& options) {
  const State a{{""}};
  const State b{{"1"}};
  System out;
  out.symbols = symbols();
  out.premises = premises(options);
  out.definitions = {lowest_is_least(a)};
  out.initial = {
      {"queued", "B has just been queued", a.on(b_task) && a.v(b_task) == vb},
      {"nothing run yet", "", for_all([&](const Task& x) {
         return a.r(x) == Int(0) && a.wall(x) == Int(0) && implies(a.on(x), a.v(x) >= floor_);
       })},
      {"current",
       "",
       a.rv == Int(0) && a.rw == Int(0) &&
           implies(a.has_current, a.current != b_task && a.on(a.current))},
      {"minimum",
       "",
       (a.m >= base || for_all([&](const Task& x) { return implies(a.on(x), a.v(x) >= base); })) &&
           implies(a.idle, a.m >= base)}};
  out.invariant = invariant(a);
  out.kept = invariant(b);
  out.events = {run(a, b, options), pick(a, b, options), leave(a, b), wake(a, b, options)};
  out.conclusions = {{"share",
                      "each other task runs at most F(Q) + R while B waits",
                      implies(subject != b_task,
                              a.wall(subject) <= wall_of(subject, reach) + run_limit(subject))}};
  return out;
}

}  // namespace fw::theorem
