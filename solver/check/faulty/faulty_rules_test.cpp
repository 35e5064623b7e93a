// SPDX-License-Identifier: Apache-2.0
// The obligations generated from rules with a seeded fault, by both solvers: at least one theorem
// must no longer be proved. Linked with the faulty build of model/rules and solver/theorem.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/vocab/fault.h"
#include "solver/check/verdict.h"
#include "solver/theorem/theorem.h"

namespace fw::solver {
namespace {

struct Caught {
  std::string fault;
  std::string theorem;  ///< one that must fail
};

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

class FaultyRules : public testing::TestWithParam<Caught> {};

TEST_P(FaultyRules, MakesATheoremFail) {
  const auto judgements = judge_with(GetParam().fault, GetParam().theorem);
  ASSERT_EQ(judgements.size(), 1u) << "both solvers are needed";
  EXPECT_EQ(judgements.front().status, Status::failed) << judgements.front().reason;
}

INSTANTIATE_TEST_SUITE_P(Seeded,
                         FaultyRules,
                         testing::Values(Caught{"P01_sleeper_moved_back", "cfs_wait"},
                                         Caught{"S18_child_inherits_credit",
                                                "cfs_spread_forks_debit"},
                                         Caught{"O06_min_follows_tree_only", "cfs_spread"},
                                         Caught{"A03_unsigned_max_placement", "cfs_ring"},
                                         Caught{"A13_inverse_truncated", "cfs_slice"},
                                         Caught{"A11_inverse_digit_dropped", "cfs_charge"},
                                         Caught{"A21_truncating_shift", "cfs_charge"}),
                         [](const auto& instance) { return instance.param.fault; });

TEST(FaultyRulesBuild, WithoutAFaultTheTheoremHolds) {
  const auto judgements = judge_with("", "cfs_spread");
  ASSERT_EQ(judgements.size(), 1u) << "both solvers are needed";
  EXPECT_EQ(judgements.front().status, Status::proved) << judgements.front().reason;
}

}  // namespace
}  // namespace fw::solver
