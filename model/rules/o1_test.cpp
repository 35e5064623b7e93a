// SPDX-License-Identifier: Apache-2.0
// The published vectors of the O(1) dossier, as far as they are arithmetic. The model's own test
// has them again on whole states.
#include "model/rules/o1.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "model/rules/o1_balance.h"

namespace fw::rules::o1 {
namespace {

using U = std::vector<u64>;
constexpr u64 never = ~u64{0};

u64 prio(int nice, u64 sleep_avg, u64 longest = 2000) {
  return effective_prio(static_prio(nice), sleep_avg, longest, 25);
}
bool is_interactive(int nice, u64 sleep_avg, u64 longest = 2000) {
  return interactive(prio(nice, sleep_avg, longest), interactive_limit(static_prio(nice), 25, 2));
}

TEST(O1Rules, O1_1Timeslices) {
  const std::vector<int> nices = {-20, -15, -10, -5, -1, 0, 1, 5, 10, 15, 19};
  const U virgin = {300, 262, 225, 188, 158, 151, 143, 114, 76, 39, 10};
  const U part1 = {200, 175, 151, 126, 107, 102, 97, 78, 53, 29, 10};
  for (std::size_t i = 0; i < nices.size(); ++i) {
    EXPECT_EQ(timeslice(static_prio(nices[i]), u64{10}, u64{300}), virgin[i]) << nices[i];
    EXPECT_EQ(timeslice(static_prio(nices[i]), u64{10}, u64{200}), part1[i]) << nices[i];
  }
}

TEST(O1Rules, O1_2Bonus) {
  const std::vector<std::pair<u64, u64>> rows = {{0, 125},
                                                 {199, 125},
                                                 {200, 124},
                                                 {999, 121},
                                                 {1000, 120},
                                                 {1399, 119},
                                                 {1400, 118},
                                                 {1999, 116},
                                                 {2000, 115}};
  for (const auto& [sleep_avg, want] : rows) EXPECT_EQ(prio(0, sleep_avg), want) << sleep_avg;
}

TEST(O1Rules, O1_3Clamps) {
  EXPECT_EQ(prio(-20, 2000), 100u);
  EXPECT_EQ(prio(-20, 0), 105u);
  EXPECT_EQ(prio(19, 0), 139u);
  EXPECT_EQ(prio(18, 0), 139u);
  EXPECT_EQ(prio(19, 2000), 134u);
}

u64 least_interactive(int nice, u64 longest) {
  for (u64 s = 0; s <= longest; ++s) {
    if (is_interactive(nice, s, longest)) return s;
  }
  return never;
}

TEST(O1Rules, O1_4LeastInteractiveSleepAverage) {
  const std::vector<int> nices = {-20, -10, -5, 0, 5, 10, 12, 15, 19};
  const U two_seconds = {400, 1000, 1200, 1400, 1600, 1800, 2000, 2000, never};
  const U ten_seconds = {2000, 5000, 6000, 7000, 8000, 9000, 10000, 10000, never};
  for (std::size_t i = 0; i < nices.size(); ++i) {
    EXPECT_EQ(least_interactive(nices[i], 2000), two_seconds[i]) << nices[i];
    EXPECT_EQ(least_interactive(nices[i], 10000), ten_seconds[i]) << nices[i];
  }
}

TEST(O1Rules, DeltaByNice) {
  const std::vector<std::pair<int, int>> firsts = {{-20, -3},
                                                   {-19, -2},
                                                   {-15, -1},
                                                   {-11, 0},
                                                   {-7, 1},
                                                   {-3, 2},
                                                   {4, 3},
                                                   {8, 4},
                                                   {12, 5},
                                                   {16, 6}};
  std::size_t row = 0;
  for (int nice = -20; nice <= 19; ++nice) {
    if (row + 1 < firsts.size() && firsts[row + 1].first == nice) ++row;
    EXPECT_EQ(interactive_limit(static_prio(nice), 25, 2),
              static_prio(nice) - static_cast<u64>(firsts[row].second))
        << nice;
  }
}

TEST(O1Rules, O1_5ForkSlices) {
  EXPECT_EQ(child_slice(u64{151}), 76u);
  EXPECT_EQ(parent_slice(u64{151}), 75u);
  EXPECT_EQ(child_slice(u64{1}), 1u);
  EXPECT_EQ(parent_slice(u64{1}), 0u);
}

TEST(O1Rules, O1_6ForkSleep) {
  EXPECT_EQ(prio(0, 1400), 118u);
  EXPECT_EQ(penalized(u64{1400}, u64{100}), 1400u);
  EXPECT_EQ(penalized(u64{1400}, u64{95}), 1330u);
  EXPECT_EQ(prio(0, 1330), 119u);
  EXPECT_EQ(penalized(u64{1400}, u64{50}), 700u);
  EXPECT_EQ(prio(0, 700), 122u);
}

TEST(O1Rules, O1_7Reap) {
  EXPECT_EQ(slice_returned(u64{75}, u64{70}, u64{300}), 145u);
  EXPECT_EQ(slice_returned(u64{250}, u64{70}, u64{300}), 300u);
  EXPECT_EQ(reaped_sleep_avg(u64{2000}, u64{100}, u64{3}), 1525u);
  EXPECT_EQ(reaped_sleep_avg(u64{1333}, u64{999}, u64{3}), 1249u);
  EXPECT_EQ(reaped_sleep_avg(u64{7}, u64{6}, u64{3}), 6u);
  EXPECT_EQ(reaped_sleep_avg(u64{100}, u64{2000}, u64{3}), 100u);
}

TEST(O1Rules, O1_8Wakeup) {
  EXPECT_EQ(prio(0, 1385), 119u);
  EXPECT_EQ(sleep_credited(u64{1385}, u64{37}, u64{2000}), 1422u);
  EXPECT_EQ(prio(0, 1422), 118u);
  EXPECT_EQ(sleep_credited(u64{1990}, u64{37}, u64{2000}), 2000u);
  EXPECT_EQ(prio(0, 2000), 115u);
}

TEST(O1Rules, O1_9AFullSlice) {
  struct Row {
    u64 start, ticks, longest, end, prio;
    bool stays;
  };
  const std::vector<Row> rows = {{1450, 151, 2000, 1299, 119, false},
                                 {1550, 151, 2000, 1399, 119, false},
                                 {1551, 151, 2000, 1400, 118, true},
                                 {7102, 102, 10000, 7000, 118, true},
                                 {7101, 102, 10000, 6999, 119, false}};
  for (const Row& row : rows) {
    u64 s = row.start;
    for (u64 tick = 0; tick < row.ticks; ++tick) s = tick_paid(s);
    EXPECT_EQ(s, row.end);
    EXPECT_EQ(prio(0, s, row.longest), row.prio);
    EXPECT_EQ(!expires<u64>(is_interactive(0, s, row.longest), false), row.stays);
  }
  EXPECT_EQ(tick_paid(u64{0}), 0u);
  EXPECT_TRUE(expires<u64>(true, true));
}

u64 first_starving(u64 since, u64 limit, u64 nr_running, bool zero_is_never, u64 horizon) {
  for (u64 now = since; now < horizon; ++now) {
    if (starving(since, now, limit, nr_running, zero_is_never)) return now;
  }
  return never;
}

TEST(O1Rules, O1_10Starving) {
  EXPECT_EQ(first_starving(1000, 2000, 5, false, 600'000), 11'001u);
  EXPECT_EQ(first_starving(1000, 30'000, 5, true, 600'000), 151'001u);
  EXPECT_EQ(first_starving(1000, 30'000, 16, true, 600'000), 481'001u);
  EXPECT_EQ(first_starving(1000, 0, 5, true, 600'000), never);
  EXPECT_EQ(first_starving(1000, 0, 5, false, 600'000), 1001u);
  EXPECT_FALSE(starving<u64>(0, 600'000, 2000, 5, false));
}

struct Attempt {
  bool idle;
  U lengths, before;
  int busiest;
  u64 imbalance;
};

TEST(O1Rules, O1_11Balance) {
  const std::vector<Attempt> rows = {{false, {2, 7, 5, 3}, {1, 6, 8, 3}, 1, 2},
                                     {true, {0, 7, 5, 3}, {1, 6, 8, 3}, 1, 3},
                                     {false, {3, 5, 4, 4}, {3, 5, 4, 4}, 1, 0},
                                     {false, {2, 4, 4, 9}, {3, 4, 4, 5}, 3, 0}};
  for (const Attempt& row : rows) {
    const u64 mine = own_load(row.lengths[0], row.before[0], row.idle);
    u64 best = least_best;
    int busiest = -1;
    for (std::size_t cpu = 1; cpu < row.lengths.size(); ++cpu) {
      const u64 load = other_load(row.lengths[cpu], row.before[cpu], row.idle);
      if (load > best) best = load, busiest = static_cast<int>(cpu);
    }
    EXPECT_EQ(busiest, row.busiest);
    EXPECT_EQ(imbalance(best, mine, row.idle), row.imbalance);
    if (row.imbalance > 0) {
      EXPECT_TRUE(worth_locking(row.lengths[static_cast<std::size_t>(busiest)], mine));
    }
  }
  EXPECT_FALSE(worth_locking(u64{4}, u64{3}));
  EXPECT_FALSE(cache_cold(u64{12}, u64{10}, u64{2}));
  EXPECT_TRUE(cache_cold(u64{13}, u64{10}, u64{2}));
}

int busiest_node(const U& before, const U& running, u64 threshold, U& stored) {
  stored.clear();
  for (std::size_t i = 0; i < before.size(); ++i) {
    stored.push_back(node_load(before[i], running[i]));
  }
  int answer = -1;
  u64 best = stored[0];
  for (std::size_t i = 1; i < stored.size(); ++i) {
    if (!node_overloaded(stored[i], best, stored[0], threshold)) continue;
    best = stored[i];
    answer = static_cast<int>(i);
  }
  return answer;
}

TEST(O1Rules, O1_12NodeSearch) {
  U stored;
  EXPECT_EQ(busiest_node({8, 12, 3, 20}, {5, 9, 4, 6}, 125, stored), 3);
  EXPECT_EQ(stored, (U{9, 15, 5, 16}));
  EXPECT_EQ(busiest_node({8, 8, 8, 8}, {8, 9, 11, 8}, 125, stored), -1);
  EXPECT_EQ(stored, (U{12, 13, 15, 12}));
  EXPECT_EQ(busiest_node({8, 8, 8, 8}, {8, 9, 10, 8}, 0, stored), 2);
}

TEST(O1Rules, CacheDecay) {
  EXPECT_EQ(cache_decay_ticks(700'000, 1024, 1000), 2u);
  EXPECT_EQ(cache_decay_ticks(700'000, 2048, 1000), 5u);
  EXPECT_EQ(cache_decay_ticks(500'000, 512, 1000), 1u);
}

}  // namespace
}  // namespace fw::rules::o1
