// SPDX-License-Identifier: Apache-2.0
// Solvers that crash, hang, lie, babble or are missing never lead to a proof.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "solver/check/verdict.h"
#include "solver/theorem/theorem.h"

namespace fw::solver {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for every test, with a stub as one of the solvers.
class Stub : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("fairwitness-stub-" + std::to_string(::getpid()) + "-" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    ::unsetenv("FAIRWITNESS_Z3");
    ::unsetenv("FAIRWITNESS_CVC5");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string stub(const std::string& lines) const {
    const fs::path path = folder_ / "stub";
    std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  Judgement prove(std::string_view theorem, Duration limit = {2'000'000'000}) const {
    const auto solvers = find_solvers();
    EXPECT_TRUE(solvers.ok());
    if (!solvers) return {};
    DischargeOptions options;
    options.limit = limit;
    options.folder = (folder_ / "queries").string();
    const auto out = discharge(
        {{std::string(theorem), theorem::find_theorem(theorem)->obligation()}}, *solvers, options);
    EXPECT_TRUE(out.ok());
    return out ? out->front() : Judgement{};
  }

  fs::path folder_;
};

constexpr const char* small = "cfs_spread_without_gap";

TEST_F(Stub, HonestSolversProve) {
  const Judgement out = prove(small);
  EXPECT_EQ(out.status, Status::proved) << out.reason;
  EXPECT_TRUE(out.negative_control && out.vacuity);
}

TEST_F(Stub, ALiarWhoAlwaysSaysUnsatFailsTheControls) {
  ::setenv("FAIRWITNESS_CVC5", stub("echo unsat").c_str(), 1);
  const Judgement out = prove(small);
  EXPECT_EQ(out.status, Status::failed);
  EXPECT_FALSE(out.negative_control);
  EXPECT_NE(out.reason.find("disagree"), std::string::npos) << out.reason;
}

TEST_F(Stub, TwoLiarsWhoAlwaysSayUnsatFailTheControlsToo) {
  const std::string liar = stub("echo unsat");
  ::setenv("FAIRWITNESS_CVC5", liar.c_str(), 1);
  ::setenv("FAIRWITNESS_Z3", liar.c_str(), 1);
  for (const theorem::Theorem& row : theorem::theorems()) {
    if (row.name == "cfs_charge") continue;  // the same with hundreds of queries
    const Judgement out = prove(row.name);
    EXPECT_EQ(out.status, Status::failed) << row.name;
  }
}

TEST_F(Stub, TwoLiarsWhoAlwaysSaySatFailTheProof) {
  const std::string liar = stub("echo sat");
  ::setenv("FAIRWITNESS_CVC5", liar.c_str(), 1);
  ::setenv("FAIRWITNESS_Z3", liar.c_str(), 1);
  const Judgement out = prove(small);
  EXPECT_EQ(out.status, Status::failed);
  EXPECT_NE(out.reason.find("must be unsat"), std::string::npos) << out.reason;
}

TEST_F(Stub, AHangIsKilledAndUnknown) {
  ::setenv("FAIRWITNESS_Z3", stub("trap '' TERM; sleep 600").c_str(), 1);
  const auto start = std::chrono::steady_clock::now();
  const Judgement out = prove(small, {300'000'000});
  EXPECT_EQ(out.status, Status::unknown);
  EXPECT_NE(out.reason.find("timeout"), std::string::npos) << out.reason;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Stub, AHangAfterAnAnswerIsNoAnswer) {
  ::setenv("FAIRWITNESS_Z3", stub("echo unsat; exec >&- 2>&-; sleep 600").c_str(), 1);
  EXPECT_EQ(prove(small, {300'000'000}).status, Status::unknown);
}

TEST_F(Stub, ACrashIsUnknown) {
  ::setenv("FAIRWITNESS_Z3", stub("kill -SEGV $$").c_str(), 1);
  const Judgement out = prove(small);
  EXPECT_EQ(out.status, Status::unknown);
  EXPECT_NE(out.reason.find("signal"), std::string::npos) << out.reason;
}

TEST_F(Stub, ACrashAfterTheAnswerIsNoAnswer) {
  ::setenv("FAIRWITNESS_Z3", stub("echo unsat; exit 3").c_str(), 1);
  EXPECT_EQ(prove(small).status, Status::unknown);
}

TEST_F(Stub, AnythingButOneWordIsNoAnswer) {
  ::setenv("FAIRWITNESS_Z3", stub("echo '(error \"line 3\")'; echo unsat").c_str(), 1);
  const Judgement out = prove(small);
  EXPECT_EQ(out.status, Status::unknown);
  EXPECT_NE(out.reason.find("line 3"), std::string::npos) << out.reason;
}

TEST_F(Stub, AMissingSolverIsAnInputErrorThatNamesThePackage) {
  ::setenv("FAIRWITNESS_CVC5", (folder_ / "nowhere").c_str(), 1);
  const auto given = find_solvers();
  ASSERT_FALSE(given.ok());
  EXPECT_NE(given.error().text().find("package cvc5"), std::string::npos) << given.error().text();
}

TEST(Judge, AnObligationWithoutControlIsNotProved) {
  Obligation bare;
  bare.queries = {{"lemma", Part::lemma, "", false}};
  const Judgement out = judge(bare,
                              {{"lemma", Part::lemma, "z3", Answer::unsat, 0, ""},
                               {"lemma", Part::lemma, "cvc5", Answer::unsat, 0, ""}});
  EXPECT_EQ(out.status, Status::unknown);
}

TEST(Judge, OneSolverIsNotEnough) {
  Obligation one;
  one.queries = {{"lemma", Part::lemma, "", false},
                 {"control", Part::control, "", false},
                 {"vacuity", Part::vacuity, "", false}};
  const Judgement out = judge(one,
                              {{"lemma", Part::lemma, "z3", Answer::unsat, 0, ""},
                               {"control", Part::control, "z3", Answer::sat, 0, ""},
                               {"vacuity", Part::vacuity, "z3", Answer::sat, 0, ""}});
  EXPECT_EQ(out.status, Status::unknown);
}

}  // namespace
}  // namespace fw::solver
