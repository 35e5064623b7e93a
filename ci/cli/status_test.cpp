// SPDX-License-Identifier: Apache-2.0
// Every exit status that the commands of this stage can give. 7 and 8 belong to proofs.
#include "ci/cli/run_program.h"

namespace fw::cli {
namespace {

/// What a failing run leaves in its store.
std::vector<fs::path> cases_in(const fs::path& store) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(store)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > 10 && name.rfind(".case.json") == name.size() - 10) {
      out.push_back(entry.path());
    }
  }
  return out;
}

TEST(ExitStatus, Is0WhenAllHolds) {
  const Folder here;
  const Ran ran = fairwitness(here, {"check", "cfs@2.6.36", "--cases", "20"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(last_line(ran.out), "exit status: 0 held");
}

TEST(ExitStatus, Is0ThoughAShortRunReachesNotEverySituation) {
  const Folder here;
  const Ran ran = fairwitness(here, {"check", "cfs@2.6.36", "--cases", "1", "--json"});
  EXPECT_EQ(ran.status, 0);
  const auto result = json_of(ran);
  bool unreached = false;
  for (const auto& row : result["required"]) unreached |= row["reached"] == 0;
  EXPECT_TRUE(unreached) << "one case reaches every situation: the test shows nothing";
}

TEST(ExitStatus, Is2WhenAPropertyIsFalsified) {
  const Folder here;
  const Ran ran = faulty(here,
                         {"check",
                          "cfs@2.6.36",
                          "--mutant",
                          "A03_unsigned_max_placement",
                          "--cases",
                          "200",
                          "--json"});
  EXPECT_EQ(ran.status, 2) << ran.err;
  const auto result = json_of(ran);
  EXPECT_EQ(result["verdict"], "falsified");
  ASSERT_EQ(result["failures"].size(), 1u);
  const auto left = cases_in(here.path());
  ASSERT_EQ(left.size(), 1u) << "the minimal case and nothing else is kept";
  EXPECT_EQ(faulty(here, {"replay", left[0].string()}).status, 2);
}

TEST(ExitStatus, Is3WhenACaseHangs) {
  const Folder here;
  const Ran ran = faulty(
      here, {"check", "--mutant", "H01_hang", "--cases", "4", "--case-limit", "1s", "--quiet"});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_EQ(ran.out.rfind("deadline", 0), 0u) << ran.out;
}

TEST(ExitStatus, Is4WhenACaseNoLongerFails) {
  const Folder here;
  const Ran replayed = fairwitness(here, {"replay", testdata + "example.case.json"});
  EXPECT_EQ(replayed.status, 4) << replayed.err;
  EXPECT_NE(replayed.out.find("everything holds"), std::string::npos);
  EXPECT_EQ(last_line(replayed.out), "exit status: 4 stale");
  const Ran minimized =
      fairwitness(here, {"minimize", testdata + "example.case.json", "--output", "m.json"});
  EXPECT_EQ(minimized.status, 4) << minimized.err;
  EXPECT_FALSE(fs::exists(here / "m.json"));
}

TEST(ExitStatus, Is5WhenNothingRan) {
  const Folder here;
  const std::string late = here.file("late.json",
                                     R"({"tasks": {"a": {"delay": 2000000, "run": 10}},)"
                                     R"("global": {"duration": 1}})");
  const Ran ran = fairwitness(here, {"check", "cfs", "--workload", late});
  EXPECT_EQ(ran.status, 5) << ran.out << ran.err;
  EXPECT_EQ(last_line(ran.out), "exit status: 5 vacuous");
}

TEST(ExitStatus, Is0WhenAShortRunMissesASituation) {
  const Folder here;  // one CPU: nothing to balance
  const Ran ran = fairwitness(here, {"check", "cfs@2.6.36", "--time", "50ms", "--topology", "1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("never reached"), std::string::npos) << ran.out;
}

TEST(ExitStatus, Is6WhenARunDoesNotRepeat) {
  const Folder here;
  const Ran ran = faulty(here,
                         {"check",
                          "--mutant",
                          "H03_unrepeatable",
                          "--property",
                          "task_conservation",
                          "--cases",
                          "300",
                          "--quiet"});
  EXPECT_EQ(ran.status, 6) << ran.out << ran.err;
}

TEST(ExitStatus, Is70WhenTheRunDies) {
  const Folder here;
  const Ran ran = faulty(here, {"check", "--mutant", "H02_crash", "--cases", "4", "--quiet"});
  EXPECT_EQ(ran.status, 70) << ran.out << ran.err;
}

TEST(ExitStatus, IsTheMostSevereAndTheLastLineListsAll) {
  const Folder here;
  std::string text = content_of(seeded_case);
  const auto at = text.find("\"signature\": \"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at + 14, 8, "00000000");
  const Ran ran = faulty(here, {"replay", here.file("other.case.json", text)});
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_EQ(last_line(ran.out), "exit status: 2 falsified, 4 stale");
}

TEST(SavedCases, AreReplayedFirstAndMarkedWhenTheyHold) {
  const Folder here;
  const Words check = {"check", "cfs@2.6.36", "--cases", "40", "--quiet"};
  Words planted = check;
  planted.insert(planted.end(), {"--mutant", "A03_unsigned_max_placement"});
  ASSERT_EQ(faulty(here, planted).status, 2);
  EXPECT_EQ(faulty(here, planted).status, 2) << "the saved case fails again";
  EXPECT_EQ(faulty(here, check).status, 0) << "a seeded fault's case says nothing without it";
  EXPECT_EQ(fairwitness(here, check).status, 0);
}

TEST(SavedCases, ThatAKilledRunLeftAreReplayed) {
  const Folder here;
  // No process has this number: Linux gives none above 2^22.
  fs::create_directories(here.path() / ".fairwitness" / "running-99999999");
  fs::copy_file(seeded_case, here.path() / ".fairwitness/running-99999999/running-0-7.case.json");
  const Words words = {"check",
                       "cfs@2.6.36",
                       "--cases",
                       "1",
                       "--property",
                       "task_conservation",
                       "--json",
                       "--mutant",
                       "A03_unsigned_max_placement"};
  const Ran ran = faulty(here, words);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_EQ(json_of(ran)["failures"][0]["property"], "sleeper_credit");
  EXPECT_FALSE(fs::exists(here / ".fairwitness/running-99999999"));
  EXPECT_EQ(cases_in(here.path()).size(), 1u);
}

TEST(SeededFaults, AreHandedOverByTheShippingProgram) {
  const Folder here;
  EXPECT_EQ(fairwitness(here, {"replay", seeded_case, "--quiet"}).status, 2);
  const Ran ran = fairwitness(
      here, {"minimize", seeded_case, "--budget", "20s", "--output", "m.case.json", "--json"});
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_EQ(json_of(ran)["failures"][0]["property"], "sleeper_credit");
  EXPECT_EQ(faulty(here, {"replay", "m.case.json", "--quiet"}).status, 2);
}

}  // namespace
}  // namespace fw::cli
