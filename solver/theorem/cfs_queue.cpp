// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_queue.h"

#include "model/rules/cfs_switches.h"
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

/// rv counts what is run in company.
using State = runqueue::State;

const Int most = Int::constant("U_max");

Int budget(const Task& x) { return int_of("U", x); }

solver::Signature symbols(const CfsQueueOptions& options) {
  solver::Signature out;
  for (const char* suffix : {"", "1"}) {
    const std::string s = suffix;
    out.int_function("v" + s);
    out.truth_function("on" + s);
    out.integer("m" + s);
    out.integer("rv" + s);
    out.truth("hc" + s);
    out.truth("idle" + s);
    out.task("cur" + s);
    out.task("lo" + s);
  }
  out.int_function("U");
  for (const char* name : {"th", "g", "U_max", "q"}) out.integer(name);
  if (options.forks) out.integer("vs");
  if (options.dynamic) {
    for (const char* name : {"D", "S", "dm"}) out.integer(name);
  }
  out.task("j");
  out.task("left");
  out.truth("hl");
  return out;
}

std::vector<Named> invariant(const State& s) {
  // At most `above` over the effective minimum, which is max(m, v(lo)).
  const auto below = [&](const Task& x, const Int& above) {
    return s.v(x) <= s.m + above || (s.on(s.lowest) && s.v(x) <= s.v(s.lowest) + above);
  };
  return {{"low", "runnable tasks lie at most th below min_vruntime", for_all([&](const Task& x) {
             return implies(s.on(x), s.v(x) >= s.m - th);
           })},
          {"high",
           "all tasks lie at most g + U above the effective minimum",
           for_all([&](const Task& x) { return below(x, g + budget(x)); })},
          {"current",
           "the current task lies at most g + rv above it",
           implies(s.has_current,
                   s.on(s.current) && Int(0) <= s.rv && s.rv <= budget(s.current) &&
                       below(s.current, g + s.rv))},
          {"idle",
           "on an idle CPU min_vruntime itself serves",
           implies(s.idle, !s.has_current && for_all([&](const Task& x) {
                     return s.v(x) <= s.m + g + budget(x);
                   }))}};
}

const Int lead = Int::constant("D");
const Int spread = Int::constant("S");

/// What is never placed left of, with DYN_MIN_VRUNTIME: it does not move back.
Int bottom(const State& s) {
  const Int effective =
      select(!s.idle && s.on(s.lowest) && s.m < s.v(s.lowest), s.v(s.lowest), s.m);
  return select(s.on(s.lowest) && s.v(s.lowest) < effective - th, s.v(s.lowest), effective - th);
}

std::vector<Named> invariant_dynamic(const State& s) {
  return {{"high", "all tasks lie at most S above the bottom", for_all([&](const Task& x) {
             return s.v(x) <= bottom(s) + spread;
           })},
          {"current",
           "the current task lies at most th + g + rv above it",
           implies(s.has_current,
                   s.on(s.current) && Int(0) <= s.rv && s.rv <= budget(s.current) &&
                       s.v(s.current) <= bottom(s) + th + g + s.rv)},
          {"idle", "nothing runs on an idle CPU", implies(s.idle, !s.has_current)}};
}

Named lead_at_most_D(const State& s) {
  return {"lead", "min_vruntime leads no runnable task by more than D", for_all([&](const Task& x) {
            return implies(s.on(x), s.m <= s.v(x) + lead);
          })};
}

/// Everything that an event leaves alone, by name.
struct Frame {
  bool m = true, current = true, idle = true, rv = true, v = true, on = true;
};

void keep(const State& a, const State& b, const Frame& frame, std::vector<Named>& step) {
  const auto same = [&](const char* name, const Formula& formula) {
    step.push_back({std::string("frame ") + name, "", formula});
  };
  if (frame.m) same("min_vruntime", b.m == a.m);
  if (frame.current) {
    same("current", b.has_current == a.has_current && b.current == a.current);
  }
  if (frame.idle) same("idle", b.idle == a.idle);
  if (frame.rv) same("run", b.rv == a.rv);
  if (frame.v) same("vruntime", for_all([&](const Task& x) { return b.v(x) == a.v(x); }));
  if (frame.on) same("runnable", for_all([&](const Task& x) { return b.on(x) == a.on(x); }));
  step.push_back(lowest_is_least(b));
}

