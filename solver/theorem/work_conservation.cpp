// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/work_conservation.h"

#include <string>

#include "solver/engine/induction.h"

namespace fw::theorem {
namespace {

using solver::for_all;
using solver::Formula;
using solver::implies;
using solver::Int;
using solver::int_of;
using solver::Named;
using solver::Obligation;
using solver::System;
using solver::Task;
using solver::truth_of;

struct Options {
  std::uint64_t least_difference = 2;
  bool may_decline = false;
};

/// The uninterpreted sort stands for CPUs here.
struct State {
  std::string suffix;
  Int tasks(const Task& cpu) const { return int_of("n" + suffix, cpu); }
  Formula done(const Task& cpu) const { return truth_of("done" + suffix, cpu); }
};

std::vector<Named> invariant(const State& s) {
  return {{"counts", "", for_all([&](const Task& x) { return s.tasks(x) >= Int(0); })},
          {"served",
           "whoever had its turn is busy, or nobody has two tasks",
           for_all([&](const Task& x) {
             return implies(s.done(x), s.tasks(x) >= Int(1) || for_all([&](const Task& y) {
                                         return s.tasks(y) <= Int(1);
                                       }));
           })}};
}

System balancing(const Options& options) {
  const State a{""};
  const State b{"1"};
  const Task self("c");
  const Task from("b");
  System out;
  for (const char* suffix : {"", "1"}) {
    out.symbols.int_function(std::string("n") + suffix);
    out.symbols.truth_function(std::string("done") + suffix);
  }
  out.symbols.task("c");
  out.symbols.task("b");
  out.initial = {
      {"start", "", for_all([&](const Task& x) { return a.tasks(x) >= Int(0) && !a.done(x); })}};
  out.invariant = invariant(a);
  out.kept = invariant(b);
  const auto turn_taken =
      for_all([&](const Task& x) { return b.done(x) == (x == self || a.done(x)); });
  solver::Event steal;
  steal.name = "steal";
  steal.guards = {{"difference",
                   "a task is taken only from a CPU with at least two more",
                   a.tasks(from) >= a.tasks(self) + Int(options.least_difference)}};
  steal.step = {{"move", "", self != from && for_all([&](const Task& x) {
                               return b.tasks(x) ==
                                      select(x == self,
                                             a.tasks(x) + Int(1),
                                             select(x == from, a.tasks(x) - Int(1), a.tasks(x)));
                             })},
                {"turn", "", turn_taken}};
  solver::Event pass;
  pass.name = "pass";
  if (!options.may_decline) {
    pass.guards = {
        {"must take",
         "an idle CPU takes a task if another has two",
         a.tasks(self) >= Int(1) || for_all([&](const Task& x) { return a.tasks(x) <= Int(1); })}};
  }
  pass.step = {{"stay", "", for_all([&](const Task& x) { return b.tasks(x) == a.tasks(x); })},
               {"turn", "", turn_taken}};
  out.events = {steal, pass};
  out.conclusions = {{"conserving",
                      "after everybody's turn no CPU is idle while another has two tasks",
                      implies(for_all([&](const Task& x) { return a.done(x); }),
                              implies(a.tasks(self) == Int(0), a.tasks(from) <= Int(1)))}};
  return out;
}

}  // namespace

Obligation work_conservation_round() {
  Obligation out = solver::induction(balancing({}));
  out.queries.push_back(
      solver::event_control(balancing({.least_difference = 1}), "steal", "difference-of-one"));
  out.queries.push_back(
      solver::event_control(balancing({.may_decline = true}), "pass", "may-decline"));
  return out;
}

}  // namespace fw::theorem
