// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/input/casefile.h"
#include "model/input/import.h"
#include "model/input/rtapp.h"
#include "model/input/trace.h"
#include "props/bridge/policies.h"
#include "props/gen/generate.h"
#include "props/run/case_run.h"
#include "props/run/record.h"
#include "reports/exports/exporter.h"
#include "reports/metrics.h"

namespace fw::exports {
namespace {

struct Made {
  Case c;
  Recording run;
};

/// Random cases of CFS on few tasks, as an export meets them.
Made made(std::uint64_t index) {
  gen::GenOptions options;
  options.spec = parse_spec("cfs@2.6.36", bridge::catalogue()).value();
  options.vary_features = options.vary_knobs = false;
  options.grain = {1'000};
  options.max_duration = {200'000'000};
  const PolicyRow& row = bridge::row_of(*options.spec);
  Made out;
  out.c = gen::generate(*row.info, 11, index, options);
  out.run = run::record(row, run::setup_of(out.c).value(), {}).value();
  return out;
}

TEST(Ftrace, IsReadBackWithEverySwitchAndWakeup) {
  std::int64_t seen = 0;
  for (std::uint64_t index = 0; index < 60; ++index) {
    const Made from = made(index);
    const Exported out = export_ftrace(from.c, from.run);
    std::vector<std::pair<std::int64_t, int>> switches, wakeups;  // time, cpu
    for (const Decision& d : from.run.decisions) {
      if (d.kind == DecisionKind::pick && d.task != d.other) {
        switches.emplace_back(d.t.ns, d.cpu.value);
      }
      if (d.kind == DecisionKind::wake || d.kind == DecisionKind::fork) {
        wakeups.emplace_back(d.t.ns, d.cpu.value);
      }
    }
    if (switches.empty()) continue;
    const auto trace = input::read_trace(out.text, "export.txt");
    ASSERT_TRUE(trace) << trace.error().text();
    std::vector<std::pair<std::int64_t, int>> read_switches, read_wakeups;
    for (const input::TraceEvent& event : trace->events) {
      if (event.kind == input::TraceEventKind::sched_switch) {
        read_switches.emplace_back(event.t.ns, event.cpu);
      }
      if (event.kind == input::TraceEventKind::wakeup ||
          event.kind == input::TraceEventKind::wakeup_new) {
        read_wakeups.emplace_back(event.t.ns, event.cpu);
      }
    }
    EXPECT_EQ(read_switches, switches) << index;
    EXPECT_EQ(read_wakeups, wakeups) << index;
    seen += static_cast<std::int64_t>(switches.size());
  }
  EXPECT_GT(seen, 1'000);
}

TEST(Chrome, SlicesOfACpuDoNotOverlapAndAddUp) {
  for (std::uint64_t index = 0; index < 20; ++index) {
    const Made from = made(index);
    const auto page = nlohmann::json::parse(export_chrome(from.c, from.run).text);
    std::map<int, double> end;
    double ran_us = 0;
    std::map<std::string, int> arrows;
    for (const auto& event : page.at("traceEvents")) {
      const std::string phase = event.at("ph");
      if (phase == "s" || phase == "f") ++arrows[phase];
      if (phase != "X" || event.at("pid") != 1) continue;
      const int cpu = event.at("tid");
      const double from_us = event.at("ts");
      const double length_us = event.at("dur");
      EXPECT_GE(from_us + 1e-6, end[cpu]) << "case " << index;
      end[cpu] = from_us + length_us;
      ran_us += length_us;
    }
    EXPECT_EQ(arrows["s"], arrows["f"]);
    double expected_us = 0;
    for (const auto& task : reports::measure(from.run).tasks) {
      expected_us += static_cast<double>(task.run_ns) / 1000;
    }
    EXPECT_NEAR(ran_us, expected_us, 0.5) << "case " << index;
  }
}

TEST(RtApp, ReadsBackToTheSameTasks) {
  for (std::uint64_t index = 0; index < 40; ++index) {
    const Made from = made(index);
    const Exported out = export_rtapp(from.c, from.run);
    const auto back = input::load_rtapp(out.text, "export.json", {});
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->workload.tasks, from.c.workload.tasks) << index;
  }
}

TEST(GTest, HoldsTheWholeCase) {
  Made from = made(3);
  from.c.property = "pick_rule";
  from.c.signature = "0123abcd";
  const std::string text = export_gtest(from.c, from.run).text;
  const auto begin = text.find("R\"case(") + 7;
  const auto end = text.find(")case\"", begin);
  ASSERT_NE(end, std::string::npos);
  const auto back = input::read_case(text.substr(begin, end - begin), "x", bridge::catalogue());
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(input::write_case(*back), input::write_case(from.c));
  EXPECT_NE(text.find("TEST(Regression, PickRule_0123abcd)"), std::string::npos);
}

class CProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "fw-export-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  /// Compiles and runs; the output, empty when either fails.
  std::string run(const Made& from) {
    std::ofstream(dir_ / "w.c") << export_c_program(from.c, from.run).text;
    const std::string command = fmt::format(
        "cd '{0}' && cc -std=gnu11 -Wall -Werror -O1 -pthread w.c -o w >cc.log 2>&1 && "
        "timeout 20 ./w >out.txt 2>err.txt",
        dir_.string());
    if (std::system(command.c_str()) != 0) return "";
    std::ifstream in(dir_ / "out.txt");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::filesystem::path dir_;
};

Made from_text(const std::string& text) {
  Made out;
  out.c.spec = parse_spec("cfs@2.6.36", bridge::catalogue()).value();
  out.c.horizon = {200'000'000};
  out.c.workload = input::load_rtapp(text, "t.json", {}).value().workload;
  const PolicyRow& row = bridge::row_of(out.c.spec);
  out.run = run::record(row, run::setup_of(out.c).value(), {}).value();
  return out;
}

TEST_F(CProgram, CompilesAndMeasuresTimedWakeups) {
  const std::string out = run(from_text(
      R"({"tasks": {"hog": {"run": 3000, "priority": 5},
                    "tick": {"run": 200, "timer": {"ref": "t", "period": 10000}}}})"));
  ASSERT_NE(out, "");
  EXPECT_NE(out.find("predicted p50"), std::string::npos);
  const auto row = out.find("\ntick");
  ASSERT_NE(row, std::string::npos) << out;
  EXPECT_GE(std::atoi(out.c_str() + row + 21), 5) << out;  // of about 20 wakeups in 200 ms
}

TEST_F(CProgram, HandsWorkOverThroughLocksSemaphoresAndForks) {
  const std::string out = run(from_text(
      R"({"tasks": {"a": {"run": 100, "sem_post": "s", "sleep": 1000},
                    "b": {"sem_wait": "s", "lock": "m", "run": 50, "unlock": "m"},
                    "c": {"loop": 5, "fork": "d", "sleep": 5000},
                    "d": {"instance": 0, "loop": 1, "run": 10, "yield": ""}}})"));
  ASSERT_NE(out, "");
  EXPECT_NE(out.find("\nd "), std::string::npos) << out;
}

TEST_F(CProgram, SuspendsResumesAndMeetsAtBarriers) {
  const std::string out = run(from_text(
      R"({"tasks": {"s": {"run": 10, "suspend": "x"},
                    "r": {"sleep": 2000, "resume": "s"},
                    "p": {"instance": 2, "sleep": 500, "barrier": "all"}}})"));
  ASSERT_NE(out, "");
  EXPECT_NE(out.find("\np "), std::string::npos) << out;
}

TEST(Registry, EveryFormatSaysWhatItIs) {
  std::set<std::string_view> names;
  for (const Exporter& row : exporters()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.about.empty());
    EXPECT_EQ(find_exporter(row.name), &row);
  }
  EXPECT_EQ(find_exporter("nothing"), nullptr);
}

}  // namespace
}  // namespace fw::exports
