// SPDX-License-Identifier: Apache-2.0
// The recorder without a guest: the header, workloads, the player, and recordings of conformance runs.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "model/input/file.h"
#include "model/input/rtapp.h"
#include "model/input/trace.h"
#include "props/validate/validate.h"

namespace fw::recorder {
namespace {

namespace fs = std::filesystem;
const fs::path source = FW_SOURCE_DIR;
const fs::path recordings = source / "ci/recorder/testdata";

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "fairwitness-recorder-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct Said {
  int status = -1;
  std::string text;
};

/// Runs a line in sh; standard output and error together.
Said run(const std::string& line) {
  const Folder folder;
  const fs::path out = folder.path() / "out";
  const int raw = std::system(("( " + line + " ) > " + out.string() + " 2>&1").c_str());
  return {WIFEXITED(raw) ? WEXITSTATUS(raw) : -1, content_of(out)};
}

input::Trace trace_of(const fs::path& path) {
  const auto text = input::read_file(path.string());
  EXPECT_TRUE(text.ok()) << path;
  auto trace = input::read_trace(*text, path.string());
  EXPECT_TRUE(trace.ok()) << path;
  return *trace;
}

PolicySpec cfs61() {
  const std::array<const PolicyInfo*, 1> catalogue = {&validate::recorded_cfs_info()};
  return *parse_spec("cfs@6.1", catalogue);
}

validate::Validation validated(const input::Trace& trace) {
  const auto settings = validate::settings_of(cfs61(), trace);
  EXPECT_TRUE(settings.ok());
  auto seen = validate::validate(trace, *settings);
  EXPECT_TRUE(seen.ok());
  return *seen;
}

std::vector<fs::path> shipped() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(recordings)) {
    if (entry.path().filename().string().rfind("cfs61_", 0) == 0) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Recordings, EveryDecisionOfTheShippedOnesIsExplained) {
  ASSERT_GE(shipped().size(), 3u);
  for (const fs::path& path : shipped()) {
    const input::Trace trace = trace_of(path);
    for (const char* fact : {"kernel", "hz", "cpus", "features", "latency_ns", "nr_latency",
                             "min_granularity_ns", "wakeup_granularity_ns", "preempt"}) {
      EXPECT_EQ(trace.facts.count(fact), 1u) << path << " " << fact;
    }
    const validate::Validation seen = validated(trace);
    EXPECT_EQ(seen.tally.unexplained(), 0) << path;
    EXPECT_GT(seen.tally.of(validate::Rule::pick).contested, 50) << path;
  }
}

TEST(Recordings, ChangesOfNiceAreKnownByTheirSystemCalls) {
  input::Trace trace = trace_of(recordings / "cfs61_nice_19.ftrace.txt.gz");
  EXPECT_GT(trace.renices.size(), 5u);
  trace.renices.clear();
  const validate::Validation blind = validated(trace);
  EXPECT_GT(blind.tally.unexplained(), 0);
  for (const validate::Miss& miss : blind.tally.misses()) {
    EXPECT_EQ(miss.rule, validate::Rule::vruntime_step);
  }
}

TEST(Recordings, SettingsOtherThanTheRecordedOnesDoNotExplainThem) {
  input::Trace trace = trace_of(recordings / "cfs61_full_05.ftrace.txt.gz");
  trace.facts["features"] += " NO_GENTLE_FAIR_SLEEPERS";
  EXPECT_GT(validated(trace).tally.unexplained(), 0);
}

TEST(Header, IsWhatTheReaderAndValidateRead) {
  const Folder folder;
  fs::create_directories(folder.path() / "sched");
  const auto put = [&folder](const char* name, const char* text) {
    std::ofstream(folder.path() / "sched" / name) << text << "\n";
  };
  put("features", "GENTLE_FAIR_SLEEPERS NO_START_DEBIT");
  put("latency_ns", "12000000");
  put("min_granularity_ns", "1500000");
  put("wakeup_granularity_ns", "2000000");
  put("preempt", "none (voluntary) full");
  const Said said = run("cd " + (source / "ci/recorder").string() +
                        " && . ./header.sh && FW_HZ=300 && FW_NR_LATENCY=9 && trace_header " +
                        folder.path().string() + " 'a command'");
  ASSERT_EQ(said.status, 0) << said.text;
  const auto trace = input::read_trace(said.text + " a-1 [000] 1.0: foo: bar\n", "header");
  ASSERT_TRUE(trace.ok()) << said.text;
  EXPECT_NE(trace->facts.at("kernel").find("cmd: a command"), std::string::npos);
  EXPECT_EQ(trace->facts.at("preempt"), "none (voluntary) full");
  EXPECT_EQ(trace->facts.count("unknown"), 0u) << said.text;
  const auto settings = validate::settings_of(cfs61(), *trace);
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->hz, 300);
  EXPECT_EQ(settings->tunables.latency, 12'000'000u);
  EXPECT_EQ(settings->tunables.min_granularity, 1'500'000u);
  EXPECT_EQ(settings->tunables.wakeup_granularity, 2'000'000u);
  EXPECT_EQ(settings->tunables.nr_latency, 9u);
  EXPECT_FALSE(settings->start_debit);
  EXPECT_TRUE(settings->gentle_fair_sleepers);
}

