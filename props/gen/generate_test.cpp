// SPDX-License-Identifier: Apache-2.0
#include "props/gen/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <set>

#include "model/input/rtapp.h"
#include "props/gen/draw.h"
#include "props/gen/summary.h"

namespace fw::gen {
namespace {

using namespace std::string_view_literals;

constexpr std::array versions = {"1.0"sv, "2.0"sv};
constexpr std::array<FeatureInfo, 4> features = {{{"ALPHA", true, "*", ""},
                                                  {"BETA", true, "1.0", ""},
                                                  {"GAMMA", true, "", ""},
                                                  {"DEAF", false, "", ""}}};
constexpr std::array modes = {"old"sv, "new"sv};
constexpr std::array<KnobInfo, 6> knobs = {
    {{"hz", KnobUnit::count, 10, 10000, "1000", ""},
     {"latency", KnobUnit::duration, 100'000, 1'000'000'000, "6ms", ""},
     {"mode", KnobUnit::choice, 0, 1, "old", "", modes},
     {"word", KnobUnit::count, 32, 64, "64", ""},
     {"clock_base", KnobUnit::wide, 0, 0, "0", ""},
     {"spare", KnobUnit::count, -5, 5, "by version", ""}}};

PolicyInfo toy() {
  PolicyInfo info;
  info.name = "toy";
  info.versions = versions;
  info.features = features;
  info.knobs = knobs;
  return info;
}

std::string text_of(const std::optional<CpuSet>& cpus) { return cpus ? cpus->text() : "all"; }

std::string text_of(const TaskDef& task) {
  std::string out = task.name + " x" + std::to_string(task.instances) + " +" +
                    format_duration(task.delay) + " l" + std::to_string(task.loop) + " n" +
                    std::to_string(task.nice) + " c" +
                    std::to_string(static_cast<int>(task.sched_class)) + " " + text_of(task.cpus) +
                    (task.slice ? " s" + format_duration(*task.slice) : "");
  for (const Phase& phase : task.phases) {
    out += " [" + phase.name + " l" + std::to_string(phase.loop) + " n" +
           (phase.nice ? std::to_string(*phase.nice) : "-") + " " + text_of(phase.cpus);
    for (const Op& op : phase.ops) {
      out += " " + std::string(op_name(op.kind)) + ":" + op.ref + op.mutex + ":" +
             format_duration(op.amount) + (op.absolute ? "a" : "");
    }
    out += "]";
  }
  return out;
}

/// The canonical content of a case, for comparisons.
std::string text_of(const Case& c) {
  std::string out = c.spec.text + "|" + c.topology + "|" + std::to_string(c.balance) + "|" +
                    std::to_string(c.horizon.ns);
  for (const TaskDef& task : c.workload.tasks) out += "\n" + text_of(task);
  return out;
}

/// What is wrong with a task's program by itself; empty when nothing is.
std::string program_fault(const TaskDef& task, const std::set<std::string>& names) {
  std::vector<std::string> held;
  bool takes_time = false;
  for (const Phase& phase : task.phases) {
    if (phase.ops.empty()) return "empty phase";
    if (phase.loop < 1) return "phase loop";
    for (const Op& op : phase.ops) {
      switch (op.kind) {
        case OpKind::run:
        case OpKind::runtime:
          takes_time = true;
          [[fallthrough]];
        case OpKind::sleep:
        case OpKind::timer:
          if (op.amount.ns < 1) return "amount";
          break;
        case OpKind::resume:
        case OpKind::fork:
          if (names.count(op.ref) == 0) return "unknown task " + op.ref;
          if (op.kind == OpKind::fork && op.ref == task.name) return "forks itself";
          break;
        case OpKind::lock:
          // Numbered names: a lock is taken only when all those held have smaller numbers.
          if (!held.empty() && std::stoi(held.back().substr(1)) >= std::stoi(op.ref.substr(1))) {
            return "lock order";
          }
          held.push_back(op.ref);
          break;
        case OpKind::unlock:
          if (held.empty() || held.back() != op.ref) return "unlock order";
          held.pop_back();
          break;
        case OpKind::wait:
        case OpKind::sync:
          if (held.empty() || held.back() != op.mutex) return "waits without its mutex";
          break;
        case OpKind::barrier:
          if (task.instances == 0) return "barrier in a forked task";
          break;
        default:
          break;
      }
    }
  }
  if (!held.empty()) return "ends with a lock held";
  return takes_time ? "" : "never takes time";
}

std::string fault_of(const Case& c, int cpus) {
  std::set<std::string> names;
  for (const TaskDef& task : c.workload.tasks) {
    if (!names.insert(task.name).second) return "two tasks named " + task.name;
  }
  int started = 0;
  for (const TaskDef& task : c.workload.tasks) {
    started += task.instances;
    if (task.phases.empty()) return task.name + ": no phases";
    if (task.nice < -20 || task.nice > 19) return task.name + ": nice";
    const auto good = [&](const std::optional<CpuSet>& set) {
      return !set || (!set->empty() && set->members().back().value < cpus);
    };
    if (!good(task.cpus)) return task.name + ": cpus";
    for (const Phase& phase : task.phases) {
      if (!good(phase.cpus)) return task.name + ": phase cpus";
    }
    const std::string fault = program_fault(task, names);
    if (!fault.empty()) return task.name + ": " + fault;
  }
  if (started == 0) return "nothing is started";
  return c.horizon.ns > 0 ? "" : "no horizon";
}

int cpus_of(const std::string& topology) {
  if (topology == "numaq") return 16;
  int out = 1;
  for (std::size_t at = 0; at < topology.size(); at += 2) out *= topology[at] - '0';
  return out;
}

TEST(Draw, KeepsToItsRangeAndReachesBothEnds) {
  Draw draw(1, 2, 100);
  std::set<int> seen;
  for (int i = 0; i < 2000; ++i) seen.insert(draw.between(-3, 4));
  EXPECT_EQ(seen, (std::set<int>{-3, -2, -1, 0, 1, 2, 3, 4}));
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t value = draw.log_between(3, 1'000'000);
    EXPECT_GE(value, 3);
    EXPECT_LE(value, 1'000'000);
  }
  EXPECT_EQ(draw.between(INT64_MAX, INT64_MAX), INT64_MAX);
  EXPECT_GE(draw.between(INT64_MAX - 3, INT64_MAX), INT64_MAX - 3);
}

TEST(Generate, IsAFunctionOfSeedAndIndex) {
  const PolicyInfo info = toy();
  std::set<std::string> texts;
  for (std::uint64_t index = 0; index < 300; ++index) {
    const Case once = generate(info, 7, index);
    EXPECT_EQ(text_of(once), text_of(generate(info, 7, index)));
    texts.insert(text_of(once));
  }
  EXPECT_GE(texts.size(), 299u) << "cases repeat";
  EXPECT_NE(text_of(generate(info, 1, 2)), text_of(generate(info, 2, 1)));
}

TEST(Generate, MakesOnlyValidCases) {
  const PolicyInfo info = toy();
  const std::array<const PolicyInfo*, 1> catalogue = {&info};
  for (std::uint64_t index = 0; index < 5000; ++index) {
    const Case c = generate(info, 11, index);
    ASSERT_EQ(fault_of(c, cpus_of(c.topology)), "") << text_of(c);
    const Outcome<PolicySpec> read = parse_spec(c.spec.text, catalogue);
    ASSERT_TRUE(read.ok()) << c.spec.text << ": " << read.error().text();
    EXPECT_EQ(read->features, c.spec.features);
    EXPECT_EQ(read->knobs, c.spec.knobs) << c.spec.text;
    const auto word = c.spec.knobs.find("word");
    EXPECT_TRUE(word == c.spec.knobs.end() || word->second == 32) << c.spec.text;
  }
}

TEST(Generate, ReachesEverythingAndStaysFast) {
  const PolicyInfo info = toy();
  Summary summary;
  constexpr int cases = 5000;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t index = 0; index < cases; ++index) summary.add(generate(info, 3, index));
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  std::printf("%sgeneration: %.1f us per case\n", summary.text().c_str(), spent.count() / cases);
  for (int kind = 0; kind < op_kinds; ++kind) {
    EXPECT_GE(summary.ops[static_cast<std::size_t>(kind)], cases / 100)
        << op_name(static_cast<OpKind>(kind));
  }
  EXPECT_EQ(summary.cases_by_topology.size(), 10u);
  EXPECT_EQ(summary.cases_by_version.size(), 2u);
  for (const char* name : {"ALPHA", "BETA", "GAMMA"})
    EXPECT_GE(summary.features[name], 100) << name;
  EXPECT_EQ(summary.features.count("DEAF"), 0u);
  for (const KnobInfo& knob : knobs) EXPECT_GE(summary.knobs[std::string(knob.name)], 100);
  for (int tasks = 1; tasks <= 12; ++tasks) EXPECT_GE(summary.cases_by_tasks[tasks], 20) << tasks;
  EXPECT_EQ(summary.cases_by_tasks.rbegin()->first, 12);
  EXPECT_GE(summary.longest_ms, 1000);
  for (const std::int64_t count : {summary.pinned,
                                   summary.classes,
                                   summary.niced,
                                   summary.delayed,
                                   summary.forked,
                                   summary.balanced}) {
    EXPECT_GE(count, cases / 20);
    EXPECT_LE(count, cases * 19 / 20);
  }
  EXPECT_LT(spent.count() / cases, 1000) << "more than ten times the aim of 100 us";
}

