// SPDX-License-Identifier: Apache-2.0
#include "model/input/topology.h"

#include <gtest/gtest.h>

namespace fw::input {
namespace {

/// `SMT 0-1/2-3 MC 0-3`, or the error.
std::string picture(const Outcome<Topology>& topology) {
  if (!topology.ok()) return topology.error().text();
  std::string out;
  for (const TopologyLevel& level : topology->levels) {
    std::vector<CpuSet> sets;
    for (int cpu = 0; cpu < topology->cpus; ++cpu) {
      const auto set = static_cast<std::size_t>(level.set_of_cpu[static_cast<std::size_t>(cpu)]);
      if (set == sets.size()) sets.emplace_back();
      sets.at(set).insert(CpuId{cpu});
    }
    out += (out.empty() ? "" : " ") + std::string(level_name(level.kind));
    for (std::size_t i = 0; i < sets.size(); ++i) out += (i == 0 ? " " : "/") + sets[i].text();
  }
  return out;
}
std::string read(std::string_view text) { return picture(read_topology(text)); }

TEST(Topology, ReadsSizes) {
  EXPECT_EQ(read("1"), "");
  EXPECT_EQ(read("4"), "MC 0-3");
  EXPECT_EQ(read("1x4"), "MC 0-3");
  EXPECT_EQ(read("2x2"), "MC 0-1/2-3 NODE 0-3");
  EXPECT_EQ(read("2x1"), "NODE 0-1");
  EXPECT_EQ(read("2x2x2"), "SMT 0-1/2-3/4-5/6-7 MC 0-3/4-7 NODE 0-7");
  EXPECT_EQ(read("numaq"), "NODE 0-3/4-7/8-11/12-15 TOP 0-15");
  EXPECT_EQ(read_topology("2x2x2")->thread_siblings, std::vector<int>(8, 2));
  EXPECT_EQ(read_topology("2x2")->thread_siblings, std::vector<int>(4, 1));
  EXPECT_EQ(read_topology("4096")->cpus, 4096);
}

TEST(Topology, RefusesSizesThatMeanNothing) {
  for (const char* text :
       {"0", "4097", "x", "2x", "x2", "2x0", "2x2x2x2", "99999999999", "64x65"}) {
    EXPECT_FALSE(read_topology(text).ok()) << text;
  }
  EXPECT_NE(read("").find("numaq"), std::string::npos);
  EXPECT_NE(read("no-such-file").find("No such file"), std::string::npos);
}

TEST(Topology, ReadsKstepStrings) {
  EXPECT_EQ(read("SMT:0,1/2,3+MC:0-3"), "SMT 0-1/2-3 MC 0-3");
  EXPECT_EQ(read("MC:0-1/2-3"), "MC 0-1/2-3 TOP 0-3");
  EXPECT_EQ(read("CLS:0-1/2-3+MC:0-7+NODE:0-7/8-9"),
            "CLS 0-1/2-3/4/5/6/7/8/9 MC 0-7/8/9 NODE 0-7/8-9 TOP 0-9");
  EXPECT_EQ(read("MC:0-3+SMT:0,2/1,3"), "SMT 0,2/1,3 MC 0-3");
  EXPECT_EQ(read("SMT:0/1+MC:0,1"), "MC 0-1");
}

TEST(Topology, NamesLevelAndCpusOfABadString) {
  EXPECT_NE(read("SMT:0-1/2-3+MC:0-2/3")
                .find("level SMT has the CPUs 2-3 together, level MC divides them: 0-2 and 3"),
            std::string::npos)
      << read("SMT:0-1/2-3+MC:0-2/3");
  EXPECT_NE(read("MC:0-2/2-3").find("level MC names CPU 2 twice"), std::string::npos);
  EXPECT_NE(read("MC:0-1/3").find("CPU 2 is in no level"), std::string::npos);
  EXPECT_NE(read("MX:0-1").find("nearest: MC"), std::string::npos);
  EXPECT_NE(read("MC:0-1+MC:0-1").find("twice"), std::string::npos);
  for (const char* text : {"MC:", "MC:0-", "MC:1-0", "MC:a", "MC:0-9999999", "MC:0+", "MC:-1"}) {
    EXPECT_FALSE(read_topology(text).ok()) << text;
  }
}

std::string machine(std::string_view inside, std::string_view attributes = "") {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology "
         "version=\"3.0\">\n<object type=\"Machine\" " +
         std::string(attributes) + ">" + std::string(inside) + "</object></topology>";
}
std::string pu(int index) {
  return "<object type=\"PU\" os_index=\"" + std::to_string(index) + "\"/>";
}
std::string core(int a, int b) { return "<object type=\"Core\">" + pu(a) + pu(b) + "</object>"; }

TEST(Hwloc, LeavesOutPusThatAreNotAllowed) {
  const Outcome<TopologyReading> reading =
      read_hwloc(machine(core(0, 4) + core(1, 5), "allowed_cpuset=\"0x00000031\""), "f");
  ASSERT_TRUE(reading.ok()) << reading.error().text();
  EXPECT_EQ(reading->counts.pus, 4);
  EXPECT_EQ(reading->topology.cpus, 3);
  EXPECT_EQ(reading->topology.os_index, (std::vector<int>{0, 4, 5}));
  EXPECT_EQ(picture(reading->topology), "SMT 0-1/2 TOP 0-2");
  EXPECT_EQ(reading->topology.thread_siblings, (std::vector<int>{2, 2, 1}));
  EXPECT_EQ(reading->notes.size(), 2u);
}

TEST(Hwloc, McIsTheHighestCacheThatCoresShare) {
  const std::string text = machine("<object type=\"L3Cache\"><object type=\"L2Cache\">" +
                                   core(0, 1) + core(2, 3) + "</object><object type=\"L2Cache\">" +
                                   core(4, 5) + "</object></object>" + core(6, 7));
  EXPECT_EQ(picture(read_hwloc(text, "f")->topology), "SMT 0-1/2-3/4-5/6-7 MC 0-5/6-7 TOP 0-7");
  EXPECT_EQ(picture(read_hwloc(text, "f", {.cluster = true})->topology),
            "SMT 0-1/2-3/4-5/6-7 CLS 0-3/4-5/6-7 MC 0-5/6-7 TOP 0-7");
}

TEST(Hwloc, ANodeWithoutCpusIsNoLevel) {
  const std::string text = machine(
      "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x0000000f\"/>"
      "<object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x0\"/>" +
      core(0, 1) + core(2, 3));
  const Outcome<TopologyReading> reading = read_hwloc(text, "f");
  ASSERT_TRUE(reading.ok()) << reading.error().text();
  EXPECT_EQ(reading->counts.nodes, 2);
  EXPECT_EQ(picture(reading->topology), "SMT 0-1/2-3 NODE 0-3");
}

TEST(Hwloc, APackageOfSeveralNodesStandsAboveNode) {
  const std::string node_a =
      "<object type=\"NUMANode\" os_index=\"0\">" + pu(0) + pu(1) + "</object>";
  const std::string node_b =
      "<object type=\"NUMANode\" os_index=\"1\">" + pu(2) + pu(3) + "</object>";
  const std::string text = machine("<object type=\"Package\">" + node_a + node_b +
                                   "</object><object type=\"Package\">" + pu(4) + "</object>");
  const Outcome<TopologyReading> reading = read_hwloc(text, "f");
  ASSERT_TRUE(reading.ok()) << reading.error().text();
  EXPECT_EQ(picture(reading->topology), "NODE 0-1/2-3/4 CPU 0-3/4 TOP 0-4");
  ASSERT_EQ(reading->notes.size(), 1u);
}

TEST(Hwloc, OverlappingSetsAreAnError) {
  const std::string text = machine(
      "<object type=\"Package\" cpuset=\"0x3\"/><object type=\"Package\" cpuset=\"0xc\"/>"
      "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x6\"/>"
      "<object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x9\"/>" +
      pu(0) + pu(1) + pu(2) + pu(3));
  const Outcome<TopologyReading> reading = read_hwloc(text, "f");
  ASSERT_FALSE(reading.ok());
  EXPECT_NE(reading.error().text().find("level CPU has the CPUs 0-1 together, level NODE"),
            std::string::npos)
      << reading.error().text();
}

TEST(Hwloc, RefusesWhatIsNoTopology) {
  for (const std::string& text : {std::string(),
                                  std::string("\x7f\x45\x4c\x46\0\0\0", 7),
                                  std::string("<a/>"),
                                  std::string("<topology/>"),
                                  machine(""),
                                  machine(pu(0) + pu(0)),
                                  machine(pu(99'999'999)),
                                  machine("<object type=\"PU\" os_index=\"x\"/>"),
                                  machine(pu(0), "allowed_cpuset=\"zz\""),
                                  machine(pu(0), "allowed_cpuset=\"0x2\""),
                                  machine(pu(0)).substr(0, 150),
                                  std::string("<!DOCTYPE t [<!ENTITY a \"b\">]><topology/>"),
                                  std::string("<topology><object type=\"Machine\"></topology>")}) {
    const Outcome<TopologyReading> reading = read_hwloc(text, "f");
    ASSERT_FALSE(reading.ok()) << text;
    EXPECT_FALSE(reading.error().text().empty());
  }
}

TEST(Levels, ReadsTheWords) {
  EXPECT_TRUE(parse_levels("cluster,group")->group);
  EXPECT_FALSE(parse_levels("cluster,group")->die);
  EXPECT_NE(parse_levels("clusters").error().text().find("nearest: cluster"), std::string::npos);
}

}  // namespace
}  // namespace fw::input