TEST(Header, SaysWhatTheKernelDoesNotTell) {
  const Said said =
      run("cd " + (source / "ci/recorder").string() + " && . ./header.sh && trace_header /nowhere x");
  EXPECT_EQ(said.status, 0);
  EXPECT_NE(said.text.find("# unknown:"), std::string::npos) << said.text;
  EXPECT_EQ(said.text.find("# features:"), std::string::npos) << said.text;
}

TEST(RecordTrace, RefusesWhatItCannotDo) {
  const std::string script = (source / "ci/record-trace").string();
  for (const char* words : {"--seconds 0", "--seconds many", "--size 1000", "--output", "--what",
                            "--method magic", "--output /nowhere/x", "-- no-such-command"}) {
    const Said said = run(script + " " + words);
    EXPECT_EQ(said.status, 1) << words;
    EXPECT_NE(said.text.find("record-trace: "), std::string::npos) << words << said.text;
  }
  EXPECT_EQ(run(script + " --help").status, 0);
}

TEST(Conformance, RefusesWhatItCannotDo) {
  const std::string script = (source / "ci/conformance").string();
  for (const char* words : {"--kernel 5.4", "--workloads 0", "--seed x", "--cpus 9", "--what",
                            "--build /nowhere"}) {
    EXPECT_EQ(run(script + " " + words).status, 1) << words;
  }
}

TEST(Workloads, AreAFunctionOfTheSeedAndRunnable) {
  for (const char* kernel : {"6.1", "6.12"}) {
    std::vector<std::string> written;
    for (const char* seed : {"7", "7", "8"}) {
      const Folder folder;
      const Said said = run(std::string(FW_WORKLOADS) + " --kernel " + kernel +
                            " --count 6 --seed " + seed + " --output " + folder.path().string());
      ASSERT_EQ(said.status, 0) << said.text;
      std::string all;
      for (int i = 0; i < 6; ++i) {
        const std::string stem = (folder.path() / ("0" + std::to_string(i))).string();
        const std::string text = content_of(stem + ".json");
        EXPECT_TRUE(input::load_rtapp(text, stem, {.custom_slice = true}).ok()) << text;
        const std::string settings = content_of(stem + ".sh");
        for (const char* name : {"FW_FEATURES=", "FW_PREEMPT=", "FW_MS="}) {
          EXPECT_NE(settings.find(name), std::string::npos) << settings;
        }
        all += text + settings;
      }
      written.push_back(all);
    }
    EXPECT_EQ(written[0], written[1]);
    EXPECT_NE(written[0], written[2]);
  }
}

/// The program of the guest on this machine: every kind of event, forks, changes of nice.
TEST(Player, PlaysToTheHorizonOrToTheEnd) {
  const Folder folder;
  const std::string file = (folder.path() / "w.json").string();
  const auto play = [&file](const std::string& json, const char* ms) {
    std::ofstream(file) << json;
    return run(std::string(FW_PLAYER) + " " + file + " " + ms);
  };
  const Said ended = play(R"({"tasks": {
    "a": {"loop": 3, "run": 500, "sleep": 1000, "lock": "m", "unlock": "m", "barrier": "b",
          "timer": {"ref": "t", "period": 2000}, "yield": "", "sem_post": "s", "fork": "c"},
    "b": {"loop": 3, "runtime": 500, "lock": "m", "unlock": "m", "barrier": "b", "sem_wait": "s",
          "phases": {"p": {"priority": 5, "run": 100}}},
    "c": {"instance": 0, "loop": 1, "run": 100}}})",
                          "20000");
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_NE(ended.text.find("threads 5 events"), std::string::npos) << ended.text;
  EXPECT_NE(ended.text.find(" ended"), std::string::npos) << ended.text;
  const Said held = play(R"({"tasks": {
    "waiter": {"loop": -1, "suspend": "waiter", "run": 100},
    "waker": {"loop": -1, "run": 200, "sleep": 500, "resume": "waiter"},
    "one": {"loop": -1, "lock": "m", "wait": {"ref": "v", "mutex": "m"}, "unlock": "m"},
    "two": {"loop": -1, "sleep": 700, "signal": "v", "broad": "v"}}})",
                         "300");
  EXPECT_EQ(held.status, 0) << held.text;
  EXPECT_NE(held.text.find("threads 4 events"), std::string::npos) << held.text;
  EXPECT_NE(held.text.find("to the horizon"), std::string::npos) << held.text;
}

TEST(Player, RefusesWhatItCannotPlay) {
  EXPECT_EQ(run(FW_PLAYER).status, 1);
  EXPECT_EQ(run(std::string(FW_PLAYER) + " /nowhere 10").status, 1);
  EXPECT_EQ(run(std::string(FW_PLAYER) + " /nowhere ten").status, 1);
}

}  // namespace
}  // namespace fw::recorder
