// SPDX-License-Identifier: Apache-2.0
#include "solver/exact/second_opinion.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace fw::exact {
namespace {

/// The one solver that has Spacer and gives models in the form that is read here.
const solver::Solver* z3_of(const std::vector<solver::Solver>& solvers) {
  for (const solver::Solver& one : solvers) {
    if (one.name == "z3") return &one;
  }
  return nullptr;
}

Outcome<solver::JobEnd> ask(const solver::Solver& z3,
                            const std::string& text,
                            const std::string& name,
                            const solver::DischargeOptions& options) {
  const std::filesystem::path file = std::filesystem::path(options.folder) / (name + ".smt2");
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) return Error{"cannot write the query", "free space, or choose --keep", file.string()};
  solver::Job job;
  job.command = {z3.path};
  job.command.insert(job.command.end(), z3.options.begin(), z3.options.end());
  job.command.push_back(file.string());
  return solver::run_jobs({job}, 1, options.limit).front();
}

std::string about(const ExplicitQueue& queue) {
  return fmt::format("{} tasks, th = {}, U = {}, g = {}",
                     queue.budgets.size(),
                     queue.credit,
                     fmt::join(queue.budgets, ", "),
                     queue.lead);
}

bool starts_with(const std::string& text, const std::string& word) {
  return text.rfind(word + "\n", 0) == 0;
}

}  // namespace

Outcome<Opinion> ask_spacer(const ExplicitQueue& queue,
                            std::int64_t bound,
                            const std::vector<solver::Solver>& solvers,
                            const solver::DischargeOptions& options) {
  Opinion out{"spacer", about(queue), "no answer", false, false, 0, {}};
  const solver::Solver* const z3 = z3_of(solvers);
  if (z3 == nullptr) return out;
  const auto end = ask(*z3, horn_clauses(queue, bound), "horn", options);
  if (!end) return end.error();
  out.seconds = end->seconds;
  if (starts_with(end->output, "unsat")) {
    out.verdict = "says that the bound is broken; not believed without a run";
    return out;
  }
  const auto invariant = starts_with(end->output, "sat") ? invariant_in(end->output) : std::nullopt;
  if (!invariant) return out;
  const solver::Obligation check = check_invariant(queue, *invariant, bound);
  const auto judged = solver::discharge({{"spacer-invariant", check}}, solvers, options);
  if (!judged) return judged.error();
  const solver::Judgement& judgement = judged->front();
  out.decided = judgement.status == solver::Status::proved;
  out.agrees = out.decided;
  for (const solver::Asked& asked : judgement.asked) out.seconds += asked.seconds;
  out.verdict = out.decided
                    ? fmt::format(
                          "found an invariant of its own; proved again by induction, {} queries "
                          "in both solvers",
                          check.queries.size())
                    : "its invariant is not confirmed: " + judgement.reason;
  return out;
}

Outcome<Opinion> ask_bmc(const ExplicitQueue& queue,
                         std::int64_t spread,
                         int most_steps,
                         const std::vector<solver::Solver>& solvers,
                         const solver::DischargeOptions& options) {
  Opinion out{"bmc", about(queue), "", false, true, 0, {}};
  const solver::Solver* const z3 = z3_of(solvers);
  if (z3 == nullptr) return out;
  for (int steps = 2; steps <= most_steps; ++steps) {
    const auto end =
        ask(*z3, bounded_run(queue, steps, spread), fmt::format("bmc.{}", steps), options);
    if (!end) return end.error();
    out.seconds += end->seconds;
    if (starts_with(end->output, "unsat")) continue;
    const auto events =
        starts_with(end->output, "sat") ? events_in(end->output, steps) : std::nullopt;
    out.decided = events.has_value();
    out.agrees = out.decided;
    if (events) out.run = *events;
    out.verdict = events ? fmt::format("spread {} in {} events", spread, steps)
                         : fmt::format("no answer at {} events", steps);
    return out;
  }
  out.verdict = fmt::format("no run of at most {} events reaches {}", most_steps, spread);
  return out;
}

}  // namespace fw::exact
