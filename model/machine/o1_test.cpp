// SPDX-License-Identifier: Apache-2.0
// Whole runs of the O(1) scheduler: short traces worked by hand from the dossier, and random
// workloads whose every state is recounted.
#include "model/rules/o1.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "model/machine/machine.h"
#include "model/machine/o1_model.h"
#include "model/machine/run_log.h"
#include "model/policy/o1/catalog.h"
#include "model/policy/o1/state.h"

namespace fw::model::testing {
namespace {

Setup o1(std::vector<TaskDef> tasks,
         std::int64_t end_ns,
         const std::string& spec = "o1",
         int cpus = 1) {
  Setup out = setup(std::move(tasks), cpus, end_ns);
  const PolicyInfo* const infos[] = {&o1_info()};
  Outcome<PolicySpec> read = parse_spec(spec, infos);
  EXPECT_TRUE(read.ok()) << spec;
  if (read.ok()) out.spec = *read;
  return out;
}

std::string o1_line(const Side& side, const Decision& d) {
  std::string out = line(side, d);
  out.resize(out.find(" nr "));
  out += " nr " + std::to_string(d.nr);
  if (d.task.idle()) return out;
  return out + " prio " + std::to_string(d.state[0]) + " slice " + std::to_string(d.state[1]) +
         " " + std::string(state_word("array", d.state[2])) + " sleep " +
         std::to_string(d.state[3]);
}

std::vector<std::string> log_of(const Setup& settings) {
  const std::unique_ptr<Side> side = make_o1_model(settings);
  std::vector<std::string> out;
  while (side->advance()) {
    for (const Decision& d : side->decisions()) out.push_back(o1_line(*side, d));
  }
  EXPECT_EQ(side->fault(), "");
  return out;
}

TaskDef hog(const std::string& name) { return task(name, {run(10'000 * ms)}); }

TEST(O1Trace, TwoHogsTakeTurnsUntilTheArraysSwitch) {
  const auto got = log_of(o1({hog("A"), hog("B")}, 310 * ms));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 prio 125 slice 151 active sleep 0",
      "0 cpu0 wake B-1 by start nr 2 prio 125 slice 151 active sleep 0",
      "0 cpu0 pick A-0 after idle fifo nr 2 prio 125 slice 151 active sleep 0",
      "151000000 cpu0 preempt A-0 slice nr 2 prio 125 slice 151 expired sleep 0",
      "151000000 cpu0 pick B-1 after A-0 fifo nr 2 prio 125 slice 151 active sleep 0",
      // Both have expired: the arrays switch, and A, the first to expire, is first again.
      "302000000 cpu0 preempt B-1 slice nr 2 prio 125 slice 151 expired sleep 0",
      "302000000 cpu0 pick A-0 after B-1 fifo nr 2 prio 125 slice 151 active sleep 0"};
  EXPECT_EQ(got, want);
}

TEST(O1Trace, ASleeperEarnsPriorityAndPreempts) {
  const auto got = log_of(o1({hog("A"), task("S", {sleep(400 * ms), run(2 * ms)})}, 500 * ms));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 prio 125 slice 151 active sleep 0",
      "0 cpu0 wake S-1 by start nr 2 prio 125 slice 151 active sleep 0",
      "0 cpu0 pick A-0 after idle fifo nr 2 prio 125 slice 151 active sleep 0",
      "151000000 cpu0 preempt A-0 slice nr 2 prio 125 slice 151 expired sleep 0",
      "151000000 cpu0 pick S-1 after A-0 fifo nr 2 prio 125 slice 151 active sleep 0",
      // Off its array at once; the switch resets the time stamp, A goes on alone.
      "151000000 cpu0 block S-1 nr 1 prio 125 slice 151 none sleep 0",
      "151000000 cpu0 pick A-0 after S-1 only nr 1 prio 125 slice 151 active sleep 0",
      "302000000 cpu0 preempt A-0 slice nr 1 prio 125 slice 151 expired sleep 0",
      "302000000 cpu0 pick A-0 after A-0 only nr 1 prio 125 slice 151 active sleep 0",
      "453000000 cpu0 preempt A-0 slice nr 1 prio 125 slice 151 expired sleep 0",
      "453000000 cpu0 pick A-0 after A-0 only nr 1 prio 125 slice 151 active sleep 0"};
  EXPECT_EQ(got, want);
  const auto woken = log_of(o1({hog("A"), task("S", {sleep(400 * ms), run(2 * ms)})}, 560 * ms));
  ASSERT_EQ(woken.size(), want.size() + 4);
  const std::vector<std::string> rest = {
      // 400 ticks of sleep: bonus -3 instead of -5.
      "551000000 cpu0 wake S-1 by timer preempts nr 2 prio 123 slice 151 active sleep 400",
      "551000000 cpu0 pick S-1 after A-0 fifo nr 2 prio 123 slice 151 active sleep 400",
      // At the tick of this instant S had not run yet; it is picked after it.
      "553000000 cpu0 exit S-1 nr 1 prio 123 slice 150 none sleep 399",
      "553000000 cpu0 pick A-0 after S-1 only nr 1 prio 125 slice 53 active sleep 0"};
  EXPECT_EQ(std::vector<std::string>(woken.end() - 4, woken.end()), rest);
}

TEST(O1Trace, AForkSharesTheSliceAndTheExitGivesItBack) {
  TaskDef child = task("C", {run(3'500'000)});
  child.instances = 0;
  const auto got = log_of(
      o1({task("P", {run(1'500'000), op(OpKind::fork, "C"), run(20 * ms)}), child}, 90 * ms));
  const std::vector<std::string> want = {
      "0 cpu0 wake P-0 by start preempts nr 1 prio 125 slice 151 active sleep 0",
      "0 cpu0 pick P-0 after idle only nr 1 prio 125 slice 151 active sleep 0",
      // One tick paid: 150 is halved. The fork marks; P is still first of its list.
      "1500000 cpu0 fork C-1-0 by P-0 preempts nr 2 prio 125 slice 75 active sleep 0",
      "1500000 cpu0 pick P-0 after P-0 fifo nr 2 prio 125 slice 75 active sleep 0",
      // Ticks 2 to 21 leave 55.
      "21500000 cpu0 exit P-0 nr 1 prio 125 slice 55 none sleep 0",
      "21500000 cpu0 pick C-1-0 after P-0 only nr 1 prio 125 slice 75 active sleep 0",
      "25000000 cpu0 exit C-1-0 nr 0 prio 125 slice 72 none sleep 0",
      "25000000 cpu0 pick idle after C-1-0 idle nr 0"};
  EXPECT_EQ(got, want);
  // With a sleeping parent the child ends first: 135 - 3 ticks of its own come back.
  const auto back = log_of(
      o1({task("P", {run(1'500'000), op(OpKind::fork, "C"), sleep(10 * ms), run(2 * ms)}), child},
         90 * ms));
  const auto found = std::find_if(back.begin(), back.end(), [](const std::string& text) {
    return text.find("wake P-0 by timer") != std::string::npos;
  });
  ASSERT_NE(found, back.end());
  // 75 + (75 - 3); the ticks at 2, 3, 4 ms are the child's, and P slept from jiffy 1 to 11.
  EXPECT_EQ(*found,
            "11500000 cpu0 wake P-0 by timer preempts nr 1 prio 125 slice 147 active sleep 10");
}

TEST(O1Trace, AYieldGoesBehindTheExpired) {
  const auto got = log_of(
      o1({task("A", {run(ms / 2), op(OpKind::yield), run(ms)}), task("B", {run(ms)})}, 90 * ms));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 prio 125 slice 151 active sleep 0",
      "0 cpu0 wake B-1 by start nr 2 prio 125 slice 151 active sleep 0",
      "0 cpu0 pick A-0 after idle fifo nr 2 prio 125 slice 151 active sleep 0",
      "500000 cpu0 yield A-0 nr 2 prio 125 slice 151 expired sleep 0",
      "500000 cpu0 pick B-1 after A-0 fifo nr 2 prio 125 slice 151 active sleep 0",
      "1500000 cpu0 exit B-1 nr 1 prio 125 slice 150 none sleep 0",
      "1500000 cpu0 pick A-0 after B-1 only nr 1 prio 125 slice 151 active sleep 0",
      "2500000 cpu0 exit A-0 nr 0 prio 125 slice 150 none sleep 0",
      "2500000 cpu0 pick idle after A-0 idle nr 0"};
  EXPECT_EQ(got, want);
}

TEST(O1Trace, AnIdleCpuPullsOneTaskAtATick) {
  const auto got = log_of(o1({hog("A"), hog("B"), hog("C")}, 5 * ms, "o1", 2));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 prio 125 slice 151 active sleep 0",
      "0 cpu0 wake B-1 by start nr 2 prio 125 slice 151 active sleep 0",
      "0 cpu0 wake C-2 by start nr 3 prio 125 slice 151 active sleep 0",
      "0 cpu0 pick A-0 after idle fifo nr 3 prio 125 slice 151 active sleep 0",
      // The last of the list, once it has been off the CPU for more than two ticks.
      "3000000 cpu1 migrate C-2 from 0 periodic nr 1 prio 125 slice 151 active sleep 0",
      "3000000 cpu1 pick C-2 after idle only nr 1 prio 125 slice 151 active sleep 0"};
  EXPECT_EQ(got, want);
}

TEST(O1Trace, OtherClassesAreRefused) {
  std::vector<TaskDef> tasks = {hog("A"), hog("B")};
  tasks[1].sched_class = SchedClass::batch;
  const auto side = make_o1_model(o1(tasks, 5 * ms));
  EXPECT_FALSE(side->advance().has_value());
  EXPECT_EQ(side->fault(), "task B: o1 has no SCHED_BATCH; make it SCHED_OTHER");
}

/// Seen in the random runs: each must have been.
struct Seen {
  int switches = 0, reinserted = 0, starving = 0, moves = 0;
};

void recount(const o1::Config& config, const o1::State& state) {
  std::map<TaskId, int> places;
  for (std::size_t cpu = 0; cpu < state.queues.size(); ++cpu) {
    const o1::Queue& queue = state.queues[cpu];
    for (const auto* array : {&queue.active, &queue.expired}) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        const o1::Entry& entry = (*array)[i];
        const o1::Task& p = state.tasks[o1::index_of(state, entry.task)];
        ASSERT_EQ(p.prio, entry.prio);
        ASSERT_EQ(p.cpu, static_cast<int>(cpu));
        ASSERT_TRUE(p.allowed.contains(CpuId{p.cpu}));
        ASSERT_EQ(p.place, array == &queue.active ? o1::Place::active : o1::Place::expired);
        ASSERT_TRUE(i == 0 || (*array)[i - 1].prio <= entry.prio);
        ++places[entry.task];
      }
    }
    if (!queue.curr.idle() && !queue.left) {
      ASSERT_EQ(places[queue.curr], 1);
    }
    if (queue.on_cpu.idle() && !queue.marked) {
      ASSERT_EQ(queue.nr_running(), 0u);
    }
  }
  for (const o1::Task& p : state.tasks) {
    ASSERT_EQ(places[p.id], p.place == o1::Place::none ? 0 : 1);
    ASSERT_GE(p.prio, 100u);
    ASSERT_LE(p.prio, 139u);
    ASSERT_LE(p.sleep_avg, config.max_sleep_avg);
    ASSERT_GE(p.time_slice, 1u);
    ASSERT_LE(p.time_slice, config.max_timeslice);
  }
}

