// SPDX-License-Identifier: Apache-2.0
// The open set of real input files, where it lies beside the checkout: verdicts and counts of every
// file. The figures were counted by a script of its own.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "model/input/features.h"
#include "model/input/file.h"
#include "model/input/inspect.h"
#include "model/input/topology.h"

namespace fw::input {
namespace {

const std::filesystem::path folder = std::filesystem::path(FW_SOURCE_DIR) / "../shared/inputs";

bool absent() {
  if (std::filesystem::is_directory(folder)) return false;
  std::cout << "skipped: the shared input files are not on this machine\n";
  return true;
}

/// File names of a sub-folder with that ending; every one must be in the table of its test.
std::set<std::string> files(const char* name, std::string_view ending) {
  std::set<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder / name)) {
    const std::string file = entry.path().filename();
    if (std::string_view(file).ends_with(ending)) out.insert(file);
  }
  return out;
}

/// `VERDICT tasks / threads / phases / events, repeated`; texts that json-c refuses: `syntax LINE`.
std::string workload(const std::filesystem::path& path) {
  const Outcome<Inspection> found = inspect_file(path, {});
  if (!found.ok()) return found.error().text();
  if (found->counts.empty()) return "syntax " + std::to_string(found->refusals.at(0).line);
  std::string out = std::string(verdict_name(found->verdict));
  for (std::size_t i = 0; i < 5; ++i) {
    out += (i == 0 ? " " : i == 4 ? ", " : " / ") + found->counts.at(i).second;
  }
  return out;
}

void expect_table(const char* name, const std::map<std::string, std::string>& table) {
  if (absent()) return;
  for (const std::string& file : files(name, ".json")) {
    const auto row = table.find(file.substr(0, file.size() - 5));
    ASSERT_NE(row, table.end()) << file << " is not in the table";
    EXPECT_EQ(workload(folder / name / file), row->second) << file;
  }
}

TEST(SharedInputs, RtappFiles) {
  expect_table("rtapp",
               {{"dltests-group-example3", "approximate 2 / 2 / 2 / 4, 0"},
                {"dltests-grub-cpuhog-legacy", "refuse 2 / 2 / 2 / 0, 0"},
                {"lisa-mp3-short-template", "refuse 5 / 5 / 6 / 24, 4"},
                {"rtapp-browser-short", "accept 9 / 9 / 15 / 61, 14"},
                {"rtapp-custom-slice", "refuse 2 / 2 / 2 / 2, 0"},
                {"rtapp-dvfs", "approximate 1 / 1 / 2 / 2, 0"},
                {"rtapp-merge-resources", "refuse 0 / 0 / 0 / 0, 0"},
                {"rtapp-merge-thread0", "refuse 1 / 1 / 1 / 1, 0"},
                {"rtapp-mp3-short", "accept 5 / 5 / 6 / 24, 4"},
                {"rtapp-spreading-tasks", "accept 2 / 2 / 6 / 12, 1"},
                {"rtapp-template", "accept 1 / 1 / 1 / 3, 0"},
                {"rtapp-tutorial-example1", "accept 1 / 1 / 1 / 2, 0"},
                {"rtapp-tutorial-example11", "approximate 1 / 1 / 3 / 6, 0"},
                {"rtapp-tutorial-example2", "accept 1 / 1 / 1 / 2, 0"},
                {"rtapp-tutorial-example3", "accept 1 / 12 / 2 / 4, 0"},
                {"rtapp-tutorial-example4", "accept 2 / 2 / 2 / 6, 0"},
                {"rtapp-tutorial-example5", "accept 2 / 2 / 3 / 17, 5"},
                {"rtapp-tutorial-example7", "accept 2 / 2 / 2 / 15, 0"},
                {"rtapp-tutorial-example9", "accept 3 / 2 / 4 / 10, 0"},
                {"rtapprs-failure_11", "approximate 1 / 1 / 3 / 10, 0"},
                {"rtapprs-failure_22", "approximate 2 / 4 / 2 / 5, 0"},
                {"rtmuse-taskset-foreign", "refuse 1 / 1 / 5 / 1, 1"},
                {"schedtest-bug1-yes16-taskgroup-object", "refuse 16 / 16 / 16 / 16, 0"},
                {"schedtest-cgroup_throttling", "refuse 3 / 3 / 3 / 6, 0"},
                {"wa-camera-short", "accept 57 / 57 / 99 / 429, 13"},
                {"wa-taskset-legacy", "refuse 4 / 4 / 5 / 9, 0"}});
}

