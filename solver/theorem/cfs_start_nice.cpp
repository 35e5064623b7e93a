// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_start_nice.h"

#include <string>

#include "model/rules/cfs_switches.h"
#include "solver/engine/induction.h"

namespace fw::theorem {
namespace {

using solver::Formula;
using solver::Int;
using solver::Named;
using solver::Obligation;
using solver::System;
namespace rc = rules::cfs;

struct Options {
  bool v2 = false;
  std::uint64_t longer_charge = 0;
  std::uint64_t window_used = 0;  ///< part of the window that the invariant forgets
};

/// One run: since the pick the task has run `r`, of which `dbl` at double cost.
struct Run {
  std::string suffix;
  Int ran = Int::constant("r" + suffix);
  Int doubled = Int::constant("dbl" + suffix);
  Int gained = Int::constant("gain" + suffix);
  Int total = Int::constant("sum_exec" + suffix);
  Formula penalized = Formula("pen" + suffix);
};

const Int window = Int::constant("window");
const Int tick = Int::constant("T");
const Int limit = Int::constant("R");
const Int end_time = Int::constant("pen_end");

std::vector<Named> invariant(const Run& s, const Options& options) {
  const Int past = options.v2 ? Int(0) : tick;
  return {{"gain", "double time is gained twice", s.gained == s.ran + s.doubled},
          {"double", "no more than all of the run", Int(0) <= s.doubled && s.doubled <= s.ran},
          {"run", "", s.ran <= limit},
          {"window",
           "while it is expensive, what is left of the window; later, the window and the charge "
           "that crossed its end",
           implies(s.penalized,
                   end_time + s.ran <= s.total + window + Int(options.window_used) &&
                       (!later(s.total, end_time))) &&
               implies(!s.penalized, s.doubled <= window + past)}};
}

System one_run(const Options& options) {
  const Run a{""};
  const Run b{"1"};
  const Int d = Int::constant("d");
  System out;
  out.logic = "QF_LIA";
  for (const char* suffix : {"", "1"}) {
    for (const char* name : {"r", "dbl", "gain", "sum_exec"}) {
      out.symbols.integer(std::string(name) + suffix);
    }
    out.symbols.truth(std::string("pen") + suffix);
  }
  for (const char* name : {"window", "T", "R", "pen_end", "d"}) out.symbols.integer(name);
  out.premises = {{"constants",
                   "window, tick and run limit are not negative",
                   window >= Int(0) && tick >= Int(0) && limit >= Int(0)}};
  out.initial = {
      {"picked",
       "",
       a.ran == Int(0) && a.doubled == Int(0) && a.gained == Int(0) &&
           implies(a.penalized,
                   a.total <= end_time && rc::penalty_end(a.total, window) >= end_time)}};
  out.invariant = invariant(a, options);
  out.kept = invariant(b, options);
  solver::Event charge;
  charge.name = "charge";
  charge.guards = {{"tick",
                    "a running task is charged at least once a tick",
                    d <= tick + Int(options.longer_charge)},
                   {"run limit", "a run is at most R", a.ran + d <= limit}};
  const rc::NiceCharge<Int> cost =
      rc::start_nice(d, a.penalized, end_time, a.total + d, options.v2);
  charge.step = {{"charge", "", d >= Int(0)},
                 {"time", "", b.ran == a.ran + d && b.total == a.total + d},
                 {"cost", "", b.gained == a.gained + cost.virtual_ns},
                 {"double", "", b.doubled == a.doubled + cost.virtual_ns - d},
                 {"expensive", "", b.penalized == cost.penalized}};
  out.events = {charge};
  const Int past = options.v2 ? Int(0) : tick;
  out.conclusions = {{"gain",
                      "a run gains at most R + min(R, window + T)",
                      a.gained <= limit + limit && a.gained <= limit + window + past}};
  return out;
}

}  // namespace

Obligation cfs_start_nice() {
  Obligation out;
  for (const bool v2 : {false, true}) {
    const Options options{.v2 = v2};
    Obligation one = solver::induction(one_run(options));
    Options changed = options;
    if (!v2) {
      changed.longer_charge = 1;
      one.queries.push_back(
          solver::event_control(one_run(changed), "charge", "charge-longer-than-a-tick"));
      changed = options;
    }
    changed.window_used = 1;
    one.queries.push_back(solver::event_control(one_run(changed), "charge", "window-longer"));
    for (solver::Query& query : one.queries) {
      if (v2) {
        const std::size_t at = query.part == solver::Part::vacuity   ? 8
                               : query.part == solver::Part::control ? 8
                                                                     : 0;
        query.name.insert(at, "v2.");
      }
      out.queries.push_back(std::move(query));
    }
    if (!v2) out.assumptions = one.assumptions;
  }
  return out;
}

}  // namespace fw::theorem
