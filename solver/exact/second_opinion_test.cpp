// SPDX-License-Identifier: Apache-2.0
// Spacer and bounded model checking beside the theorem and the graph.
#include "solver/exact/second_opinion.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace fw::exact {
namespace {

class SecondOpinion : public testing::Test {
 protected:
  void SetUp() override {
    options_.folder = (std::filesystem::temp_directory_path() /
                       ("fairwitness-opinion-" + std::to_string(::getpid())))
                          .string();
    options_.limit = {30'000'000'000};
    auto found = solver::find_solvers();
    ASSERT_TRUE(found.ok()) << found.error().text();
    solvers_ = *found;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(options_.folder, ignored);
  }
  Opinion bmc(const ExplicitQueue& queue, std::int64_t spread, int steps) {
    auto out = ask_bmc(queue, spread, steps, solvers_, options_);
    EXPECT_TRUE(out.ok());
    return *out;
  }
  Opinion spacer(const ExplicitQueue& queue, std::int64_t bound) {
    auto out = ask_spacer(queue, bound, solvers_, options_);
    EXPECT_TRUE(out.ok());
    return *out;
  }

  std::vector<solver::Solver> solvers_;
  solver::DischargeOptions options_;
};

ExplicitQueue two() { return {{4, 4}, 6, 0, true, true, true}; }

TEST_F(SecondOpinion, SpacersInvariantHoldsInBothSolvers) {
  const Opinion out = spacer(two(), 10);
  EXPECT_TRUE(out.agrees) << out.verdict;
}

TEST_F(SecondOpinion, SpacerDoesNotProveABoundThatIsTooSmall) {
  EXPECT_FALSE(spacer(two(), 9).agrees);
}

TEST_F(SecondOpinion, AnInvariantThatDoesNotHoldIsNotConfirmed) {
  const std::string all =
      "(define-fun Inv ((m Int) (rv Int) (cur Int) (idle Bool) (v0 Int) (on0 Bool) (v1 Int) "
      "(on1 Bool)) Bool true)";
  const auto judged =
      solver::discharge({{"all", check_invariant(two(), all, 10)}}, solvers_, options_);
  ASSERT_TRUE(judged.ok());
  EXPECT_EQ(judged->front().status, solver::Status::failed);
}

TEST_F(SecondOpinion, ARunAttainsTheBoundAndNoneOfThatLengthExceedsIt) {
  const Opinion attained = bmc(two(), 10, 8);
  ASSERT_TRUE(attained.agrees) << attained.verdict;
  EXPECT_FALSE(attained.run.empty());
  EXPECT_FALSE(bmc(two(), 11, 6).agrees);
}

TEST_F(SecondOpinion, EveryRuleOfTheProofIsNeeded) {
  ExplicitQueue queue = two();
  queue.gap_rule = false;
  EXPECT_TRUE(bmc(queue, 11, 10).agrees);
  queue = two();
  queue.budget_rule = false;
  EXPECT_TRUE(bmc(queue, 11, 8).agrees);
  queue = two();
  queue.pick_rule = false;
  EXPECT_TRUE(bmc(queue, 11, 8).agrees);
}

}  // namespace
}  // namespace fw::exact
