// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/command.h"
#include "ci/cli/witness_run.h"
#include "reports/extra.h"
#include "solver/check/minimize.h"
#include "solver/check/verdict.h"
#include "solver/exact/compare.h"
#include "solver/exact/second_opinion.h"
#include "solver/theorem/theorem.h"

/// What `prove` makes of solvers' answers, brute force and replays.
namespace fw::cli {

/// A folder for query files that goes away with the object unless it was named by the user.
class QueryFolder {
 public:
  explicit QueryFolder(const std::string& kept);
  ~QueryFolder();
  QueryFolder(const QueryFolder&) = delete;
  QueryFolder& operator=(const QueryFolder&) = delete;
  std::string path() const { return path_.string(); }
  bool kept() const { return kept_; }

 private:
  bool kept_;
  std::filesystem::path path_;
};

/// Tunables and tasks that a bound is evaluated at.
struct Point {
  theorem::CfsLimits limits;
  theorem::CfsMix mix;
  std::string text;
};

/// The tunables of a spec on one CPU with tasks of these nice levels, as `check` holds runs to.
/// Nothing: outside the formula's scope.
std::optional<Point> point_of(const PolicySpec& spec,
                              const std::vector<int>& nices,
                              const theorem::Theorem& row);

std::vector<ObligationResult::Engine> engines_of(const solver::Judgement& judgement,
                                                 const std::vector<solver::Solver>& solvers);

/// Name, status, scope, assumptions, and the bound's value at `spec` with tasks of these levels.
ObligationResult describe(const theorem::Theorem& row,
                          const solver::Obligation& obligation,
                          const solver::Judgement& judgement,
                          const PolicySpec& spec,
                          const std::vector<int>& nices);

/// Adds the small instances; a run above the bound makes the proof failed.
void add_brute_force(const std::vector<exact::BruteForce>& seen,
                     ObligationResult& out,
                     reports::ProofFacts& facts);
void add_needs(const std::vector<solver::Need>& needs, reports::ProofFacts& facts);

/// What a witness's replay says about a refutation or about a bound's tightness.
void judge_refutation(const theorem::Witness& witness,
                      const WitnessRun& seen,
                      ObligationResult& out);
void judge_tightness(const theorem::Theorem& row,
                     const theorem::Witness& witness,
                     const WitnessRun& seen,
                     const Program& program,
                     ObligationResult& out);

/// Spacer and bounded model checking beside the spread theorem, on two tasks: as further engines of
/// the result. For each needed assumption a counterexample to the bound without it is looked for
/// from the empty queue, turned into a workload and replayed; notes say which of them a run
/// reaches.
std::optional<Error> add_opinions(const theorem::Theorem& row,
                                  const std::vector<solver::Solver>& solvers,
                                  solver::DischargeOptions options,
                                  const Program& program,
                                  ObligationResult& out,
                                  std::vector<std::string>& notes);

/// The lasso that the graph of `starved_by_forks` holds, replayed. Nothing: the theorem has none.
struct Lasso {
  WitnessRun run;
  std::string words;  ///< its events
  int rounds = 0;
};
std::optional<Lasso> replay_lasso(const theorem::Theorem& row, const Program& program);

}  // namespace fw::cli