TEST(Generate, KeepsWhatTheOptionsFix) {
  const PolicyInfo info = toy();
  GenOptions options;
  options.spec = PolicySpec{"toy", "1.0", {{"ALPHA", false}}, {{"latency", 18'000'000}}, ""};
  options.topology = TopologyChoice{"5", 5};
  options.balance = false;
  options.max_tasks = 3;
  options.max_duration = {20'000'000};
  options.grain = {1000};
  options.max_size = 1'000'000;  // clamped
  int varied = 0;
  for (std::uint64_t index = 0; index < 500; ++index) {
    const Case c = generate(info, 5, index, options);
    ASSERT_EQ(fault_of(c, 5), "") << text_of(c);
    EXPECT_EQ(c.spec.version, "1.0");
    EXPECT_FALSE(c.spec.features.at("ALPHA"));
    EXPECT_EQ(c.spec.knobs.at("latency"), 18'000'000);
    varied += c.spec.features.size() > 1;
    EXPECT_EQ(c.topology, "5");
    EXPECT_FALSE(c.balance);
    EXPECT_LE(c.workload.tasks.size(), 3u);
    EXPECT_LE(c.horizon.ns, 20'000'000);
    for (const TaskDef& task : c.workload.tasks) {
      EXPECT_EQ(task.delay.ns % 1000, 0);
      for (const Phase& phase : task.phases) {
        for (const Op& op : phase.ops) EXPECT_EQ(op.amount.ns % 1000, 0) << text_of(c);
      }
    }
  }
  EXPECT_GT(varied, 50);
  options.vary_features = options.vary_knobs = false;
  for (std::uint64_t index = 0; index < 100; ++index) {
    EXPECT_EQ(generate(info, 5, index, options).spec.text, "toy@1.0-ALPHA,latency=18ms");
  }
}

