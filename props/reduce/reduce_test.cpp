// SPDX-License-Identifier: Apache-2.0
#include "props/reduce/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <thread>

#include "props/reduce/cuts.h"

namespace fw::reduce {
namespace {

using namespace std::string_view_literals;

constexpr std::int64_t us = 1'000, ms = 1'000'000;

constexpr std::array<FeatureInfo, 2> features = {
    {{"ALPHA", true, "*", ""}, {"BETA", true, "", ""}}};
constexpr std::array<KnobInfo, 3> knobs = {
    {{"hz", KnobUnit::count, 10, 10000, "1000", ""},
     {"latency", KnobUnit::duration, 100'000, 1'000'000'000, "6ms", ""},
     {"clock_base", KnobUnit::wide, 0, 0, "0", ""}}};

PolicyInfo toy() {
  PolicyInfo info;
  info.name = "toy";
  info.features = features;
  info.knobs = knobs;
  return info;
}

Op op(OpKind kind, std::int64_t ns = 0, std::string ref = {}, std::string mutex = {}) {
  Op out;
  out.kind = kind;
  out.amount = {ns};
  out.ref = std::move(ref);
  out.mutex = std::move(mutex);
  return out;
}

TaskDef task(std::string name, std::vector<Op> ops) {
  TaskDef out;
  out.name = std::move(name);
  out.phases.resize(1);
  out.phases[0].ops = std::move(ops);
  return out;
}

Case case_of(std::vector<TaskDef> tasks) {
  Case out;
  out.spec.policy = "toy";
  out.spec.text = "toy";
  out.topology = "1";
  out.balance = false;
  out.horizon = {100 * ms};
  out.workload.tasks = std::move(tasks);
  return out;
}

/// Every event of the case, task after task.
std::vector<Op> all_ops(const Case& c) {
  std::vector<Op> out;
  for (const TaskDef& t : c.workload.tasks) {
    for (const Phase& p : t.phases) out.insert(out.end(), p.ops.begin(), p.ops.end());
  }
  return out;
}

bool has_task(const Case& c, std::string_view name) {
  for (const TaskDef& t : c.workload.tasks) {
    if (t.name == name) return true;
  }
  return false;
}

OracleAnswer fails_as(std::string signature, std::int64_t t = 50 * ms) {
  OracleAnswer out;
  out.signature = std::move(signature);
  out.first.event = 1;
  out.first.t = {t};
  return out;
}

/// 120 events in 4 tasks, of which every third is one of the 40 that the failure needs.
Case forty_of_many() {
  std::vector<TaskDef> tasks;
  for (int t = 0; t < 4; ++t) {
    std::vector<Op> ops;
    for (int i = 0; i < 30; ++i) {
      const int number = t * 30 + i;
      if (number % 3 == 1) {
        ops.push_back(op(OpKind::sem_post, 0, "need" + std::to_string(number / 3)));
      } else {
        ops.push_back(op(i % 2 == 0 ? OpKind::run : OpKind::sleep, 1'234'567 + number));
      }
    }
    tasks.push_back(task("t" + std::to_string(t), std::move(ops)));
    tasks.back().loop = 1;
    tasks.back().nice = t - 2;
  }
  return case_of(std::move(tasks));
}

TEST(Reduce, FindsTheFortyEventsThatMatterWithinFiveHundredCalls) {
  const Case original = forty_of_many();
  const Oracle oracle = [](const Case& c) {
    std::set<std::string> seen;
    for (const Op& o : all_ops(c)) seen.insert(o.ref);
    seen.erase("");
    return seen.size() == 40 ? fails_as("lost") : OracleAnswer{};
  };
  const Outcome<Reduced> reduced = reduce(original, oracle);
  ASSERT_TRUE(reduced.ok());
  std::printf("40 events kept of 120: %lld calls, %lld cache hits, %.3f s\n",
              static_cast<long long>(reduced->statistics.calls),
              static_cast<long long>(reduced->statistics.cache_hits),
              reduced->statistics.seconds);
  EXPECT_EQ(count_events(reduced->best), 40);
  EXPECT_EQ(reduced->statistics.events, 40);
  EXPECT_EQ(reduced->statistics.original_events, 120);
  EXPECT_LE(reduced->statistics.calls, 500);
  EXPECT_TRUE(reduced->one_minimal);
  EXPECT_TRUE(reduced->confirmed);
  for (const TaskDef& t : reduced->best.workload.tasks) EXPECT_EQ(t.nice, 0);
}

TEST(Reduce, FindsFortyEventsWhoseLengthsMatterWithinFiveHundredCalls) {
  Case original = forty_of_many();
  for (TaskDef& t : original.workload.tasks) {
    for (Op& o : t.phases[0].ops) {
      if (o.kind == OpKind::sem_post) o = op(OpKind::timer, 2'345'678, o.ref);
    }
  }
  const Oracle oracle = [](const Case& c) {
    std::set<std::string> seen;
    for (const Op& o : all_ops(c)) {
      if (o.amount.ns >= 1'700'000) seen.insert(o.ref);
    }
    seen.erase("");
    return seen.size() == 40 ? fails_as("lost") : OracleAnswer{};
  };
  const Outcome<Reduced> reduced = reduce(original, oracle);
  ASSERT_TRUE(reduced.ok());
  std::printf("40 timed events kept of 120: %lld calls\n",
              static_cast<long long>(reduced->statistics.calls));
  EXPECT_LE(reduced->statistics.calls, 500);
  EXPECT_EQ(count_events(reduced->best), 40);
  for (const Op& o : all_ops(reduced->best)) EXPECT_EQ(o.amount.ns, 2 * ms);
}

TEST(Reduce, KeepsTheFirstSignatureAndListsTheOthers) {
  const Case original = case_of({task("a", {op(OpKind::run, ms), op(OpKind::yield)}),
                                 task("b", {op(OpKind::run, ms), op(OpKind::sleep, ms)}),
                                 task("c", {op(OpKind::run, ms)})});
  // The trivial fault shows whenever `b` is gone; the rare one needs a yield beside `b`.
  const Oracle oracle = [](const Case& c) {
    if (!has_task(c, "b")) return fails_as("trivial");
    for (const Op& o : all_ops(c)) {
      if (o.kind == OpKind::yield) return fails_as("rare");
    }
    return OracleAnswer{};
  };
  const Outcome<Reduced> reduced = reduce(original, oracle);
  ASSERT_TRUE(reduced.ok());
  EXPECT_EQ(oracle(reduced->best).signature, "rare");
  EXPECT_EQ(reduced->best.signature, "rare");
  EXPECT_EQ(reduced->best.workload.tasks.size(), 2u);
  EXPECT_EQ(count_events(reduced->best), 2);
  ASSERT_EQ(reduced->others.size(), 1u);
  EXPECT_EQ(reduced->others[0].signature, "trivial");
  EXPECT_EQ(oracle(reduced->others[0].example).signature, "trivial");
  EXPECT_GE(reduced->others[0].seen, 1);
}

TEST(Reduce, RefusesACaseThatDoesNotFailAsItSays) {
  Case original = case_of({task("a", {op(OpKind::run, ms)})});
  EXPECT_FALSE(reduce(original, [](const Case&) { return OracleAnswer{}; }).ok());
  original.signature = "one";
  const Outcome<Reduced> reduced = reduce(original, [](const Case&) { return fails_as("two"); });
  ASSERT_FALSE(reduced.ok());
  EXPECT_NE(reduced.error().text().find("one"), std::string::npos);
}

TEST(Reduce, StopsAtTheDeadlineWithTheBestSoFar) {
  const Case original = forty_of_many();
  std::set<std::string> failing;
  const Oracle oracle = [&](const Case& c) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::set<std::string> seen;
    for (const Op& o : all_ops(c)) seen.insert(o.ref);
    if (seen.size() < 40) return OracleAnswer{};
    failing.insert(canonical_text(c));
    return fails_as("lost");
  };
  Budget budget;
  budget.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  const Outcome<Reduced> reduced = reduce(original, oracle, budget);
  const auto late = std::chrono::steady_clock::now() - budget.deadline;
  ASSERT_TRUE(reduced.ok());
  EXPECT_LT(late, std::chrono::milliseconds(200));
  EXPECT_TRUE(reduced->out_of_budget);
  EXPECT_FALSE(reduced->one_minimal);
  EXPECT_EQ(failing.count(canonical_text(reduced->best)), 1u);
  EXPECT_LT(count_events(reduced->best), 120);