TEST(SharedInputs, RtappGrammarFiles) {
  const std::string one = "accept 1 / 1 / 1 / 1, 0";
  expect_table("rtapp-grammar",
               {{"comment-block", one},
                {"comment-line", one},
                {"dup-phase", "accept 1 / 1 / 3 / 3, 1"},
                {"dup-run", "accept 1 / 1 / 1 / 3, 1"},
                {"fork-zero-instance", "accept 2 / 1 / 2 / 3, 0"},
                {"garbage-after-root", one},
                {"instance-three", "accept 1 / 3 / 1 / 1, 0"},
                {"instance-zero", "accept 1 / 0 / 1 / 1, 0"},
                {"loop-one-inline", one},
                {"prefix-runfoo", one},
                {"reject-cpus-int", "refuse 1 / 1 / 1 / 1, 0"},
                {"reject-double-comma", "syntax 1"},
                {"reject-duration-float", "refuse 1 / 1 / 1 / 1, 0"},
                {"reject-float-run", "refuse 1 / 1 / 1 / 1, 0"},
                {"reject-hash-comment", "syntax 1"},
                {"reject-lock_order", "refuse 1 / 1 / 1 / 2, 0"},
                {"reject-missing-brace", "syntax 3"},
                {"reject-missing-comma", "syntax 1"},
                {"reject-no-event", "refuse 1 / 1 / 1 / 0, 0"},
                {"reject-no-tasks", "refuse 0 / 0 / 0 / 0, 0"},
                {"reject-policy-normal", "refuse 1 / 1 / 1 / 1, 0"},
                {"reject-string-run", "refuse 1 / 1 / 1 / 1, 0"},
                {"reject-unquoted-key", "syntax 1"},
                {"reject-value-omitted", "syntax 1"},
                {"runtime-event-at-task", one},
                {"single-quotes", one},
                {"suffix-run", "accept 1 / 1 / 1 / 3, 0"},
                {"timer-no-ref", "accept 1 / 1 / 1 / 2, 0"},
                {"trailing-comma-array", one},
                {"trailing-comma-object", one},
                // rt-app passes over the unknown key; here it is refused by name.
                {"unknown-key", "refuse 1 / 1 / 1 / 1, 0"}});
}

TEST(SharedInputs, WorkloadsOfReports) {
  expect_table("reports",
               {{"r01-vhost-lag-placement", "accept 3 / 3 / 3 / 9, 0"},
                {"r02-uniprocessor-workqueue-6.16", "accept 3 / 4 / 3 / 7, 0"},
                {"r03-aio-thread-bounces", "accept 2 / 2 / 2 / 5, 0"},
                {"r04-pipe-pingpong-delay-dequeue", "accept 2 / 2 / 2 / 6, 0"},
                {"r05-rt-hog-starves-pinned", "approximate 2 / 2 / 2 / 3, 0"},
                {"r06-overcommitted-desktop", "accept 3 / 19 / 3 / 6, 0"},
                {"r07-video-and-make", "accept 3 / 8 / 3 / 6, 0"},
                {"r08-make-j40-2.6.37", "accept 3 / 42 / 3 / 6, 0"},
                {"r09-iperf-yield", "accept 2 / 2 / 2 / 4, 0"}});
}

TEST(SharedInputs, AcceptedWorkloadsAreWrittenAndReadBack) {
  if (absent()) return;
  for (const char* name : {"rtapp", "rtapp-grammar", "reports"}) {
    for (const std::string& file : files(name, ".json")) {
      const Outcome<std::string> text = read_file(folder / name / file);
      ASSERT_TRUE(text.ok());
      const Outcome<RtappReading> reading = read_rtapp(*text, file);
      if (!reading.ok() || reading->verdict == Verdict::refuse) continue;
      EXPECT_TRUE(rtapp_losses(reading->workload).empty()) << file;
      const Outcome<RtappReading> again = read_rtapp(write_rtapp(reading->workload), file);
      ASSERT_TRUE(again.ok()) << file;
      EXPECT_EQ(again->verdict, Verdict::accept) << file;
      EXPECT_EQ(again->workload.tasks, reading->workload.tasks) << file;
      EXPECT_EQ(again->counts.repeated, 0) << file;
    }
  }
}

/// `packages, nodes, groups, dies, cores, PUs; kinds; distances | CPUs: LEVEL SETS ...`.
std::string topology(const std::filesystem::path& path) {
  const Outcome<TopologyReading> reading = read_topology_reading(path.string());
  if (!reading.ok()) return reading.error().text();
  const TopologyCounts& c = reading->counts;
  std::string out;
  for (const std::int64_t n : {c.packages, c.nodes, c.groups, c.dies, c.cores, c.pus}) {
    out += (out.empty() ? "" : ", ") + std::to_string(n);
  }
  out += "; " + std::to_string(c.cpukinds) + "; " + std::to_string(c.distances) + " | " +
         std::to_string(reading->topology.cpus) + ":";
  for (const TopologyLevel& level : reading->topology.levels) {
    const std::set<int> sets(level.set_of_cpu.begin(), level.set_of_cpu.end());
    out += " " + std::string(level_name(level.kind)) + " " + std::to_string(sets.size());
  }
  return out;
}

