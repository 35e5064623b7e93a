// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/saved_cases.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <memory>

#include "model/input/casefile.h"
#include "props/run/campaign.h"
#include "props/run/failure.h"
#include "props/run/summary.h"
#include "props/store/store.h"

namespace fw::cli {

namespace fs = std::filesystem;

namespace {

const std::string folder_head = "running-";

/// The process that made a working folder lives still, and may be writing there.
bool owner_lives(const std::string& name) {
  const char* digits = name.c_str() + folder_head.size();
  pid_t pid = 0;
  const auto read = std::from_chars(digits, name.c_str() + name.size(), pid);
  if (read.ec != std::errc{} || *read.ptr != '\0' || pid <= 0) return true;  // not one of ours
  return pid == ::getpid() || ::kill(pid, 0) == 0 || errno == EPERM;
}

run::CampaignTotals run_once(const PolicyRow& row, const Case& c, const run::CampaignOptions& one) {
  return run::run_campaign(
      row, [&c](std::int64_t) { return c; }, one, run::OnProgress{});
}

}  // namespace

struct SavedCases::State {
  std::string directory;
  const Program& program;
  std::string mutant;  ///< planted; cases found with another one are left alone
  std::optional<store::CaseStore> cases;
  std::string working = {};
  bool keep_working = false;  ///< it holds a failing case that the store did not take
};

SavedCases::SavedCases(std::string directory, const Program& program, std::string mutant)
    : state_(new State{std::move(directory), program, std::move(mutant), std::nullopt}) {}

SavedCases::~SavedCases() {
  std::error_code ignored;
  if (!state_->working.empty() && !state_->keep_working) fs::remove_all(state_->working, ignored);
}

const std::string& SavedCases::working_folder() const { return state_->working; }

std::optional<Error> SavedCases::open() {
  const store::ReadCase read = [this](const std::string& text, const std::string& path) {
    return input::read_case(text, path, state_->program.catalogue);
  };
  auto opened = store::CaseStore::open(state_->directory, read);
  if (!opened) return opened.error();
  state_->cases.emplace(std::move(*opened));
  // In a store that can only be read there is none: the cases can be made again from their index.
  const std::string working = fmt::format("{}/{}{}", state_->directory, folder_head, ::getpid());
  std::error_code failed;
  fs::create_directories(working, failed);
  if (!failed) state_->working = working;
  return std::nullopt;
}

void SavedCases::replay(Result& result,
                        const std::vector<PolicySpec>& specs,
                        const run::CaseOptions& checks,
                        Duration case_limit) {
  run::CampaignOptions one;
  one.cases = 1;
  one.checks = checks;
  one.checks.only.clear();
  one.checks.lockstep = true;
  one.case_limit = case_limit;
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
    // What one seeded fault breaks says nothing about a run without it, or with another.
    if (c->mutant != state_->mutant) continue;
    const PolicyRow& row = row_of(state_->program, c->spec);
    const auto totals = run_once(row, *c, one);
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
  replay_interrupted(result, one);
}

void SavedCases::replay_interrupted(Result& result, const run::CampaignOptions& one) {
  std::error_code failed;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(state_->directory, failed)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(folder_head, 0) == 0 && entry.is_directory(failed) && !owner_lives(name)) {
      left.push_back(entry.path());
    }
  }
  std::sort(left.begin(), left.end());
  for (const fs::path& folder : left) {
    bool foreign = false;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      const std::string path = entry.path().string();
      if (!is_case_file(path)) continue;  // cut off while it was written, before it ran
      const auto c = load_case_file(path, state_->program);
      if (c && c->mutant != state_->mutant) {
        foreign = true;
      } else {
        replay_left(path, result, one);
      }
    }
    if (!foreign) fs::remove_all(folder, failed);
  }
}

void SavedCases::replay_left(const std::string& path,
                             Result& result,
                             const run::CampaignOptions& one) {
  const auto c = load_case_file(path, state_->program);
  if (!c) {
    result.notes.push_back("a case that a killed run left cannot be read: " + c.error().text());
    return;
  }
  const PolicyRow& row = row_of(state_->program, c->spec);
  const auto totals = run_once(row, *c, one);
  if (!totals.found) return;
  Failure failure = run::describe_failure(row, *c, totals.found->failure);
  failure.notes.push_back("found in a run that was killed; `minimize` shrinks it");
  keep(failure, result);
  result.failures.push_back(std::move(failure));
}

void SavedCases::keep(Failure& failure, Result& result) {
  const auto stored = state_->cases->put(failure.minimized, input::write_case(failure.minimized));
  if (!stored) {
    result.notes.push_back("the case was not added to the store: " + stored.error().text());
    state_->keep_working = true;
    return;
  }
  failure.case_file = stored->path;
  failure.reproduce = fmt::format("{} replay {}", state_->program.name, stored->path);
}

}  // namespace fw::cli
