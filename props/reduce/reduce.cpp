// SPDX-License-Identifier: Apache-2.0
#include "props/reduce/reduce.h"

#include <array>

#include "props/reduce/passes.h"

namespace fw::reduce {
namespace {

/// All steps, large pieces first. True when the case became better. A thorough round without
/// success proves that nothing single can go.
bool round(Search& search) {
  static constexpr std::array passes = {cut_horizon,
                                        remove_pieces,
                                        drop_deviations,
                                        shrink_topology,
                                        simplify_loops,
                                        round_amounts,
                                        tune_numbers};
  bool progress = false;
  for (const auto pass : passes) progress |= pass(search);
  return progress;
}

/// A task left with one plain phase is written without it.
void unname_phases(Case& input) {
  for (TaskDef& task : input.workload.tasks) {
    Phase& phase = task.phases.front();
    if (task.phases.size() == 1 && phase.loop == 1 && !phase.nice && !phase.cpus)
      phase.name.clear();
  }
}

}  // namespace

Outcome<Reduced> reduce(const Case& original,
                        const Oracle& oracle,
                        const Budget& budget,
                        const Progress& on_progress,
                        const Options& options) {
  Search search(original, oracle, budget, on_progress, options);
  if (!search.start()) {
    return Error{"the case does not fail in the way to be kept",
                 original.signature.empty()
                     ? "replay it first: it holds as it is"
                     : "replay it first: its signature is " + original.signature};
  }
  round(search);
  search.set_thorough();
  while (round(search) && !search.spent()) {
  }
  Reduced out;
  out.one_minimal = !search.spent();
  const std::vector<std::string> notes =
      search.spent() ? std::vector<std::string>() : irrelevance_notes(search);
  out.confirmed = !search.spent() && search.confirm();
  out.best = search.best();
  unname_phases(out.best);
  out.best.notes.insert(out.best.notes.end(), notes.begin(), notes.end());
  out.out_of_budget = !out.one_minimal;
  out.statistics = search.statistics();
  out.others = search.take_others();
  return out;
}

}  // namespace fw::reduce
