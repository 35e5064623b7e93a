// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "props/properties/affinity.h"
#include "props/properties/balance_no_pingpong.h"
#include "props/properties/buddy_pick.h"
#include "props/properties/buddy_validity.h"
#include "props/properties/fork_placement.h"
#include "props/properties/hand.h"
#include "props/properties/migration_relative.h"
#include "props/properties/no_lost_wakeup.h"
#include "props/properties/pick_rule.h"
#include "props/properties/renice_keeps_vruntime.h"
#include "props/properties/sleeper_credit.h"
#include "props/properties/tick_preempt.h"
#include "props/properties/wakeup_preempt.h"

namespace fw::props {
namespace {

using hand::add;
using hand::feed;
using hand::record;

constexpr std::int64_t ms = 1'000'000;

std::string kind_of(std::unique_ptr<Checker> checker,
                    const fw::Setup& setup,
                    StimulusKind kind,
                    std::int64_t t,
                    TaskId task,
                    const View& before,
                    const View& after,
                    std::vector<Decision> decisions = {},
                    int cpu = 0) {
  EXPECT_TRUE(checker->applies(setup));
  const auto bad = feed(*checker, kind, t, task, before, after, std::move(decisions), cpu);
  return bad ? bad->kind : "";
}

/// A wakeup of task `id` on CPU 0, placed at `v`.
View woken(const View& before, std::int32_t id, std::int64_t v, bool mark) {
  View out = before;
  TaskView& task = out.tasks[static_cast<std::size_t>(id)];
  task.state = TaskState::queued;
  task.ints[cfs::vruntime] = v;
  CpuView& cpu = out.cpus[0];
  cpu.queue.insert(cpu.queue.begin(), task.id);
  cpu.ints[cfs::leftmost] = id;
  cpu.nr_running += 1;
  cpu.load += task.weight;
  cpu.marked = mark;
  return out;
}

TEST(SleeperCredit, IsBoundedAndNeverMovesBack) {
  const fw::Setup setup = hand::setup(1, 2);  // credit 3 ms
  View before = hand::view(1);
  add(before, TaskState::running, 100 * ms);
  add(before, TaskState::blocked, 10 * ms);
  before.cpus[0].ints[cfs::min_vruntime] = 100 * ms;
  const auto check = [&](std::int64_t v) {
    return kind_of(make_sleeper_credit(),
                   setup,
                   StimulusKind::wake,
                   0,
                   TaskId{1},
                   before,
                   woken(before, 1, v, true));
  };
  EXPECT_EQ(check(97 * ms), "");
  EXPECT_EQ(check(97 * ms - 1), "credit");
  EXPECT_EQ(check(100 * ms), "placement");
  before.tasks[1].ints[cfs::vruntime] = 99 * ms;  // a short sleep
  EXPECT_EQ(check(99 * ms), "");
  EXPECT_EQ(check(97 * ms), "moved_back");
}

TEST(ForkPlacement, FollowsTheWorkedExample) {
  // Three nice-0 tasks, minimum 1000 ms, a nice-0 child: one vslice of 1499634 behind the minimum.
  fw::Setup setup = hand::setup(1, 3);
  View before = hand::view(1);
  add(before, TaskState::running, 1'000'400'000);
  add(before, TaskState::queued, 1'000 * ms);
  add(before, TaskState::queued, 1'000 * ms);
  before.cpus[0].ints[cfs::min_vruntime] = 1'000 * ms;
  Decision fork = record(DecisionKind::fork, TaskId{3});
  fork.other = TaskId{0};
  const auto check = [&](std::int64_t v) {
    View after = before;
    add(after, TaskState::queued, v);
    return kind_of(
        make_fork_placement(), setup, StimulusKind::fork, 0, TaskId{3}, before, after, {fork});
  };
  EXPECT_EQ(check(1'001'499'634), "");
  EXPECT_EQ(check(1'001'499'633), "child");
  setup.spec.features["START_DEBIT"] = false;
  EXPECT_EQ(check(1'000'400'000), "");
  EXPECT_EQ(check(1'000 * ms), "child");  // gains on its parent
}

TEST(ForkPlacement, StartsOnTheIdlestCpu) {
  const fw::Setup setup = hand::setup(3, 3);
  View before = hand::view(3);
  add(before, TaskState::running, 0);
  add(before, TaskState::running, 0, 1);
  Decision fork = record(DecisionKind::fork, TaskId{2});
  fork.other = TaskId{0};
  const auto check = [&](int cpu) {
    View after = before;
    add(after, TaskState::queued, 0, cpu);
    const std::string kind = kind_of(
        make_fork_placement(), setup, StimulusKind::fork, 0, TaskId{2}, before, after, {fork});
    return kind == "cpu";  // its vruntime is not what is tested here
  };
  EXPECT_TRUE(check(0));
  EXPECT_TRUE(check(1));
  EXPECT_FALSE(check(2));
  before.cpus[2].load = 915;  // 112 % of it is more than the parent's CPU has
  EXPECT_FALSE(check(0));
  EXPECT_TRUE(check(2));
}

TEST(ReniceKeepsVruntime, ChargesAtTheOldWeight) {
  const fw::Setup setup = hand::setup(1, 1);
  View before = hand::view(1);
  add(before, TaskState::running, 5 * ms);
  View after = before;
  hand::charge(after, 0, ms);
  after.tasks[0].nice = 5;
  const auto check = [&] {
    return kind_of(
        make_renice_keeps_vruntime(), setup, StimulusKind::renice, ms, TaskId{0}, before, after);
  };
  EXPECT_EQ(check(), "");
  after.tasks[0].ints[cfs::vruntime] = 5 * ms + 3'056'716;
  EXPECT_EQ(check(), "vruntime");
}

TEST(WakeupPreempt, NeedsMoreThanTheGranularityOfTheWoken) {
  const fw::Setup setup = hand::setup(1, 2);
  View before = hand::view(1);
  add(before, TaskState::running, 10 * ms);
  add(before, TaskState::blocked, 0, 0, 5);
  Decision wake = record(DecisionKind::wake, TaskId{1});
  const auto check = [&](std::int64_t lead, bool mark) {
    wake.preempt = mark;
    return kind_of(make_wakeup_preempt(),
                   setup,
                   StimulusKind::wake,
                   0,
                   TaskId{1},
                   before,
                   woken(before, 1, 10 * ms - lead, mark),
                   {wake});
  };
  EXPECT_EQ(check(3'056'716, false), "");
  EXPECT_EQ(check(3'056'717, true), "");
  EXPECT_EQ(check(3'056'717, false), "missing");
  EXPECT_EQ(check(3'056'716, true), "undue");
  before.tasks[0].sched_class = SchedClass::idle;
  EXPECT_EQ(check(-5, true), "");
  before.cpus[0].marked = true;
  EXPECT_EQ(check(5, false), "mark_lost");
}

TEST(TickPreempt, FollowsTheWorkedExamples) {
  fw::Setup setup = hand::setup(1, 3);  // three nice-0 tasks: slice 1999349
  const auto check = [&](std::int64_t ran, std::int64_t v, std::int64_t left, Why why) {
    View before = hand::view(1);
    add(before, TaskState::running, v);
    add(before, TaskState::queued, left);
    add(before, TaskState::queued, left);
    before.tasks[0].sum_exec_ns = static_cast<std::uint64_t>(ran);
    View after = before;
    std::vector<Decision> decisions;
    if (why != Why::none) {
      after.cpus[0].marked = true;
      decisions.push_back(record(DecisionKind::preempt, TaskId{0}, why));
    }
    return kind_of(
        make_tick_preempt(), setup, StimulusKind::tick, 0, idle_task, before, after, decisions);
  };
  EXPECT_EQ(check(1'999'349, 10 * ms, 9 * ms, Why::none), "");
  EXPECT_EQ(check(1'999'350, 10 * ms, 9 * ms, Why::slice), "");
  EXPECT_EQ(check(1'999'350, 10 * ms, 9 * ms, Why::none), "missing");
  EXPECT_EQ(check(1'500'000, 12 * ms, 10'000'651, Why::none), "");
  EXPECT_EQ(check(1'500'000, 12 * ms, 10'000'650, Why::leftmost), "");
  EXPECT_EQ(check(700'000, 20 * ms, 10 * ms, Why::leftmost), "undue");
  EXPECT_EQ(check(1 * ms, 10 * ms, 10'500'000, Why::leftmost), "");
  setup.spec.knobs["tick_unsigned"] = 0;
  EXPECT_EQ(check(1 * ms, 10 * ms, 10'500'000, Why::none), "");
}

/// CPU 0 with waiting tasks 1 (leftmost) and 2; picks `id` for `why`.
struct Pick {
  View before = hand::view(1);
  std::int64_t next = -1;
  std::int64_t last = -1;

  Pick(std::int64_t left, std::int64_t second, int left_nice = 0) {
    add(before, TaskState::blocked, 0);
    add(before, TaskState::queued, left, 0, left_nice);
    add(before, TaskState::queued, second);
  }
  View picked(std::int32_t id) const {
    View out = before;
    CpuView& cpu = out.cpus[0];
    out.tasks[static_cast<std::size_t>(id)].state = TaskState::running;
    cpu.curr = TaskId{id};
    std::erase(cpu.queue, TaskId{id});
    return out;
  }
  std::string check(std::unique_ptr<Checker> checker, std::int32_t id, Why why) {
    before.cpus[0].ints[cfs::next] = next;
    before.cpus[0].ints[cfs::last] = last;
    View after = picked(id);
    return kind_of(std::move(checker),
                   hand::setup(1, 3),
                   StimulusKind::schedule,
                   0,
                   idle_task,
                   before,
                   after,
                   {record(DecisionKind::pick, TaskId{id}, why)});
  }
};

TEST(PickRule, PrefersBuddiesWithinTheGranularity) {
  Pick near(100 * ms, 101 * ms);
  EXPECT_EQ(near.check(make_pick_rule(), 1, Why::leftmost), "");
  EXPECT_EQ(near.check(make_pick_rule(), 2, Why::leftmost), "pick");
  near.next = 2;
  EXPECT_EQ(near.check(make_pick_rule(), 2, Why::next), "");
  near.last = 1;
  EXPECT_EQ(near.check(make_pick_rule(), 1, Why::last), "");
  Pick far(100 * ms, 101 * ms + 1);
  far.next = 2;
  EXPECT_EQ(far.check(make_pick_rule(), 1, Why::leftmost), "");
  EXPECT_EQ(far.check(make_pick_rule(), 2, Why::next), "pick");
  Pick heavy(100 * ms, 100'500'000, -5);  // granularity 328100
  heavy.next = 2;
  EXPECT_EQ(heavy.check(make_pick_rule(), 1, Why::leftmost), "");
}

TEST(BuddyPick, BoundsTheLeadOfWhoeverIsPicked) {
  EXPECT_EQ(Pick(100 * ms, 101 * ms).check(make_buddy_pick(), 2, Why::next), "");
  EXPECT_EQ(Pick(100 * ms, 101 * ms + 1).check(make_buddy_pick(), 2, Why::next), "lead");
  EXPECT_EQ(Pick(100 * ms, 100'500'000, -5).check(make_buddy_pick(), 2, Why::next), "lead");
}

TEST(BuddyValidity, NamesRunnableTasksOfThisQueue) {
  const fw::Setup setup = hand::setup(1, 3);
  Pick pick(100 * ms, 100 * ms);
  View good = pick.before;
  good.cpus[0].ints[cfs::next] = 1;
  const auto check = [&](const View& before, const View& after, StimulusKind kind) {
    return kind_of(make_buddy_validity(), setup, kind, 0, TaskId{0}, before, after);
  };
  EXPECT_EQ(check(good, good, StimulusKind::tick), "");
  View bad = good;
  bad.cpus[0].ints[cfs::next] = 0;  // blocked
  EXPECT_EQ(check(good, bad, StimulusKind::block), "not_here");
  bad = good;
  bad.cpus[0].ints[cfs::next] = -1;
  EXPECT_EQ(check(good, bad, StimulusKind::schedule), "forgotten");
  bad = pick.picked(1);
  bad.cpus[0].ints[cfs::next] = 1;
  EXPECT_EQ(check(good, bad, StimulusKind::schedule), "kept_when_picked");
}

TEST(BuddyValidity, EndsWithTheSlice) {
  const fw::Setup setup = hand::setup(1, 3);  // three nice-0 tasks: slice 1999349
  const auto check = [&](std::uint64_t ran) {
    View view = hand::view(1);
    add(view, TaskState::running, 9 * ms).sum_exec_ns = ran;
    add(view, TaskState::queued, 8 * ms);
    add(view, TaskState::queued, 8 * ms);
    view.cpus[0].ints[cfs::last] = 0;
    view.cpus[0].marked = true;
    return kind_of(make_buddy_validity(), setup, StimulusKind::tick, 0, idle_task, view, view);
  };
  EXPECT_EQ(check(1'999'349), "");
  EXPECT_EQ(check(1'999'350), "kept_at_expiry");
}

TEST(NoLostWakeup, WantsMarksAndActsOnThem) {
  const fw::Setup setup = hand::setup(1, 1);
  View before = hand::view(1);
  add(before, TaskState::blocked, 0);
  const View marked = woken(before, 0, 0, true);
  EXPECT_EQ(kind_of(make_no_lost_wakeup(), setup, StimulusKind::wake, 0, TaskId{0}, before, marked),
            "");
  EXPECT_EQ(kind_of(make_no_lost_wakeup(),
                    setup,
                    StimulusKind::wake,
                    0,
                    TaskId{0},
                    before,
                    woken(before, 0, 0, false)),
            "unmarked");
  EXPECT_EQ(kind_of(make_no_lost_wakeup(), setup, StimulusKind::wake, 0, TaskId{0}, before, before),
            "lost");
  EXPECT_EQ(kind_of(make_no_lost_wakeup(), setup, StimulusKind::tick, 1, idle_task, marked, marked),
            "mark_ignored");
}

/// Task 1 waits on CPU 0 behind task 0 and is pulled to idle CPU 1.
struct Pull {
  View before = hand::view(2);
  View after;
  Decision move = record(DecisionKind::migrate, TaskId{1}, Why::periodic);

  Pull() {
    add(before, TaskState::running, 7'010 * ms);
    add(before, TaskState::queued, 7'004 * ms);
    before.cpus[0].ints[cfs::min_vruntime] = 7'000 * ms;
    before.cpus[1].ints[cfs::min_vruntime] = 2'500 * ms;
    before.tasks[0].ints[cfs::exec_start] = 1;
    after = before;
    after.cpus[0].ints[cfs::min_vruntime] = 7'010 * ms;  // it follows who is left
    TaskView& task = after.tasks[1];
    task.cpu = CpuId{1};
    task.ints[cfs::vruntime] = 2'494 * ms;
    after.cpus[0].queue.clear();
    after.cpus[0].nr_running = 1;
    after.cpus[0].load = 1'024;
    after.cpus[1].queue = {TaskId{1}};
    after.cpus[1].nr_running = 1;
    after.cpus[1].load = 1'024;
    move.cpu = CpuId{1};
    move.from = CpuId{0};
  }
  std::string check(std::unique_ptr<Checker> checker, fw::Setup setup = hand::setup(2, 2)) {
    return kind_of(
        std::move(checker), setup, StimulusKind::balance, 1, idle_task, before, after, {move}, 1);
  }
};

TEST(MigrationRelative, KeepsTheDistanceToTheMinimum) {
  Pull pull;
  EXPECT_EQ(pull.check(make_migration_relative()), "");
  pull.after.tasks[1].ints[cfs::vruntime] = 7'004 * ms;
  EXPECT_EQ(pull.check(make_migration_relative()), "periodic");
}

TEST(BalanceNoPingpong, TakesWaitersOfCrowdedQueuesOnly) {
  Pull pull;
  EXPECT_EQ(pull.check(make_balance_no_pingpong()), "");
  pull.before.cpus[1].nr_running = 1;  // two against one: the small fix still moves one
  EXPECT_EQ(pull.check(make_balance_no_pingpong()), "");
  pull.before.cpus[1].nr_running = 2;
  EXPECT_EQ(pull.check(make_balance_no_pingpong()), "too_many");
  pull.before.cpus[0].nr_running = 1;
  EXPECT_EQ(pull.check(make_balance_no_pingpong()), "lone");
  pull.before.tasks[1].state = TaskState::running;
  EXPECT_EQ(pull.check(make_balance_no_pingpong()), "running");
}

TEST(BalanceNoPingpong, LimitsWeightsAndEarlyPushes) {
  fw::Setup setup = hand::setup(2, 2);
  setup.workload.tasks[1].nice = -20;
  Pull pull;
  pull.before.cpus[0].load = 1024 + 88761;
  pull.before.tasks[1].weight = 88761;  // half of it is the amount at most
  EXPECT_EQ(pull.check(make_balance_no_pingpong(), setup), "");
  pull.before.cpus[1].load = 2048;
  pull.before.cpus[1].nr_running = 1;
  EXPECT_EQ(pull.check(make_balance_no_pingpong(), setup), "");  // by the mean weight
  pull.before.cpus[0].nr_running = 3;
  EXPECT_EQ(pull.check(make_balance_no_pingpong(), setup), "too_heavy");
  pull.move.why = Why::active;
  pull.before.cpus[1].ints.resize(cfs::place_of(1, cfs::last_balance), 0);
  EXPECT_EQ(pull.check(make_balance_no_pingpong(), setup), "pushed_early");
  std::int64_t& failed = pull.before.cpus[1].ints[cfs::place_of(0, cfs::nr_balance_failed)];
  failed = 3;
  EXPECT_EQ(pull.check(make_balance_no_pingpong(), setup), "");
  pull.after.cpus[1].ints = pull.before.cpus[1].ints;
  pull.after.cpus[1].ints[cfs::place_of(0, cfs::nr_balance_failed)] = 2;
  EXPECT_EQ(pull.check(make_balance_no_pingpong(), setup), "");
  pull.move.kind = DecisionKind::pick;
  EXPECT_EQ(pull.check(make_balance_no_pingpong(), setup), "push_lost");
}

TEST(BalanceNoPingpong, LeavesTasksInTheCache) {
  Pull pull;
  pull.before.cpus[1].ints.resize(cfs::place_of(1, cfs::last_balance), 0);
  EXPECT_EQ(pull.check(make_balance_no_pingpong()), "hot");
  pull.before.cpus[1].ints[cfs::place_of(0, cfs::nr_balance_failed)] = 2;
  EXPECT_EQ(pull.check(make_balance_no_pingpong()), "");
}

TEST(Affinity, FollowsDefinitionsForksAndRecords) {
  Pull pull;
  fw::Setup setup = hand::setup(2, 2);
  EXPECT_FALSE(make_affinity()->applies(setup));  // no masks: nothing to check
  CpuSet only0;
  only0.insert(CpuId{0});
  setup.workload.tasks[1].cpus = only0;
  EXPECT_EQ(pull.check(make_affinity(), setup), "forbidden_cpu");
  Decision change = record(DecisionKind::affinity, TaskId{1});
  change.cpus = CpuSet::first(2);
  const auto checker = make_affinity();
  ASSERT_TRUE(checker->applies(setup));
  EXPECT_FALSE(feed(*checker,
                    StimulusKind::affinity,
                    1,
                    TaskId{1},
                    pull.before,
                    pull.after,
                    {change, pull.move}));
  EXPECT_FALSE(feed(*checker, StimulusKind::schedule, 1, idle_task, pull.after, pull.after, {}, 1));
}

}  // namespace
}  // namespace fw::props