/// A charge of the current task that is not empty.
Event run(const State& a, const State& b, const CfsQueueOptions& options) {
  const Int q = Int::constant("q");
  Event out;
  out.name = "run";
  out.guards.push_back({"budget",
                        "between two picks a task in company runs at most U of virtual time",
                        !has_left || a.rv + q <= budget(a.current) + Int(options.longer_run)});
  out.step.push_back({"running", "", a.has_current && q >= Int(0)});
  out.step.push_back(left_is_leftmost(a));
  out.step.push_back({"charge", "", only_v(a, b, a.current, charge(a.v(a.current), q))});
  const Formula yes(true);
  const Int dm = Int::constant("dm");
  out.step.push_back(
      {"minimum",
       "",
       options.dynamic
           ? dm >= Int(0) &&
                 b.m == rc::updated_min_dynamic(a.m, dm, yes, b.v(a.current), has_left, a.v(left))
           : b.m == rc::updated_min(a.m, yes, b.v(a.current), has_left, a.v(left))});
  out.step.push_back({"run", "", b.rv == select(has_left, a.rv + q, Int(0))});
  keep(a, b, {.m = false, .rv = false, .v = false}, out.step);
  return out;
}

Event pick(const State& a, const State& b, const CfsQueueOptions& options) {
  Event out;
  out.name = "pick";
  const Formula allowed =
      options.buddies ? rc::buddy_allowed(a.v(subject), a.v(a.lowest), g + Int(options.wider_pick))
                      : a.v(subject) <= a.v(a.lowest) + Int(options.wider_pick);
  out.guards.push_back({"pick",
                        options.buddies
                            ? "the pick is the leftmost task or a buddy at most g to its right"
                            : "the pick is the leftmost task",
                        allowed});
  out.step.push_back({"picked", "", a.on(subject)});
  out.step.push_back({"now current", "", b.has_current && b.current == subject && !b.idle});
  out.step.push_back({"run", "", b.rv == Int(0)});
  keep(a, b, {.current = false, .idle = false, .rv = false}, out.step);
  return out;
}

Event leave(const State& a, const State& b) {
  Event out;
  out.name = "leave";
  leaves(a, b, out.step);
  out.step.push_back({"run", "", b.rv == Int(0)});
  keep(a, b, {.m = false, .current = false, .idle = false, .rv = false, .on = false}, out.step);
  return out;
}

