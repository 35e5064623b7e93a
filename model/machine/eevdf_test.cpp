// SPDX-License-Identifier: Apache-2.0
// Whole runs of EEVDF: short traces worked by hand from the dossier, and random workloads whose
// every state is recounted.
#include <gtest/gtest.h>

#include <random>

#include "model/machine/eevdf_model.h"
#include "model/machine/machine.h"
#include "model/machine/run_log.h"
#include "model/policy/eevdf/catalog.h"
#include "model/policy/eevdf/state.h"

namespace fw::model::testing {
namespace {

Setup eevdf(std::vector<TaskDef> tasks, std::int64_t end_ns, const std::string& spec = "eevdf") {
  Setup out = setup(std::move(tasks), 1, end_ns);
  const PolicyInfo* const infos[] = {&eevdf_info()};
  Outcome<PolicySpec> read = parse_spec(spec, infos);
  EXPECT_TRUE(read.ok()) << spec;
  if (read.ok()) out.spec = *read;
  return out;
}

std::string eevdf_line(const Side& side, const Decision& d) {
  std::string out = line(side, d);
  out.resize(out.find(" nr "));
  out += " nr " + std::to_string(d.nr);
  if (d.task.idle()) return out;
  return out + " v " + std::to_string(d.state[0]) + " d " + std::to_string(d.state[1]) + " lag " +
         std::to_string(d.state[2]);
}

std::vector<std::string> log_of(const Setup& settings) {
  const std::unique_ptr<Side> side = make_eevdf_model(settings);
  std::vector<std::string> out;
  while (side->advance()) {
    for (const Decision& d : side->decisions()) out.push_back(eevdf_line(*side, d));
  }
  EXPECT_EQ(side->fault(), "");
  return out;
}

TaskDef hog(const std::string& name) { return task(name, {run(1000 * ms)}); }

TEST(EevdfTrace, TwoHogsTakeTurnsASliceLong) {
  const auto got = log_of(eevdf({hog("A"), hog("B")}, 5 * ms));
  // 0.7 ms slices, ticks of 1 ms: a slice ends at the next tick.
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 v 0 d 700000 lag 0",
      "0 cpu0 wake B-1 by start nr 2 v 0 d 700000 lag 0",
      "0 cpu0 pick A-0 after idle earliest-deadline nr 2 v 0 d 700000 lag 0",
      "1000000 cpu0 preempt A-0 deadline nr 2 v 1000000 d 1700000 lag -500000",
      "1000000 cpu0 pick B-1 after A-0 earliest-deadline nr 2 v 0 d 700000 lag 500000",
      "2000000 cpu0 preempt B-1 deadline nr 2 v 1000000 d 1700000 lag 0",
      "2000000 cpu0 pick A-0 after B-1 earliest-deadline nr 2 v 1000000 d 1700000 lag 0",
      "3000000 cpu0 preempt A-0 deadline nr 2 v 2000000 d 2700000 lag -500000",
      "3000000 cpu0 pick B-1 after A-0 earliest-deadline nr 2 v 1000000 d 1700000 lag 500000",
      "4000000 cpu0 preempt B-1 deadline nr 2 v 2000000 d 2700000 lag 0",
      "4000000 cpu0 pick A-0 after B-1 earliest-deadline nr 2 v 2000000 d 2700000 lag 0"};
  EXPECT_EQ(got, want);
}

TEST(EevdfTrace, ASleeperThatOwesIsDelayedAndDroppedWhenPicked) {
  const std::vector<TaskDef> tasks = {hog("A"),
                                      task("S", {run(500'000), sleep(3 * ms), run(100'000)})};
  const std::vector<std::string> got = log_of(eevdf(tasks, 4 * ms));
  const std::vector<std::string> want = {
      "0 cpu0 wake A-0 by start preempts nr 1 v 0 d 700000 lag 0",
      "0 cpu0 wake S-1 by start nr 2 v 0 d 700000 lag 0",
      "0 cpu0 pick A-0 after idle earliest-deadline nr 2 v 0 d 700000 lag 0",
      "1000000 cpu0 preempt A-0 deadline nr 2 v 1000000 d 1700000 lag -500000",
      "1000000 cpu0 pick S-1 after A-0 earliest-deadline nr 2 v 0 d 700000 lag 500000",
      // V = 750000 and S at 500000: not ahead, so it leaves at once, with its lag.
      "1500000 cpu0 block S-1 nr 1 v 500000 d 700000 lag 250000",
      "1500000 cpu0 pick A-0 after S-1 only nr 1 v 1000000 d 1700000 lag 0"};
  ASSERT_GE(got.size(), want.size());
  EXPECT_EQ(std::vector<std::string>(got.begin(), got.begin() + 7), want);
  // The other way round: S overruns its due while it runs first.
  const auto late = log_of(eevdf({tasks[1], hog("B")}, 4 * ms));
  const std::vector<std::string> delayed = {
      "0 cpu0 wake S-0 by start preempts nr 1 v 0 d 700000 lag 0",
      "0 cpu0 wake B-1 by start nr 2 v 0 d 700000 lag 0",
      "0 cpu0 pick S-0 after idle earliest-deadline nr 2 v 0 d 700000 lag 0",
      "500000 cpu0 block S-0 nr 1 v 500000 d 700000 lag -250000",
      "500000 cpu0 pick B-1 after S-0 only nr 1 v 0 d 700000 lag 250000",
      // V = 1000000: S is eligible with the earlier deadline, is picked, and goes for good.
      "2000000 cpu0 preempt B-1 deadline nr 1 v 1500000 d 2200000 lag -500000",
      "2000000 cpu0 pick B-1 after B-1 only nr 1 v 1500000 d 2200000 lag 0",
      // The time it was owed meanwhile is forgotten.
      "3500000 cpu0 wake S-0 by timer nr 2 v 3000000 d 3700000 lag 0"};
  ASSERT_GE(late.size(), delayed.size());
  EXPECT_EQ(std::vector<std::string>(late.begin(), late.begin() + 8), delayed);
}

TEST(EevdfTrace, BasesDoNotChangeDecisions) {
  for (const std::string version : {"6.6", "6.12", "6.18", "6.18,profile=E618s"}) {
    const std::vector<TaskDef> tasks = {
        hog("A"), task("S", {run(1'300'000), sleep(2'100'000)}, -1), hog("B")};
    const std::string spec = "eevdf@" + version + ",vruntime_base=";
    const auto zero = log_of(eevdf(tasks, 100 * ms, spec + "0"));
    const auto wrapped = log_of(eevdf(tasks, 100 * ms, spec + "18446744073708503040"));
    const auto clock = log_of(eevdf(tasks, 100 * ms, spec + "0,clock_base=18446744073709000000"));
    EXPECT_EQ(zero, wrapped);
    EXPECT_EQ(zero, clock);
    EXPECT_GT(zero.size(), 100u);
  }
}

TEST(EevdfTrace, AShortRequestRunsSoonerAndAsOften) {
  std::vector<TaskDef> tasks = {hog("A"), hog("B"), task("S", {run(200'000), sleep(5 * ms)}, -1)};
  const auto worst = [&](std::optional<Duration> slice) {
    tasks[2].slice = slice;
    const auto side = make_eevdf_model(eevdf(tasks, 400 * ms, "eevdf@6.18,base_slice=3ms"));
    std::int64_t woken = -1, out = 0;
    while (side->advance()) {
      for (const Decision& d : side->decisions()) {
        if (d.task.value != 2) continue;
        if (d.kind == DecisionKind::wake) woken = d.t.ns;
        if (d.kind == DecisionKind::pick && woken >= 0) {
          out = std::max(out, d.t.ns - std::exchange(woken, -1));
        }
      }
    }
    return out;
  };
  EXPECT_LT(worst(Duration{100'000}), worst(std::nullopt));
}

TEST(EevdfTrace, SeveralCpusNeverBalance) {
  std::vector<TaskDef> tasks = {hog("A"), hog("B"), hog("C")};
  tasks[2].cpus = CpuSet{};
  tasks[2].cpus->insert(CpuId{1});
  tasks[1].phases.insert(tasks[1].phases.begin(), tasks[1].phases[0]);
  tasks[1].phases[0].ops = {run(2 * ms)};
  tasks[1].phases[1].cpus = tasks[2].cpus;
  auto settings = eevdf(tasks, 40 * ms);
  settings.topology = topology(2);
  std::vector<std::string> moves;
  for (const std::string& text : log_of(settings)) {
    if (text.find(" migrate ") != std::string::npos) moves.push_back(text);
  }
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_NE(moves[0].find("cpu1 migrate B-1 from 0 affinity nr 2"), std::string::npos) << moves[0];
}

// --- Random workloads
// -----------------------------------------------------------------------------

using Random = std::mt19937_64;
std::int64_t pick_of(Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

TaskDef random_task(Random& random, int index, int tasks, int cpus) {
  TaskDef out = task("T" + std::to_string(index), {}, -1);
  out.nice = static_cast<int>(pick_of(random, 0, 2) == 0 ? pick_of(random, -20, 19) : 0);
  const auto kind = pick_of(random, 0, 9);
  out.sched_class = kind == 0   ? SchedClass::idle
                    : kind == 1 ? SchedClass::batch
                                : SchedClass::normal;
  if (pick_of(random, 0, 3) == 0) out.slice = Duration{pick_of(random, 50'000, 9 * ms)};
  const auto length = pick_of(random, 1, 4);
  const auto add = [&](Op op) { out.phases.back().ops.push_back(std::move(op)); };
  for (int i = 0; i < length; ++i) {
    add(run(pick_of(random, 1, 3 * ms)));
    switch (pick_of(random, 0, 6)) {
      case 0:
      case 1:
        add(sleep(pick_of(random, 1, 6 * ms)));
        break;
      case 2:
        add(op(OpKind::yield));
        break;
      case 3:
        add(op(OpKind::resume, "T" + std::to_string(pick_of(random, 0, tasks - 1))));
        break;
      case 4:
        if (pick_of(random, 0, 3) == 0) add(op(OpKind::fork, "child"));
        break;
      case 5:
        out.phases.emplace_back();
        out.phases.back().nice = static_cast<int>(pick_of(random, -20, 19));
        if (pick_of(random, 0, 1) == 0) {
          CpuSet mask;
          mask.insert(CpuId{static_cast<std::int32_t>(pick_of(random, 0, cpus - 1))});
          out.phases.back().cpus = mask;
        }
        add(run(pick_of(random, 1, ms)));
        break;
      default:
        break;
    }
  }
  if (pick_of(random, 0, 4) == 0) add(op(OpKind::suspend));
  return out;
}

Setup random_setup(std::uint64_t seed) {
  Random random(seed);
  static const std::vector<std::string> specs = {
      "eevdf@6.6",
      "eevdf@6.12",
      "eevdf@6.18",
      "eevdf@6.18,profile=E618s",
      "eevdf@6.18,profile=E618L,hz=250",
      "eevdf@6.12,reference=zero,yield=forfeit,reweight=e618,lag_limit=new",
      "eevdf@6.12+NEXT_BUDDY-RUN_TO_PARITY",
      "eevdf@6.18+NEXT_BUDDY-RUN_TO_PARITY-DELAY_ZERO",
      "eevdf@6.18-PLACE_LAG-PLACE_REL_DEADLINE-PREEMPT_SHORT",
      "eevdf@6.18-DELAY_DEQUEUE-WAKEUP_PREEMPTION-PLACE_DEADLINE_INITIAL",
      "eevdf@6.18,profile=E618L,vdelta_kind=divide,reweight=e71"};
  const int cpus = pick_of(random, 0, 3) == 0 ? 2 : 1;
  const auto tasks = static_cast<int>(pick_of(random, 1, 8));
  std::vector<TaskDef> defs;
  for (int i = 0; i < tasks; ++i) defs.push_back(random_task(random, i, tasks, cpus));
  defs.push_back(task("child", {run(pick_of(random, 1, 2 * ms)), sleep(ms), run(500'000)}));
  defs.back().instances = 0;
  Setup out = eevdf(std::move(defs), 60 * ms, specs[seed % specs.size()]);
  out.topology = topology(cpus);
  return out;
}

using rules::Exact;

/// Recounts a state from its tasks alone.
void recount(const eevdf::Config& config, const eevdf::State& state) {
  for (std::size_t cpu = 0; cpu < state.queues.size(); ++cpu) {
    const eevdf::Queue& q = state.queues[cpu];
    std::uint64_t running = 0, load = 0, count = 0, weight = 0;
    Exact sum = 0;
    for (const eevdf::Task& t : state.tasks) {
      if (static_cast<std::size_t>(t.cpu) != cpu) continue;
      ASSERT_FALSE(t.on_rq && t.delayed);
      ASSERT_FALSE(t.relative);
      running += t.on_rq ? 1 : 0;
      load += t.on_rq ? t.weight.weight : 0;
      if (!t.queued()) continue;
      ++count;
      weight += t.weight.weight;
      sum += Exact(static_cast<std::int64_t>(t.vruntime - q.base)) * Exact(t.weight.weight);
      ASSERT_TRUE(!t.delayed || config.since(eevdf::Profile::e612));
    }
    ASSERT_EQ(q.nr_running, running);
    ASSERT_EQ(q.load, load);
    const eevdf::Totals all = eevdf::totals(state, q);
    ASSERT_EQ(all.count, count);
    ASSERT_EQ(all.weight, weight);
    ASSERT_TRUE(all.sum == sum);
    if (count == 0) continue;
    // The weighted lags add up to zero, but for the rounding of V.
    const std::uint64_t middle = eevdf::average(q, all);
    const Exact rest = sum - Exact(static_cast<std::int64_t>(middle - q.base)) * Exact(weight);
    ASSERT_TRUE(rest >= 0 && rest < Exact(weight));
  }
}

/// A pick has the least deadline of all eligible tasks, found without the tree.
void check_pick(const eevdf::State& state, const Decision& d) {
  if (d.kind != DecisionKind::pick || d.why != Why::earliest_deadline) return;
  const auto cpu = static_cast<std::size_t>(d.cpu.value);
  const eevdf::Queue& q = state.queues[cpu];
  const eevdf::Totals all = eevdf::totals(state, q);
  const eevdf::Task& chosen = state.tasks[eevdf::index_of(state, d.task)];
  if (all.count == 1) return;
  const auto eligible = [&](const eevdf::Task& t) {
    return all.sum >= Exact(static_cast<std::int64_t>(t.vruntime - q.base)) * Exact(all.weight);
  };
  ASSERT_TRUE(eligible(chosen));
  for (const eevdf::Task& t : state.tasks) {
    if (static_cast<std::size_t>(t.cpu) != cpu || !t.queued() || !eligible(t)) continue;
    ASSERT_GE(static_cast<std::int64_t>(t.deadline - chosen.deadline), 0);
  }
}

TEST(EevdfRandom, EveryStateAddsUpAndEveryPickIsTheEarliest) {
  std::int64_t picks = 0;
  std::map<Why, std::int64_t> whys;
  std::int64_t delayed = 0;
  for (std::uint64_t seed = 0; seed < 330; ++seed) {
    const auto settings = random_setup(seed);
    Machine<Eevdf> machine(settings);
    while (machine.advance()) {
      ASSERT_NO_FATAL_FAILURE(recount(machine.config(), machine.state())) << seed;
      for (const Decision& d : machine.decisions()) {
        if (d.kind == DecisionKind::pick || d.kind == DecisionKind::preempt) ++whys[d.why];
        picks += d.kind == DecisionKind::pick ? 1 : 0;
        ASSERT_NO_FATAL_FAILURE(check_pick(machine.state(), d)) << seed;
      }
      for (const eevdf::Task& t : machine.state().tasks) delayed += t.delayed ? 1 : 0;
    }
    ASSERT_EQ(machine.fault(), "") << seed;
  }
  EXPECT_GT(picks, 10'000);
  EXPECT_GT(delayed, 100);
  for (const Why why : {Why::only,
                        Why::next,
                        Why::protected_,
                        Why::earliest_deadline,
                        Why::idle,
                        Why::deadline,
                        Why::protection}) {
    EXPECT_GT(whys[why], 10) << why_name(why);
  }
}

}  // namespace
}  // namespace fw::model::testing