  Budget calls;
  calls.max_calls = 7;
  const Outcome<Reduced> few = reduce(original, oracle, calls);
  ASSERT_TRUE(few.ok());
  EXPECT_EQ(few->statistics.calls, 7);
  EXPECT_EQ(failing.count(canonical_text(few->best)), 1u);
}

TEST(Reduce, ReportsEachBetterCaseAndOnlyFailingOnes) {
  const Case original = forty_of_many();
  const auto failing = [](const Case& c) {
    std::set<std::string> seen;
    for (const Op& o : all_ops(c)) seen.insert(o.ref);
    return seen.count("need7") != 0 && seen.count("need30") != 0;
  };
  std::int64_t reports = 0, last = count_events(original);
  const auto progress = [&](const Case& c, const Statistics& statistics) {
    ++reports;
    EXPECT_TRUE(failing(c));
    EXPECT_LE(count_events(c), last);
    EXPECT_EQ(statistics.events, count_events(c));
    last = count_events(c);
  };
  const Outcome<Reduced> reduced = reduce(
      original,
      [&](const Case& c) { return failing(c) ? fails_as("two") : OracleAnswer{}; },
      {},
      progress);
  ASSERT_TRUE(reduced.ok());
  EXPECT_EQ(count_events(reduced->best), 2);
  EXPECT_GE(reports, 3);
  EXPECT_EQ(last, 2);
}

TEST(Reduce, CutsTheHorizonToTheFailure) {
  const Case original = case_of({task("a", {op(OpKind::run, ms)})});
  const Oracle oracle = [](const Case& c) {
    const bool seen = c.horizon.ns == 0 || c.horizon.ns > 7 * ms;
    return seen ? fails_as("late", 7 * ms) : OracleAnswer{};
  };
  const Outcome<Reduced> reduced = reduce(original, oracle);
  ASSERT_TRUE(reduced.ok());
  EXPECT_EQ(reduced->best.horizon.ns, 7 * ms + 1);
  EXPECT_EQ(reduced->best.expected.t.ns, 7 * ms);
}

TEST(Reduce, GoesBackToDefaultsAndWritesTheSpecAgain) {
  Case original = case_of({task("a", {op(OpKind::run, ms)}), task("b", {op(OpKind::run, ms)})});
  original.spec.features = {{"ALPHA", false}, {"BETA", true}};
  original.spec.knobs = {{"clock_base", -5}, {"hz", 250}, {"latency", 23'456'789}};
  original.topology = "2x2x2";
  original.balance = true;
  original.workload.costs.migration = {500};
  original.workload.barging = true;
  original.workload.tasks[0].nice = -17;
  original.workload.tasks[1].sched_class = SchedClass::idle;
  original.workload.tasks[1].instances = 9;
  original.workload.tasks[1].cpus = CpuSet::first(8);
  original.workload.tasks[1].slice = Duration{3 * ms};
  // Needs -ALPHA, a latency of 9 ms or more, a nice below -4, two CPUs, three instances.
  const Oracle oracle = [](const Case& c) {
    const auto latency = c.spec.knobs.find("latency");
    int least = 0, most = 0;
    for (const TaskDef& t : c.workload.tasks) {
      least = std::min(least, t.nice);
      most = std::max(most, t.instances);
    }
    const bool seen = c.spec.features.count("ALPHA") != 0 && latency != c.spec.knobs.end() &&
                      latency->second >= 9 * ms && least < -4 && most >= 3 &&
                      cpus_of(c.topology) >= 2;
    return seen ? fails_as("deep") : OracleAnswer{};
  };
  const PolicyInfo info = toy();
  Options options;
  options.info = &info;
  const Outcome<Reduced> reduced = reduce(original, oracle, {}, {}, options);
  ASSERT_TRUE(reduced.ok());
  const Case& best = reduced->best;
  EXPECT_EQ(best.spec.text, "toy-ALPHA,latency=9ms");
  EXPECT_EQ(best.topology, "2");
  EXPECT_FALSE(best.balance);
  EXPECT_EQ(best.workload.costs, Costs{});
  EXPECT_FALSE(best.workload.barging);
  EXPECT_EQ(best.workload.tasks[0].nice, -5);
  EXPECT_EQ(best.workload.tasks[1].instances, 3);
  EXPECT_EQ(best.workload.tasks[1].sched_class, SchedClass::normal);
  EXPECT_FALSE(best.workload.tasks[1].cpus.has_value());
  EXPECT_FALSE(best.workload.tasks[1].slice.has_value());
  EXPECT_TRUE(std::any_of(best.notes.begin(), best.notes.end(), [](const std::string& note) {
    return note.find("nice of b does not matter") != std::string::npos;
  }));
  EXPECT_TRUE(std::none_of(best.notes.begin(), best.notes.end(), [](const std::string& note) {
    return note.find("nice of a ") != std::string::npos;
  }));
}

TEST(Reduce, ShortensLoopsAndLengthsToRoundNumbers) {
  Case original = case_of({task("a", {op(OpKind::run, 3'217'391), op(OpKind::sleep, 17'391)})});
  original.workload.tasks[0].phases[0].loop = 40;
  // Needs at least 10 ms of run over all rounds, and the sleep.
  const Oracle oracle = [](const Case& c) {
    std::int64_t total = 0;
    bool sleeps = false;
    for (const TaskDef& t : c.workload.tasks) {
      for (const Phase& p : t.phases) {
        for (const Op& o : p.ops) {
          if (o.kind == OpKind::run) total += o.amount.ns * p.loop;
          sleeps |= o.kind == OpKind::sleep;
        }
      }
    }
    return sleeps && total >= 10 * ms ? fails_as("long") : OracleAnswer{};
  };
  const Outcome<Reduced> reduced = reduce(original, oracle);
  ASSERT_TRUE(reduced.ok());
  const Phase& phase = reduced->best.workload.tasks[0].phases[0];
  EXPECT_EQ(reduced->best.workload.tasks[0].loop, 1);
  EXPECT_LE(phase.loop, 6);
  EXPECT_EQ(count_events(reduced->best), 2);
  for (const Op& o : phase.ops) {
    std::int64_t digits = o.amount.ns;
    while (digits % 10 == 0) digits /= 10;
    EXPECT_LT(digits, 10) << o.amount.ns;
  }
}

TEST(Reduce, UnrollsALoopWhenThatLetsEventsGo) {
  Case original = case_of({task("a",
                                {op(OpKind::run, ms),
                                 op(OpKind::yield),
                                 op(OpKind::sleep, ms),
                                 op(OpKind::sem_post, 0, "s")})});
  original.workload.tasks[0].loop = 2;
  // The second round needs only its first event: written out, one event of the two rounds suffices.
  const Oracle oracle = [](const Case& c) {
    std::vector<OpKind> kinds;
    for (std::int64_t round = 0; round < std::clamp<std::int64_t>(c.workload.tasks[0].loop, 1, 3);
         ++round) {
      for (const Op& o : all_ops(c)) kinds.push_back(o.kind);
    }
    const std::array<OpKind, 3> wanted = {OpKind::yield, OpKind::sleep, OpKind::yield};
    std::size_t found = 0;
    for (const OpKind kind : kinds) found += found < 3 && kind == wanted[found] ? 1 : 0;
    return found == 3 ? fails_as("twice") : OracleAnswer{};
  };
  const Outcome<Reduced> reduced = reduce(original, oracle);
  ASSERT_TRUE(reduced.ok());
  EXPECT_LE(count_events(reduced->best), 3);
  EXPECT_EQ(oracle(reduced->best).signature, "twice");
}

TEST(Reduce, NeverTriesALoopThatTakesNoTime) {
  const Case original = case_of({task("a", {op(OpKind::run, ms), op(OpKind::yield)})});
  const Oracle oracle = [](const Case& c) {
    bool yields = false, runs = false;
    for (const Op& o : all_ops(c)) {
      yields |= o.kind == OpKind::yield;
      runs |= o.kind == OpKind::run;
    }
    EXPECT_TRUE(runs || c.workload.tasks[0].loop >= 0);
    return yields ? fails_as("yields") : OracleAnswer{};
  };
  ASSERT_TRUE(reduce(original, oracle).ok());
}

TEST(Cuts, TakeReferencesAlong) {
  Case c = case_of({task("kid", {op(OpKind::run, ms)}),
                    task("mom", {op(OpKind::fork, 0, "kid"), op(OpKind::run, ms)}),
                    task("odd", {op(OpKind::resume, 0, "mom")})});
  c.workload.tasks[0].instances = 0;
  c.workload.labels = {{"mom", "input"}};
  c.workload.threads = {"kid"};
  const std::optional<Case> no_kid = without_tasks(c, {true, false, false});
  ASSERT_TRUE(no_kid.has_value());
  EXPECT_EQ(all_ops(*no_kid).size(), 2u);
  EXPECT_TRUE(no_kid->workload.threads.empty());
  // `odd` has nothing left to do without `mom`; and a lone `kid` is never started.
  EXPECT_FALSE(without_tasks(c, {false, true, false}).has_value());
}

TEST(Cuts, TakeLockUnlockAndWaitTogether) {
  const Case c = case_of({task("a",
                               {op(OpKind::lock, 0, "m"),
                                op(OpKind::run, ms),
                                op(OpKind::wait, 0, "c", "m"),
                                op(OpKind::unlock, 0, "m")})});
  const std::vector<OpUnit> units = op_units(c);
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[0].size(), 3u);  // lock, wait, unlock
  const std::optional<Case> unlocked = without_units(c, units, {true, false, false});
  ASSERT_TRUE(unlocked.has_value());
  ASSERT_EQ(all_ops(*unlocked).size(), 1u);
  EXPECT_EQ(all_ops(*unlocked)[0].kind, OpKind::run);
  EXPECT_FALSE(without_units(c, units, {true, true, true}).has_value());
}

TEST(Cuts, ReadTopologyNames) {
  EXPECT_EQ(cpus_of("1"), 1);
  EXPECT_EQ(cpus_of("2x4x2"), 16);
  EXPECT_EQ(cpus_of("numaq"), 16);
  EXPECT_EQ(cpus_of("machine.xml"), 0);
  EXPECT_EQ(cpus_of("host"), 0);
}

TEST(CanonicalText, TellsEveryFieldApartAndIgnoresTheRest) {
  const Case base = case_of({task("a", {op(OpKind::timer, 5 * us, "r")})});
  std::vector<Case> variants(15, base);
  variants[1].topology = "2";
  variants[2].balance = true;
  variants[3].horizon = {1};
  variants[4].spec.knobs["hz"] = 100;
  variants[5].spec.features["ALPHA"] = false;
  variants[6].workload.tasks[0].loop = 2;
  variants[7].workload.tasks[0].delay = {1};
  variants[8].workload.tasks[0].cpus = CpuSet::first(1);
  variants[9].workload.tasks[0].phases[0].nice = 0;
  variants[10].workload.tasks[0].phases[0].ops[0].absolute = true;
  variants[11].workload.spinlocks = {"r"};
  variants[12].workload.threads = {"r"};
  variants[13].workload.costs.cache_refill = {1};
  variants[14].workload.tasks[0].slice = Duration{0};
  std::set<std::string> texts;
  for (const Case& c : variants) texts.insert(canonical_text(c));
  EXPECT_EQ(texts.size(), variants.size());
  Case same = base;
  same.seed = 9;
  same.notes = {"x"};
  same.signature = "y";
  EXPECT_EQ(canonical_text(same), canonical_text(base));
}

}  // namespace
}  // namespace fw::reduce
