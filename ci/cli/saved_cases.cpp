// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/saved_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "model/input/casefile.h"
#include "props/run/campaign.h"
#include "props/run/failure.h"
#include "props/run/summary.h"
#include "props/store/store.h"

namespace fw::cli {

struct SavedCases::State {
  std::string directory;
  const Program& program;
  std::string mutant;  ///< planted again after each saved case, which has its own
  std::optional<store::CaseStore> cases;
};

SavedCases::SavedCases(std::string directory, const Program& program, std::string mutant)
    : state_(new State{std::move(directory), program, std::move(mutant), std::nullopt}) {}
SavedCases::~SavedCases() = default;

std::optional<Error> SavedCases::open() {
  const store::ReadCase read = [this](const std::string& text, const std::string& path) {
    return input::read_case(text, path, state_->program.catalogue);
  };
  auto opened = store::CaseStore::open(state_->directory, read);
  if (!opened) return opened.error();
  state_->cases.emplace(std::move(*opened));
  return std::nullopt;
}

void SavedCases::replay(Result& result,
                        const std::vector<PolicySpec>& specs,
                        const run::CaseOptions& checks) {
  for (const std::string& note : state_->cases->notes()) result.notes.push_back(note);
  auto open = state_->cases->list(store::State::open);
  if (!open) {
    result.notes.push_back("saved cases were not replayed: " + open.error().text());
    return;
  }
  for (const store::StoredCase& stored : *open) {
    const bool wanted = std::any_of(specs.begin(), specs.end(), [&stored](const PolicySpec& spec) {
      return spec.policy == stored.policy;
    });
    if (!wanted) continue;
    auto c = load_case_file(stored.path, state_->program);
    if (!c) {
      result.notes.push_back("a saved case is stale: " + c.error().text());
      result.all_statuses.push_back(Exit::stale);
      (void)state_->cases->mark(stored.path, store::State::stale);
      continue;
    }
    // A case of a seeded fault says nothing about the shipping build, and the other way round.
    if (!c->mutant.empty() && !state_->program.faulty) continue;
    state_->program.plant(c->mutant);
    const PolicyRow& row = row_of(state_->program, c->spec);
    run::CampaignOptions one;
    one.cases = 1;
    one.checks = checks;
    one.checks.only.clear();
    one.checks.lockstep = true;
    const auto totals = run::run_campaign(
        row, [&c](std::int64_t) { return *c; }, one, run::OnProgress{});
    state_->program.plant(state_->mutant);
    if (!totals.found) {
      result.notes.push_back(fmt::format("saved case {} holds now: marked fixed", stored.path));
      (void)state_->cases->mark(stored.path, store::State::fixed);
      continue;
    }
    Failure failure = run::describe_failure(row, *c, totals.found->failure);
    failure.case_file = stored.path;
    failure.reproduce = fmt::format("{} replay {}", state_->program.name, stored.path);
    failure.notes.push_back("a saved case, replayed first");
    result.failures.push_back(std::move(failure));
  }
}

void SavedCases::keep(Failure& failure, Result& result) {
  const auto stored = state_->cases->put(failure.minimized, input::write_case(failure.minimized));
  if (!stored) {
    result.notes.push_back("the case was not added to the store: " + stored.error().text());
    return;
  }
  failure.case_file = stored->path;
  failure.reproduce = fmt::format("{} replay {}", state_->program.name, stored->path);
}

}  // namespace fw::cli
