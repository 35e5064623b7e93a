// SPDX-License-Identifier: Apache-2.0
// Damaged files never crash a reader: every outcome is a value or an error that says something.
#include <gtest/gtest.h>

#include <array>

#include "model/input/casefile.h"
#include "model/input/features.h"
#include "model/input/file.h"
#include "model/input/inspect.h"
#include "model/input/jsonc.h"
#include "model/input/random_test.h"
#include "model/input/rtapp.h"
#include "model/input/topology.h"
#include "model/input/xml.h"

namespace fw::input {
namespace {

constexpr int rounds = 10000;

template <class T>
void expect_said(const Outcome<T>& outcome) {
  if (!outcome.ok()) {
    ASSERT_GT(outcome.error().text().size(), 5u);
  }
}

constexpr std::string_view workload_seed = R"(/* seed */
{ "tasks" : {
    "a" : { "instance" : 2, "delay" : 5, "loop" : -1, "priority" : -3, "taskgroup" : "/g", "cpus" : [0, 1,],
            "run" : 1000, "sleep" : 2000, "run" : 3000, "timer" : { "ref" : "unique", "period" : 7000 },
            "lock" : "m", "wait" : { "ref" : "q", "mutex" : "m" }, "unlock" : "m" },
    'b' : { "policy" : "SCHED_FIFO", "phases" : {
            "p" : { "loop" : 3, "resume" : "a", "mem" : 100, "fork" : "a" }, // end
            "p" : { "suspend" : "\u0041", "barrier" : "x", "yield" : null } } } },
  "resources" : { "m" : { "type" : "mutex" } },
  "global" : { "duration" : 1, "ftrace" : "main,task", "calibration" : "CPU0", "gnuplot" : FALSE },
  "fairwitness" : { "threads" : ["a"], "locks" : "barging", "labels" : { "a" : "input" },
                    "costs" : { "switch" : 5 }, "hz" : 250,
                    "exact_ns" : { "duration" : 900000000, "tasks" : { "a" : { "run" : 1000250 } } } } }
)";

TEST(InputFuzz, Workloads) {
  Random random{11};
  int accepted = 0;
  with_damage(workload_seed, rounds, random, [&](const std::string& text) {
    Outcome<RtappReading> reading = read_rtapp(text, "f");
    expect_said(reading);
    if (!reading.ok() || reading->verdict == Verdict::refuse) return;
    ++accepted;
    // What is accepted can be written, and is the same when read again.
    const std::string written = write_rtapp(reading->workload);
    const Outcome<RtappReading> again = read_rtapp(written, "f");
    ASSERT_TRUE(again.ok()) << again.error().text() << written;
    ASSERT_EQ(again->verdict, Verdict::accept) << again->refusals[0].text << written;
    ASSERT_EQ(write_rtapp(again->workload), written);
  });
  EXPECT_GT(accepted, 100);
}

TEST(InputFuzz, Cases) {
  Random random{12};
  const Outcome<std::string> seed =
      read_file(std::string(FW_SOURCE_DIR) + "/model/input/testdata/example.case.json");
  ASSERT_TRUE(seed.ok());
  const PolicyInfo cfs{
      .name = "cfs", .versions = {}, .features = {}, .knobs = {}, .schema = {}, .about = ""};
  const std::array<const PolicyInfo*, 1> catalogue = {&cfs};
  std::string text = *seed;
  const std::string_view spec = "cfs@2.6.36-LAST_BUDDY,latency=18ms";
  text.replace(text.find(spec), spec.size(), "cfs");
  ASSERT_TRUE(read_case(text, "f", catalogue).ok());
  with_damage(text, rounds, random, [&](const std::string& damaged) {
    expect_said(read_case(damaged, "f", catalogue));
  });
}

constexpr std::string_view hwloc_seed = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="3.0">
 <object type="Machine" cpuset="0x0000000f" allowed_cpuset="0x0000000b">
  <info name="a" value="&lt;b&#10;"/>
  <object type="Package" os_index="0" cpuset="0x0000000f">
   <object type="NUMANode" os_index="0" cpuset="0x0000000f"/>
   <object type="L3Cache" cpuset="0x0000000f" depth="3">
    <object type="Core" cpuset="0x00000003"><object type="PU" os_index="0"/><object type="PU" os_index="1"/></object>
    <object type="Core" cpuset="0x0000000c"><object type="PU" os_index="2"/><object type="PU" os_index="3"/></object>
   </object>
  </object>
 </object>
 <distances2 type="NUMANode" nbobjs="1"><indexes length="2">0 </indexes></distances2>
 <cpukind cpuset="0x0000000f"/>
</topology>
)";

