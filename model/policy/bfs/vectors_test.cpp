// SPDX-License-Identifier: Apache-2.0
// The vectors of the BFS dossier (section 9) on whole states, and its other rules case by case.
#include <gtest/gtest.h>

#include "model/policy/bfs/hand_made.h"

namespace fw::model::bfs {
namespace {

constexpr std::int64_t ms = 1'000'000;

/// Two packages of two CPUs under a cache each.
Topology two_caches() {
  return machine(4, {{LevelKind::mc, {0, 0, 1, 1}}, {LevelKind::top, {0, 0, 0, 0}}});
}
Topology one_cache(int cpus) {
  return machine(cpus, {{LevelKind::mc, std::vector<int>(static_cast<std::size_t>(cpus), 0)}});
}

TEST(BfsVectors, Bfs2RrIntervalFollowsTheCpus) {
  EXPECT_EQ(Bench("bfs", one_cache(1)).config.rr_ms, 6u);
  EXPECT_EQ(Bench("bfs", one_cache(2)).config.rr_ms, 9u);
  EXPECT_EQ(Bench("bfs", one_cache(16)).config.rr_ms, 18u);
  EXPECT_EQ(Bench("bfs@0.31x", one_cache(2)).config.rr_ms, 12u);
  EXPECT_EQ(Bench("bfs,rr_interval=20", one_cache(2)).config.rr_ms, 20u);
}

TEST(BfsVectors, Bfs4Refill) {
  for (const auto& [nice, deadline] :
       std::vector<std::pair<int, std::uint64_t>>{{0, 1061636608}, {5, 1099090432}}) {
    Bench bench("bfs,rr_interval=9");
    const int id = bench.running();
    bench.t = 1'000'000'000;
    bench.task(id).nice = nice;
    bench.task(id).time_slice = 99;
    bench.task(id).last_ran = {bench.t};
    bench.schedule();
    EXPECT_EQ(bench.task(id).time_slice, 9216);
    EXPECT_EQ(bench.task(id).deadline, deadline);
    EXPECT_EQ(bench.cpu().rq_deadline, deadline);
  }
}

TEST(BfsVectors, Bfs5ChargesAtABlock) {
  const auto charged = [](const std::string& hz, std::int64_t elapsed) {
    Bench bench("bfs,hz=" + hz);
    const int id = bench.running();
    bench.t = elapsed;
    bench.apply(StimulusKind::block, id);
    EXPECT_EQ(bench.task(id).sum_exec_ns, static_cast<std::uint64_t>(elapsed));
    return 6144 - bench.task(id).time_slice;
  };
  EXPECT_EQ(charged("1000", 1'000'000), 976);
  EXPECT_EQ(charged("1000", 2'000'000), 1953);
  EXPECT_EQ(charged("1000", 2'000'001), 0);
  EXPECT_EQ(charged("1000", 0), 0);
  EXPECT_EQ(charged("1000", 512), 0);
  EXPECT_EQ(charged("1000", 1024), 1);
  EXPECT_EQ(charged("250", 4'000'000), 3906);
  EXPECT_EQ(charged("250", 8'000'000), 7812);
  EXPECT_EQ(charged("250", 8'000'001), 0);
}

TEST(BfsVectors, Bfs6TicksOfAFreshSlice) {
  struct Row {
    const char* spec;
    int ticks;
    std::int64_t left;
  };
  for (const Row& row : {Row{"bfs,rr_interval=9", 10, -544},
                         Row{"bfs,rr_interval=9,hz=250", 3, -2502},
                         Row{"bfs,rr_interval=6", 7, -688},
                         Row{"bfs,rr_interval=6,hz=250", 2, -1668}}) {
    Bench bench(row.spec);
    const int id = bench.running();
    int ticks = 0;
    while (!bench.cpu().marked) {
      bench.tick();
      ++ticks;
    }
    EXPECT_EQ(ticks, row.ticks);
    EXPECT_EQ(bench.task(id).time_slice, row.left);
    ASSERT_EQ(bench.log.size(), 1u);
    EXPECT_EQ(bench.log[0].why, Why::slice);
  }
}

TEST(BfsVectors, DitherCutsASliceThatEndsBeforeHalfATick) {
  Bench bench("bfs,rr_interval=6");
  const int id = bench.running();
  bench.t = 500'000;  // exactly half a tick after the last one: counts as 1
  bench.schedule();
  EXPECT_TRUE(bench.cpu().dither);
  bench.task(id).time_slice = 1476;
  bench.tick();  // 488 off for the half, 988 left: above half a tick
  EXPECT_EQ(bench.task(id).time_slice, 988);
  EXPECT_FALSE(bench.cpu().marked);
  bench.task(id).time_slice = 976 + 500;
  bench.tick();
  EXPECT_EQ(bench.task(id).time_slice, 0);
  EXPECT_TRUE(bench.cpu().marked);
  bench.t += 500'001;
  bench.schedule();
  EXPECT_FALSE(bench.cpu().dither);
}

TEST(BfsVectors, Bfs7Fork) {
  struct Row {
    std::int64_t before, parent, child;
  };
  for (const Row& row : {Row{9216, 4608, 4608}, Row{6145, 3072, 3072}, Row{201, 100, 100}}) {
    Bench bench("bfs,rr_interval=9");
    const int parent = bench.running(77 * ms);
    bench.task(parent).time_slice = row.before;
    const int child = bench.fork(parent);
    EXPECT_EQ(bench.task(parent).time_slice, row.parent);
    EXPECT_EQ(bench.task(child).time_slice, row.child);
    EXPECT_EQ(bench.task(child).deadline, static_cast<std::uint64_t>(77 * ms));
    EXPECT_TRUE(bench.cpu().marked);  // own memory, nothing idle: the child tends to run first
  }
  Bench bench("bfs,rr_interval=9");
  const int parent = bench.running(77 * ms);
  bench.task(parent).time_slice = 199;
  const int child = bench.fork(parent, true);
  EXPECT_EQ(bench.task(parent).time_slice, 0);
  EXPECT_TRUE(bench.cpu().marked);
  EXPECT_EQ(bench.task(child).time_slice, 9216);
  EXPECT_EQ(bench.task(child).deadline, 61636608u);
}

TEST(BfsVectors, AThreadDoesNotGoBeforeItsParent) {
  Bench bench;
  const int parent = bench.running(77 * ms);
  bench.fork(parent, true);
  EXPECT_FALSE(bench.cpu().marked);  // same deadline: not strictly earlier
  EXPECT_FALSE(bench.log.back().preempt);
}

TEST(BfsVectors, Bfs8PickByDistance) {
  // CPU 1 shares CPU 0's cache (L 2), CPU 2 does not (L 3).
  Bench bench("bfs,rr_interval=9", machine(3, {{LevelKind::mc, {0, 0, 1}}}));
  const int a = bench.queued(5'000'000, 0);
  const int b = bench.queued(4'999'990, 2);
  bench.queued(5'000'000, 1);
  bench.schedule(0);
  EXPECT_EQ(bench.cpu(0).curr.value, a);  // B counts as 5000106
  bench.schedule(2);
  EXPECT_EQ(bench.cpu(2).curr.value, b);  // on its own CPU it is the earliest
}

TEST(BfsVectors, Bfs9Preemption) {
  for (const bool early : {true, false}) {
    Bench bench("bfs", one_cache(2));
    bench.running(70 * ms, 0);
    bench.running(65 * ms, 1);
    const int woken = bench.sleeper(early ? 66 * ms : 70 * ms, 1);
    bench.apply(StimulusKind::wake, woken, 1);
    EXPECT_EQ(bench.cpu(0).marked, early);
    EXPECT_FALSE(bench.cpu(1).marked);
    EXPECT_EQ(bench.log.back().preempt, early);
    EXPECT_EQ(bench.log.back().cpu.value, early ? 0 : 1);
  }
}

/// The CPU that a task which last ran on 0 is sent to.
int sent_to(const std::vector<int>& busy, const Topology& topology, const std::string& spec) {
  Bench bench(spec, topology);
  for (const int number : busy) bench.running(1, number);
  const int woken = bench.sleeper(2, 0);
  bench.apply(StimulusKind::wake, woken, 0);
  return bench.log.back().cpu.value;
}

TEST(BfsVectors, Bfs10IdleChoice) {
  EXPECT_EQ(sent_to({0}, two_caches(), "bfs"), 1);
  EXPECT_EQ(sent_to({1}, two_caches(), "bfs"), 0);
  EXPECT_EQ(sent_to({0, 1, 3}, two_caches(), "bfs"), 2);
  EXPECT_EQ(sent_to({0, 1}, two_caches(), "bfs"), 2);
  // With threads: the sibling of a busy core (1 + 4 + 16) against a whole idle core (2 + 4).
  const Topology threads =
      machine(4, {{LevelKind::smt, {0, 0, 1, 1}}, {LevelKind::mc, {0, 0, 0, 0}}});
  EXPECT_EQ(sent_to({0}, threads, "bfs"), 2);
  // Generation J: a busy cache is the least evil, so the own CPU does beside a busy sibling.
  EXPECT_EQ(sent_to({1}, two_caches(), "bfs@0.31x"), 0);
  EXPECT_EQ(sent_to({0}, two_caches(), "bfs@0.31x"), 2);  // 2, against 3 next door
}

TEST(BfsVectors, Bfs12ForkDepth) {
  const auto deadline = [](const std::string& rule, std::uint64_t depth) {
    Bench bench("bfs+FORK_DEPTH_PENALTY,rr_interval=9,depth_rule=" + rule);
    const int id = bench.running();
    bench.task(id).depth = depth;
    bench.task(id).time_slice = 0;
    bench.schedule();
    return bench.task(id).deadline;
  };
  EXPECT_EQ(deadline("linear", 0), 61636608u);
  EXPECT_EQ(deadline("linear", 1), 123273216u);
  EXPECT_EQ(deadline("linear", 3), 246546432u);
  EXPECT_EQ(deadline("linear", 6), 431456256u);
  EXPECT_EQ(deadline("linear", 12), 801275904u);
  EXPECT_EQ(deadline("max", 3), 184909824u);
  EXPECT_EQ(deadline("additive", 5), 99090432u);
  Bench off("bfs,rr_interval=9");
  const int id = off.running();
  off.task(id).depth = 12;
  off.task(id).time_slice = 0;
  off.schedule();
  EXPECT_EQ(off.task(id).deadline, 61636608u);
}

TEST(BfsVectors, DepthIsInherited) {
  Bench bench;
  const int parent = bench.running();
  const int child = bench.fork(parent);
  const int thread = bench.fork(parent, true);
  EXPECT_EQ(bench.task(child).depth, 1u);
  EXPECT_EQ(bench.task(thread).depth, 0u);
  bench.schedule();
  EXPECT_EQ(bench.cpu().curr.value, child);
  EXPECT_EQ(bench.task(bench.fork(child)).depth, 2u);
}

TEST(BfsVectors, JTheFirstExpiredDeadlineWins) {
  for (const bool gen_j : {true, false}) {
    Bench bench(gen_j ? "bfs@0.31x" : "bfs");
    bench.t = 100 * ms;  // jiffies 100
    const int late = bench.queued(gen_j ? 99 : 99 * ms);
    const int earlier = bench.queued(gen_j ? 50 : 50 * ms);
    bench.schedule();
    EXPECT_EQ(bench.cpu().curr.value, gen_j ? late : earlier);
  }
  Bench bench("bfs@0.31x");
  bench.t = 100 * ms;
  bench.queued(101);
  const int now = bench.queued(100);  // not before now: no expiry
  bench.schedule();
  EXPECT_EQ(bench.cpu().curr.value, now);
}

TEST(BfsVectors, JAChildGivesItsSliceBack) {
  Bench bench("bfs@0.31x");
  const int parent = bench.running(40);
  const int child = bench.fork(parent);
  EXPECT_EQ(bench.task(parent).time_slice, 3000);
  EXPECT_EQ(bench.task(child).time_slice, 3000);
  bench.schedule();
  ASSERT_EQ(bench.cpu().curr.value, child);
  bench.t = 1 * ms;
  bench.apply(StimulusKind::exit, child);
  EXPECT_EQ(bench.task(parent).time_slice, 5000);
}

TEST(BfsVectors, JOtherPoliciesPreemptAnEqual) {
  for (const auto& [cpus, want] : std::vector<std::pair<int, bool>>{{1, false}, {2, true}}) {
    Bench bench("bfs@0.31x", one_cache(cpus));
    for (int number = 0; number < cpus; ++number) bench.running(10, number);
    const int woken = bench.sleeper(90, 0, 0, SchedClass::batch);
    bench.apply(StimulusKind::wake, woken);
    EXPECT_EQ(bench.log.back().preempt, want) << cpus;
  }
}

TEST(BfsVectors, IdlePolicyTasksWaitForAllOthers) {
  Bench bench;
  const int first = bench.sleeper(1 * ms, 0, 0, SchedClass::idle);
  const int second = bench.sleeper(900 * ms);
  bench.running(500 * ms);
  bench.apply(StimulusKind::wake, first);
  EXPECT_FALSE(bench.cpu().marked);
  bench.apply(StimulusKind::wake, second);
  bench.schedule();
  EXPECT_EQ(bench.cpu().curr.value, 2);
  bench.apply(StimulusKind::block, 2);
  bench.schedule();
  EXPECT_EQ(bench.cpu().curr.value, second);
  bench.apply(StimulusKind::block, second);
  bench.schedule();
  EXPECT_EQ(bench.cpu().curr.value, first);
  bench.apply(StimulusKind::wake, second);
  EXPECT_TRUE(bench.cpu().marked);
}

TEST(BfsVectors, ABatchTaskIsRefilledAtEveryReschedule) {
  for (const bool gen_j : {true, false}) {
    Bench bench(gen_j ? "bfs@0.31x" : "bfs");
    const int id = bench.running(1, 0, SchedClass::batch);
    bench.t = 1 * ms;
    bench.schedule();
    EXPECT_EQ(bench.task(id).time_slice, gen_j ? 5000 : 6144);
  }
}

TEST(BfsVectors, AYielderWithTheEarliestDeadlineGoesOn) {
  Bench bench;
  const int a = bench.running(10 * ms);
  const int b = bench.queued(20 * ms);
  bench.apply(StimulusKind::yield, a);
  bench.schedule();
  EXPECT_EQ(bench.cpu().curr.value, a);
  EXPECT_EQ(bench.state.normal, std::vector<TaskId>{TaskId{b}});
}

TEST(BfsVectors, WhoIsPutBackOffersItselfToAnIdleCpu) {
  Bench bench("bfs", one_cache(2));
  bench.running(10 * ms, 0);
  bench.queued(5 * ms, 0);
  bench.schedule(0);
  EXPECT_TRUE(bench.cpu(1).marked);
  bench.schedule(1);
  EXPECT_EQ(bench.cpu(1).curr.value, 0);
}

}  // namespace
}  // namespace fw::model::bfs
