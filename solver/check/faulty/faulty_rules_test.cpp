// SPDX-License-Identifier: Apache-2.0
// The obligations generated from rules with a seeded fault, by both solvers: at least one theorem
// must no longer be proved. Linked with the faulty build of model/rules and solver/theorem.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/vocab/fault.h"
#include "solver/check/faulty/rule_faults.h"
#include "solver/check/verdict.h"
#include "solver/theorem/theorem.h"

namespace fw::solver {
namespace {

std::vector<Judgement> judge_with(std::string_view fault, std::string_view theorem) {
  const auto solvers = find_solvers();
  if (!solvers) return {};
  const auto folder =
      std::filesystem::temp_directory_path() / ("fairwitness-faulty-" + std::to_string(::getpid()));
  planted_fault = fault.empty() ? 0 : fault_hash(fault);
  const std::vector<std::pair<std::string, Obligation>> one = {
      {std::string(theorem), theorem::find_theorem(theorem)->obligation()}};
  planted_fault = 0;
  DischargeOptions options;
  options.folder = folder.string();
  options.limit = {5'000'000'000};
  auto out = discharge(one, *solvers, options);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return out ? *out : std::vector<Judgement>{};
}

class FaultyRules : public testing::TestWithParam<RuleFault> {};

TEST_P(FaultyRules, MakesATheoremFail) {
  // The charge's hundreds of queries are for ci/rule-mutants, but for one fault.
  if (GetParam().theorem == "cfs_charge" && GetParam().id != "A21_truncating_shift") {
    GTEST_SKIP() << "see ci/rule-mutants";
  }
  const auto judgements = judge_with(GetParam().id, GetParam().theorem);
  ASSERT_EQ(judgements.size(), 1u) << "both solvers are needed";
  EXPECT_EQ(judgements.front().status, Status::failed) << judgements.front().reason;
}

INSTANTIATE_TEST_SUITE_P(Seeded,
                         FaultyRules,
                         testing::ValuesIn(rule_faults),
                         [](const auto& instance) { return std::string(instance.param.id); });

/// The names that FW_FAULT has in the rules' headers.
std::set<std::string> planted() {
  std::set<std::string> out;
  const std::regex plant("FW_FAULT\\((\\w+)\\)");
  for (const auto& file : std::filesystem::directory_iterator(FW_SOURCE_DIR "/model/rules")) {
    // EEVDF's planted faults have no theorem yet that is held to notice them.
    if (file.path().filename().string().rfind("cfs", 0) != 0) continue;
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line);) {
      for (auto at = std::sregex_iterator(line.begin(), line.end(), plant);
           at != std::sregex_iterator();
           ++at) {
        out.insert((*at)[1]);
      }
    }
  }
  return out;
}

TEST(RuleFaults, ListsWhatIsPlantedInTheRules) {
  std::set<std::string> listed;
  for (const RuleFault& fault : rule_faults) listed.insert(std::string(fault.id));
  EXPECT_GE(listed.size(), 13u);
  for (const std::string& id : planted()) EXPECT_EQ(listed.count(id), 1u) << id << " has no row";
  for (const std::string& id : listed) EXPECT_EQ(planted().count(id), 1u) << id << " has no plant";
}

TEST(FaultyRulesBuild, WithoutAFaultTheTheoremHolds) {
  const auto judgements = judge_with("", "cfs_spread");
  ASSERT_EQ(judgements.size(), 1u) << "both solvers are needed";
  EXPECT_EQ(judgements.front().status, Status::proved) << judgements.front().reason;
}

}  // namespace
}  // namespace fw::solver
