// SPDX-License-Identifier: Apache-2.0
// What commands print and write: help, JSON, reports, progress, decision logs, repeatability.
#include <algorithm>
#include <regex>

#include "ci/cli/run_program.h"

namespace fw::cli {
namespace {

using nlohmann::json;

/// Command names as the program's help lists them.
Words commands_in(const std::string& help) {
  Words out;
  const std::regex row("\n  ([a-z]+)  +[a-z]");
  const std::string list = help.substr(help.find("Subcommands:"));
  for (auto at = std::sregex_iterator(list.begin(), list.end(), row); at != std::sregex_iterator();
       ++at) {
    out.push_back((*at)[1]);
  }
  return out;
}

Words split(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

TEST(Help, OfEveryCommandWorksAndItsExampleToo) {
  const Folder here;
  fs::create_directory_symlink(FW_SOURCE_DIR "/model", here / "model");
  fs::create_directory_symlink(FW_SOURCE_DIR "/ci", here / "ci");
  const Ran all = fairwitness(here, {"--help"});
  EXPECT_EQ(all.status, 0);
  const Words commands = commands_in(all.out);
  EXPECT_GE(commands.size(), 10u);
  for (const std::string& command : commands) {
    const Ran help = fairwitness(here, {command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_EQ(help.err, "") << command;
    const std::string example = last_line(help.out);
    ASSERT_EQ(example.rfind("Example: fairwitness " + command + " ", 0), 0u) << example;
    Words words = split(example);
    words.erase(words.begin(), words.begin() + 2);
    const auto time = std::find(words.begin(), words.end(), "--time");
    if (time != words.end()) *(time + 1) = "200ms";
    const Ran ran = fairwitness(here, words);
    const bool finds_something =
        command == "replay" || command == "minimize" || command == "compare";
    EXPECT_EQ(ran.status, finds_something ? 2 : 0) << example << "\n" << ran.out << ran.err;
  }
}

TEST(Help, NamesTheVersion) {
  const Folder here;
  const Ran ran = fairwitness(here, {"--version"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out.rfind("fairwitness ", 0), 0u) << ran.out;
}

TEST(List, ShowsOneLineForEachThing) {
  const Folder here;
  for (const char* what : {"policies", "features", "knobs", "properties", "mutants"}) {
    const Ran ran = fairwitness(here, {"list", what});
    EXPECT_EQ(ran.status, 0) << what;
    EXPECT_NE(ran.out.find('\n'), std::string::npos) << what;
    EXPECT_EQ(fairwitness(here, {"list", what, "cfs"}).status, 0) << what;
  }
}

/// A result without what may differ between two runs of the same command.
json without_times(json result) {
  result.erase("seconds");
  result.erase("shares");
  return result;
}

TEST(Json, IsOneObjectWithEveryKey) {
  const Folder here;
  const Ran ran = fairwitness(here, {"check", "cfs@2.6.36", "--cases", "30", "--json"});
  EXPECT_EQ(ran.err, "");
  const json result = json_of(ran);
  EXPECT_EQ(result["schema"], "fairwitness.result/1");
  EXPECT_EQ(result["command"], "check");
  EXPECT_EQ(result["verdict"], "held");
  EXPECT_EQ(result["exit"], 0);
  EXPECT_EQ(result["seed"], 1);
  EXPECT_EQ(result["cases"], 30);
  EXPECT_GT(result["events"], 0);
  EXPECT_EQ(result["policies"], json({"cfs@2.6.36"}));
  for (const char* key : {"properties",
                          "obligations",
                          "failures",
                          "required",
                          "rules",
                          "benchmarks",
                          "mutants",
                          "published"}) {
    ASSERT_TRUE(result.contains(key)) << key;
    EXPECT_TRUE(result[key].is_array()) << key;
  }
  for (const json& row : result["properties"]) {
    for (const char* key :
         {"name", "policy", "verdict", "worst", "bound", "slack", "cases", "discards"}) {
      EXPECT_TRUE(row.contains(key)) << key;
    }
  }
}

TEST(Json, IsTheSameTwiceApartFromTimes) {
  const Folder here;
  const Words words = {"check", "cfs@2.6.36", "--cases", "500", "--seed", "3", "--json"};
  const json first = json_of(fairwitness(here, words));
  const json second = json_of(fairwitness(here, words));
  EXPECT_EQ(without_times(first), without_times(second));
  EXPECT_EQ(first["cases"], 500);
}

TEST(Failures, AreTheSameWithOneWorkerAndWithTwo) {
  for (const char* mutant : {"A03_unsigned_max_placement", "A10_vslice_without_unit"}) {
    json found[2];
    std::string minimal[2];
    for (int jobs = 1; jobs <= 2; ++jobs) {
      const Folder here;
      const Ran ran = faulty(here,
                             {"check",
                              "cfs@2.6.36",
                              "--mutant",
                              mutant,
                              "--cases",
                              "2000",
                              "--jobs",
                              std::to_string(jobs),
                              "--budget",
                              "100s",
                              "--json"});
      ASSERT_EQ(ran.status, 2) << mutant << ran.err;
      const json failure = json_of(ran)["failures"][0];
      const std::string file = failure["case"];
      minimal[jobs - 1] = content_of(fs::path(file).is_absolute() ? file : here / file);
      for (const char* key : {"property", "signature", "original_events", "events", "tasks"}) {
        found[jobs - 1][key] = failure[key];
      }
    }
    EXPECT_EQ(found[0], found[1]) << mutant;
    EXPECT_EQ(minimal[0], minimal[1]) << mutant << ": seed, index and workload";
    EXPECT_NE(minimal[0], "") << mutant;
  }
}

TEST(Quiet, PrintsOneLine) {
  const Folder here;
  const Ran ran = fairwitness(here, {"check", "cfs@2.6.36", "--cases", "5", "--quiet"});
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
}

TEST(Progress, GoesToStderrOnly) {
  const Folder here;
  const Ran ran = fairwitness(here, {"check", "cfs@2.6.36", "--cases", "5"});
  EXPECT_EQ(ran.err, "fairwitness check cfs@2.6.36 --seed 1 --cases 5\n");
  EXPECT_EQ(ran.out.rfind("held", 0), 0u) << "the verdict comes first: " << ran.out.substr(0, 80);
  EXPECT_EQ(ran.out.find('\r'), std::string::npos);
  EXPECT_EQ(ran.out.find('\033'), std::string::npos);
}

TEST(Report, IsFiveFiles) {
  const Folder here;
  const Ran ran =
      fairwitness(here, {"check", "cfs@2.6.36", "--cases", "5", "--report", "a/b", "--quiet"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(here / "a/b")) files += entry.is_regular_file();
  EXPECT_EQ(files, 5u);
  for (const char* name :
       {"index.html", "result.json", "junit.xml", "results.sarif", "summary.md"}) {
    EXPECT_NE(content_of(here / ("a/b/" + std::string(name))), "") << name;
  }
  const json result = json::parse(content_of(here / "a/b/result.json"), nullptr, false);
  EXPECT_EQ(result["exit"], 0);
}

TEST(Decisions, AreTheSameOfBothSidesAndInAFile) {
  const Folder here;
  const Words simulate = {"simulate", "cfs@2.6.36", "--workload", pair_json, "--decisions"};
  const auto with = [&simulate](Words more) {
    more.insert(more.begin(), simulate.begin(), simulate.end());
    return more;
  };
  const Ran impl = fairwitness(here, with({"-"}));
  const Ran model = fairwitness(here, with({"-", "--side", "model"}));
  EXPECT_EQ(impl.status, 0) << impl.err;
  EXPECT_EQ(impl.out, model.out);
  EXPECT_EQ(fairwitness(here, with({"log"})).status, 0);
  EXPECT_EQ(content_of(here / "log"), impl.out);
  std::istringstream lines(impl.out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    ASSERT_TRUE(json::parse(line, nullptr, false).is_object()) << line;
  }
  EXPECT_GT(count, 100u);
}

TEST(Import, MakesAWorkloadThatChecks) {
  const Folder here;
  const Ran ran = fairwitness(here, {"import", a_trace, "--output", "w.json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("w.json: "), std::string::npos);
  EXPECT_EQ(fairwitness(here, {"import", a_trace}).out, content_of(here / "w.json"));
  EXPECT_EQ(fairwitness(here, {"inspect", "w.json"}).status, 0);
  EXPECT_EQ(fairwitness(here, {"check", "cfs", "--workload", "w.json", "--quiet"}).status, 0);
  fs::create_symlink("w.json", here / "link.json");
  EXPECT_EQ(fairwitness(here, {"import", a_trace, "--output", "link.json"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(here / "link.json")) << "a link stays a link";
}

TEST(Workloads, NameTheirSpecTopologyAndHz) {
  const Folder here;
  const std::string own = here.file(
      "own.json",
      R"({"tasks": {"a": {"run": 10000, "sleep": 1000}, "b": {"run": 10000}},)"
      R"("global": {"duration": 1},)"
      R"("fairwitness": {"spec": "cfs@2.6.35-LAST_BUDDY", "topology": "2x2", "hz": 250}})");
  const Ran ran = fairwitness(here, {"simulate", "--workload", own});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out.rfind("cfs@2.6.35-LAST_BUDDY,hz=250 on own (4 CPUs)", 0), 0u) << ran.out;
  const Ran other =
      fairwitness(here, {"simulate", "cfs@2.6.36,hz=100", "--workload", own, "--topology", "3"});
  EXPECT_EQ(other.out.rfind("cfs@2.6.36,hz=100 on own (3 CPUs)", 0), 0u) << other.out;
}

TEST(Explain, SaysWhoRanInstead) {
  const Folder here;
  const Ran worst = fairwitness(here, {"explain", pair_json, "--task", "sleeper-1"});
  EXPECT_EQ(worst.status, 0) << worst.err;
  EXPECT_NE(worst.out.find("hog-0 picked"), std::string::npos) << worst.out;
  EXPECT_NE(worst.out.find("bound: no task may wait longer than"), std::string::npos);
  EXPECT_EQ(worst.out.find("waited 0ns"), std::string::npos) << "a wait of no length is none";
  const Ran at = fairwitness(here, {"explain", pair_json, "--task", "hog-0", "--at", "2.2s"});
  EXPECT_NE(at.out.find("hog-0 was not waiting at 2.2s"), std::string::npos) << at.out;
}

TEST(Inspect, NamesTheKindAndTheVerdict) {
  const Folder here;
  EXPECT_NE(fairwitness(here, {"inspect", pair_json}).out.find("workload, accept"),
            std::string::npos);
  EXPECT_NE(fairwitness(here, {"inspect", a_trace}).out.find("trace, accept"), std::string::npos);
  EXPECT_NE(fairwitness(here, {"inspect", seeded_case}).out.find("case, accept"),
            std::string::npos);
  const std::string legacy = here.file(
      "legacy.json", R"({"tasks": {"a": {"exec": 1000, "period": 10000}}, "global": {}})");
  const Ran refused = fairwitness(here, {"inspect", legacy});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.out.find("workload, refuse"), std::string::npos) << refused.out;
  EXPECT_NE(refused.out.find("exec"), std::string::npos);
}

TEST(Traces, OfTheRepositoryPassAndSayWhatWasNotRepresented) {
  const Folder here;
  std::size_t traces = 0;
  for (const auto& entry : fs::directory_iterator(testdata + "traces")) {
    if (entry.path().extension() != ".gz") continue;
    ++traces;
    const Ran ran = fairwitness(here, {"check", "cfs@2.6.36", "--workload", entry.path().string()});
    EXPECT_EQ(ran.status, 0) << entry.path() << ran.out << ran.err;
    EXPECT_NE(ran.out.find("a trace does not tell threads from processes"), std::string::npos)
        << entry.path() << ran.out;
  }
  EXPECT_GE(traces, 3u);
}

}  // namespace
}  // namespace fw::cli
