// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "props/properties/hand.h"
#include "props/properties/property.h"

namespace fw::props {
namespace {

TEST(Registry, RowsAreCompleteAndUnique) {
  std::set<std::string_view> ids;
  for (const Property& row : all_properties()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_FALSE(row.about.empty()) << row.id;
    EXPECT_FALSE(row.situation.empty()) << row.id;
    EXPECT_TRUE(row.policy == "*" || row.policy == "cfs" || row.policy == "eevdf") << row.id;
    if (row.id == "lockstep") {
      EXPECT_TRUE(row.checker == nullptr && row.relation == nullptr);
      continue;
    }
    EXPECT_FALSE(row.mutant.empty()) << row.id;
    EXPECT_NE(row.checker == nullptr, row.relation == nullptr) << row.id;
  }
  EXPECT_GE(ids.size(), 28u);
}

TEST(Registry, EachRowHasItsPairOfFiles) {
  const std::filesystem::path folder = std::string(FW_SOURCE_DIR) + "/props/properties";
  for (const Property& row : all_properties()) {
    if (row.id == "lockstep") continue;
    for (const char* ext : {".h", ".cpp"}) {
      EXPECT_TRUE(std::filesystem::exists(folder / (std::string(row.id) + ext))) << row.id << ext;
    }
  }
}

/// A correct little history, seen by every checker: start, tick, wakeup, schedule, block.
TEST(Checkers, AcceptACorrectHistory) {
  const fw::Setup setup = hand::setup(1, 2);
  for (const Property& row : all_properties()) {
    if (row.checker == nullptr || row.policy == "eevdf") continue;
    const auto checker = row.checker();
    if (!checker->applies(setup)) continue;
    View before = hand::view(1);
    hand::add(before, TaskState::running, 0);
    hand::add(before, TaskState::blocked, 0);
    View after = before;
    after.cpus[0].ints[cfs::cpu_load0] = 1024;
    after.cpus[0].ints[cfs::cpu_load1] = 512;  // (0 + 1024 + 1) / 2
    after.cpus[0].ints[cfs::cpu_load2] = 256;
    after.cpus[0].ints[cfs::cpu_load3] = 128;
    after.cpus[0].ints[cfs::cpu_load4] = 64;
    hand::charge(after, 0, 1'000'000);
    auto bad = hand::feed(*checker, StimulusKind::tick, 1'000'000, idle_task, before, after);
    EXPECT_FALSE(bad) << row.id << ": " << bad->what;
    before = after;
    hand::charge(after, 0, 500'000);
    TaskView& woken = after.tasks[1];
    woken.state = TaskState::queued;
    woken.ints[cfs::vruntime] = 0;  // 1.5 ms of minimum less 3 ms of credit is before its own 0
    after.cpus[0].queue = {woken.id};
    after.cpus[0].ints[cfs::leftmost] = 1;
    after.cpus[0].nr_running = 2;
    after.cpus[0].load = 2048;
    after.cpus[0].marked = true;  // a lead of 1.5 ms is more than 1 ms
    Decision wake = hand::record(DecisionKind::wake, TaskId{1});
    wake.preempt = true;
    bad = hand::feed(*checker, StimulusKind::wake, 1'500'000, TaskId{1}, before, after, {wake});
    EXPECT_FALSE(bad) << row.id << ": " << bad->what;
    before = after;
    after.cpus[0].marked = false;
    after.cpus[0].curr = TaskId{1};
    after.cpus[0].queue = {TaskId{0}};
    after.cpus[0].ints[cfs::leftmost] = 0;
    after.tasks[0].state = TaskState::queued;
    after.tasks[1].state = TaskState::running;
    after.tasks[1].ints[cfs::exec_start] = 1'500'000;
    bad = hand::feed(*checker,
                     StimulusKind::schedule,
                     1'500'000,
                     idle_task,
                     before,
                     after,
                     {hand::record(DecisionKind::pick, TaskId{1}, Why::leftmost)});
    EXPECT_FALSE(bad) << row.id << ": " << bad->what;
  }
}

}  // namespace
}  // namespace fw::props
