// SPDX-License-Identifier: Apache-2.0
// Wrong command lines and damaged files: status 1 and a reason, never a crash.
#include <zlib.h>

#include "ci/cli/run_program.h"

namespace fw::cli {
namespace {

struct Wrong {
  Words words;
  Words parts;  ///< of the reason
};

TEST(CommandLine, IsRefusedWithTheNearestWord) {
  const Folder here;
  const Wrong rows[] = {
      {{"chek"}, {"unknown command 'chek'", "'check'"}},
      {{"--foo"}, {"a command is missing"}},
      {{"check", "--tim", "3s"}, {"unknown option '--tim'", "'--time'"}},
      {{"check", "bsf"}, {"bsf", "did you mean"}},
      {{"check", "cfs@9.9"}, {"no version `9.9`", "2.6.36"}},
      {{"check", "cfs+GENTEL"}, {"no feature `GENTEL`", "`GENTLE_FAIR_SLEEPERS`"}},
      {{"check", "cfs,latncy=3ms"}, {"no knob `latncy`", "`latency`"}},
      {{"check", "cfs,latency=99s"}, {"outside [100us, 1s]"}},
      {{"check", "cfs,latency=soon"}, {"is not a duration"}},
      {{"check", "cfs,hz=1e3"}, {"whole number"}},
      {{"check", "--property", "lockstp"}, {"unknown property 'lockstp'", "'lockstep'"}},
      {{"check", "--mutant", "A03"}, {"unknown mutant 'A03'", "'A03_unsigned_max_placement'"}},
      {{"mutants", "--only", "A03"}, {"unknown mutant 'A03'"}},
      {{"mutants", "--policy", "cgs"}, {"unknown policy 'cgs'", "'cfs'"}},
      {{"list", "knbs"}, {"'knbs' is not one of", "'knobs'"}},
      {{"list", "knobs", "cgs"}, {"unknown policy 'cgs'", "'cfs'"}},
      {{"simulate", "--workload", pair_json, "--side", "modle"}, {"'modle'", "'model'"}},
      {{"explain", pair_json, "--task", "hgo-0"}, {"no task 'hgo-0'", "'hog-0'"}},
  };
  for (const Wrong& row : rows) expect_refused(fairwitness(here, row.words), row.parts);
}

TEST(CommandLine, IsRefusedWithTheRange) {
  const Folder here;
  const Wrong rows[] = {
      {{"check", "--cases", "0"}, {"--cases", "'0'", "at least 1"}},
      {{"check", "--cases", "-3"}, {"--cases", "'-3'"}},
      {{"check", "--cases", "1.5"}, {"--cases", "'1.5'"}},
      {{"check", "--jobs", "0"}, {"--jobs", "from 1 to 256"}},
      {{"check", "--seed", "-1"}, {"--seed", "from 0 to 2^64-1"}},
      {{"check", "--seed", "99999999999999999999"}, {"--seed", "from 0 to 2^64-1"}},
      {{"check", "--time", "0s"}, {"--time", "too short"}},
      {{"check", "--time", "5"}, {"--time", "unit"}},
      {{"check", "--time", "-5s"}, {"--time", "not a duration"}},
      {{"explain", pair_json, "--task", "hog-0", "--worst", "0"}, {"--worst", "from 1 to 1000"}},
      {{"check", "--topology", "0"}, {"--topology", "[1, 4096]"}},
      {{"check", "--topology", "4097"}, {"--topology", "[1, 4096]"}},
      {{"check", "--topology", "nofile.xml"}, {"nofile.xml", "hwloc"}},
      {{"check", "--topology", "SMT:0-1/1-2"}, {"CPU 1 twice"}},
      {{"check", "--topology", "FOO:0-1"}, {"FOO", "SMT"}},
  };
  for (const Wrong& row : rows) expect_refused(fairwitness(here, row.words), row.parts);
}

TEST(CommandLine, IsRefusedWhenSomethingIsMissingTwiceOrTooMuch) {
  const Folder here;
  const Wrong rows[] = {
      {{"check", "--seed", "1", "--seed", "2"}, {"--seed is given more than once"}},
      {{"check", "--json", "--json"}, {"--json is given more than once"}},
      {{"check", "--workload"}, {"--workload needs a value"}},
      {{"simulate", "cfs"}, {"--workload is missing"}},
      {{"replay"}, {"CASE is missing"}},
      {{"list"}, {"WHAT is missing"}},
      {{"simulate", "cfs", "cfs", "--workload", pair_json}, {"'cfs' is one argument too many"}},
      {{"check", "--cases", "1", "--decisions", "x"}, {"--decisions", "--workload"}},
      {{"check", "--workload", pair_json, "--decisions", "-"}, {"--decisions", "name a file"}},
  };
  for (const Wrong& row : rows) expect_refused(fairwitness(here, row.words), row.parts);
  const Ran nothing = fairwitness(here, {});
  EXPECT_EQ(nothing.status, 1);
  EXPECT_EQ(nothing.out, "");
  EXPECT_NE(nothing.err.find("Subcommands:"), std::string::npos);
}

/// Every command that reads a file, with the file put at the end.
const std::vector<Words>& readers() {
  static const std::vector<Words> all = {
      {"check", "cfs@2.6.36", "--workload"},
      {"simulate", "cfs@2.6.36", "--workload"},
      {"explain", "--task", "a-0"},
      {"replay"},
      {"minimize", "--output", "out.case.json"},
      {"import"},
      {"inspect"},
      {"check", "cfs@2.6.36", "--cases", "1", "--topology"},
      {"check", "cfs@2.6.36", "--cases", "1", "--features-file"},
  };
  return all;
}

void expect_all_refuse(const Folder& here, const std::string& file, const std::string& part) {
  for (Words words : readers()) {
    const std::string command = words[0];
    words.push_back(file);
    const Ran ran = fairwitness(here, words);
    EXPECT_EQ(ran.status, 1) << command << " " << file << ": " << ran.err;
    const std::string said = ran.out + ran.err;
    EXPECT_NE(said.find(part), std::string::npos) << command << ": no '" << part << "' in " << said;
  }
}

TEST(Files, ThatAreNoneAreRefusedByName) {
  const Folder here;
  expect_all_refuse(here, here / "nofile", "nofile");
  fs::create_directories(here / "folder");
  expect_all_refuse(here, here / "folder", "folder");
  expect_all_refuse(here, here.file("empty", ""), "empty");
  expect_all_refuse(here, here.file("blank", " \n\n"), "blank");
  expect_all_refuse(here, program, "fairwitness");
  expect_all_refuse(here, here.file("zeros", std::string(100'000, '\0')), "zeros");
}

TEST(Files, ThatAreCutOffAreRefusedWithTheLine) {
  const Folder here;
  const std::string whole = content_of(seeded_case);
  for (std::size_t part = 1; part < 8; ++part) {
    const std::string cut = here.file("cut.case.json", whole.substr(0, whole.size() * part / 8));
    expect_refused(fairwitness(here, {"replay", cut}), {"cut.case.json"});
  }
  const std::string workload = content_of(pair_json);
  for (std::size_t part = 1; part < 8; ++part) {
    const std::string cut = here.file("cut.json", workload.substr(0, workload.size() * part / 8));
    expect_refused(fairwitness(here, {"check", "cfs", "--workload", cut}), {"cut.json:"});
  }
  const std::string trace = content_of(a_trace);
  const std::string cut = here.file("cut.txt.gz", trace.substr(0, trace.size() / 2));
  expect_refused(fairwitness(here, {"import", cut}), {"cut.txt.gz", "gzip"});
}

TEST(Files, ThatAreHostileAreRefused) {
  const Folder here;
  expect_all_refuse(here, here.file("deep.json", std::string(1'000'000, '[')), "deep.json");
  std::string objects = R"({"schema": "fairwitness.case/1", "workload": )";
  for (int i = 0; i < 100'000; ++i) objects += R"({"tasks": )";
  expect_all_refuse(here, here.file("deep.case.json", objects), "deep.case.json");
  expect_all_refuse(here, here.file("line.json", std::string(5'000'000, 'x')), "line.json");
  const std::string numbers =
      R"({"tasks": {"a": {"instance": 1000000000, "run": 10}}, "global": {"duration": 1}})";
  expect_refused(fairwitness(here, {"check", "--workload", here.file("many.json", numbers)}),
                 {"many.json"});
}

TEST(Files, ThatAreHugeAreRefusedWithoutBeingHeld) {
  const Folder here;
  const std::string sparse = here.file("sparse.json", "{");
  fs::resize_file(sparse, std::uintmax_t{1} << 40);
  expect_all_refuse(here, sparse, "sparse.json");
  // Unpacks to 300 MB of blanks.
  const std::string bomb = here / "bomb.json.gz";
  gzFile out = ::gzopen(bomb.c_str(), "wb1");
  ASSERT_NE(out, nullptr);
  const std::string blanks(1'000'000, ' ');
  for (int i = 0; i < 300; ++i) ::gzwrite(out, blanks.data(), 1'000'000);
  ASSERT_EQ(::gzclose(out), Z_OK);
  expect_refused(fairwitness(here, {"check", "--workload", bomb}), {"bomb.json.gz"});
}

TEST(Files, WithBytesChangedNeverCrashACommand) {
  const Folder here;
  const std::string texts[] = {content_of(seeded_case), content_of(pair_json)};
  std::uint32_t state = 12345;  // a fixed sequence: the test repeats
  const auto next = [&state](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 24; ++round) {
    std::string text = texts[round % 2];
    for (int i = 0; i < 3; ++i) text[next(text.size())] = static_cast<char>(next(256));
    const std::string file = here.file("changed.case.json", text);
    const Words words = round % 2 == 0 ? Words{"replay", file, "--quiet"}
                                       : Words{"simulate", "--workload", file, "--quiet"};
    const Ran ran = fairwitness(here, words);
    EXPECT_TRUE(ran.status == 0 || ran.status == 1 || ran.status == 2 || ran.status == 4 ||
                ran.status == 5)
        << ran.status << ran.err << text;
  }
}

TEST(Workloads, AreRefusedWhenTheirCpusAreMissing) {
  const Folder here;
  const std::string pinned =
      here.file("pinned.json",
                R"({"tasks": {"a": {"cpus": [3], "run": 10000, "sleep": 10000}},)"
                R"("global": {"duration": 1}})");
  expect_refused(fairwitness(here, {"check", "cfs", "--workload", pinned, "--topology", "2"}),
                 {"pinned.json", "cpus 3", "topology"});
  const Ran fits = fairwitness(here, {"check", "cfs", "--workload", pinned});
  EXPECT_EQ(fits.status, 0) << fits.err;
  EXPECT_NE(fits.out.find("gets 4 CPUs"), std::string::npos) << fits.out;
}

TEST(Output, ThatCannotBeWrittenIsSaid) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "skipped: there is no /dev/full here";
  const Folder here;
  const std::string full = "/dev/full";
  const Words simulate = {"simulate", "cfs", "--workload", pair_json, "--decisions"};
  for (const std::string& target : {full, here / "no/such/folder", here.path().string()}) {
    Words words = simulate;
    words.push_back(target);
    expect_refused(fairwitness(here, words), {target, "cannot"});
  }
  const Ran imported = fairwitness(here, {"import", a_trace, "--output", full});
  EXPECT_EQ(imported.status, 1);
  EXPECT_NE(imported.err.find("/dev/full: cannot write"), std::string::npos) << imported.err;
  EXPECT_TRUE(fs::is_character_file(full)) << "a device must not be replaced by a file";
  for (const Words& words : {Words{"list", "knobs"},
                             Words{"check", "--cases", "1", "--json"},
                             Words{"import", a_trace},
                             Words{"simulate", "--workload", pair_json}}) {
    EXPECT_EQ(run(here, program, words, full).status, 1) << words[0];
  }
}

TEST(Output, FoldersThatCannotBeMadeAreSaid) {
  const Folder here;
  const std::string file = here.file("file", "x");
  const Ran report =
      fairwitness(here, {"check", "--cases", "1", "--quiet", "--report", file + "/report"});
  EXPECT_EQ(report.status, 1);
  EXPECT_NE(report.err.find("report folder"), std::string::npos) << report.err;
  expect_refused(fairwitness(here, {"check", "--cases", "1", "--store", file}), {"store"});
}

}  // namespace
}  // namespace fw::cli
