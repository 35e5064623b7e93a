// SPDX-License-Identifier: Apache-2.0
// The dossier's vectors EE-1 to EE-14 on whole states.
#include <gtest/gtest.h>

#include "model/policy/eevdf/hand_made.h"

namespace fw::model::eevdf {
namespace {

constexpr std::uint64_t ms = 1'000'000;

TEST(EevdfVectors, EE1BaseSliceByVersionAndCpus) {
  const std::vector<std::pair<int, std::uint64_t>> rows = {{1, 1}, {2, 2}, {4, 3}, {8, 4}, {16, 4}};
  for (const auto& [cpus, factor] : rows) {
    for (const std::string version : {"6.6", "6.12", "6.18"}) {
      auto setup = settings(version, cpus);
      setup.spec.knobs.erase("base_slice");
      const std::uint64_t unscaled = version == "6.18" ? 700'000 : 750'000;
      EXPECT_EQ(configure(setup).base_slice_ns, unscaled * factor) << version << " " << cpus;
      EXPECT_EQ(configure(setup).unscaled_slice_ns, unscaled);
    }
  }
}

TEST(EevdfVectors, EE3AverageRoundsDown) {
  Bench bench(settings());
  bench.waiting(1000);
  bench.waiting(1001);
  EXPECT_EQ(bench.average(), 1000u);
  Bench below(settings());
  below.waiting(std::uint64_t{0} - 3);
  below.waiting(0);
  EXPECT_EQ(below.average(), std::uint64_t{0} - 2);
}

TEST(EevdfVectors, EE4And5AverageAndLags) {
  for (const int hz : {250, 1000}) {
    auto setup = settings("6.6");
    setup.spec.knobs["hz"] = hz;
    Bench bench(setup);
    bench.waiting(9 * ms, -5);  // C
    const int a = bench.running(10 * ms);
    bench.waiting(13 * ms, 5);  // B
    EXPECT_EQ(totals(bench.state, bench.queue()).weight, 4480u);
    EXPECT_TRUE(totals(bench.state, bench.queue()).sum == 42'684'000'000);
    EXPECT_EQ(bench.average(), 9'527'678u);
    EXPECT_EQ(bench.lag(a), -472'322);
    EXPECT_EQ(bench.lag(2), -3'472'322);
    EXPECT_EQ(bench.lag(0), 527'678);
    bench.apply(StimulusKind::block, a);
    EXPECT_EQ(bench.task(a).vlag, -472'322);
    EXPECT_EQ(bench.log.back().state[2], -472'322);
  }
}

TEST(EevdfVectors, EE5StoredLagsAreClamped) {
  struct Row {
    int leaver, hz;
    std::int64_t vlag;
  };
  // 0: A, 1: B, 2: C
  const std::vector<Row> rows = {{0, 250, -2'418'808},
                                 {1, 250, 4'000'000},
                                 {2, 250, -273'066'666},
                                 {0, 1000, -2'418'808},
                                 {1, 1000, 2'800'000},
                                 {2, 1000, -191'146'666}};
  for (const Row& row : rows) {
    auto setup = settings("6.6");
    setup.spec.knobs["hz"] = row.hz;
    Bench bench(setup);
    const std::vector<std::pair<std::uint64_t, int>> tasks = {
        {50 * ms, 0}, {40 * ms, 0}, {400 * ms, 19}};
    int leaver = -1;
    for (int i = 0; i < 3; ++i) {
      const auto& [v, nice] = tasks[static_cast<std::size_t>(i)];
      if (i == row.leaver) leaver = bench.running(v, nice);
      if (i != row.leaver) bench.waiting(v, nice);
    }
    EXPECT_EQ(bench.average(), 47'581'192u);
    bench.apply(StimulusKind::block, leaver);
    EXPECT_EQ(bench.task(leaver).vlag, row.vlag) << row.leaver << " " << row.hz;
  }
}

TEST(EevdfVectors, EE6PlacementKeepsTheLag) {
  struct Row {
    int nice;
    std::int64_t vlag;
    std::uint64_t v, deadline;
  };
  const std::vector<Row> rows = {{0, 700'000, 9'250'000, 10'650'000},
                                 {0, -700'000, 11'350'000, 12'750'000},
                                 {0, 1, 10'299'999, 11'699'999},
                                 {0, -1, 10'300'001, 11'700'001},
                                 {5, 700'000, 9'485'499, 13'764'902},
                                 {-5, -333'333, 11'141'307, 11'600'646},
                                 {19, 5'000'000, 5'263'379, 100'836'712}};
  for (const std::string version : {"6.6", "6.12", "6.18"}) {
    for (const Row& row : rows) {
      Bench bench(settings(version));
      bench.running(10 * ms);
      bench.waiting(10'600'000);
      const int woken = bench.sleeper(0, row.nice);
      bench.task(woken).vlag = row.vlag;
      bench.wake(woken);
      EXPECT_EQ(bench.task(woken).vruntime, row.v) << version;
      EXPECT_EQ(bench.task(woken).deadline, row.deadline) << version;
      EXPECT_NEAR(static_cast<double>(bench.lag(woken)), static_cast<double>(row.vlag), 1);
    }
  }
}

TEST(EevdfVectors, EE7NewTasks) {
  const std::vector<std::pair<int, std::uint64_t>> rows = {
      {0, 11'000'000}, {5, 12'439'701}, {-5, 10'529'669}, {10, 16'816'363}};
  for (const auto& [nice, deadline] : rows) {
    Bench bench(settings());
    const int parent = bench.running(10 * ms);
    bench.waiting(10'600'000);
    const int child = bench.fork(parent, nice);
    EXPECT_EQ(bench.task(child).vruntime, 10'300'000u);
    EXPECT_EQ(bench.task(child).deadline, deadline);
    EXPECT_EQ(bench.lag(child), 0);
  }
  Bench bench(settings("6.6"));
  const int parent = bench.running(10 * ms);
  bench.waiting(10'600'000);
  EXPECT_EQ(bench.task(bench.fork(parent)).deadline, 11'700'000u);
}

TEST(EevdfVectors, EE8Charge) {
  struct Row {
    int nice;
    std::uint64_t deadline;
    std::int64_t ran;
    std::uint64_t v, new_deadline;
    bool marks;
  };
  const std::vector<Row> rows = {{0, 11'400'000, 1'399'999, 11'399'999, 11'400'000, false},
                                 {0, 11'400'000, 1'400'000, 11'400'000, 12'800'000, true},
                                 {5, 14'279'403, 1'400'001, 14'279'406, 18'558'809, true},
                                 {-5, 10'459'339, 1'400'005, 10'459'341, 10'918'680, true}};
  for (const std::string version : {"6.6", "6.12", "6.18"}) {
    for (const Row& row : rows) {
      Bench bench(settings(version));
      const int id = bench.running(10 * ms, row.nice, row.deadline);
      bench.waiting(10 * ms);
      bench.apply(StimulusKind::tick, -1, row.ran);
      EXPECT_EQ(bench.task(id).vruntime, row.v);
      EXPECT_EQ(bench.task(id).deadline, row.new_deadline);
      EXPECT_EQ(bench.queue().marked, row.marks) << version;
      ASSERT_EQ(bench.log.size(), row.marks ? 1u : 0u);
      if (row.marks) {
        EXPECT_EQ(bench.log.back().why, Why::deadline);
      }
    }
  }
}

TEST(EevdfVectors, EE8AloneNobodyIsAskedToGo) {
  Bench bench(settings());
  const int id = bench.running(10 * ms);
  bench.apply(StimulusKind::tick, -1, 1'400'000);
  EXPECT_EQ(bench.task(id).deadline, 12'800'000u);
  EXPECT_FALSE(bench.queue().marked);
}

TEST(EevdfVectors, EE9EarliestEligibleDeadline) {
  for (const std::string version : {"6.6", "6.12", "6.18"}) {
    Bench bench(settings(version));
    const std::vector<std::array<std::uint64_t, 2>> by_v = {
        {1 * ms, 2'400'000}, {1'500'000, 14'532'727}, {2 * ms, 2'300'000}, {3 * ms, 3'400'000}};
    const std::vector<std::size_t> order = version == "6.6" ? std::vector<std::size_t>{0, 1, 2, 3}
                                                            : std::vector<std::size_t>{2, 0, 3, 1};
    int a = -1;
    for (const std::size_t i : order) {
      const int id = bench.waiting(by_v[i][0], i == 1 ? 10 : 0, by_v[i][1]);
      if (i == 0) a = id;
    }
    EXPECT_EQ(bench.average(), 1'982'715u);
    bench.schedule();
    EXPECT_EQ(bench.queue().curr.value, a) << version;
    EXPECT_EQ(bench.log.back().why, Why::earliest_deadline);
  }
}

TEST(EevdfVectors, EE10DelayedSleeper) {
  for (const std::uint64_t a_later : {1'900'000u, 1'200'000u}) {
    for (const std::string version : {"6.12", "6.18"}) {
      Bench bench(settings(version));
      const int a = bench.waiting(1 * ms);
      const int b = bench.running(1'400'000);
      EXPECT_EQ(bench.average(), 1'200'000u);
      bench.apply(StimulusKind::block, b);
      EXPECT_TRUE(bench.task(b).delayed);
      EXPECT_EQ(bench.log.back().nr, 1);
      EXPECT_EQ(bench.log.back().state[2], -200'000);
      bench.schedule();
      EXPECT_EQ(bench.queue().curr.value, a);
      EXPECT_EQ(bench.queue().tree.size(), 1u);
      const std::uint64_t deadline = bench.task(b).deadline;
      bench.task(a).vruntime = a_later;
      bench.wake(b);
      EXPECT_FALSE(bench.task(b).delayed);
      if (a_later == 1'900'000) {
        EXPECT_EQ(bench.task(b).vlag, 0);
        EXPECT_EQ(bench.task(b).vruntime, 1'900'000u);
        EXPECT_EQ(bench.task(b).deadline, 3'300'000u);
      } else {
        EXPECT_EQ(bench.task(b).vlag, -100'000);
        EXPECT_EQ(bench.task(b).vruntime, 1'400'000u);
        EXPECT_EQ(bench.task(b).deadline, deadline);
      }
    }
  }
}

TEST(EevdfVectors, EE11ReniceOfTheRunningTask) {
  const std::vector<std::pair<std::string, std::uint64_t>> rows = {
      {"6.6", 15'293'581}, {"6.12", 12'214'178}, {"6.18", 14'682'237}};
  for (const auto& [version, deadline] : rows) {
    Bench bench(settings(version));
    bench.waiting(10 * ms);
    const int b = bench.running(10'500'000, 0, 11'700'000);
    bench.apply(StimulusKind::renice, b, 0, 5);
    EXPECT_EQ(bench.task(b).vlag, -764'179);
    EXPECT_EQ(bench.task(b).vruntime, 11'014'178u);
    EXPECT_EQ(bench.task(b).deadline, deadline) << version;
    EXPECT_EQ(bench.queue().curr.value, b);
    EXPECT_EQ(bench.task(b).protection, deadline);
    EXPECT_TRUE(bench.queue().marked);  // weaker, and not alone
    EXPECT_EQ(bench.queue().tree.size(), 1u);
  }
}

TEST(EevdfVectors, EE11WithTheRuleOfLater612) {
  auto setup = settings("6.12");
  setup.spec.knobs["reweight"] = static_cast<std::int64_t>(Reweight::e618);
  Bench bench(setup);
  bench.waiting(10 * ms);
  const int b = bench.running(10'500'000, 0, 11'700'000);
  bench.apply(StimulusKind::renice, b, 0, 5);
  EXPECT_EQ(bench.task(b).deadline, 14'682'237u);
}

struct InPlace {
  std::string version;
  std::map<std::string, std::int64_t> knobs;
  bool runs;
  std::uint64_t v, deadline, protection;
};

TEST(EevdfVectors, EE11And14ReweightInPlace) {
  const auto e71 = static_cast<std::int64_t>(Reweight::e71);
  const std::vector<InPlace> rows = {
      {"6.6", {}, true, 10'500'000, 14'168'059, 0},
      {"6.6", {}, false, 10'500'000, 14'168'059, 0},
      {"6.12", {}, true, 11'014'179, 14'682'238, 0},
      {"6.12", {}, false, 11'014'179, 14'682'238, 0},
      {"6.18", {}, false, 11'014'178, 14'682'237, 0},
      {"6.18", {}, true, 11'075'804, 14'743'863, 11'000'000},
      {"6.18", {{"vprot_on_reweight", 1}}, true, 11'075'804, 14'743'863, 12'604'162},
      {"6.18", {{"profile", 4}}, true, 11'075'804, 14'743'863, 12'604'162},
      {"6.18", {{"reweight", e71}}, true, 11'014'179, 14'682'238, 11'000'000},
      {"6.18", {{"reweight", e71}}, false, 11'014'179, 14'682'238, 0},
      {"6.18", {{"profile", 4}, {"reweight", e71}}, true, 11'014'179, 14'682'238, 12'542'537}};
  for (const InPlace& row : rows) {
    auto setup = settings(row.version);
    for (const auto& [name, value] : row.knobs) setup.spec.knobs[name] = value;
    Bench bench(setup);
    const int a = row.runs ? bench.waiting(10 * ms) : bench.running(10 * ms);
    const int b = row.runs ? bench.running(10'500'000, 0, 11'700'000)
                           : bench.waiting(10'500'000, 0, 11'700'000);
    if (row.runs) bench.task(b).protection = 11'000'000;
    bench.state = reweighted(
        bench.config, std::move(bench.state), TaskId{b}, rules::eevdf::weight_of_nice(5), {0});
    EXPECT_EQ(bench.task(b).vruntime, row.v) << row.version << row.runs;
    EXPECT_EQ(bench.task(b).deadline, row.deadline) << row.version << row.runs;
    if (row.protection != 0) {
      EXPECT_EQ(bench.task(b).protection, row.protection) << row.version;
    }
    EXPECT_EQ(bench.task(a).vruntime, 10 * ms);
    EXPECT_EQ(totals(bench.state, bench.queue()).weight, 1024u + 335u);
  }
}

TEST(EevdfVectors, EE12ProtectionOfTheShortestSlice) {
  struct Row {
    int nice;
    std::int64_t least;
    std::uint64_t protection;
  };
  const std::vector<Row> rows = {{0, 2'000'000, 6'400'000},
                                 {0, 300'000, 5'300'000},
                                 {0, 100'000, 5'100'000},
                                 {0, 50'000, 5'100'000},
                                 {5, 0, 9'279'403},
                                 {5, 300'000, 5'917'014},
                                 {5, 100'000, 5'305'671}};
  for (const Row& row : rows) {
    Bench bench(settings());
    const int picked = bench.waiting(5 * ms, row.nice);
    const int other = bench.sleeper(6 * ms, 0, row.least);
    bench.queued(other, 100 * ms);
    bench.schedule();
    ASSERT_EQ(bench.queue().curr.value, picked);
    EXPECT_EQ(bench.task(picked).protection, row.protection) << row.nice << " " << row.least;
  }
  Bench bench(settings());
  EXPECT_EQ(bench.task(bench.sleeper(0, 0, 50'000)).slice, 100'000u);
  EXPECT_EQ(bench.task(bench.sleeper(0, 0, 200'000'000)).slice, 100'000'000u);
}

TEST(EevdfVectors, EE13LagLimitOfTheGreatestSlice) {
  struct Row {
    int hz, nice;
    std::int64_t request;
    std::int64_t limit;
  };
  const std::vector<Row> rows = {{250, 0, 0, 5'400'000},
                                 {1000, 0, 0, 2'400'000},
                                 {250, -5, 0, 1'771'739},
                                 {1000, 5, 0, 7'336'119},
                                 {250, 19, 0, 368'639'999},
                                 {250, 0, 100'000'000, 104'000'000},
                                 {1000, 0, 100'000'000, 101'000'000},
                                 {250, 5, 100'000'000, 317'898'509},
                                 {1000, 5, 100'000'000, 308'728'360}};
  for (const Row& row : rows) {
    auto setup = settings();
    setup.spec.knobs["lag_limit"] = 1;
    setup.spec.knobs["hz"] = row.hz;
    setup.spec.features["DELAY_DEQUEUE"] = false;
    Bench bench(setup);
    const int other = bench.sleeper(0, 0, row.request);
    bench.queued(other, 1);
    const int leaver = bench.running(1'000'000 * ms, row.nice);
    bench.apply(StimulusKind::block, leaver);
    EXPECT_EQ(bench.task(leaver).vlag, -row.limit) << row.hz << " " << row.nice;
  }
}

}  // namespace
}  // namespace fw::model::eevdf
