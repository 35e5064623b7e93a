// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/engine/term.h"

namespace fw::solver {

/// What a query is there for. The first four must be unsat, the last two sat.
enum class Part { initiation, event, consequence, lemma, vacuity, control };

/// One question to both solvers: a file of plain SMT-LIB 2 with one (check-sat).
struct Query {
  std::string name;  ///< `event.wake`, `control.wake-without-gap`; a file name
  Part part = Part::lemma;
  std::string text;
  bool quantified =
      false;  ///< over tasks: a finite model has to be looked for when sat is expected
};

inline bool must_hold(const Query& query) {
  return query.part != Part::vacuity && query.part != Part::control;
}

/// One named premise of a theorem, in words and as the formula the queries assume.
struct Assumption {
  std::string name;
  std::string words;
  std::string formula;
};

/// A theorem as questions. It is proved when every one is answered as its part demands, by both
/// solvers.
struct Obligation {
  std::vector<Assumption> assumptions;
  std::vector<Query> queries;
};

/// A query's text: logic, symbols, one assertion a premise (with its name as a comment), the
/// question.
class Script {
 public:
  Script(std::string logic, const Signature& signature);
  /// Same symbols and premises again: a script is a value.
  Script& about(const std::string& comment);
  Script& assume(const Formula& formula, const std::string& name = {});
  /// The goal, negated: unsat means that the premises imply it.
  Script& refute(const Formula& goal);
  std::string text() const { return head_ + body_ + "(check-sat)\n"; }

 private:
  std::string head_;
  std::string body_;
};

/// The query with one assumption left out, under a name that says so; nothing when it does not
/// state that assumption.
std::optional<Query> without_assumption(const Query& query, const std::string& name);

}  // namespace fw::solver
