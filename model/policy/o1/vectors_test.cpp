// SPDX-License-Identifier: Apache-2.0
// The vectors of the O(1) dossier (section 10) on whole states.
#include <gtest/gtest.h>

#include "model/policy/o1/hand_made.h"

namespace fw::model::o1 {
namespace {

using U = std::vector<std::uint64_t>;

TEST(O1Vectors, O1_1AFreshTaskHasAFullSlice) {
  const std::vector<int> nices = {-20, -15, -10, -5, -1, 0, 1, 5, 10, 15, 19};
  const U virgin = {300, 262, 225, 188, 158, 151, 143, 114, 76, 39, 10};
  const U part1 = {200, 175, 151, 126, 107, 102, 97, 78, 53, 29, 10};
  Bench old, cut("o1,variant=part1");
  for (std::size_t i = 0; i < nices.size(); ++i) {
    EXPECT_EQ(old.task(old.sleeper(nices[i])).time_slice, virgin[i]);
    EXPECT_EQ(cut.task(cut.sleeper(nices[i])).time_slice, part1[i]);
  }
}

/// The priority after a wakeup that credits `sleep_avg` ticks.
std::uint64_t woken_prio(int nice, std::uint64_t sleep_avg) {
  Bench bench;
  const int id = bench.sleeper(nice);
  bench.set_sleep(id, sleep_avg > 0 ? sleep_avg - 1 : 0);
  bench.jiffies = 1;
  bench.task(id).sleep_timestamp = sleep_avg > 0 ? 0 : 1;
  bench.apply(StimulusKind::wake, id);
  EXPECT_EQ(bench.task(id).sleep_avg, sleep_avg);
  return bench.task(id).prio;
}

TEST(O1Vectors, O1_2And3Priorities) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> rows = {{0, 125},
                                                                     {199, 125},
                                                                     {200, 124},
                                                                     {999, 121},
                                                                     {1000, 120},
                                                                     {1399, 119},
                                                                     {1400, 118},
                                                                     {1999, 116},
                                                                     {2000, 115}};
  for (const auto& [sleep_avg, prio] : rows) EXPECT_EQ(woken_prio(0, sleep_avg), prio);
  EXPECT_EQ(woken_prio(-20, 2000), 100u);
  EXPECT_EQ(woken_prio(-20, 0), 105u);
  EXPECT_EQ(woken_prio(19, 0), 139u);
  EXPECT_EQ(woken_prio(18, 0), 139u);
  EXPECT_EQ(woken_prio(19, 2000), 134u);
}

/// Whether a task that uses its slice up with this sleep average stays active.
bool stays(const std::string& spec, int nice, std::uint64_t sleep_avg) {
  Bench bench(spec);
  const int id = bench.running(nice);
  bench.task(id).time_slice = 1;
  bench.set_sleep(id, sleep_avg + 1);
  bench.tick();
  EXPECT_EQ(bench.task(id).sleep_avg, sleep_avg);
  return bench.task(id).place == Place::active;
}

TEST(O1Vectors, O1_4LeastInteractiveSleepAverage) {
  const std::vector<int> nices = {-20, -10, -5, 0, 5, 10, 12, 15};
  const U two_seconds = {400, 1000, 1200, 1400, 1600, 1800, 2000, 2000};
  const U ten_seconds = {2000, 5000, 6000, 7000, 8000, 9000, 10000, 10000};
  for (std::size_t i = 0; i < nices.size(); ++i) {
    EXPECT_TRUE(stays("o1", nices[i], two_seconds[i]));
    EXPECT_FALSE(stays("o1", nices[i], two_seconds[i] - 1));
    EXPECT_TRUE(stays("o1,variant=part2", nices[i], ten_seconds[i]));
    EXPECT_FALSE(stays("o1,variant=both", nices[i], ten_seconds[i] - 1));
  }
  EXPECT_FALSE(stays("o1", 19, 2000));
  EXPECT_FALSE(stays("o1,variant=both", 19, 10'000));
}

TEST(O1Vectors, O1_5ForkSharesTheSlice) {
  Bench bench;
  const int parent = bench.running();
  const int child = bench.fork(parent);
  EXPECT_EQ(bench.task(child).time_slice, 76u);
  EXPECT_EQ(bench.task(parent).time_slice, 75u);
  EXPECT_TRUE(bench.task(child).first_time_slice);
  EXPECT_EQ(bench.task(child).place, Place::active);
  EXPECT_TRUE(bench.queue().marked);

  Bench last;
  const int spent = last.running();
  last.jiffies = 5;
  last.task(spent).time_slice = 1;
  const int heir = last.fork(spent);
  EXPECT_EQ(last.task(heir).time_slice, 1u);
  EXPECT_EQ(last.task(spent).time_slice, 151u);
  EXPECT_EQ(last.task(spent).prio, 125u);
  EXPECT_EQ(last.task(spent).place, Place::expired);
  EXPECT_EQ(last.queue().expired_timestamp, 5u);
}

TEST(O1Vectors, O1_6ForkSleep) {
  for (const auto& [spec, sleep_avg, prio] :
       std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>{
           {"o1", 1330, 119}, {"o1,variant=part1", 700, 122}}) {
    Bench bench(spec);
    const int parent = bench.running();
    bench.set_sleep(parent, 1400);
    const int child = bench.fork(parent);
    EXPECT_EQ(bench.task(parent).sleep_avg, 1400u);
    EXPECT_EQ(bench.task(parent).prio, 125u);  // not recomputed
    EXPECT_EQ(bench.task(child).sleep_avg, sleep_avg);
    EXPECT_EQ(bench.task(child).prio, prio);
  }
}

TEST(O1Vectors, O1_7Reap) {
  struct Row {
    std::uint64_t parent, child, left;
  };
  for (const Row& row : {Row{2000, 100, 1525}, Row{1333, 999, 1249}, Row{7, 6, 6}}) {
    Bench bench;
    const int parent = bench.running();
    const int child = bench.fork(parent);
    bench.set_sleep(parent, row.parent);
    bench.set_sleep(child, row.child);
    bench.task(child).time_slice = 70;
    bench.queue().curr = bench.queue().on_cpu = TaskId{child};
    bench.apply(StimulusKind::exit, child);
    EXPECT_EQ(bench.task(parent).time_slice, 145u);
    EXPECT_EQ(bench.task(parent).sleep_avg, row.left);
  }
}

TEST(O1Vectors, O1_8Wakeup) {
  Bench bench;
  const int a = bench.sleeper(), b = bench.sleeper();
  bench.set_sleep(a, 1385);
  bench.set_sleep(b, 1990);
  bench.jiffies = 137;
  for (const int id : {a, b}) {
    bench.task(id).sleep_timestamp = 100;
    bench.apply(StimulusKind::wake, id);
  }
  EXPECT_EQ(bench.task(a).sleep_avg, 1422u);
  EXPECT_EQ(bench.task(a).prio, 118u);
  EXPECT_EQ(bench.task(b).sleep_avg, 2000u);
  EXPECT_EQ(bench.task(b).prio, 115u);
}

TEST(O1Vectors, O1_9AFullSlice) {
  struct Row {
    const char* spec;
    int ticks;
    std::uint64_t start, end, prio;
    Place place;
  };
  for (const Row& row : {Row{"o1", 151, 1450, 1299, 119, Place::expired},
                         Row{"o1", 151, 1550, 1399, 119, Place::expired},
                         Row{"o1", 151, 1551, 1400, 118, Place::active},
                         Row{"o1,variant=both", 102, 7102, 7000, 118, Place::active},
                         Row{"o1,variant=both", 102, 7101, 6999, 119, Place::expired}}) {
    Bench bench(row.spec);
    const int id = bench.running();
    bench.set_sleep(id, row.start);
    for (int i = 0; i < row.ticks; ++i) {
      EXPECT_FALSE(bench.queue().marked);
      bench.tick();
    }
    EXPECT_TRUE(bench.queue().marked);
    ASSERT_EQ(bench.log.size(), 1u);
    EXPECT_EQ(bench.log[0].kind, DecisionKind::preempt);
    EXPECT_EQ(bench.log[0].why, Why::slice);
    EXPECT_EQ(bench.task(id).sleep_avg, row.end);
    EXPECT_EQ(bench.task(id).prio, row.prio);
    EXPECT_EQ(bench.task(id).place, row.place);
    EXPECT_EQ(bench.task(id).time_slice, static_cast<std::uint64_t>(row.ticks));
  }
}

/// Whether an interactive task whose slice ends at `now` is refused the active array.
bool starves(const std::string& spec, int nr_running, std::uint64_t now) {
  Bench bench(spec);
  const int id = bench.running();
  for (int i = 1; i < nr_running; ++i) bench.waiting(0, 0, Place::expired);
  bench.queue().expired_timestamp = 1000;
  bench.task(id).time_slice = 1;
  bench.set_sleep(id, bench.config.max_sleep_avg);
  bench.jiffies = now - 1;
  bench.tick();
  return bench.task(id).place == Place::expired;
}

TEST(O1Vectors, O1_10Starvation) {
  EXPECT_FALSE(starves("o1", 5, 11'000));
  EXPECT_TRUE(starves("o1", 5, 11'001));
  EXPECT_FALSE(starves("o1,variant=part2", 5, 151'000));
  EXPECT_TRUE(starves("o1,variant=part2", 5, 151'001));
  EXPECT_FALSE(starves("o1,variant=part2", 16, 481'000));
  EXPECT_TRUE(starves("o1,variant=part2", 16, 481'001));
  EXPECT_FALSE(starves("o1,variant=part2,starvation_limit=0", 5, 100'000'000));
  EXPECT_TRUE(starves("o1,starvation_limit=0", 5, 1001));
  EXPECT_FALSE(starves("o1,starvation_limit=0,limit0_never=1", 5, 100'000'000));
}

struct Attempt {
  bool idle;
  std::vector<int> lengths;
  U before;
  int busiest, moved;
};

TEST(O1Vectors, O1_11Balance) {
  for (const Attempt& row : {Attempt{false, {2, 7, 5, 3}, {1, 6, 8, 3}, 1, 2},
                             Attempt{true, {0, 7, 5, 3}, {1, 6, 8, 3}, 1, 1},
                             Attempt{false, {3, 5, 4, 4}, {3, 5, 4, 4}, -1, 0},
                             Attempt{false, {2, 4, 4, 9}, {3, 4, 4, 5}, -1, 0}}) {
    Bench bench("o1", machine(4));
    for (int cpu = 0; cpu < 4; ++cpu) {
      for (int i = 0; i < row.lengths[static_cast<std::size_t>(cpu)]; ++i) {
        if (i == 0) {
          bench.running(0, cpu);
        } else {
          bench.waiting(0, cpu);
        }
      }
    }
    bench.queue().prev_nr_running = row.before;
    bench.jiffies = 1000;
    bench.apply(StimulusKind::balance);
    EXPECT_EQ(bench.log.size(), static_cast<std::size_t>(row.moved));
    for (const Decision& d : bench.log) {
      EXPECT_EQ(d.kind, DecisionKind::migrate);
      EXPECT_EQ(d.from.value, row.busiest);
      EXPECT_EQ(d.why, Why::periodic);
    }
    EXPECT_EQ(bench.queue().prev_nr_running, U(row.lengths.begin(), row.lengths.end()));
  }
}

/// Four nodes of two CPUs, each with `running` tasks on one of them.
struct Search {
  U stored;
  int from = -1;
};
Search search(const std::string& spec, const U& before, const std::vector<int>& running) {
  Bench bench(spec + ",node_balance_rate=1", machine(8, 2));
  for (int node = 0; node < 4; ++node) {
    for (int i = 0; i < running[static_cast<std::size_t>(node)]; ++i) {
      // The own node's tasks are on its other CPU, so that this CPU would pull from any.
      bench.waiting(0, node == 0 ? 1 : 2 * node);
    }
  }
  bench.queue().prev_node_load = before;
  bench.jiffies = 1000;
  bench.apply(StimulusKind::balance);
  Search out;
  out.stored = bench.queue().prev_node_load;
  if (!bench.log.empty()) out.from = bench.log[0].from.value / 2;
  return out;
}

TEST(O1Vectors, O1_12NodeSearch) {
  const Search found = search("o1", {8, 12, 3, 20}, {5, 9, 4, 6});
  EXPECT_EQ(found.from, 3);
  EXPECT_EQ(found.stored, (U{9, 15, 5, 16}));
  const Search none = search("o1", {8, 8, 8, 8}, {8, 9, 11, 8});
  EXPECT_EQ(none.from, 0);  // no other node: the own one
  EXPECT_EQ(none.stored, (U{12, 13, 15, 12}));
  EXPECT_EQ(search("o1,node_threshold=none", {8, 8, 8, 8}, {8, 9, 10, 8}).from, 2);
  EXPECT_EQ(search("o1", {8, 8, 8, 8}, {8, 9, 10, 8}).from, 0);
}

}  // namespace
}  // namespace fw::model::o1
