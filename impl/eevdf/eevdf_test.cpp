// SPDX-License-Identifier: Apache-2.0
// The worked examples of the dossier (section 7) on the class alone.
#include "impl/eevdf/eevdf.h"

#include <gtest/gtest.h>

#include <deque>

namespace impl::eevdf {
namespace {

struct NoLog final : MoveLog {
  void moved(int, int, int, Reason) override {}
  void marked(int) override {}
};

using Knobs = std::map<std::string, i64, std::less<>>;

/// A request with a base slice of 1.4 ms at HZ 250, whatever the version, and more knobs.
Request with(std::string version, Knobs more = {}) {
  more.insert({{"base_slice", 1'400'000}, {"hz", 250}});
  return {std::move(version), {}, std::move(more)};
}
Request profile(Profile p, Knobs more = {}) {
  more.emplace("profile", static_cast<i64>(p));
  return with("6.18", std::move(more));
}

/// A class on one CPU and tasks with chosen state on its queue.
class Bench {
 public:
  explicit Bench(const Request& request = with("6.18"))
      : fair(MachineShape{1, {}, {}}, request, false, log), rq(fair.queue(0)) {
    rq.base_vruntime = 0;
  }

  Task& task(int nice = 0, i64 slice = 0, TaskPolicy policy = TaskPolicy::normal) {
    Task& out = tasks.emplace_back();
    out.id = static_cast<int>(tasks.size()) - 1;
    out.nice = nice;
    out.policy = policy;
    out.allowed = CpuMask::all(1);
    fair.init_task(out);
    fair.set_slice(out, slice);
    return out;
  }
  /// Waiting with exactly this vruntime, and that deadline or a full slice away.
  Task& queued(int nice, i64 vruntime, i64 deadline = -1, i64 slice = 0) {
    Task& out = task(nice, slice);
    out.vruntime = static_cast<u64>(vruntime);
    out.deadline =
        deadline >= 0 ? static_cast<u64>(deadline) : out.vruntime + fair.delta_fair(out.slice, out);
    out.queued = out.on_rq = true;
    ++rq.nr_queued;
    ++rq.nr_running;
    rq.load.add(out.load.weight);
    fair.insert_entity(rq, out);
    return out;
  }
  Task& running(int nice, i64 vruntime, i64 deadline = -1, i64 slice = 0) {
    Task& out = queued(nice, vruntime, deadline, slice);
    fair.set_next_entity(rq, out, true);
    return out;
  }
  i64 average() const { return static_cast<i64>(EevdfClass::average_vruntime(rq)); }
  bool eligible(i64 v) const { return EevdfClass::eligible(rq, static_cast<u64>(v)); }

