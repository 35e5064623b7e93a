// SPDX-License-Identifier: Apache-2.0
#include "solver/exact/explicit_queue.h"

#include <algorithm>
#include <map>
#include <regex>

#include "model/rules/cfs.h"
#include "model/vocab/contract.h"

namespace fw::exact {
namespace {

using solver::all_of;
using solver::Formula;
using solver::implies;
using solver::Int;
using solver::Part;
using solver::Query;
namespace rc = rules::cfs;

constexpr const char* event_names[] = {"run", "pick", "leave", "wake"};
constexpr int events = 4;

Int number(std::int64_t value) { return Int(static_cast<std::uint64_t>(value)); }

/// The state at one moment; `cur` is a task's number, or the number of tasks for nobody.
struct State {
  std::string suffix;
  std::size_t tasks;
  Int m() const { return Int::constant("m" + suffix); }
  Int rv() const { return Int::constant("rv" + suffix); }
  Int cur() const { return Int::constant("cur" + suffix); }
  Formula idle() const { return Formula("idle" + suffix); }
  Int v(std::size_t i) const { return Int::constant("v" + std::to_string(i) + suffix); }
  Formula on(std::size_t i) const { return Formula("on" + std::to_string(i) + suffix); }
  Formula runs(std::size_t i) const { return cur() == number(static_cast<std::int64_t>(i)); }
  Formula waits(std::size_t i) const { return on(i) && !runs(i); }

  /// Names with sorts, in the order of Inv's arguments.
  std::vector<std::pair<std::string, std::string>> symbols() const {
    std::vector<std::pair<std::string, std::string>> out = {{"m" + suffix, "Int"},
                                                            {"rv" + suffix, "Int"},
                                                            {"cur" + suffix, "Int"},
                                                            {"idle" + suffix, "Bool"}};
    for (std::size_t i = 0; i < tasks; ++i) {
      out.push_back({"v" + std::to_string(i) + suffix, "Int"});
      out.push_back({"on" + std::to_string(i) + suffix, "Bool"});
    }
    return out;
  }
};

/// What an event is about, at one step: who and how much.
struct Input {
  std::string suffix;
  Int event() const { return Int::constant("e" + suffix); }
  Int task() const { return Int::constant("t" + suffix); }
  Int q() const { return Int::constant("q" + suffix); }
};

/// Some waiting task is leftmost: its vruntime, and whether there is one.
struct Left {
  Formula any{false};
  Int v{0};
};
Left leftmost_waiting(const State& s) {
  Left out;
  for (std::size_t i = 0; i < s.tasks; ++i) {
    const Formula first = s.waits(i) && (!out.any || s.v(i) < out.v);
    out.v = select(first, s.v(i), out.v);
    out.any = out.any || s.waits(i);
  }
  return out;
}

class System {
 public:
  System(const ExplicitQueue& queue, const State& a, const State& b, const Input& input)
      : queue_(queue), a_(a), b_(b), in_(input), left_(leftmost_waiting(a)) {}

  Formula step(int event) const {
    std::vector<Formula> any;
    for (std::size_t j = 0; j < a_.tasks; ++j) {
      Formula about = in_.task() == number(static_cast<std::int64_t>(j));
      switch (event) {
        case 0:
          any.push_back(about && run(j));
          break;
        case 1:
          any.push_back(about && pick(j));
          break;
        case 2:
          any.push_back(about && leave(j));
          break;
        default:
          any.push_back(about && wake(j));
      }
    }
    Formula out = any.front();
    for (std::size_t i = 1; i < any.size(); ++i) out = out || any[i];
    return out;
  }

 private:
  Formula same_tasks(std::size_t but) const {
    std::vector<Formula> all;
    for (std::size_t i = 0; i < a_.tasks; ++i) {
      if (i != but) all.push_back(b_.v(i) == a_.v(i) && b_.on(i) == a_.on(i));
    }
    return all_of(all);
  }
  Int nobody() const { return number(static_cast<std::int64_t>(a_.tasks)); }
  Int minimum(const Int& current) const {
    return rc::updated_min(a_.m(), Formula(true), current, left_.any, left_.v);
  }

  Formula run(std::size_t j) const {
    const Formula in_budget = queue_.budget_rule
                                  ? !left_.any || a_.rv() + in_.q() <= number(queue_.budgets[j])
                                  : in_.q() <= number(4 * queue_.budgets[j]);
    const rc::Load<Int> unit{Int(rc::nice_0_weight), Int(rc::load_of_nice(0).inverse)};
    return a_.runs(j) && in_.q() > Int(0) && in_budget &&
           b_.v(j) == rc::charged(a_.v(j), in_.q(), unit) && b_.on(j) == a_.on(j) &&
           same_tasks(j) && b_.m() == minimum(b_.v(j)) &&
           b_.rv() == select(left_.any, a_.rv() + in_.q(), Int(0)) && b_.cur() == a_.cur() &&
           b_.idle() == a_.idle();
  }

