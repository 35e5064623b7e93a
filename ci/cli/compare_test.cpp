// SPDX-License-Identifier: Apache-2.0
// `compare` and `export` as people and scripts meet them: texts, files and exit statuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ci/cli/run_program.h"

namespace fw::cli {
namespace {

constexpr const char* pair_file = FW_SOURCE_DIR "/model/input/testdata/pair.json";

TEST(Compare, OfASpecWithItselfIs0AndSaysWhatWasCovered) {
  const Folder here;
  const Ran ran = fairwitness(here, {"compare", "cfs@2.6.36", "cfs@2.6.36", "--cases", "50"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("No decision differs in 50 random workloads"), std::string::npos)
      << ran.out;
  EXPECT_FALSE(fs::exists(here / "compare.case.json"));
}

TEST(Compare, OfADifferenceIs2AndLeavesAWorkloadThatShowsItAgain) {
  const Folder here;
  const std::string base = "cfs@2.6.36";
  const std::string patched = "cfs@2.6.36-START_DEBIT";
  const Ran found = fairwitness(here, {"compare", base, patched, "--output", "d.case.json"});
  EXPECT_EQ(found.status, 2) << found.err;
  const Ran again =
      fairwitness(here, {"compare", base, patched, "--workload", "d.case.json", "--json"});
  EXPECT_EQ(again.status, 2) << again.err;
  const auto result = nlohmann::json::parse(again.out);
  const auto& comparison = result.at("comparisons").at(0);
  EXPECT_EQ(comparison.at("patched"), patched);
  EXPECT_NE(comparison.at("first").at("base"), comparison.at("first").at("patched"));
  EXPECT_FALSE(comparison.at("metrics").empty());
}

TEST(Compare, RefusesWhatItDoesNotKnow) {
  const Folder here;
  const Ran spec = fairwitness(here, {"compare", "cfs@2.6.36", "cfs@2.6.36+START_DEBT"});
  EXPECT_EQ(spec.status, 1);
  EXPECT_NE(spec.err.find("START_DEBIT"), std::string::npos) << spec.err;
  const Ran file = fairwitness(here, {"compare", "cfs", "eevdf", "--workload", "none.json"});
  EXPECT_EQ(file.status, 1);
  EXPECT_NE(file.err.find("none.json"), std::string::npos) << file.err;
  const Ran topology = fairwitness(here, {"compare", "cfs", "eevdf", "--topology", "0x0"});
  EXPECT_EQ(topology.status, 1) << topology.out;
}

TEST(Export, WritesEveryFormatToStdoutOrToAFile) {
  const Folder here;
  for (const char* format : {"rt-app", "perfetto", "ftrace", "c", "gtest"}) {
    const Ran to_stdout = fairwitness(here, {"export", pair_file, "--to", format});
    EXPECT_EQ(to_stdout.status, 0) << format << to_stdout.err;
    EXPECT_GT(to_stdout.out.size(), 200u) << format;
    const Ran to_file = fairwitness(here, {"export", pair_file, "--to", format, "--output", "x"});
    EXPECT_EQ(to_file.status, 0) << format << to_file.err;
    EXPECT_EQ(content_of(here / "x"), to_stdout.out) << format;
  }
}

TEST(Export, SaysWhatIsWrong) {
  const Folder here;
  const Ran format = fairwitness(here, {"export", pair_file, "--to", "perfeto"});
  EXPECT_EQ(format.status, 1);
  EXPECT_NE(format.err.find("perfetto"), std::string::npos) << format.err;
  const Ran folder =
      fairwitness(here, {"export", pair_file, "--to", "c", "--output", "no/such/folder/x.c"});
  EXPECT_EQ(folder.status, 1);
  EXPECT_NE(folder.err.find("no/such/folder/x.c"), std::string::npos) << folder.err;
}

}  // namespace
}  // namespace fw::cli
