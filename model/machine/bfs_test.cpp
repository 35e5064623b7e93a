// SPDX-License-Identifier: Apache-2.0
// Whole runs of BFS: short traces worked by hand from the dossier, and random workloads whose every
// state is recounted and every pick repeated by brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "model/machine/bfs_model.h"
#include "model/machine/machine.h"
#include "model/machine/run_log.h"
#include "model/policy/bfs/catalog.h"
#include "model/policy/bfs/state.h"

namespace fw::model::testing {
namespace {

fw::Setup bfs(std::vector<TaskDef> tasks,
              std::int64_t end_ns,
              const std::string& spec = "bfs",
              int cpus = 1) {
  fw::Setup out = setup(std::move(tasks), cpus, end_ns);
  const PolicyInfo* const infos[] = {&bfs_info()};
  Outcome<PolicySpec> read = parse_spec(spec, infos);
  EXPECT_TRUE(read.ok()) << spec;
  if (read.ok()) out.spec = *read;
  return out;
}

std::string bfs_line(const Side& side, const Decision& d) {
  std::string out = line(side, d);
  out.resize(out.find(" nr "));
  out += " nr " + std::to_string(d.nr);
  if (d.task.idle()) return out;
  return out + " dl " + std::to_string(d.state[0]) + " slice " + std::to_string(d.state[1]);
}

std::vector<std::string> log_of(const fw::Setup& settings) {
  const std::unique_ptr<Side> side = make_bfs_model(settings);
  std::vector<std::string> out;
  while (side->advance()) {
    for (const Decision& d : side->decisions()) out.push_back(bfs_line(*side, d));
  }
  EXPECT_EQ(side->fault(), "");
  return out;
}

TaskDef hog(const std::string& name) { return task(name, {run(10'000 * ms)}); }

TEST(BfsTrace, TwoHogsTakeTurnsASliceLong) {
  const auto got = log_of(bfs({hog("A"), hog("B")}, 16 * ms));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 dl 41091072 slice 6144",
      "0 cpu0 wake B-1 by start nr 2 dl 41091072 slice 6144",
      "0 cpu0 pick A-0 after idle earliest-deadline nr 2 dl 41091072 slice 6144",
      // The reschedule was on a tick, so dither is 1: 976 a tick; after 6 of them 288 are left,
      // which is less than half a tick.
      "6000000 cpu0 preempt A-0 slice nr 2 dl 41091072 slice 0",
      "6000000 cpu0 pick B-1 after A-0 earliest-deadline nr 2 dl 41091072 slice 6144",
      "12000000 cpu0 preempt B-1 slice nr 2 dl 41091072 slice 0",
      // A's new deadline was set at 6 ms.
      "12000000 cpu0 pick A-0 after B-1 earliest-deadline nr 2 dl 47091072 slice 6144"};
  EXPECT_EQ(got, want);
}

TEST(BfsTrace, ASleeperKeepsItsDeadlineAndPreempts) {
  const auto got =
      log_of(bfs({hog("A"), task("S", {run(ms / 2), sleep(9 * ms), run(ms)})}, 20 * ms));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 dl 41091072 slice 6144",
      "0 cpu0 wake S-1 by start nr 2 dl 41091072 slice 6144",
      "0 cpu0 pick A-0 after idle earliest-deadline nr 2 dl 41091072 slice 6144",
      "6000000 cpu0 preempt A-0 slice nr 2 dl 41091072 slice 0",
      "6000000 cpu0 pick S-1 after A-0 earliest-deadline nr 2 dl 41091072 slice 6144",
      "6500000 cpu0 block S-1 nr 1 dl 41091072 slice 5656",
      "6500000 cpu0 pick A-0 after S-1 only nr 1 dl 47091072 slice 6144",
      // Dither 1 (exactly half a tick after the last one): 488 for the half, then 976 each. 776 are
      // left at 12 ms, more than half a tick; so the next tick ends it.
      "13000000 cpu0 preempt A-0 slice nr 1 dl 47091072 slice 0",
      "13000000 cpu0 pick A-0 after A-0 only nr 1 dl 54091072 slice 6144",
      "15500000 cpu0 wake S-1 by timer preempts nr 2 dl 41091072 slice 5656",
      "15500000 cpu0 pick S-1 after A-0 earliest-deadline nr 2 dl 41091072 slice 5656",
      "16500000 cpu0 exit S-1 nr 1 dl 41091072 slice 4680",
      "16500000 cpu0 pick A-0 after S-1 only nr 1 dl 54091072 slice 3704"};
  EXPECT_EQ(got, want);
}

TEST(BfsTrace, AForkedProcessRunsBeforeItsParentAndAThreadDoesNot) {
  TaskDef child = task("C", {run(ms / 2)});
  child.instances = 0;
  fw::Setup settings =
      bfs({task("P", {run(ms / 2), op(OpKind::fork, "C"), run(ms / 4)}), child}, 9 * ms);
  const std::vector<std::string> process = {
      "0 cpu0 wake P-0 by start preempts nr 1 dl 41091072 slice 6144",
      "0 cpu0 pick P-0 after idle only nr 1 dl 41091072 slice 6144",
      // Nothing is charged at the fork.
      "500000 cpu0 fork C-1-0 by P-0 preempts nr 2 dl 41091072 slice 3072",
      "500000 cpu0 pick C-1-0 after P-0 earliest-deadline nr 2 dl 41091072 slice 3072",
      "1000000 cpu0 exit C-1-0 nr 1 dl 41091072 slice 2584",
      "1000000 cpu0 pick P-0 after C-1-0 only nr 1 dl 41091072 slice 2584",
      "1250000 cpu0 exit P-0 nr 0 dl 41091072 slice 2340",
      "1250000 cpu0 pick idle after P-0 idle nr 0"};
  EXPECT_EQ(log_of(settings), process);
  settings.workload.threads = {"C"};
  const auto got = log_of(settings);
  ASSERT_GE(got.size(), 4u);
  EXPECT_EQ(got[2], "500000 cpu0 fork C-1-0 by P-0 nr 2 dl 41091072 slice 3072");
  EXPECT_EQ(got[3], "750000 cpu0 exit P-0 nr 1 dl 41091072 slice 2340");
}

TEST(BfsTrace, AWakeupGoesToAnIdleCpu) {
  const auto got =
      log_of(bfs({hog("A"), task("S", {sleep(ms / 2), run(ms / 4)})}, 2 * ms, "bfs", 2));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 dl 61636608 slice 9216",
      // CPU 0 still runs its idle task, so S is sent there, too; A's pick leaves it behind, until
      // its start has run: nobody looks for CPU 1.
      "0 cpu0 wake S-1 by start nr 2 dl 61636608 slice 9216",
      "0 cpu0 pick A-0 after idle earliest-deadline nr 2 dl 61636608 slice 9216"};
  EXPECT_EQ(got, want);
  TaskDef late = task("S", {run(ms / 4)});
  late.delay = {ms / 2};
  const auto better = log_of(bfs({hog("A"), late}, 2 * ms, "bfs", 2));
  ASSERT_EQ(better.size(), 6u);
  EXPECT_EQ(better[2], "500000 cpu1 wake S-1 by start preempts nr 2 dl 61636608 slice 9216");
  EXPECT_EQ(better[3],
            "500000 cpu1 pick S-1 after idle earliest-deadline nr 2 dl 61636608 slice 9216");
}

void recount(const bfs::Config& config, const bfs::State& state) {
  std::map<TaskId, int> queued;
  for (const std::vector<TaskId>* list : {&state.normal, &state.idle_policy}) {
    for (const TaskId id : *list) {
      const bfs::Task& p = state.tasks[bfs::index_of(state, id)];
      ASSERT_EQ(p.sched_class == SchedClass::idle, list == &state.idle_policy);
      ++queued[id];
    }
  }
  std::map<TaskId, int> running;
  for (const bfs::Cpu& at : state.cpus) {
    if (at.curr.idle()) continue;
    const bfs::Task& p = state.tasks[bfs::index_of(state, at.curr)];
    running[at.curr] += p.place == bfs::Place::running ? 1 : 0;
    if (!at.left) {
      ASSERT_EQ(p.deadline, at.rq_deadline);
    }
  }
  const std::int64_t full =
      static_cast<std::int64_t>(config.gen_j ? config.rr_ms * 1000 : config.rr_ms * 1024);
  for (const bfs::Task& p : state.tasks) {
    ASSERT_EQ(queued[p.id], p.place == bfs::Place::queued ? 1 : 0);
    ASSERT_EQ(running[p.id], p.place == bfs::Place::running ? 1 : 0);
    ASSERT_TRUE(p.place != bfs::Place::running || p.allowed.contains(CpuId{p.cpu}));
    ASSERT_LE(p.time_slice, full);
  }
}

/// Generation N: what a CPU has picked has the least deadline, distance included, of all that may
/// run there.
void check_pick(const bfs::Config& config,
                const bfs::State& before,
                const bfs::State& after,
                const Decision& pick,
                int& contested) {
  const auto slice_ms = [&](const bfs::Task& p) {
    std::uint64_t ratio = 128;
    for (int i = -20; i < p.nice; ++i) ratio = ratio * 11 / 10;
    return config.rr_ms * ratio / 128;
  };
  const auto counted = [&](TaskId id, int last) {
    const bfs::Task& p = after.tasks[bfs::index_of(after, id)];
    const auto steps = static_cast<int>(
        config.nearness[static_cast<std::size_t>(last)][static_cast<std::size_t>(pick.cpu.value)]);
    return p.deadline + (steps <= 2 ? 0 : slice_ms(p) << (steps - 2));
  };
  const bfs::Task& picked = after.tasks[bfs::index_of(after, pick.task)];
  const int last = before.tasks[bfs::index_of(before, pick.task)].cpu;
  for (const TaskId id : after.normal) {
    const bfs::Task& other = after.tasks[bfs::index_of(after, id)];
    if (!other.allowed.contains(pick.cpu)) continue;
    ASSERT_EQ(picked.sched_class == SchedClass::idle, false);
    ASSERT_GE(counted(id, other.cpu), counted(pick.task, last));
    ++contested;
  }
}

std::vector<TaskDef> random_tasks(std::mt19937_64& random, int cpus) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  std::vector<TaskDef> out;
  TaskDef child = task("child", {run(1 + below(3 * ms)), sleep(below(4 * ms)), run(below(ms))});
  child.instances = 0;
  child.nice = static_cast<int>(below(40)) - 20;
  for (int i = 0; i < 3 + below(5); ++i) {
    std::vector<Op> ops = {run(1 + below(9 * ms)), run(below(ms))};
    if (below(2) == 0) ops.push_back(sleep(below(6 * ms)));
    if (below(3) == 0) ops.push_back(op(OpKind::yield));
    if (below(3) == 0) ops.push_back(op(OpKind::fork, "child"));
    TaskDef made = task("t" + std::to_string(i), ops, -1);
    made.nice = static_cast<int>(below(40)) - 20;
    made.sched_class = static_cast<SchedClass>(below(6) / 2 % 3);
    made.delay = {below(30 * ms)};
    if (below(4) == 0) {
      Phase moved = made.phases[0];
      moved.cpus = CpuSet{};
      moved.cpus->insert(CpuId{static_cast<int>(below(static_cast<std::uint64_t>(cpus)))});
      moved.nice = static_cast<int>(below(40)) - 20;
      made.phases.push_back(moved);
    }
    out.push_back(made);
  }
  out.push_back(child);
  return out;
}

TEST(BfsRuns, EveryStateCanBeRecountedAndEveryPickRepeated) {
  std::mt19937_64 random(20101012);
  int contested = 0, expired = 0, poked = 0, deep = 0;
  const std::vector<std::string> specs = {"bfs",
                                          "bfs@0.31x",
                                          "bfs,hz=250,dist_unit=literal",
                                          "bfs+FORK_DEPTH_PENALTY,depth_rule=additive",
                                          "bfs@0.31x+FORK_DEPTH_PENALTY,rr_interval=1"};
  for (int round = 0; round < 40; ++round) {
    const int cpus = round % 4 + 1;
    const std::string& spec = specs[static_cast<std::size_t>(round) % specs.size()];
    fw::Setup settings = bfs(random_tasks(random, cpus), 300 * ms, spec, cpus);
    if (cpus == 4) settings.topology.levels = {{LevelKind::node, {0, 0, 1, 1}}};
    Machine<Bfs> machine(settings);
    while (true) {
      const bfs::State before = machine.state();
      const auto stimulus = machine.advance();
      if (!stimulus) break;
      const bfs::State& after = machine.state();
      recount(machine.config(), after);
      if (HasFatalFailure()) return;
      for (const Decision& d : machine.decisions()) {
        if (d.kind != DecisionKind::pick || d.task.idle()) continue;
        deep += after.tasks[bfs::index_of(after, d.task)].depth > 0;
        if (!machine.config().gen_j) check_pick(machine.config(), before, after, d, contested);
        if (HasFatalFailure()) return;
        expired += machine.config().gen_j && d.nr > 1 &&
                   static_cast<std::uint64_t>(d.state[0]) < static_cast<std::uint64_t>(d.t.ns / ms);
        for (std::size_t i = 0; i < after.cpus.size(); ++i) {
          poked += after.cpus[i].marked && !before.cpus[i].marked;
        }
      }
    }
    EXPECT_EQ(machine.fault(), "");
  }
  EXPECT_GT(contested, 1000);
  EXPECT_GT(expired, 50);
  EXPECT_GT(poked, 20);
  EXPECT_GT(deep, 50);
}

}  // namespace
}  // namespace fw::model::testing