  Formula pick(std::size_t j) const {
    std::vector<Formula> allowed;
    for (std::size_t i = 0; i < a_.tasks && queue_.pick_rule; ++i) {
      allowed.push_back(
          implies(a_.on(i), rc::buddy_allowed(a_.v(j), a_.v(i), number(queue_.lead))));
    }
    return a_.on(j) && all_of(allowed) && in_.q() == Int(0) && b_.v(j) == a_.v(j) && b_.on(j) &&
           same_tasks(j) && b_.m() == a_.m() && b_.rv() == Int(0) &&
           b_.cur() == number(static_cast<std::int64_t>(j)) && !b_.idle();
  }

  Formula leave(std::size_t j) const {
    return a_.runs(j) && in_.q() == Int(0) && b_.v(j) == a_.v(j) && !b_.on(j) && same_tasks(j) &&
           b_.m() == minimum(a_.v(j)) && b_.rv() == Int(0) && b_.cur() == nobody() &&
           b_.idle() == !left_.any;
  }

  Formula wake(std::size_t j) const {
    Formula fresh = a_.idle() || Formula(!queue_.gap_rule);
    for (std::size_t i = 0; i < a_.tasks; ++i) fresh = fresh || (a_.on(i) && a_.v(i) <= a_.m());
    return !a_.on(j) && fresh && in_.q() == Int(0) &&
           b_.v(j) == rc::placed_at_wakeup(a_.v(j), a_.m(), number(queue_.credit)) && b_.on(j) &&
           same_tasks(j) && b_.m() == a_.m() && b_.rv() == a_.rv() && b_.cur() == a_.cur() &&
           b_.idle() == a_.idle();
  }