TEST(Generate, WritesAndReadsBackAsRtAppFile) {
  const PolicyInfo info = toy();
  GenOptions options;
  options.grain = {1000};
  for (std::uint64_t index = 0; index < 1000; ++index) {
    const Workload made = generate(info, 21, index, options).workload;
    ASSERT_EQ(input::rtapp_losses(made), std::vector<std::string>()) << index;
    const std::string text = input::write_rtapp(made);
    const auto read = input::read_rtapp(text, made.name);
    ASSERT_TRUE(read.ok()) << read.error().text();
    ASSERT_EQ(read->verdict, input::Verdict::accept) << text << read->refusals[0].text;
    ASSERT_EQ(read->workload.tasks.size(), made.tasks.size());
    for (std::size_t i = 0; i < made.tasks.size(); ++i) {
      EXPECT_EQ(text_of(read->workload.tasks[i]), text_of(made.tasks[i])) << text;
    }
    EXPECT_EQ(read->workload.threads, made.threads);
    EXPECT_EQ(read->workload.spinlocks, made.spinlocks);
    EXPECT_EQ(read->workload.labels, made.labels);
    EXPECT_EQ(read->workload.costs, made.costs);
    EXPECT_EQ(read->workload.barging, made.barging);
  }
}

TEST(Generate, GivesSlicesOnlyWhereAsked) {
  const PolicyInfo info = toy();
  GenOptions options;
  int with = 0;
  for (const bool slices : {false, true}) {
    options.slices = slices;
    for (std::uint64_t index = 0; index < 300; ++index) {
      for (const TaskDef& task : generate(info, 5, index, options).workload.tasks) {
        EXPECT_TRUE(slices || !task.slice);
        with += task.slice.has_value();
      }
    }
  }
  EXPECT_GT(with, 30);
}

TEST(Generate, SurvivesAnEmptyCatalogueRow) {
  PolicyInfo info;
  info.name = "bare";
  GenOptions options;
  options.spec = PolicySpec{"bare", "", {}, {}, "bare"};
  for (std::uint64_t index = 0; index < 200; ++index) {
    const Case c = generate(info, 5, index, options);
    EXPECT_EQ(c.spec.text, "bare");
    EXPECT_EQ(fault_of(c, cpus_of(c.topology)), "");
  }
}

}  // namespace
}  // namespace fw::gen
