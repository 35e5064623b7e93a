// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/check/solvers.h"
#include "solver/engine/obligation.h"

namespace fw::solver {

/// What the solvers' answers amount to.
enum class Status {
  proved,   ///< every query is answered as its part demands, by every solver
  unknown,  ///< a solver gave no answer: unknown, limit, crash
  failed  ///< a solver contradicts the proof, a control holds, or two solvers contradict each other
};

/// One query asked of one solver.
struct Asked {
  std::string query;
  Part part = Part::lemma;
  std::string solver;
  Answer answer = Answer::crashed;
  double seconds = 0;
  std::string output;  ///< what it said, when that is no answer
};

/// The verdict on one obligation, with its evidence.
struct Judgement {
  Status status = Status::unknown;
  std::string reason;             ///< empty when proved
  bool negative_control = false;  ///< there are controls, and every solver refutes every one
  bool vacuity = false;           ///< there are vacuity checks, and every solver satisfies them
  std::vector<Asked> asked;
};

/// Applies the rules to the answers of both solvers. Contradictions outrank missing answers.
/// Precondition: every query was asked of the same solvers.
Judgement judge(const Obligation& obligation, std::vector<Asked> asked);

struct DischargeOptions {
  int jobs = 2;
  Duration limit{10'000'000'000};  ///< for each query and solver
  std::string folder;              ///< where the SMT-LIB files are written, and stay
};

/// Writes all queries to files and asks every solver each of them, in parallel.
/// Errors: files that cannot be written.
Outcome<std::vector<Judgement>> discharge(
    const std::vector<std::pair<std::string, Obligation>>& obligations,
    const std::vector<Solver>& solvers,
    const DischargeOptions& options,
    const std::function<void(double)>& on_progress = {});

}  // namespace fw::solver
