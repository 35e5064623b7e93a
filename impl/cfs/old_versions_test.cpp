// SPDX-License-Identifier: Apache-2.0
// What 2.6.32 to 2.6.34 do otherwise: E1, E5, E7, E9, E10, E14, E17 to E19 of the dossier.
#include <gtest/gtest.h>

#include "impl/cfs/balancing.h"
#include "impl/cfs/test_bench.h"

namespace impl::cfs {
namespace {

Request of(std::string version,
           std::map<std::string, bool, std::less<>> features = {},
           std::map<std::string, i64, std::less<>> knobs = {}) {
  return {std::move(version), std::move(features), std::move(knobs)};
}

TEST(OldVersions, E1Scaling) {
  const auto row = [](const char* version, int cpus) {
    const Tunables out = resolve(of(version), cpus);
    return std::vector<u64>{scaling_factor(cpus, out.version),
                            out.latency,
                            out.min_granularity,
                            out.wakeup_granularity,
                            out.nr_latency};
  };
  EXPECT_EQ(row("2.6.32", 4), (std::vector<u64>{3, 15000000, 3000000, 3000000, 5}));
  EXPECT_EQ(row("2.6.32", 16), (std::vector<u64>{5, 25000000, 5000000, 5000000, 5}));
  EXPECT_EQ(row("2.6.32", 64), (std::vector<u64>{7, 35000000, 7000000, 7000000, 5}));
  EXPECT_EQ(row("2.6.33", 64), (std::vector<u64>{4, 20000000, 4000000, 4000000, 5}));
  EXPECT_EQ(row("2.6.34", 64), (std::vector<u64>{4, 20000000, 4000000, 4000000, 5}));
}

TEST(OldVersions, AFeatureOfOldActsInOldVersionsOnly) {
  const std::map<std::string, bool, std::less<>> all = {{"NORMALIZED_SLEEPER", true},
                                                        {"ADAPTIVE_GRAN", true},
                                                        {"ASYM_GRAN", false},
                                                        {"WAKEUP_OVERLAP", true},
                                                        {"WAKEUP_RUNNING", true},
                                                        {"AFFINE_WAKEUPS", false},
                                                        {"SYNC_MORE", true}};
  const Tunables old = resolve(of("2.6.32", all), 1);
  EXPECT_TRUE(old.normalized_sleeper && old.adaptive_gran && old.wakeup_overlap && old.sync_more);
  EXPECT_TRUE(old.wakeup_running);
  EXPECT_FALSE(old.asym_gran || old.affine_wakeups);
  EXPECT_FALSE(resolve(of("2.6.33", all), 1).wakeup_running);
  const Tunables young = resolve(of("2.6.35", all), 1);
  EXPECT_FALSE(young.normalized_sleeper || young.adaptive_gran || young.wakeup_overlap);
  EXPECT_TRUE(young.asym_gran && young.affine_wakeups);
}

TEST(OldVersions, E5SlicesOfEqualTasks) {
  Bench bench(1, of("2.6.32"));
  std::vector<u64> slices;
  for (int n = 1; n <= 7; ++n) {
    const Task& task = bench.queued();
    slices.push_back(bench.fair.slice(bench.fair.queue(0), task));
  }
  EXPECT_EQ(slices, (std::vector<u64>{4995122, 2498780, 1666124, 1249695, 999805, 999837, 999861}));
}

TEST(OldVersions, E7SlicesOfAChild) {
  Bench bench(1, of("2.6.32"));
  const Runqueue& rq = bench.fair.queue(0);
  for (int i = 0; i < 5; ++i) bench.queued(0);
  EXPECT_EQ(bench.fair.slice(rq, bench.task(0)), 999837u);
  EXPECT_EQ(bench.fair.vslice(rq, bench.task(0)), 999837u);
  EXPECT_EQ(bench.fair.slice(rq, bench.task(5)), 368402u);
  EXPECT_EQ(bench.fair.vslice(rq, bench.task(5)), 1126100u);
}

u64 placed(const Request& request, int nice, u64 sleeper) {
  Request all = request;
  all.knobs["vruntime_base"] = 5000000000;
  Bench bench(4, all);
  Task& task = bench.task(nice, sleeper);
  bench.fair.place_entity(bench.fair.queue(0), task, false);
  return task.vruntime;
}

TEST(OldVersions, E9WithoutSleeperCredit) {
  for (const char* version : {"2.6.32", "2.6.33", "2.6.34"}) {
    const Request off = of(version, {{"FAIR_SLEEPERS", false}});
    EXPECT_EQ(placed(off, 0, 4980000000), 5000000000u);
    EXPECT_EQ(placed(off, 0, 4991000000), 5000000000u);
    EXPECT_EQ(placed(off, 0, 4995000000), 5000000000u);
    EXPECT_EQ(placed(off, 0, 5003000000), 5003000000u);
  }
}

TEST(OldVersions, E10NormalizedSleeper) {
  const std::vector<std::pair<int, std::pair<u64, u64>>> rows = {
      {0, {4992500000, 4985000000}}, {-5, {4997539251, 4995078501}}, {5, {4977074627, 4954149253}}};
  for (const auto& [nice, expected] : rows) {
    EXPECT_EQ(placed(of("2.6.32", {{"NORMALIZED_SLEEPER", true}}), nice, 0), expected.first);
    EXPECT_EQ(
        placed(
            of("2.6.32", {{"NORMALIZED_SLEEPER", true}, {"GENTLE_FAIR_SLEEPERS", false}}), nice, 0),
        expected.second);
  }
}

TEST(OldVersions, E14AdaptiveGranularity) {
  struct Row {
    u64 ran, wakeup;
    int nr;
    i64 cap;
    u64 expected;
  };
  const std::vector<Row> rows = {{0, 1000000, 3, 1000000, 1000000},
                                 {500000, 100000, 3, 1000000, 100000},
                                 {700000, 100000, 3, 1000000, 0},
                                 {100000, 50000, 4, 3000000, 300000},
                                 {0, 400000, 5, 3000000, 3000000}};
  const auto granularity = [](const Row& row, int nice, bool asym) {
    Bench bench(1, of("2.6.33", {{"ASYM_GRAN", asym}}, {{"wakeup_granularity", row.cap}}));
    Task& curr = bench.queued();
    for (int i = 2; i < row.nr; ++i) bench.queued();
    Task& challenger = bench.queued(nice);
    bench.run(curr);
    curr.sum_exec = row.ran;
    challenger.averages.wakeup = row.wakeup;
    return bench.fair.wakeup_gran(curr, challenger);
  };
  for (const Row& row : rows) EXPECT_EQ(granularity(row, 0, true), row.expected) << row.ran;
  EXPECT_EQ(granularity(rows[3], 5, true), 917015u);
  EXPECT_EQ(granularity(rows[3], 5, false), 300000u);  // scaled by the current task: nice 0

  Bench bench(1, of("2.6.33"));  // at a pick nobody is current: the plain granularity
  Task& task = bench.queued();
  task.averages.wakeup = 0;
  EXPECT_EQ(bench.fair.wakeup_gran(task, bench.queued()), 1000000u);
}

TEST(OldVersions, E18RunningAverages) {
  std::vector<u64> seen;
  u64 average = 1000000;
  for (const u64 sample : std::vector<u64>{0, 0, 3000000, 250000}) {
    seen.push_back(average = update_avg(average, sample));
  }
  EXPECT_EQ(seen, (std::vector<u64>{875000, 765625, 1044921, 945555}));
  seen.clear();
  average = 5;
  for (int i = 0; i < 6; ++i) seen.push_back(average = update_avg(average, 0));
  EXPECT_EQ(seen, (std::vector<u64>{4, 3, 2, 1, 0, 0}));
}

// A task's averages over one wakeup, a wakeup it issues, a preemption and a sleep.
TEST(OldVersions, AveragesOfATask) {
  Bench bench(1, of("2.6.32"));
  FairClass& fair = bench.fair;
  Runqueue& rq = fair.queue(0);
  Task& task = bench.task();
  fair.init_task(task);
  EXPECT_EQ(task.averages.wakeup, 1000000u);
  task.sum_exec = 7000000;
  fair.enqueue_woken(rq, task);
  EXPECT_EQ(task.averages.start_runtime, 7000000u);
  fair.pick_next_task(rq);
  fair.set_time(2000000, 2);
  fair.update_curr(rq);
  fair.task_woke(task);  // 2 ms after it woke: 1 ms + (2 ms - 1 ms) / 8
  EXPECT_EQ(task.averages.wakeup, 1125000u);
  EXPECT_EQ(task.averages.last_wakeup, 9000000u);
  fair.put_prev_task(rq, task);  // preempted after 2 ms: capped at twice the migration cost
  EXPECT_EQ(task.averages.overlap, 125000u);
  EXPECT_EQ(task.averages.running, 250000u);
  fair.pick_next_task(rq);
  fair.set_time(3000000, 3);
  fair.update_curr(rq);
  fair.set_time(3500000, 3);
  fair.dequeue_task(rq, task, true);  // 1 ms since its wakeup, as last charged
  EXPECT_EQ(task.averages.overlap, 125000u + 109375u);
  EXPECT_EQ(task.averages.last_wakeup, 0u);
  fair.put_prev_task(rq, task);  // ran 1.5 ms, then the 0 of going to sleep
  EXPECT_EQ(task.averages.running, update_avg(update_avg(250000, 1500000), 0));
  EXPECT_EQ(task.averages.overlap, 234375u);  // only of the preempted

  Task& quiet = bench.task();  // wakes nobody: its sleep counts as a wakeup granularity
  fair.init_task(quiet);
  fair.enqueue_woken(rq, quiet);
  quiet.averages.wakeup = 9000000;
  fair.dequeue_task(rq, quiet, true);
  EXPECT_EQ(quiet.averages.wakeup, 8000000u);
}

// Who preempts whom, and whether the preempted becomes `last` (five or more are runnable).
struct Woken {
  bool marked = false, last = false, next = false;
  friend bool operator==(const Woken&, const Woken&) = default;
};
Woken wakes(const Request& request,
            TaskPolicy curr_policy,
            u64 lead,
            u64 curr_running = 0,
            u64 overlap = 1000000) {
  Request all = request;
  all.knobs["vruntime_base"] = 0;
  Bench bench(1, all);
  Runqueue& rq = bench.fair.queue(0);
  Task& curr = bench.queued(0, 10000000);
  curr.policy = curr_policy;
  for (int i = 0; i < 4; ++i) bench.queued(0, 20000000);
  bench.run(curr);
  Task& woken = bench.queued(0, 10000000 - lead);
  curr.averages.running = curr_running;
  curr.averages.overlap = woken.averages.overlap = overlap;
  woken.averages.wakeup = 100000;  // 1 ms is expected: the granularity is 1 ms
  bench.fair.check_preempt_curr(rq, woken, false);
  return {rq.need_resched, rq.last == &curr, rq.next == &woken};
}

TEST(OldVersions, WakeupPreemption) {
  constexpr auto normal = TaskPolicy::normal;
  for (const char* version : {"2.6.32", "2.6.33", "2.6.34"}) {
    EXPECT_EQ(wakes(of(version), normal, 1000001), (Woken{true, true, false})) << version;
    EXPECT_EQ(wakes(of(version), normal, 1000000), (Woken{})) << version;
    const Request off = of(version, {{"WAKEUP_PREEMPT", false}});
    EXPECT_EQ(wakes(off, normal, 9000000), (Woken{})) << version;
  }
  // Without the vruntime test the preempted is remembered from 2.6.33 on.
  EXPECT_EQ(wakes(of("2.6.32"), TaskPolicy::idle, 0), (Woken{true, false, false}));
  EXPECT_EQ(wakes(of("2.6.33"), TaskPolicy::idle, 0).marked, true);
  const std::map<std::string, bool, std::less<>> overlap = {{"WAKEUP_OVERLAP", true}};
  EXPECT_EQ(wakes(of("2.6.32", overlap), normal, 0, 0, 499999), (Woken{true, false, false}));
  EXPECT_EQ(wakes(of("2.6.34", overlap), normal, 0, 0, 499999), (Woken{true, true, false}));
  EXPECT_EQ(wakes(of("2.6.34", overlap), normal, 0, 0, 500000), (Woken{}));
  const std::map<std::string, bool, std::less<>> running = {{"WAKEUP_RUNNING", true}};
  EXPECT_EQ(wakes(of("2.6.32", running), normal, 0, 1), (Woken{true, false, true}));
  EXPECT_EQ(wakes(of("2.6.32", running), normal, 0, 0), (Woken{}));
  EXPECT_EQ(wakes(of("2.6.33", running), normal, 0, 1), (Woken{}));
}

TEST(OldVersions, A32WakeupChargesFirstOfAll) {
  for (const auto& [version, sum_exec] :
       std::vector<std::pair<const char*, u64>>{{"2.6.32", 1000}, {"2.6.33", 0}}) {
    Bench bench(1, of(version));
    Runqueue& rq = bench.fair.queue(0);
    Task& curr = bench.queued();
    bench.run(curr);
    Task& woken = bench.queued();
    rq.need_resched = true;  // where the others return
    bench.fair.set_time(1000, 0);
    bench.fair.check_preempt_curr(rq, woken, false);
    EXPECT_EQ(curr.sum_exec, sum_exec) << version;
  }
}

TEST(OldVersions, E17AnAbsoluteShiftGivesTheSame) {
  Bench bench(2, of("2.6.32", {}, {{"latency", 12000000}}));
  bench.fair.queue(0).min_vruntime = 7000000000;
  bench.fair.queue(1).min_vruntime = 2500000000;
  for (const auto& [sleeper, expected] :
       std::vector<std::pair<u64, u64>>{{6998500000, 2498500000}, {6980000000, 2494000000}}) {
    Task& task = bench.task(0, sleeper);
    bench.fair.task_waking(task);
    task.cpu = 1;
    bench.fair.enqueue_woken(bench.fair.queue(1), task);
    EXPECT_EQ(task.vruntime, expected);
    bench.fair.dequeue_task(bench.fair.queue(1), task, true);
  }
}

// The child is placed on the queue that it goes to, and copies whoever runs there.
TEST(OldVersions, A32ChildIsPlacedWhereItGoes) {
  Bench bench(2, of("2.6.32", {{"START_DEBIT", false}}, {{"vruntime_base", 0}}));
  FairClass& fair = bench.fair;
  bench.run(bench.queued(0, 5000000, 0));
  Task& stranger = bench.queued(0, 9000000, 1);
  bench.run(stranger);
  Task& parent = *fair.queue(0).curr;
  fair.set_time(1000000, 1);
  const auto forked = [&](int cpu) {
    Task& child = bench.task();
    fair.task_fork(fair.queue(0), child);
    child.cpu = cpu;
    fair.enqueue_forked(fair.queue(0), fair.queue(cpu), child);
    return child.vruntime;
  };
  EXPECT_EQ(forked(1), 10000000u);  // the stranger's, charged
  EXPECT_EQ(parent.sum_exec, 0u);   // nothing is charged where the parent is
  EXPECT_EQ(forked(0), 6000000u);
  EXPECT_EQ(parent.sum_exec, 1000000u);

  // Nobody runs there: the parent's, moved by the difference of the minima.
  fair.queue(1).curr = nullptr;
  fair.queue(1).min_vruntime = 100000000;
  const u64 min0 = fair.queue(0).min_vruntime;
  EXPECT_EQ(forked(1), parent.vruntime - min0 + 100000000u);
}

TEST(OldVersions, A32ChildRunsFirstOnItsParentsCpuOnly) {
  Bench bench(2, of("2.6.32", {}, {{"vruntime_base", 0}, {"child_runs_first", 1}}));
  FairClass& fair = bench.fair;
  bench.run(bench.queued(0, 0, 0));
  bench.run(bench.queued(0, 0, 1));
  const auto marked = [&](int cpu) {
    Task& child = bench.task();
    fair.task_fork(fair.queue(0), child);
    child.cpu = cpu;
    fair.enqueue_forked(fair.queue(0), fair.queue(cpu), child);
    return fair.queue(cpu).need_resched;
  };
  EXPECT_FALSE(marked(1));
  EXPECT_TRUE(marked(0));
  EXPECT_GT(fair.queue(0).curr->vruntime, 0u);
}

// E19: two groups of four CPUs, five nice-5 tasks (spread) against one.
u64 amount_of_five(const char* version) {
  Bench bench(
      8,
      of(version),
      {{DomainKind::mc, {0, 0, 0, 0, 1, 1, 1, 1}}, {DomainKind::node, {0, 0, 0, 0, 0, 0, 0, 0}}});
  FairClass& fair = bench.fair;
  bench.queued(5, 0, 0);
  for (const int cpu : {4, 4, 5, 6, 7}) bench.queued(5, 0, cpu);
  for (int tick = 0; tick < 12; ++tick) {
    for (int cpu = 0; cpu < 8; ++cpu) fair.update_cpu_load(fair.queue(cpu));
  }
  Domain& domain = fair.queue(1).domains[1];
  domain.child_prefers_siblings = false;
  Balancing attempt{fair, fair.queue(1), domain, IdleState::idle, domain.span->mask};
  const DomainLoad all = attempt.weigh_all();
  EXPECT_EQ(all.busiest.average, 418u);
  EXPECT_EQ(all.local.average, 83u);
  EXPECT_EQ(all.average(), 251u);
  EXPECT_EQ(Balancing::load_per_task(all), 335u);
  EXPECT_TRUE(attempt.unbalanced(all));
  return attempt.amount_to_move(all);
}

TEST(OldVersions, E19Imbalance) {
  EXPECT_EQ(amount_of_five("2.6.32"), 335u);
  EXPECT_EQ(amount_of_five("2.6.33"), 335u);
  EXPECT_EQ(amount_of_five("2.6.34"), 668u);
  EXPECT_EQ(amount_of_five("2.6.36"), 668u);
}

// The average by which a group counts as imbalanced: of its CPUs, or of its tasks.
TEST(OldVersions, AnImbalancedGroup) {
  const auto imbalanced = [](const char* version) {
    Bench bench(4, of(version), {{DomainKind::mc, {0, 0, 1, 1}}, {DomainKind::node, {0, 0, 0, 0}}});
    bench.queued(0, 0, 2);  // 1024 against 0: the CPUs' average is 512, the tasks' 1024
    bench.queued(0, 0, 2);
    bench.fair.queue(2).load.weight = 1500;
    Domain& domain = bench.fair.queue(0).domains[1];
    Balancing attempt{
        bench.fair, bench.fair.queue(0), domain, IdleState::newly_idle, domain.span->mask};
    return attempt.weigh_all().busiest.imbalanced;
  };
  EXPECT_TRUE(imbalanced("2.6.33"));   // 1500 > 2 x 375
  EXPECT_FALSE(imbalanced("2.6.34"));  // 1500 = 2 x 750
}

// Busiest average not above the load of one task: balanced for .32 and .33.
TEST(OldVersions, OneTaskIsNoImbalance) {
  for (const auto& [version, moved] :
       std::vector<std::pair<const char*, bool>>{{"2.6.33", false}, {"2.6.34", true}}) {
    Bench bench(4,
                of(version, {}, {{"migration_cost", 0}}),
                {{DomainKind::mc, {0, 0, 1, 1}}, {DomainKind::node, {0, 0, 0, 0}}});
    // One group runs two tasks on two CPUs; its capacity is 1, as MC prefers siblings.
    bench.run(bench.queued(0, 0, 2));
    bench.run(bench.queued(0, 0, 3));
    Domain& domain = bench.fair.queue(0).domains[1];
    Balancing attempt{
        bench.fair, bench.fair.queue(0), domain, IdleState::newly_idle, domain.span->mask};
    const DomainLoad all = attempt.weigh_all();
    EXPECT_EQ(all.busiest.average, 1024u);
    EXPECT_EQ(attempt.unbalanced(all), moved) << version;
  }
}

TEST(OldVersions, E19TwoSingleCpus) {
  for (const char* version : {"2.6.32", "2.6.33", "2.6.34"}) {
    Bench bench(2, of(version, {}, {{"migration_cost", 0}}), {{DomainKind::mc, {0, 0}}});
    bench.run(bench.queued(0, 0, 0));
    bench.queued(0, 0, 0);
    bench.queued(0, 0, 0);
    bench.fair.queue(1).idle_at_tick = true;
    bench.fair.set_time(0, 1);
    EXPECT_TRUE(bench.fair.rebalance(bench.fair.queue(1)));
    EXPECT_EQ(bench.log.moves.size(), 2u) << version;
  }
}

// A new-idle attempt that finds only cache-hot tasks.
TEST(OldVersions, AFailedNewIdleAttempt) {
  struct Row {
    const char* version;
    u64 failed, interval, idle_stamp;
  };
  // 2.6.32 keeps no stamp; in .33 the failure ends the climb like a success.
  for (const Row& row :
       {Row{"2.6.32", 0, 3, 0}, Row{"2.6.33", 0, 3, 0}, Row{"2.6.34", 1, 1, 5000}}) {
    Bench bench(2, of(row.version, {}, {{"migration_cost", 1000000}}), {{DomainKind::mc, {0, 0}}});
    bench.run(bench.queued(0, 0, 0));
    for (int i = 0; i < 2; ++i) bench.queued(0, 0, 0);
    Runqueue& idle = bench.fair.queue(1);
    idle.domains[0].balance_interval = 3;
    bench.fair.set_time(5000, 0);
    bench.fair.idle_balance(idle);
    EXPECT_EQ(idle.domains[0].nr_balance_failed, row.failed) << row.version;
    EXPECT_EQ(idle.domains[0].balance_interval, row.interval) << row.version;
    EXPECT_EQ(idle.idle_stamp, row.idle_stamp) << row.version;
    EXPECT_TRUE(bench.log.moves.empty());
  }
}

TEST(OldVersions, A32NewIdlePullAsksNoAverage) {
  for (const auto& [version, moved] :
       std::vector<std::pair<const char*, bool>>{{"2.6.32", true}, {"2.6.33", false}}) {
    Bench bench(2, of(version, {}, {{"migration_cost", 1000}}), {{DomainKind::mc, {0, 0}}});
    bench.run(bench.queued(0, 0, 0));
    for (int i = 0; i < 2; ++i) bench.queued(0, 0, 0);
    bench.fair.queue(1).avg_idle = 999;
    bench.fair.set_time(5000, 0);
    bench.fair.idle_balance(bench.fair.queue(1));
    EXPECT_EQ(!bench.log.moves.empty(), moved) << version;
  }
}

// Four CPUs, CPU 2 and 3 under another cache. CPU 0 wakes a task that last ran on CPU 1.
int goes_to(const Request& request, std::vector<int> busy, int prev, int waking = 0) {
  Bench bench(4, request, {{DomainKind::mc, {0, 0, 1, 1}}, {DomainKind::node, {0, 0, 0, 0}}});
  for (const int cpu : busy) bench.run(bench.queued(0, 0, cpu));
  Task& task = bench.task();
  task.cpu = prev;
  return bench.fair.select_task_rq(task, waking, false);
}

TEST(OldVersions, WhereAWokenTaskGoes) {
  // .32: the waking CPU if that is not worse than the last one; idle siblings are not sought.
  EXPECT_EQ(goes_to(of("2.6.32"), {1}, 1), 0);
  EXPECT_EQ(goes_to(of("2.6.32"), {0}, 1), 1);
  EXPECT_EQ(goes_to(of("2.6.32"), {0, 1}, 1), 1);
  EXPECT_EQ(goes_to(of("2.6.32"), {0, 0, 1, 1, 1, 1}, 1), 0);  // 3072 x 100 <= 4096 x 112
  EXPECT_EQ(goes_to(of("2.6.32", {{"AFFINE_WAKEUPS", false}}), {1}, 1), 1);
  // .33: an empty CPU under the waker's cache, even if the task last ran elsewhere.
  for (const char* version : {"2.6.33", "2.6.34"}) {
    EXPECT_EQ(goes_to(of(version), {1}, 1), 0) << version;
    EXPECT_EQ(goes_to(of(version), {0}, 1), 1) << version;
    EXPECT_EQ(goes_to(of(version), {}, 2), 0) << version;
    EXPECT_EQ(goes_to(of(version), {0, 2, 2, 2}, 2), 1) << version;  // 2048 x 100 <= 3072 x 112
    EXPECT_EQ(goes_to(of(version), {0, 2}, 2), 2) << version;        // worse: no target, but prev
    EXPECT_EQ(goes_to(of(version, {{"AFFINE_WAKEUPS", false}}), {1}, 1), 1) << version;
  }
}

TEST(OldVersions, ASyncWakeupLeavesTheWakerOut) {
  const std::map<std::string, bool, std::less<>> more = {{"SYNC_MORE", true}};
  EXPECT_EQ(goes_to(of("2.6.32"), {0, 1}, 1), 1);
  EXPECT_EQ(goes_to(of("2.6.32", more), {0, 1}, 1), 0);  // the waker will sleep soon
}

}  // namespace
}  // namespace impl::cfs