/// A wakeup, and the start of a task: it was placed like a sleeper of the first instant.
Event wake(const State& a, const State& b, const CfsQueueOptions& options) {
  Event out;
  out.name = "wake";
  out.guards.push_back(gap(a));
  if (options.dynamic) out.guards.push_back(lead_at_most_D(a));
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

Event fork(const State& a, const State& b, const CfsQueueOptions& options) {
  const Int debit = Int::constant("vs");
  Event out;
  out.name = "fork";
  out.guards.push_back(
      {"debit",
       options.debit ? "a child's debit is at most U" : "START_DEBIT is off: no debit",
       options.debit ? Int(0) <= debit && debit <= most + Int(options.larger_debit)
                     : debit == Int(options.larger_debit)});
  if (options.dynamic) {
    out.guards.push_back(lead_at_most_D(a));
    out.guards.push_back(gap(a));
  }
  out.step.push_back({"running", "", a.has_current});
  out.step.push_back({"joins", "", joins(a, b)});
  out.step.push_back(
      {"placement", "", only_v(a, b, subject, rc::placed_at_fork(a.v(a.current), a.m, debit))});
  keep(a, b, {.v = false, .on = false}, out.step);
  return out;
}

std::vector<Named> premises(const CfsQueueOptions& options) {
  std::vector<Named> out;
  out.push_back({"constants",
                 "sleeper credit th and buddy lead g are not negative",
                 th >= Int(0) && (options.buddies ? g >= Int(0) : g == Int(0))});
  if (options.forks) {
    out.push_back({"budgets",
                   "one budget U for all tasks, children too",
                   most >= Int(0) && for_all([](const Task& x) { return budget(x) == most; })});
  } else {
    out.push_back({"budgets", "budgets U(x) lie between 0 and U", for_all([](const Task& x) {
                     return Int(0) <= budget(x) && budget(x) <= most;
                   })});
  }
  if (options.dynamic) {
    out.push_back({"spread",
                   "S is at least th + U + g, D - th and D + vs",
                   spread >= th + most + g && spread >= lead - th &&
                       (options.forks ? spread >= lead + most : Formula(true))});
  }
  return out;
}

std::vector<Named> conclusions(const State& s, bool dynamic) {
  const Task a("j");
  const Task b("left");
  if (dynamic) {
    return {{"spread",
             "two runnable tasks lie at most S apart",
             implies(s.on(a) && s.on(b), s.v(a) - s.v(b) <= spread)}};
  }
  const Int base = select(s.idle || !s.on(s.lowest) || s.v(s.lowest) <= s.m, s.m, s.v(s.lowest));
  return {
      {"spread",
       "two runnable tasks lie at most th + U + g apart",
       implies(s.on(a) && s.on(b), s.v(a) - s.v(b) <= th + most + g)},
      {"pair",
       "with the budget of the one ahead",
       implies(s.on(a) && s.on(b), s.v(a) - s.v(b) <= th + budget(a) + g)},
      {"queueing",
       "a queued task lies at most g + U above a base that all others reach less th",
       implies(s.on(a),
               s.v(a) <= base + g + budget(a) && s.v(a) >= base - th && for_all([&](const Task& x) {
                 return implies(s.on(x),
                                s.v(x) >= base - th && (s.idle || s.m >= base || s.v(x) >= base));
               }) &&
                   implies(s.idle, s.m >= base))}};
}

}  // namespace

std::vector<solver::Query> cfs_queue_cases(const System& system) {
  const State a{""};
  const Formula company = a.on(a.lowest) && a.v(a.lowest) < a.m;
  return {solver::event_possible(system, "run", !has_left, "run-alone"),
          solver::event_possible(system, "run", has_left, "run-in-company"),
          solver::event_possible(system, "leave", !has_left, "last-leaves"),
          solver::event_possible(system, "leave", has_left, "one-of-several-leaves"),
          solver::event_possible(system, "wake", a.idle && !a.on(a.lowest), "wake-when-idle"),
          solver::event_possible(system, "wake", a.has_current && company, "wake-in-company"),
          solver::event_possible(
              system, "pick", a.v(subject) >= a.v(a.lowest) && a.v(a.lowest) > a.m, "stale-pick")};
}

System cfs_queue(const CfsQueueOptions& options) {
  const State a{""};
  const State b{"1"};
  System out;
  out.symbols = symbols(options);
  out.premises = premises(options);
  out.definitions = {lowest_is_least(a)};
  out.initial = {{"empty",
                  "no task is runnable yet, all start at min_vruntime",
                  for_all([&](const Task& x) { return !a.on(x) && a.v(x) == a.m; })},
                 {"nothing runs", "", a.idle && !a.has_current && a.rv == Int(0)}};
  out.invariant = options.dynamic ? invariant_dynamic(a) : invariant(a);
  out.kept = options.dynamic ? invariant_dynamic(b) : invariant(b);
  out.events = {run(a, b, options), pick(a, b, options), leave(a, b), wake(a, b, options)};
  if (options.forks) out.events.push_back(fork(a, b, options));
  out.conclusions = conclusions(a, options.dynamic);
  return out;
}

}  // namespace fw::theorem
