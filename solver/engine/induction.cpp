// SPDX-License-Identifier: Apache-2.0
#include "solver/engine/induction.h"

#include <algorithm>

#include "model/vocab/contract.h"

namespace fw::solver {
namespace {

/// Before the name of an assumption in a query's text.
const std::string assumption_mark = "assumes ";

/// Premises and guards are marked as assumptions, so that each can be left out (without_assumption).
Script script_of(const System& system,
                 const std::vector<const std::vector<Named>*>& groups,
                 const std::vector<Named>& guards = {}) {
  Script out(system.logic, system.symbols);
  for (const auto* group : groups) {
    const bool premises = group == &system.premises;
    for (const Named& named : *group) {
      out.assume(named.formula, (premises ? assumption_mark : "") + named.name);
    }
  }
  for (const Named& guard : guards) out.assume(guard.formula, assumption_mark + guard.name);
  return out;
}

Formula conjunction(const std::vector<Named>& parts) {
  std::vector<Formula> formulas;
  for (const Named& part : parts) formulas.push_back(part.formula);
  return all_of(formulas);
}

/// The question, and the same without its goal.
void add(const System& system,
         Part part,
         const std::string& name,
         const Script& premises,
         const Formula& goal,
         Obligation& out) {
  Script asked = premises;
  out.queries.push_back({name, part, asked.refute(goal).text(), system.symbols.has_tasks()});
  out.queries.push_back(
      {"vacuity." + name, Part::vacuity, premises.text(), system.symbols.has_tasks()});
}

Script before(const System& system, const Event& event) {
  return script_of(system,
                   {&system.premises, &system.definitions, &system.invariant, &event.step},
                   event.guards);
}

const Event& event_named(const System& system, const std::string& name) {
  const auto found = std::find_if(
      system.events.begin(), system.events.end(), [&](const Event& e) { return e.name == name; });
  FW_EXPECT(found != system.events.end());
  return *found;
}

bool erase_named(std::vector<Named>& list, const std::string& name) {
  const auto end = std::remove_if(
      list.begin(), list.end(), [&](const Named& named) { return named.name == name; });
  const bool any = end != list.end();
  list.erase(end, list.end());
  return any;
}

}  // namespace

std::optional<Query> without_assumption(const Query& query, const std::string& name) {
  const std::string mark = "; " + (assumption_mark + name) + "\n";
  Query out = query;
  bool any = false;
  for (auto at = out.text.find(mark); at != std::string::npos; at = out.text.find(mark, at)) {
    const auto assertion_end = out.text.find('\n', at + mark.size());
    FW_EXPECT(assertion_end != std::string::npos);
    out.text.erase(at, assertion_end + 1 - at);
    any = true;
  }
  if (!any) return std::nullopt;
  out.name += ".without." + name;
  std::replace(out.name.begin(), out.name.end(), ' ', '-');
  return out;
}

Script::Script(std::string logic, const Signature& signature)
    : head_("(set-logic " + std::move(logic) + ")\n" + signature.text()) {}

Script& Script::about(const std::string& comment) {
  body_ += "; " + comment + "\n";
  return *this;
}

Script& Script::assume(const Formula& formula, const std::string& name) {
  if (!name.empty()) about(name);
  body_ += "(assert " + formula.text() + ")\n";
  return *this;
}

Script& Script::refute(const Formula& goal) { return assume(!goal, "the goal, negated"); }

Obligation induction(const System& system) {
  Obligation out;
  for (const Named& premise : system.premises) {
    out.assumptions.push_back({premise.name, premise.words, premise.formula.text()});
  }
  add(system,
      Part::initiation,
      "initiation",
      script_of(system, {&system.premises, &system.definitions, &system.initial}),
      conjunction(system.invariant),
      out);
  for (const Event& event : system.events) {
    for (const Named& guard : event.guards) {
      const bool known = std::any_of(out.assumptions.begin(),
                                     out.assumptions.end(),
                                     [&](const Assumption& a) { return a.name == guard.name; });
      if (!known) out.assumptions.push_back({guard.name, guard.words, guard.formula.text()});
    }
    add(system,
        Part::event,
        "event." + event.name,
        before(system, event),
        conjunction(system.kept),
        out);
  }
  for (const Named& conclusion : system.conclusions) {
    add(system,
        Part::consequence,
        "consequence." + conclusion.name,
        script_of(system, {&system.premises, &system.definitions, &system.invariant}),
        conclusion.formula,
        out);
  }
  return out;
}

Query event_control(const System& changed, const std::string& event, const std::string& name) {
  Script script = before(changed, event_named(changed, event));
  return {"control." + name,
          Part::control,
          script.refute(conjunction(changed.kept)).text(),
          changed.symbols.has_tasks()};
}

Query event_possible(const System& system,
                     const std::string& event,
                     const Formula& special,
                     const std::string& name) {
  Script script = before(system, event_named(system, event));
  return {"vacuity." + name,
          Part::vacuity,
          script.assume(special, name).text(),
          system.symbols.has_tasks()};
}

Query conclusion_control(const System& changed,
                         const std::string& conclusion,
                         const std::string& name) {
  Script script = script_of(changed, {&changed.premises, &changed.definitions, &changed.invariant});
  const auto found = std::find_if(changed.conclusions.begin(),
                                  changed.conclusions.end(),
                                  [&](const Named& named) { return named.name == conclusion; });
  FW_EXPECT(found != changed.conclusions.end());
  return {"control." + name,
          Part::control,
          script.refute(found->formula).text(),
          changed.symbols.has_tasks()};
}

System without(const System& system, const std::string& name) {
  System out = system;
  bool any = erase_named(out.premises, name);
  for (Event& event : out.events) any = erase_named(event.guards, name) || any;
  FW_EXPECT(any);
  return out;
}

}  // namespace fw::solver
