// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "ci/cli/output.h"
#include "props/run/mutant_table.h"

namespace fw::cli {
namespace {

class Mutants : public Command {
 public:
  explicit Mutants(CLI::App& app) {
    app.add_option("--only", only_, "these mutants, separated by commas (see list mutants)")
        ->delimiter(',')
        ->type_name("ID,...");
    app.add_option("--policy", policy_, "only mutants of this policy");
    add_seed(app, options_.seed, "seed of the hunts (default 1)");
    add_duration(app, "--time", options_.limit, "to find one mutant (default 30s)", {1});
    add_duration(app,
                 "--blind-time",
                 options_.blind_limit,
                 "to find it with lockstep off (default 5s)",
                 {1});
    add_duration(app, "--budget", options_.reduce_budget, "to shrink its case (default 10s)");
    add_count(app, "--jobs", jobs_, 1, 256, "worker processes (default: all cores)");
    app.add_option("--cases", options_.directory, "keep the minimized cases in this folder")
        ->type_name("DIR");
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    if (!program.faulty) return complain(hand_over(program));
    options_.jobs =
        jobs_ > 0 ? jobs_ : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<const mutants::Mutant*> chosen;
    if (const auto error = choose(program, chosen)) return complain(*error);
    if (!options_.directory.empty()) {
      std::error_code failed;
      std::filesystem::create_directories(options_.directory, failed);
      if (failed) {
        return complain({fmt::format("cannot make the folder: {}", failed.message()),
                         "name a folder that can be written",
                         options_.directory});
      }
    }
    Result result;
    result.command = "mutants";
    result.command_line = fmt::format("fairwitness mutants --seed {}", options_.seed);
    result.seed = options_.seed;
    ProgressLine progress(output_, "mutants");
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      progress.show(static_cast<double>(i) / static_cast<double>(chosen.size()),
                    fmt::format("{} of {}: {}", i + 1, chosen.size(), chosen[i]->id));
      const PolicyRow* row = row_named(program, chosen[i]->policy);
      if (row == nullptr) continue;
      program.plant(chosen[i]->id);
      result.mutants.push_back(run::hunt(*row, *chosen[i], options_));
      program.plant("");
      result.cases += result.mutants.back().cases;
      result.seconds += result.mutants.back().seconds;
    }
    const bool survivor = std::any_of(result.mutants.begin(),
                                      result.mutants.end(),
                                      [](const MutantResult& m) { return !m.killed; });
    result.all_statuses = {Exit::held};
    if (survivor) result.all_statuses.push_back(Exit::falsified);
    if (result.mutants.empty()) result.all_statuses.push_back(Exit::vacuous);
    return finish(result, output_);
  }

 private:
  std::optional<Error> choose(const Program& program,
                              std::vector<const mutants::Mutant*>& chosen) const {
    std::vector<std::string_view> ids;
    if (!policy_.empty()) {
      std::vector<std::string_view> policies;
      for (const PolicyInfo* info : program.catalogue) policies.push_back(info->name);
      if (std::find(policies.begin(), policies.end(), policy_) == policies.end()) {
        return unknown_word("policy", policy_, policies);
      }
    }
    for (const mutants::Mutant& mutant : mutants::all_mutants()) {
      ids.push_back(mutant.id);
      if (only_.empty() && (policy_.empty() || mutant.policy == policy_)) chosen.push_back(&mutant);
    }
    for (const std::string& id : only_) {
      const mutants::Mutant* mutant = mutants::find_mutant(id);
      if (mutant == nullptr) return unknown_word("mutant", id, ids);
      chosen.push_back(mutant);
    }
    return std::nullopt;
  }

  static const PolicyRow* row_named(const Program& program, std::string_view policy) {
    for (const PolicyRow& row : program.rows) {
      if (row.info->name == policy) return &row;
    }
    return nullptr;
  }

  std::vector<std::string> only_;
  std::string policy_;
  int jobs_ = 0;
  run::MutantOptions options_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_mutants(CLI::App& app) { return std::make_unique<Mutants>(app); }

}  // namespace fw::cli
