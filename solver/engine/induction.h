// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "solver/engine/obligation.h"

/// Induction over events: an invariant that holds at first and is kept by every event holds for
/// ever, for any number of tasks.
namespace fw::solver {

/// A formula with its name and its words.
struct Named {
  std::string name;
  std::string words;
  Formula formula;
};

/// One kind of event. `guards` are the assumptions about it that could fail (each can be left out
/// by name); `step` says what it does, with every symbol of the new state determined.
struct Event {
  std::string name;
  std::vector<Named> guards;
  std::vector<Named> step;
};

/// A transition system with its claim. Symbols of the new state are declared too.
struct System {
  std::string logic = "UFLIA";
  Signature symbols;
  std::vector<Named> premises;     ///< about the constants
  std::vector<Named> definitions;  ///< of auxiliary symbols of the old state: always satisfiable
  std::vector<Named> initial;      ///< about the first state
  std::vector<Named> invariant;    ///< of the old state
  std::vector<Named> kept;         ///< the same of the new state, clause by clause
  std::vector<Event> events;
  std::vector<Named> conclusions;  ///< of the old state: what the invariant is for
};

/// Initiation, one query an event, one a conclusion, and for each its vacuity check (the same
/// without the goal). The assumptions are the premises and all guards.
Obligation induction(const System& system);

/// The named event's query alone, as a negative control: of a system that has been changed so that
/// it must fail. `name` ends the query's name.
Query event_control(const System& changed, const std::string& event, const std::string& name);
/// The same for a conclusion.
Query conclusion_control(const System& changed,
                         const std::string& conclusion,
                         const std::string& name);

/// That an event can happen in a special case, as a vacuity check: a proof must not hold because
/// the case was lost in the statement.
Query event_possible(const System& system,
                     const std::string& event,
                     const Formula& special,
                     const std::string& name);

/// The system without a premise or guard of that name. Precondition: there is one.
System without(const System& system, const std::string& name);

}  // namespace fw::solver
