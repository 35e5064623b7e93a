// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/vocab/outcome.h"
#include "solver/check/process.h"
#include "solver/engine/obligation.h"

namespace fw::solver {

/// A solver as a separate program that reads SMT-LIB 2.
struct Solver {
  std::string name;  ///< `z3`, `cvc5`
  std::string path;
  std::string version;
  std::vector<std::string> options;               ///< before the file
  std::vector<std::string> finite_model_options;  ///< where sat is expected over quantifiers
};

/// Both solvers: from the environment (FAIRWITNESS_Z3, FAIRWITNESS_CVC5: a path each), else from
/// PATH.  Errors: which is missing, and the package that brings it.
Outcome<std::vector<Solver>> find_solvers();

enum class Answer {
  sat,
  unsat,
  unknown,
  timeout,
  crashed  ///< ended otherwise, or said something that is no answer
};
std::string answer_word(Answer answer);

/// The command that asks a solver the query in a file.
Job ask(const Solver& solver, const Query& query, const std::string& file);

/// Strict: exactly one word, and an exit status of 0. Anything else is no answer.
Answer answer_of(const JobEnd& end);

}  // namespace fw::solver