  const ExplicitQueue& queue_;
  const State& a_;
  const State& b_;
  const Input& in_;
  Left left_;
};

Formula initial(const State& s) {
  std::vector<Formula> all = {s.m() == Int(0),
                              s.rv() == Int(0),
                              s.cur() == number(static_cast<std::int64_t>(s.tasks)),
                              s.idle()};
  for (std::size_t i = 0; i < s.tasks; ++i) all.push_back(!s.on(i) && s.v(i) == Int(0));
  return all_of(all);
}

/// Two runnable tasks are at least `spread` apart.
Formula apart(const State& s, std::int64_t spread) {
  Formula out(false);
  for (std::size_t i = 0; i < s.tasks; ++i) {
    for (std::size_t j = 0; j < s.tasks; ++j) {
      if (i == j) continue;
      out = out || (s.on(i) && s.on(j) && s.v(i) >= s.v(j) + number(spread));
    }
  }
  return out;
}

std::string declared(const State& s) {
  std::string out;
  for (const auto& [name, sort] : s.symbols()) {
    out += "(declare-fun " + name + " () " + sort + ")\n";
  }
  return out;
}
std::string declared(const Input& input) {
  std::string out;
  for (const char* name : {"e", "t", "q"}) {
    out += "(declare-fun " + (name + input.suffix) + " () Int)\n";
  }
  return out;
}

std::string applied(const State& s) {
  std::string out = "(Inv";
  for (const auto& symbol : s.symbols()) out += " " + symbol.first;
  return out + ")";
}

std::string bound_variables(const std::vector<State>& states, const Input* input) {
  std::string out = "(";
  for (const State& s : states) {
    for (const auto& [name, sort] : s.symbols()) out += "(" + name + " " + sort + ") ";
  }
  if (input != nullptr) {
    for (const char* name : {"t", "q"}) out += "(" + (name + input->suffix) + " Int) ";
  }
  return out + ")";
}

}  // namespace

std::string horn_clauses(const ExplicitQueue& queue, std::int64_t bound) {
  const State a{"", queue.budgets.size()};
  const State b{"1", queue.budgets.size()};
  const Input input{""};
  std::string out = "(set-logic HORN)\n(declare-fun Inv (";
  for (const auto& symbol : a.symbols()) out += symbol.second + " ";
  out += ") Bool)\n";
  out += "(assert (forall " + bound_variables({a}, nullptr) + " (=> " + initial(a).text() + " " +
         applied(a) + ")))\n";
  const System system(queue, a, b, input);
  for (int event = 0; event < events; ++event) {
    out += "(assert (forall " + bound_variables({a, b}, &input) + " (=> (and " + applied(a) + " " +
           system.step(event).text() + ") " + applied(b) + ")))\n";
  }
  out += "(assert (forall " + bound_variables({a}, nullptr) + " (=> (and " + applied(a) + " " +
         apart(a, bound + 1).text() + ") false)))\n";
  return out + "(check-sat)\n(get-model)\n";
}

std::optional<std::string> invariant_in(const std::string& answer) {
  const auto from = answer.find("(define-fun Inv ");
  if (from == std::string::npos) return std::nullopt;
  int depth = 0;
  for (std::size_t at = from; at < answer.size(); ++at) {
    depth += answer[at] == '(' ? 1 : answer[at] == ')' ? -1 : 0;
    if (depth == 0) return answer.substr(from, at + 1 - from);
  }
  return std::nullopt;
}

solver::Obligation check_invariant(const ExplicitQueue& queue,
                                   const std::string& definition,
                                   std::int64_t bound) {
  const State a{"", queue.budgets.size()};
  const State b{"1", queue.budgets.size()};
  const Input input{""};
  const System system(queue, a, b, input);
  const std::string head =
      "(set-logic QF_LIA)\n" + definition + "\n" + declared(a) + declared(b) + declared(input);
  solver::Obligation out;
  const auto add = [&](const std::string& name,
                       Part part,
                       const std::string& premises,
                       const std::string& goal,
                       bool with_goal) {
    std::string text = head + "(assert " + premises + ")\n";
    if (with_goal) text += "(assert (not " + goal + "))\n";
    out.queries.push_back({name, part, text + "(check-sat)\n", false});
  };
  const auto both = [&](const std::string& name,
                        Part part,
                        const std::string& premises,
                        const std::string& goal) {
    add(name, part, premises, goal, true);
    add("vacuity." + name, Part::vacuity, premises, goal, false);
  };
  both("initiation", Part::initiation, initial(a).text(), applied(a));
  for (int event = 0; event < events; ++event) {
    both(std::string("event.") + event_names[event],
         Part::event,
         "(and " + applied(a) + " " + system.step(event).text() + ")",
         applied(b));
  }
  const Formula within = !apart(a, bound + 1);
  both("consequence.spread", Part::consequence, applied(a), within.text());
  // The bound less one must not follow: the invariant is not just false.
  add("control.one-less", Part::control, applied(a), (!apart(a, bound)).text(), true);
  return out;
}

std::string bounded_run(const ExplicitQueue& queue, int steps, std::int64_t spread) {
  std::vector<State> states;
  std::vector<Input> inputs;
  for (int k = 0; k <= steps; ++k)
    states.push_back({"_" + std::to_string(k), queue.budgets.size()});
  for (int k = 0; k < steps; ++k) inputs.push_back({"_" + std::to_string(k)});
  std::string out = "(set-option :produce-models true)\n(set-logic QF_LIA)\n";
  for (const State& s : states) out += declared(s);
  for (const Input& input : inputs) out += declared(input);
  out += "(assert " + initial(states.front()).text() + ")\n";
  std::string asked;
  for (int k = 0; k < steps; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const System system(queue, states[at], states[at + 1], inputs[at]);
    Formula any(false);
    for (int event = 0; event < events; ++event) {
      any = any || (inputs[at].event() == number(event) && system.step(event));
    }
    out += "(assert " + any.text() + ")\n";
    for (const char* name : {"e", "t", "q"}) asked += " " + (name + inputs[at].suffix);
  }
  out += "(assert " + apart(states.back(), spread).text() + ")\n";
  return out + "(check-sat)\n(get-value (" + asked + "))\n";
}

std::optional<std::vector<CfsEvent>> events_in(const std::string& answer, int steps) {
  std::map<std::string, std::int64_t> values;
  const std::regex pair(R"(\(([etq]_\d+) (\d+)\))");
  for (auto at = std::sregex_iterator(answer.begin(), answer.end(), pair);
       at != std::sregex_iterator();
       ++at) {
    values[(*at)[1]] = std::stoll((*at)[2]);
  }
  std::vector<CfsEvent> out;
  for (int k = 0; k < steps; ++k) {
    const std::string suffix = "_" + std::to_string(k);
    if (values.count("e" + suffix) == 0 || values.count("t" + suffix) == 0) return std::nullopt;
    const auto kind = static_cast<CfsEvent::Kind>(values["e" + suffix]);
    const auto task = static_cast<std::size_t>(values["t" + suffix]);
    const std::int64_t times = kind == CfsEvent::Kind::run ? values["q" + suffix] : 1;
    for (std::int64_t i = 0; i < times; ++i) out.push_back({kind, task});
  }
  return out;
}

}  // namespace fw::exact
