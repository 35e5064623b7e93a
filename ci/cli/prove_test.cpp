// SPDX-License-Identifier: Apache-2.0
// `prove` with honest solvers and with ones that lie, crash, hang or are missing: never a false
// proof. And its certificates, which ci/recheck checks again.
#include <algorithm>

#include "ci/cli/run_program.h"

namespace fw::cli {
namespace {

using nlohmann::json;

const std::string recheck = FW_SOURCE_DIR "/ci/recheck";

/// A stub in place of a solver for as long as it lives.
class StubSolver {
 public:
  StubSolver(const Folder& folder, const char* variable, const std::string& lines)
      : variable_(variable) {
    const std::string path = folder.file(std::string("stub-") + variable, "#!/bin/sh\n" + lines);
    fs::permissions(path, fs::perms::owner_all);
    ::setenv(variable, path.c_str(), 1);
  }
  ~StubSolver() { ::unsetenv(variable_); }
  StubSolver(const StubSolver&) = delete;
  StubSolver& operator=(const StubSolver&) = delete;

 private:
  const char* variable_;
};

// A bound with one lemma and a refutation with a witness; both take well under a second.
const char* const bound = "cfs_tick";
const char* const refutation = "cfs_spread_without_gap";

Ran prove(const Folder& here, const Words& more) {
  Words words = {"prove"};
  words.insert(words.end(), more.begin(), more.end());
  for (const char* word : {"--json", "--quiet", "--limit", "1s"}) words.push_back(word);
  return fairwitness(here, words);
}

void expect_no_verdict(const Ran& ran, int status, const char* word) {
  EXPECT_EQ(ran.status, status) << ran.err;
  const json result = json_of(ran);
  ASSERT_EQ(result["obligations"].size(), 1u);
  EXPECT_EQ(result["obligations"][0]["status"], word);
  EXPECT_NE(result["obligations"][0]["reason"], "");
}

TEST(Prove, HonestSolversGive0ForABoundAnd2ForARefutation) {
  const Folder here;
  const Ran proved = prove(here, {bound});
  EXPECT_EQ(proved.status, 0) << proved.out;
  const json result = json_of(proved);
  EXPECT_EQ(result["obligations"][0]["status"], "proved");
  EXPECT_EQ(result["obligations"][0]["negative_control"], true);
  EXPECT_EQ(result["obligations"][0]["vacuity"], true);
  EXPECT_EQ(result["obligations"][0]["engines"].size(), 2u);
  EXPECT_EQ(prove(here, {refutation}).status, 2);
}

TEST(Prove, ALiarGives7) {
  for (const char* variable : {"FAIRWITNESS_Z3", "FAIRWITNESS_CVC5"}) {
    for (const char* lie : {"echo unsat", "echo sat"}) {
      const Folder here;
      const StubSolver stub(here, variable, lie);
      expect_no_verdict(prove(here, {bound}), 7, "failed");
      expect_no_verdict(prove(here, {refutation}), 7, "failed");
    }
  }
}

TEST(Prove, TwoLiarsGive7) {
  for (const char* lie : {"echo unsat", "echo sat"}) {
    const Folder here;
    const StubSolver z3(here, "FAIRWITNESS_Z3", lie);
    const StubSolver cvc5(here, "FAIRWITNESS_CVC5", lie);
    expect_no_verdict(prove(here, {bound}), 7, "failed");
  }
}

TEST(Prove, ACrashAHangAndBabbleGive8) {
  for (const char* fault : {"kill -SEGV $$", "echo unsat; exit 3", "sleep 600", "echo maybe"}) {
    const Folder here;
    const StubSolver stub(here, "FAIRWITNESS_Z3", fault);
    expect_no_verdict(prove(here, {bound}), 8, "unknown");
  }
}

TEST(Prove, AMissingSolverGives1AndNamesThePackage) {
  const Folder here;
  ::setenv("FAIRWITNESS_Z3", (here / "nowhere").c_str(), 1);
  const Ran ran = fairwitness(here, {"prove", bound, "--quiet"});
  ::unsetenv("FAIRWITNESS_Z3");
  expect_refused(ran, {"package z3", "FAIRWITNESS_Z3"});
}

TEST(Prove, AnUnknownObligationGives1AndTheNearest) {
  const Folder here;
  expect_refused(fairwitness(here, {"prove", "cfs_spraed"}), {"cfs_spread"});
}

TEST(Prove, SaysWhichAssumptionsAreNeededAndWhatAllRunsShow) {
  const Folder here;
  const json result = json_of(prove(here, {"cfs_spread"}));
  const json& spread = result["obligations"][0];
  std::map<std::string, std::string> verdicts;
  for (const json& need : spread["needs"]) {
    verdicts[need["assumption"]] = need["verdict"];
    EXPECT_GT(need["queries"], 0);
  }
  EXPECT_EQ(verdicts["gap"], "needed") << spread["needs"];
  EXPECT_EQ(verdicts["budget"], "needed") << spread["needs"];
  EXPECT_EQ(verdicts["pick"], "needed") << spread["needs"];
  EXPECT_GE(spread["brute_force"].size(), 3u);
  for (const json& small : spread["brute_force"]) EXPECT_EQ(small["agrees"], true) << small;
  EXPECT_EQ(spread["aspect"], "spread");
}

TEST(Prove, TheLassoOfTheGraphIsReplayed) {
  const Folder here;
  const Ran ran =
      prove(here, {"cfs_wait_forks_no_debit", "--no-minimize", "--keep", here / "kept"});
  EXPECT_EQ(ran.status, 2) << ran.err;
  const std::string witness = json_of(ran)["obligations"][0]["witness"];
  EXPECT_NE(witness.find("lasso of all runs"), std::string::npos) << witness;
  EXPECT_TRUE(fs::exists(here / "kept/graph_lasso.case.json"));
  const Ran again = fairwitness(here, {"replay", here / "kept/graph_lasso.case.json", "--quiet"});
  EXPECT_EQ(again.status, 0) << again.out << again.err;
}

TEST(Recheck, ConfirmsHonestCertificatesOnly) {
  const Folder here;
  const Ran ran = prove(here, {bound, "--no-minimize", "--keep", here / "kept"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Ran good = run(here, recheck, {here / "kept"});
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_NE(good.out.find("cfs_tick: confirmed"), std::string::npos) << good.out;
  {
    const StubSolver liar(here, "FAIRWITNESS_CVC5", "echo unsat");
    EXPECT_EQ(run(here, recheck, {here / "kept"}).status, 7);
  }
  {
    const StubSolver dead(here, "FAIRWITNESS_CVC5", "exit 1");
    EXPECT_EQ(run(here, recheck, {here / "kept"}).status, 8);
  }
  {
    ::setenv("FAIRWITNESS_CVC5", (here / "nowhere").c_str(), 1);
    EXPECT_EQ(run(here, recheck, {here / "kept"}).status, 1);
    ::unsetenv("FAIRWITNESS_CVC5");
  }
  // A certificate without its negative control is no certificate.
  const std::string tsv = here / "kept/cfs_tick/certificate.tsv";
  std::string text = content_of(tsv);
  const auto at = text.find("control.");
  ASSERT_NE(at, std::string::npos);
  text.erase(at, text.find('\n', at) + 1 - at);
  std::ofstream(tsv, std::ios::binary) << text;
  EXPECT_EQ(run(here, recheck, {here / "kept"}).status, 1);
  EXPECT_EQ(run(here, recheck, {here / "nothing"}).status, 1);
}

}  // namespace
}  // namespace fw::cli
