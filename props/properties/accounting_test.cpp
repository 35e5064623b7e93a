// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "props/properties/charge.h"
#include "props/properties/cpu_load_history.h"
#include "props/properties/hand.h"
#include "props/properties/idle_accounting.h"
#include "props/properties/load_recount.h"
#include "props/properties/min_vruntime_monotone.h"
#include "props/properties/task_conservation.h"
#include "props/properties/tree_order.h"

namespace fw::props {
namespace {

using hand::add;
using hand::feed;

/// Runs one stimulus through a fresh checker and gives the kind of violation, or nothing.
std::string kind_of(std::unique_ptr<Checker> checker,
                    const Setup& setup,
                    StimulusKind kind,
                    std::int64_t t,
                    TaskId task,
                    const View& before,
                    const View& after,
                    std::vector<Decision> decisions = {}) {
  EXPECT_TRUE(checker->applies(setup));
  const auto bad = feed(*checker, kind, t, task, before, after, std::move(decisions));
  return bad ? bad->kind : "";
}

View busy() {
  View out = hand::view(1);
  add(out, TaskState::running, 5'000);
  add(out, TaskState::queued, 1'000);
  add(out, TaskState::queued, 1'000);
  add(out, TaskState::blocked, 0);
  return out;
}

TEST(Exact, AgreesWithTheWorkedExamples) {
  using namespace exact;
  EXPECT_EQ(fair(1'000'000, weight_row(-20, false)), 11'537u);
  EXPECT_EQ(fair(1'000'000'000, weight_row(5, false)), 3'056'716'442u);
  EXPECT_EQ(fair(4'194'305, weight_row(1, false)), 5'237'765u);
  EXPECT_EQ(fair(1'000'000, weight_row(7, true)), 341'333'333u);
  EXPECT_EQ(lazy_inverse(2'048), 2'096'129u);
  EXPECT_EQ(lazy_inverse(1), 2'147'483'649u);
  cfs::Tunables rules(hand::setup(1, 2));
  EXPECT_EQ(rules.slice(1, 1'024, 1'024), 5'994'146u);
  EXPECT_EQ(rules.slice(9, 9 * 1'024, 1'024), 749'920u);
  EXPECT_EQ(rules.slice(4, 5'279, 3'121), 3'546'591u);
  EXPECT_EQ(rules.granularity(weight_row(5, false)), 3'056'716u);
  EXPECT_EQ(later(30, std::uint64_t{0} - 50), 30u);
}

TEST(Tunables, ScaleWithCpusAndFollowTheSpec) {
  EXPECT_EQ(cfs::Tunables(hand::setup(4, 1)).latency_ns, 18'000'000u);
  EXPECT_EQ(cfs::Tunables(hand::setup(16, 1)).min_granularity_ns, 3'000'000u);
  fw::Setup setup = hand::setup(1, 1);
  setup.spec.knobs["latency"] = 10'000'000;
  EXPECT_EQ(cfs::Tunables(setup).nr_latency, 14);
  setup.spec.features["START_NICE"] = true;
  EXPECT_FALSE(cfs::Tunables(setup).restated);
}

TEST(TaskConservation, FindsEachKindOfMisplacement) {
  const fw::Setup setup = hand::setup(1, 4);
  const View good = busy();
  const auto check = [&](View after, StimulusKind kind = StimulusKind::tick) {
    return kind_of(make_task_conservation(), setup, kind, 1, TaskId{3}, good, after);
  };
  EXPECT_EQ(check(good), "");
  View bad = good;
  bad.cpus[0].queue.push_back(TaskId{1});
  EXPECT_EQ(check(bad), "twice");
  bad = good;
  bad.cpus[0].queue.pop_back();
  EXPECT_EQ(check(bad), "lost");
  bad = good;
  bad.cpus[0].queue.push_back(TaskId{3});
  EXPECT_EQ(check(bad), "queued");
  bad = good;
  bad.cpus[0].curr = idle_task;
  EXPECT_EQ(check(bad), "not_current");
  bad = good;
  bad.tasks.pop_back();
  EXPECT_EQ(check(bad), "vanished");
  EXPECT_EQ(check(bad, StimulusKind::exit), "");
  bad = good;
  add(bad, TaskState::blocked, 0);
  EXPECT_EQ(check(bad), "appeared");
  EXPECT_EQ(check(bad, StimulusKind::fork), "");
  bad = good;
  bad.cpus[0].curr = TaskId{3};  // asleep
  bad.tasks[0].state = TaskState::queued;
  bad.cpus[0].queue.push_back(TaskId{0});
  EXPECT_EQ(check(bad, StimulusKind::schedule), "picked_gone");
}

TEST(LoadRecount, FindsWrongSumsAndWeights) {
  const fw::Setup setup = hand::setup(1, 4);
  const View good = busy();
  const auto check = [&](const View& after) {
    return kind_of(make_load_recount(), setup, StimulusKind::tick, 1, idle_task, good, after);
  };
  EXPECT_EQ(check(good), "");
  View bad = good;
  bad.cpus[0].load -= 1;
  EXPECT_EQ(check(bad), "load");
  bad = good;
  bad.cpus[0].nr_running = 2;
  EXPECT_EQ(check(bad), "nr_running");
  bad = good;
  bad.tasks[3].weight = 820;
  EXPECT_EQ(check(bad), "weight");
}

TEST(MinVruntimeMonotone, FollowsTheDefinition) {
  const fw::Setup setup = hand::setup(1, 4);
  View before = busy();
  before.cpus[0].ints[cfs::min_vruntime] = 500;
  View after = before;
  hand::charge(after, 0, 2'000);
  EXPECT_EQ(after.cpus[0].ints[cfs::min_vruntime], 1'000);
  const auto check = [&](const View& now) {
    return kind_of(
        make_min_vruntime_monotone(), setup, StimulusKind::tick, 2'000, idle_task, before, now);
  };
  EXPECT_EQ(check(after), "");
  after.cpus[0].ints[cfs::min_vruntime] = 7'000;  // follows the running task only
  EXPECT_EQ(check(after), "definition");
  after.cpus[0].ints[cfs::min_vruntime] = 400;
  EXPECT_EQ(check(after), "back");
}

TEST(TreeOrder, WantsSortedFifoAndTheRightLeftmost) {
  const fw::Setup setup = hand::setup(1, 4);
  const View good = busy();
  const auto check = [&](const View& after) {
    return kind_of(make_tree_order(), setup, StimulusKind::wake, 1, TaskId{3}, good, after);
  };
  EXPECT_EQ(check(good), "");
  View bad = good;
  bad.tasks[1].ints[cfs::vruntime] = 1'001;
  EXPECT_EQ(check(bad), "order");
  bad = good;
  bad.cpus[0].ints[cfs::leftmost] = 2;
  EXPECT_EQ(check(bad), "leftmost");
  bad = good;
  bad.cpus[0].queue = {TaskId{2}, TaskId{1}};
  bad.cpus[0].ints[cfs::leftmost] = 2;
  EXPECT_EQ(check(bad), "overtaken");
  // A newcomer with an equal key belongs behind those that waited.
  View woken = good;
  woken.tasks[3].state = TaskState::queued;
  woken.tasks[3].ints[cfs::vruntime] = 1'000;
  woken.cpus[0].queue = {TaskId{1}, TaskId{2}, TaskId{3}};
  EXPECT_EQ(check(woken), "");
  woken.cpus[0].queue = {TaskId{1}, TaskId{3}, TaskId{2}};
  EXPECT_EQ(check(woken), "fifo");
}

TEST(Charge, WantsExactlyWhatElapsed) {
  const fw::Setup setup = hand::setup(1, 4);
  View before = busy();
  View good = before;
  hand::charge(good, 0, 2'000);
  const auto check = [&](const View& now) {
    return kind_of(make_charge(), setup, StimulusKind::tick, 2'000, idle_task, before, now);
  };
  EXPECT_EQ(check(good), "");
  EXPECT_EQ(check(before), "not_charged");
  View bad = good;
  bad.tasks[0].sum_exec_ns += 2'000;
  EXPECT_EQ(check(bad), "sum_exec");
  bad = good;
  bad.tasks[0].ints[cfs::vruntime] += 1;
  EXPECT_EQ(check(bad), "vruntime");
  bad = good;
  bad.cpus[0].ints[cfs::exec_clock] += 1;
  EXPECT_EQ(check(bad), "elapsed");
  bad = good;
  bad.tasks[1].sum_exec_ns += 1;
  EXPECT_EQ(check(bad), "not_running");
}

TEST(Charge, SetsACompatibleYieldBehindTheRightmost) {
  fw::Setup setup = hand::setup(1, 2);
  setup.spec.knobs["compat_yield"] = 1;
  const auto check = [&](std::int64_t v, std::int64_t right, std::int64_t now) {
    View before = hand::view(1);
    add(before, TaskState::running, v);
    add(before, TaskState::queued, right);
    View after = before;
    after.tasks[0].ints[cfs::vruntime] = now;
    return kind_of(make_charge(), setup, StimulusKind::yield, 0, TaskId{0}, before, after);
  };
  EXPECT_EQ(check(5'000, 7'000, 7'001), "");
  EXPECT_EQ(check(5'000, 7'000, 5'000), "vruntime");
  EXPECT_EQ(check(5'000, 5'000, 5'001), "");
  EXPECT_EQ(check(5'000, 4'000, 5'000), "");
}

TEST(CpuLoadHistory, FollowsTheWorkedExample) {
  const fw::Setup setup = hand::setup(1, 4);
  View before = hand::view(1);
  before.cpus[0].load = 2'048;
  View after = before;
  const std::int64_t first[5] = {2'048, 1'024, 512, 256, 128};
  for (std::size_t i = 0; i < 5; ++i) after.cpus[0].ints[cfs::cpu_load0 + i] = first[i];
  // Rises are rounded up: 2048 / 2^i is exact, plus (2^i - 1) / 2^i.
  const auto check = [&](const View& now) {
    return kind_of(
        make_cpu_load_history(), setup, StimulusKind::idle_tick, 1, idle_task, before, now);
  };
  EXPECT_EQ(check(after), "");
  after.cpus[0].ints[cfs::cpu_load3] += 1;
  EXPECT_EQ(check(after), "decay");
}

TEST(IdleAccounting, AveragesEndedIdlePeriods) {
  const fw::Setup setup = hand::setup(2, 2);
  View before = hand::view(2);
  add(before, TaskState::blocked, 0);
  before.cpus[0].ints[cfs::idle_stamp] = 100'000;
  View after = before;
  after.tasks[0].state = TaskState::queued;
  after.cpus[0].queue = {TaskId{0}};
  after.cpus[0].ints[cfs::idle_stamp] = 0;
  after.cpus[0].ints[cfs::avg_idle] = 875'000;  // 1000000 + (0 - 1000000) / 8
  const auto check = [&](std::int64_t t, const View& now) {
    return kind_of(make_idle_accounting(), setup, StimulusKind::wake, t, TaskId{0}, before, now);
  };
  EXPECT_EQ(check(100'000, after), "");
  EXPECT_EQ(check(900'000'000, after), "avg_idle");  // long: the cap
  after.cpus[0].ints[cfs::avg_idle] = 1'000'000;
  EXPECT_EQ(check(900'000'000, after), "");
  after.cpus[0].ints[cfs::idle_stamp] = 100'000;
  EXPECT_EQ(check(900'000'000, after), "idle_stamp");
}

TEST(IdleAccounting, StampsCpusThatRunDry) {
  const fw::Setup setup = hand::setup(2, 2);
  const View before = hand::view(2);
  View after = before;
  const auto check = [&] {
    return kind_of(
        make_idle_accounting(), setup, StimulusKind::schedule, 100'000, idle_task, before, after);
  };
  EXPECT_EQ(check(), "idle_stamp");
  after.cpus[0].ints[cfs::idle_stamp] = 100'000;
  EXPECT_EQ(check(), "");
  add(after, TaskState::running, 0);  // pulled
  EXPECT_EQ(check(), "idle_stamp");
  after.cpus[0].ints[cfs::idle_stamp] = 0;
  EXPECT_EQ(check(), "");
}

}  // namespace
}  // namespace fw::props