std::vector<TaskDef> random_tasks(std::mt19937_64& random, int cpus) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  std::vector<TaskDef> out;
  TaskDef child = task("child", {run(1 + below(3 * ms)), sleep(below(4 * ms)), run(below(ms))});
  child.instances = 0;
  child.nice = static_cast<int>(below(40)) - 20;
  for (int i = 0; i < 3 + below(5); ++i) {
    std::vector<Op> ops = {run(1 + below(30 * ms)), run(below(ms))};
    if (below(2) == 0) ops.push_back(sleep(below(60 * ms)));
    if (below(3) == 0) ops.push_back(op(OpKind::yield));
    if (below(3) == 0) ops.push_back(op(OpKind::fork, "child"));
    TaskDef made = task("t" + std::to_string(i), ops, -1);
    made.nice = static_cast<int>(below(40)) - 20;
    made.delay = {below(3000 * ms)};
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

TEST(O1Runs, EveryStateCanBeRecounted) {
  std::mt19937_64 random(20030213);
  Seen seen;
  const std::vector<std::string> specs = {
      "o1",
      "o1,variant=both",
      "o1,max_sleep_avg=100,starvation_limit=5,hz=250",
      "o1,max_timeslice=12,starvation_limit=1,max_sleep_avg=100",
      "o1,min_timeslice=1,max_timeslice=2"};
  for (int round = 0; round < 40; ++round) {
    const int cpus = round % 4 + 1;
    fw::Setup settings = o1(random_tasks(random, cpus),
                            4000 * ms,
                            specs[static_cast<std::size_t>(round) % specs.size()],
                            cpus);
    if (cpus == 4) settings.topology.levels = {{LevelKind::node, {0, 0, 1, 1}}};
    Machine<O1> machine(settings);
    while (const auto stimulus = machine.advance()) {
      recount(machine.config(), machine.state());
      if (HasFatalFailure()) return;
      for (const Decision& d : machine.decisions()) {
        seen.moves += d.kind == DecisionKind::migrate && d.why != Why::affinity;
        seen.reinserted += d.kind == DecisionKind::preempt && d.state[2] == 1;
        seen.switches +=
            d.kind == DecisionKind::pick && !d.task.idle() && d.nr > 1 &&
            machine.state().queues[static_cast<std::size_t>(d.cpu.value)].expired.empty();
        if (d.kind == DecisionKind::preempt && d.state[2] == 2) {
          const o1::State& state = machine.state();
          const int nice = state.tasks[o1::index_of(state, d.task)].nice;
          seen.starving += rules::o1::interactive(
              static_cast<std::uint64_t>(d.state[0]),
              rules::o1::interactive_limit(rules::o1::static_prio(nice), 25, 2));
        }
      }
    }
    EXPECT_EQ(machine.fault(), "");
  }
  EXPECT_GT(seen.switches, 50);
  EXPECT_GT(seen.reinserted, 50);
  EXPECT_GT(seen.starving, 5);
  EXPECT_GT(seen.moves, 50);
}

}  // namespace
}  // namespace fw::model::testing