TEST(InputFuzz, Topologies) {
  Random random{13};
  with_damage(hwloc_seed, rounds, random, [&](const std::string& text) {
    const Outcome<TopologyReading> reading =
        read_hwloc(text, "f", {.cluster = true, .die = true, .group = true});
    expect_said(reading);
    if (!reading.ok()) return;
    for (const TopologyLevel& level : reading->topology.levels) {
      ASSERT_EQ(level.set_of_cpu.size(), static_cast<std::size_t>(reading->topology.cpus));
    }
  });
  with_damage("SMT:0,1/2,3+MC:0-3+NODE:0-3", rounds, random, [&](const std::string& text) {
    expect_said(read_kstep_topology(text));
  });
}

TEST(InputFuzz, Features) {
  Random random{14};
  with_damage("START_DEBIT NO_HRTICK NONTASK_\nPOWER LB_BIAS\n",
              rounds,
              random,
              [&](const std::string& text) { expect_said(list_features(text, "f")); });
}

TEST(InputFuzz, SpecsAndDurations) {
  Random random{15};
  static constexpr std::array<std::string_view, 2> versions = {"2.6.36-rc3", "2.6.36"};
  static constexpr std::array<KnobInfo, 1> knobs = {
      {{"latency", KnobUnit::duration, 100'000, 1'000'000'000, "6ms", "", {}}}};
  const PolicyInfo cfs{.name = "cfs",
                       .versions = versions,
                       .features = {},
                       .knobs = knobs,
                       .schema = {},
                       .about = ""};
  const std::array<const PolicyInfo*, 1> catalogue = {&cfs};
  with_damage("cfs@2.6.36-rc3,latency=1.5ms", rounds, random, [&](const std::string& text) {
    const Outcome<PolicySpec> spec = parse_spec(text, catalogue);
    expect_said(spec);
    if (spec.ok()) {
      ASSERT_EQ(parse_spec(spec->text, catalogue)->text, spec->text);
    }
  });
  with_damage("123.456ms", rounds, random, [&](const std::string& text) {
    expect_said(parse_duration(text));
  });
}

TEST(InputFuzz, InspectOfAnything) {
  Random random{16};
  with_damage(workload_seed, 300, random, [&](const std::string& text) {
    expect_said(inspect_text(text, "f", {}));
  });
  with_damage(hwloc_seed, 300, random, [&](const std::string& text) {
    expect_said(inspect_text(text, "f", {}));
  });
  for (int i = 0; i < 300; ++i) {
    std::string bytes(random.below(3000), '\0');
    for (char& c : bytes) c = static_cast<char>(random.next());
    expect_said(inspect_text(bytes, "f", {}));
    expect_said(unpack("\x1f\x8b\x08" + bytes, "f", 1 << 20));
  }
}

TEST(InputFuzz, HugeAndDeepTextsEndSoon) {
  for (const char* piece : {"[", "{\"a\":", "[0,", "/*", "<a>", "<a b='", "9", "\"", "A "}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    expect_said(read_rtapp(text, "f"));
    expect_said(read_hwloc(text, "f"));
    expect_said(list_features(text, "f"));
    expect_said(read_kstep_topology(text));
    expect_said(parse_duration(text));
  }
}

}  // namespace
}  // namespace fw::input