TEST(SharedInputs, HwlocFiles) {
  if (absent()) return;
  const std::map<std::string, std::string> table = {
      {"fake-cpukinds.xml", "1, 1, 0, 0, 2, 4; 3; 0 | 4: SMT 2 CPU 1"},
      {"fake-hetero-cpu-numa.xml", "2, 6, 5, 0, 12, 24; 3; 1 | 24: SMT 12 NODE 6 CPU 2 TOP 1"},
      {"hybrid-raptorlake-6p8e.xml", "1, 1, 0, 0, 14, 20; 2; 0 | 20: SMT 14 MC 1"},
      {"knl-64c4t.xml.gz", "1, 1, 0, 0, 64, 256; 0; 0 | 256: SMT 64 MC 32 CPU 1"},
      {"uv2000-12gr2n8c2t-384pu.xml.gz",
       "24, 24, 12, 0, 192, 384; 0; 1 | 384: SMT 192 MC 24 TOP 1"},
      {"v1-16amd64-4distances.xml", "8, 8, 2, 0, 16, 16; 0; 4 | 16: CPU 8 TOP 1"},
      {"v1-cluster-on-die-28c.xml", "2, 4, 0, 0, 28, 28; 0; 1 | 28: NODE 4 CPU 2 TOP 1"},
      {"v2-hagrid-4p2c.xml", "4, 4, 0, 0, 8, 8; 0; 0 | 6: CPU 3 TOP 1"},
      {"xeon-2n8c2t-noio.xml", "2, 2, 0, 0, 16, 32; 0; 1 | 32: SMT 16 MC 2 TOP 1"},
      {"xeon-2n8c2t-wholeio.xml", "2, 2, 0, 0, 16, 32; 0; 1 | 32: SMT 16 MC 2 TOP 1"},
      {"xeon-4n-96core-groups.xml.gz", "16, 4, 4, 0, 96, 96; 0; 1 | 96: MC 16 NODE 4 TOP 1"},
      {"xeon-4s2c2t-offline-pus.xml", "4, 1, 0, 0, 6, 7; 0; 0 | 7: SMT 6 MC 4 NODE 1"},
      {"xeon-4s2c2t.xml", "4, 1, 0, 0, 8, 16; 0; 0 | 16: SMT 8 MC 4 NODE 1"},
      {"zen1-2xepyc7451-96pu.xml.gz", "2, 1, 0, 0, 48, 96; 0; 0 | 96: SMT 48 MC 16 CPU 2 NODE 1"}};
  for (const std::string& file : files("hwloc", "")) {
    const auto row = table.find(file);
    ASSERT_NE(row, table.end()) << file << " is not in the table";
    EXPECT_EQ(topology(folder / "hwloc" / file), row->second) << file;
    EXPECT_EQ(inspect_file(folder / "hwloc" / file, {})->kind, "topology") << file;
  }
}

TEST(SharedInputs, NamedLevelsAddWhatTheFilesHold) {
  if (absent()) return;
  const auto levels = [](const char* file, const TopologyOptions& options) {
    std::string out;
    const Outcome<Topology> read = read_topology((folder / "hwloc" / file).string(), options);
    if (!read.ok()) return read.error().text();
    for (const TopologyLevel& level : read->levels)
      out += std::string(level_name(level.kind)) + " ";
    return out;
  };
  EXPECT_EQ(levels("hybrid-raptorlake-6p8e.xml", {.cluster = true}), "SMT CLS MC ");
  EXPECT_EQ(levels("uv2000-12gr2n8c2t-384pu.xml.gz", {.group = true}), "SMT MC GROUP TOP ");
  EXPECT_EQ(levels("knl-64c4t.xml.gz", {.cluster = true}), "SMT MC CPU ");
}

TEST(SharedInputs, FeatureFiles) {
  if (absent()) return;
  const std::map<std::string, std::size_t> table = {{"linux-2.6.32-rc3-derived.features", 24},
                                                    {"linux-2.6.34-derived.features", 23},
                                                    {"linux-4.x-no-wakeup-preemption.features", 16},
                                                    {"linux-6.16-eevdf-wrapped.features", 26},
                                                    {"linux-6.2-cfs.features", 26},
                                                    {"rhel7-3.10-wrapped.features", 18}};
  for (const std::string& file : files("features", "")) {
    const auto row = table.find(file);
    ASSERT_NE(row, table.end()) << file << " is not in the table";
    const Outcome<std::string> text = read_file(folder / "features" / file);
    ASSERT_TRUE(text.ok());
    const Outcome<FeatureListing> listing = list_features(*text, file);
    ASSERT_TRUE(listing.ok()) << listing.error().text();
    EXPECT_EQ(listing->names.size(), row->second) << file;
    EXPECT_EQ(listing->notes.size(), file.starts_with("rhel7") ? 1u : 0u) << file;
    EXPECT_EQ(inspect_file(folder / "features" / file, {})->kind, "features") << file;
  }
}

TEST(SharedInputs, TracesAreToldApart) {
  if (absent()) return;
  for (const std::string& file : files("traces", "")) {
    const Outcome<Inspection> found = inspect_file(folder / "traces" / file, {});
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_EQ(found->kind, "trace") << file;
  }
}

}  // namespace
}  // namespace fw::input