  NoLog log;
  std::deque<Task> tasks;
  EevdfClass fair;
  Runqueue& rq;
};

std::vector<i64> v_and_d(const Task& task) {
  return {static_cast<i64>(task.vruntime), static_cast<i64>(task.deadline)};
}
using Two = std::vector<i64>;

TEST(EevdfTunables, EE1BaseSlices) {
  for (const auto& [cpus, factor] :
       std::vector<std::pair<int, u64>>{{1, 1}, {2, 2}, {3, 2}, {4, 3}, {7, 3}, {8, 4}, {64, 4}}) {
    EXPECT_EQ(resolve({"6.6", {}, {}}, cpus).base_slice, 750'000 * factor);
    EXPECT_EQ(resolve({"6.12", {}, {}}, cpus).base_slice, 750'000 * factor);
    EXPECT_EQ(resolve({"6.18", {}, {}}, cpus).base_slice, 700'000 * factor);
    EXPECT_EQ(resolve({"6.18", {}, {}}, cpus).unscaled_slice, 700'000u);
  }
  EXPECT_EQ(resolve({"6.18", {}, {{"hz", 250}}}, 1).tick, 4'000'000u);
  EXPECT_EQ(resolve({"6.18", {}, {{"hz", 300}}}, 1).tick, 3'333'333u);
}

TEST(EevdfTunables, AFeatureThatTheProfileDoesNotKnowStaysOff) {
  const Tunables out = resolve(
      {"6.6", {{"DELAY_DEQUEUE", true}, {"PREEMPT_SHORT", true}, {"PLACE_LAG", false}}, {}}, 1);
  EXPECT_FALSE(out.delay_dequeue || out.preempt_short || out.place_rel_deadline || out.place_lag);
  EXPECT_TRUE(resolve({"6.6", {}, {{"profile", 1}}}, 1).delay_dequeue);
}

TEST(EevdfWeights, EE2RealToVirtual) {
  struct Row {
    int nice;
    std::vector<u64> expected;
  };
  const std::vector<u64> deltas = {1'400'000, 1'000'000, 4'000'000};
  const std::vector<Row> rows = {{-20, {16151, 11536, 46146}},
                                 {-10, {150146, 107247, 428990}},
                                 {-5, {459339, 328099, 1312399}},
                                 {-1, {1122631, 801879, 3207517}},
                                 {0, {1400000, 1000000, 4000000}},
                                 {1, {1748292, 1248780, 4995121}},
                                 {5, {4279403, 3056716, 12226865}},
                                 {10, {13032727, 9309090, 37236363}},
                                 {15, {39822222, 28444444, 113777777}},
                                 {19, {95573333, 68266666, 273066666}}};
  const auto inverse = [](u64 delta, const LoadWeight& load) {
    return vdelta(delta, load, VdeltaKind::inverse);
  };
  for (const Row& row : rows) {
    const LoadWeight load = weight_of(row.nice, TaskPolicy::normal);
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      EXPECT_EQ(inverse(deltas[i], load), row.expected[i]) << row.nice;
    }
  }
  const LoadWeight idle = weight_of(0, TaskPolicy::idle);
  EXPECT_EQ(inverse(1'400'000, idle), 477866666u);
  EXPECT_EQ(inverse(1'000'000, idle), 341333333u);
  EXPECT_EQ(inverse(4'000'000, idle), 1365333333u);
  EXPECT_EQ(inverse(1'500'000, weight_of(-5, TaskPolicy::normal)), 492149u);
  EXPECT_EQ(inverse(1'500'000, weight_of(5, TaskPolicy::normal)), 4585074u);
  EXPECT_EQ(inverse(1'500'000, weight_of(19, TaskPolicy::normal)), 102399999u);
  EXPECT_EQ(vdelta(1'400'000, weight_of(5, TaskPolicy::normal), VdeltaKind::full), 4279402u);
}

TEST(EevdfAverage, EE3RoundsDownAndIsItselfEligible) {
  Bench one;
  one.queued(0, 1000);
  one.queued(0, 1001);
  EXPECT_EQ(one.average(), 1000);
  EXPECT_TRUE(one.eligible(1000));
  EXPECT_FALSE(one.eligible(1001));
  Bench two;
  two.queued(0, -3);
  two.queued(0, 0);
  EXPECT_EQ(two.average(), -2);
  EXPECT_TRUE(two.eligible(-3) && two.eligible(-2));
  EXPECT_FALSE(two.eligible(-1) || two.eligible(0));
}

TEST(EevdfAverage, EE4And5UnequalWeightsAndClampedLags) {
  for (const i64 hz : {250, 1000}) {
    Bench bench(with("6.18", {{"hz", hz}}));
    const Task& a = bench.queued(0, 10'000'000);
    const Task& b = bench.running(5, 13'000'000);
    const Task& c = bench.queued(-5, 9'000'000);
    EXPECT_EQ(EevdfClass::total_load(bench.rq), 4480);
    EXPECT_EQ(bench.average(), 9527678);
    EXPECT_FALSE(bench.eligible(10'000'000) || bench.eligible(13'000'000));
    EXPECT_TRUE(bench.eligible(9'000'000));
    EXPECT_EQ(bench.fair.clamped_lag(bench.rq, a), -472322);
    EXPECT_EQ(bench.fair.clamped_lag(bench.rq, b), -3472322);
    EXPECT_EQ(bench.fair.clamped_lag(bench.rq, c), 527678);
    EXPECT_EQ(bench.fair.lag_limit(bench.rq, a), hz == 250 ? 4000000 : 2800000);
    EXPECT_EQ(bench.fair.lag_limit(bench.rq, b), hz == 250 ? 12226865 : 8558806);
    EXPECT_EQ(bench.fair.lag_limit(bench.rq, c), hz == 250 ? 1312399 : 918679);

    Bench far(with("6.18", {{"hz", hz}}));
    const Task& d = far.queued(0, 50'000'000);
    const Task& e = far.queued(0, 40'000'000);
    const Task& f = far.queued(19, 400'000'000);
    EXPECT_EQ(far.average(), 47581192);
    EXPECT_EQ(far.fair.clamped_lag(far.rq, d), -2418808);
    EXPECT_EQ(far.fair.clamped_lag(far.rq, e), hz == 250 ? 4000000 : 2800000);
    EXPECT_EQ(far.fair.clamped_lag(far.rq, f), hz == 250 ? -273066666 : -191146666);
  }
}

TEST(EevdfPlacement, EE6LagInflation) {
  struct Row {
    int nice;
    i64 vlag, vruntime, deadline;
  };
  const std::vector<Row> rows = {{0, 700000, 9250000, 10650000},
                                 {0, -700000, 11350000, 12750000},
                                 {0, 1, 10299999, 11699999},
                                 {0, -1, 10300001, 11700001},
                                 {5, 700000, 9485499, 13764902},
                                 {-5, -333333, 11141307, 11600646},
                                 {19, 5000000, 5263379, 100836712}};
  Bench bench;
  bench.queued(0, 10'000'000);
  bench.running(0, 10'600'000);
  for (const Row& row : rows) {
    Task& task = bench.task(row.nice);
    task.vlag = row.vlag;
    bench.fair.place_entity(bench.rq, task, false);
    EXPECT_EQ(v_and_d(task), (Two{row.vruntime, row.deadline})) << row.nice << " " << row.vlag;
  }
}

TEST(EevdfPlacement, EE7NewTask) {
  const auto forked = [](const Request& request, int nice) {
    Bench bench(request);
    bench.queued(0, 10'000'000);
    bench.running(0, 10'600'000);
    Task& child = bench.task(nice);
    bench.fair.task_fork(bench.rq, child);
    bench.fair.enqueue_task(bench.rq, child, {});
    return v_and_d(child);
  };
  EXPECT_EQ(forked(with("6.18"), 0), (Two{10300000, 11000000}));
  EXPECT_EQ(forked(with("6.12"), 0), (Two{10300000, 11000000}));
  EXPECT_EQ(forked(with("6.6"), 0), (Two{10300000, 11700000}));
  EXPECT_EQ(forked(with("6.18"), 5), (Two{10300000, 12439701}));
  EXPECT_EQ(forked(with("6.18"), -5), (Two{10300000, 10529669}));
  EXPECT_EQ(forked(with("6.18"), 10), (Two{10300000, 16816363}));
}

TEST(EevdfCharge, EE8DeadlineIsRenewedOnceReached) {
  struct Row {
    int nice;
    i64 deadline, ran, vruntime, renewed;
    bool marks;
  };
  const std::vector<Row> rows = {
      {0, 11400000, 1399999, 11399999, 11400000, false},
      {0, 11400000, 1400000, 11400000, 12800000, true},
      {5, 14279403, 1400001, 14279406, 18558809, true},
      {-5, 10459339, 1400005, 10459341, 10918680, true},
  };
  for (const char* version : {"6.6", "6.12", "6.18"}) {
    for (const Row& row : rows) {
      Bench bench(with(version));
      bench.queued(0, 10'000'000);
      const Task& task = bench.running(row.nice, 10'000'000, row.deadline);
      bench.fair.set_time(row.ran, 1);
      EXPECT_EQ(bench.fair.task_tick(bench.rq), row.marks ? Reason::deadline : Reason::none);
      EXPECT_EQ(v_and_d(task), (Two{row.vruntime, row.renewed})) << version << row.nice;
      EXPECT_EQ(bench.rq.need_resched, row.marks);
      EXPECT_EQ(task.sum_exec, static_cast<u64>(row.ran));
    }
  }
}

TEST(EevdfCharge, ALoneTaskIsNotMarked) {
  Bench bench;
  bench.running(0, 0);
  bench.fair.set_time(5'000'000, 1);
  EXPECT_EQ(bench.fair.task_tick(bench.rq), Reason::none);
  EXPECT_FALSE(bench.rq.need_resched);
}

TEST(EevdfPick, EE9EarliestDeadlineAmongTheEligible) {
  for (const char* version : {"6.6", "6.12", "6.18"}) {
    Bench bench(with(version));
    const Task& a = bench.queued(0, 1'000'000, 2'400'000);
    bench.queued(0, 3'000'000, 3'400'000);
    bench.queued(0, 2'000'000, 2'300'000);
    bench.queued(10, 1'500'000, 14'532'727);
    EXPECT_EQ(bench.average(), 1982715);
    EXPECT_EQ(bench.fair.pick_next_task(bench.rq).task, &a) << version;
  }
}

TEST(EevdfDelay, EE10AnIneligibleSleeperStaysUntilItsLagIsPaid) {
  for (const bool paid : {true, false}) {
    Bench bench;
    Task& a = bench.queued(0, 1'000'000);
    Task& b = bench.running(0, 1'400'000);
    bench.fair.dequeue_task(bench.rq, b, true);
    EXPECT_EQ(bench.average(), 1'200'000);
    EXPECT_TRUE(b.delayed && b.queued && !b.on_rq);
    EXPECT_EQ(bench.fair.pick_next_task(bench.rq).task, &a);
    a.vruntime = paid ? 1'900'000 : 1'200'000;
    bench.fair.enqueue_woken(bench.rq, b);
    EXPECT_TRUE(!b.delayed && b.on_rq);
    if (paid) {
      EXPECT_EQ(v_and_d(b), (Two{1900000, 3300000}));
      EXPECT_EQ(b.vlag, 0);
    } else {
      EXPECT_EQ(v_and_d(b), (Two{1400000, 2800000}));
      EXPECT_EQ(b.vlag, -100000);
    }
    EXPECT_EQ(bench.rq.nr_queued, 2u);
    EXPECT_EQ(bench.rq.nr_running, 2u);
  }
}

TEST(EevdfDelay, APickedSleeperLeavesForGood) {
  Bench bench;
  Task& a = bench.queued(0, 1'000'000);
  Task& b = bench.running(0, 1'400'000);
  bench.fair.dequeue_task(bench.rq, b, true);
  EXPECT_EQ(bench.fair.pick_next_task(bench.rq).task, &a);
  bench.fair.set_time(1'500'000, 1);
  bench.fair.dequeue_task(bench.rq, a, true);
  EXPECT_TRUE(a.delayed);
  const Pick pick = bench.fair.pick_next_task(bench.rq);
  EXPECT_EQ(pick.task, nullptr);
  EXPECT_EQ(pick.why, Reason::idle);
  EXPECT_EQ(bench.rq.nr_queued, 0u);
  EXPECT_EQ(b.vlag, 0) << "0.55 ms of positive lag are not kept";
  EXPECT_TRUE(!a.queued && !b.queued && !a.delayed && !b.delayed);
}

TEST(EevdfReweight, EE11AttributeChange) {
  struct Row {
    const char* version;
    i64 deadline;
  };
  for (const Row& row :
       std::vector<Row>{{"6.6", 15293581}, {"6.12", 12214178}, {"6.18", 14682237}}) {
    Bench bench(with(row.version));
    bench.queued(0, 10'000'000);
    Task& b = bench.running(0, 10'500'000, 11'700'000);
    bench.fair.renice_task(bench.rq, b, 5);
    EXPECT_EQ(b.vlag, -764179);
    EXPECT_EQ(v_and_d(b), (Two{11014178, row.deadline})) << row.version;
    EXPECT_EQ(bench.rq.curr, &b);
    EXPECT_TRUE(bench.rq.need_resched) << "weaker and not alone";
  }
}

TEST(EevdfReweight, EE11AttributeChangeOfAWaitingEntity) {
  Bench bench(with("6.18"));
  Task& b = bench.queued(0, 10'500'000, 11'700'000);
  const Task& a = bench.running(0, 10'000'000);
  bench.fair.renice_task(bench.rq, b, 5);
  EXPECT_EQ(v_and_d(b), (Two{11014178, 14682237}));
  EXPECT_EQ(bench.rq.curr, &a);
  EXPECT_EQ(bench.rq.nr_queued, 2u);
}

TEST(EevdfReweight, EE11And14InPlace) {
  struct Row {
    Profile profile;
    i64 reweight;
    bool running;
    i64 vruntime, deadline;
  };
  const std::vector<Row> rows = {
      {Profile::e66, 0, false, 10500000, 14168059},
      {Profile::e66, 0, true, 10500000, 14168059},
      {Profile::e612, 1, false, 11014179, 14682238},
      {Profile::e612, 1, true, 11014179, 14682238},
      {Profile::e618, 2, false, 11014178, 14682237},
      {Profile::e618, 2, true, 11075804, 14743863},
      {Profile::e618, 3, false, 11014179, 14682238},
      {Profile::e618, 3, true, 11014179, 14682238},
  };
  for (const Row& row : rows) {
    Bench bench(profile(row.profile, {{"reweight", row.reweight}}));
    bench.queued(0, 10'000'000);
    Task& b = row.running ? bench.running(0, 10'500'000, 11'700'000)
                          : bench.queued(0, 10'500'000, 11'700'000);
    bench.fair.reweight_queued(bench.rq, b, weight_of(5, TaskPolicy::normal));
    EXPECT_EQ(v_and_d(b), (Two{row.vruntime, row.deadline})) << row.reweight << row.running;
    EXPECT_EQ(EevdfClass::total_load(bench.rq), 1024 + 335);
    EXPECT_EQ(bench.rq.nr_queued, 2u);
  }
}

TEST(EevdfReweight, EE14ProtectionFollows) {
  for (const auto& [reweight, vprot] :
       std::vector<std::pair<i64, u64>>{{2, 12604162}, {3, 12542537}}) {
    Bench bench(profile(Profile::e618l, {{"reweight", reweight}}));
    bench.queued(0, 10'000'000);
    Task& b = bench.running(0, 10'500'000, 11'700'000);
    b.protection = 11'000'000;
    bench.fair.reweight_queued(bench.rq, b, weight_of(5, TaskPolicy::normal));
    EXPECT_EQ(b.protection, vprot);
  }
}

TEST(EevdfProtection, EE12LeastSliceOfTheOthers) {
  struct Row {
    int nice;
    i64 other_slice, protection;
  };
  const std::vector<Row> rows = {{0, 0, 6400000},
                                 {0, 100000000, 6400000},
                                 {0, 300000, 5300000},
                                 {0, 100000, 5100000},
                                 {5, 0, 9279403},
                                 {5, 300000, 5917014},
                                 {5, 100000, 5305671}};
  for (const Row& row : rows) {
    Bench bench;
    bench.queued(0, 5'000'000, -1, row.other_slice);
    const Task& curr = bench.running(row.nice, 5'000'000);
    EXPECT_EQ(curr.protection, static_cast<u64>(row.protection)) << row.nice << row.other_slice;
  }
  EXPECT_EQ(clamp_slice(50'000), 100'000u);
  EXPECT_EQ(clamp_slice(200'000'000), 100'000'000u);
  EXPECT_EQ(clamp_slice(0), 0u);
}

TEST(EevdfLagLimit, EE13GreatestSliceOnTheQueue) {
  for (const i64 hz : {250, 1000}) {
    const auto limit = [hz](int nice, i64 other_slice) {
      Bench bench(profile(Profile::e618l, {{"hz", hz}}));
      bench.queued(0, 0, -1, other_slice);
      bench.queued(0, 0);
      return bench.fair.lag_limit(bench.rq, bench.running(nice, 0));
    };
    EXPECT_EQ(limit(0, 0), hz == 250 ? 5400000 : 2400000);
    EXPECT_EQ(limit(-5, 0), hz == 250 ? 1771739 : 787439);
    EXPECT_EQ(limit(5, 0), hz == 250 ? 16506268 : 7336119);
    EXPECT_EQ(limit(19, 0), hz == 250 ? 368639999 : 163839999);
    EXPECT_EQ(limit(0, 100'000'000), hz == 250 ? 104000000 : 101000000);
    EXPECT_EQ(limit(5, 100'000'000), hz == 250 ? 317898509 : 308728360);
  }
}

// --- rules without a vector ---------------------------------------------------------------------

TEST(EevdfPick, TheCurrentKeepsItsProtectionAndLosesTiesFrom612On) {
  for (const char* version : {"6.6", "6.12", "6.18"}) {
    Bench bench(with(version));
    Task& waiting = bench.queued(0, 1'000'000, 2'000'000);
    Task& curr = bench.running(0, 1'000'000, 2'000'000);
    EXPECT_EQ(bench.fair.choose(bench.rq, true).why, Reason::protected_);
    const bool old = std::string(version) == "6.6";
    EXPECT_EQ(bench.fair.choose(bench.rq, false).task, old ? &curr : &waiting) << version;
  }
}

TEST(EevdfPreempt, AShorterSliceCancelsTheProtection) {
  for (const char* version : {"6.12", "6.18"}) {
    Bench bench(with(version));
    Task& curr = bench.running(0, 1'000'000, 2'400'000);
    Task& woken = bench.queued(0, 900'000, -1, 200'000);
    bench.fair.check_preempt_curr(bench.rq, woken, false);
    EXPECT_TRUE(bench.rq.need_resched) << version;
    EXPECT_EQ(curr.protection, std::string(version) == "6.12" ? 2'400'001u : 1'000'000u);
  }
}

TEST(EevdfPreempt, AShorterSliceThatLosesShortensTheProtection) {
  Bench bench(with("6.18"));
  Task& curr = bench.running(0, 1'000'000, 2'400'000);
  Task& woken = bench.queued(0, 1'200'000, -1, 200'000);
  bench.fair.check_preempt_curr(bench.rq, woken, false);
  EXPECT_FALSE(bench.rq.need_resched);
  EXPECT_EQ(curr.protection, 1'200'000u);
}

TEST(EevdfYield, PushesTheDeadlineOrForfeitsTheSlice) {
  for (const Profile p : {Profile::e618, Profile::e618s}) {
    const bool forfeits = p == Profile::e618s;
    Bench bench(profile(p));
    bench.queued(0, 2'000'000);
    const Task& curr = bench.running(0, 1'000'000, 2'400'000);
    bench.fair.yield_task(bench.rq);
    EXPECT_EQ(v_and_d(curr), (Two{forfeits ? 2400000 : 1000000, 3800000}));
    bench.fair.yield_task(bench.rq);
    EXPECT_EQ(v_and_d(curr), (Two{forfeits ? 2400000 : 1000000, forfeits ? 3800000 : 5200000}))
        << "not eligible any more: nothing is forfeited";
  }
}

}  // namespace
}  // namespace impl::eevdf
