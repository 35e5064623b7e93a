// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "impl/base/cpu_mask.h"
#include "impl/base/event_queue.h"
#include "impl/base/fixed_point.h"
#include "impl/base/timeline.h"

namespace impl {
namespace {

TEST(FixedPoint, E2LazyReciprocals) {
  const std::vector<std::pair<u64, u64>> rows = {{1024, 4190212},
                                                 {2048, 2096129},
                                                 {3072, 1397646},
                                                 {4096, 1048320},
                                                 {335, 12782641},
                                                 {15, 268435456},
                                                 {3, 1073741824},
                                                 {2, 1431655766},
                                                 {1, 2147483649},
                                                 {88761, 48387},
                                                 {100000, 42949},
                                                 {0, 4294967297ull},
                                                 {u64{1} << 32, 1}};
  for (const auto& [weight, inverse] : rows) EXPECT_EQ(lazy_inverse(weight), inverse) << weight;
}

TEST(FixedPoint, E4StepsBySixtyFourBeyondTwoToThe32) {
  const std::vector<u64> deltas = {4194304, 4194305, 4194336, 4194337, 4194400, 4194401};
  const std::vector<u64> nice_1 = {5237765, 5237765, 5237845, 5237845, 5237925, 5237925};
  const std::vector<u64> nice_10 = {39045157, 39045157, 39045753, 39045753, 39046349, 39046349};
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    LoadWeight one{820, 5237765};
    LoadWeight ten{110, 39045157};
    EXPECT_EQ(calc_delta(deltas[i], 1024, one), nice_1[i]);
    EXPECT_EQ(calc_delta(deltas[i], 1024, ten), nice_10[i]);
  }
  const std::vector<std::pair<u64, u64>> queue = {{4194304, 2096129},
                                                  {4194305, 2096129},
                                                  {4194335, 2096129},
                                                  {4194336, 2096161},
                                                  {4194337, 2096161}};
  for (const auto& [delta, expected] : queue) {
    LoadWeight load{2048, 0};
    EXPECT_EQ(calc_delta(delta, 1024, load), expected);
    EXPECT_EQ(load.inverse, 2096129u);  // filled in
  }
  for (const auto& [delta, expected] : std::vector<std::pair<u64, u64>>{
           {31457216, 2147479278}, {31457279, 2147483648}, {100000000, 6826666665}}) {
    LoadWeight nineteen{15, 286331153};
    EXPECT_EQ(calc_delta(delta, 1024, nineteen), expected);
  }
}

TEST(FixedPoint, ChangingALoadForgetsItsReciprocal) {
  LoadWeight load{1024, 4190212};
  load.add(1024);
  EXPECT_EQ(load.inverse, 0u);
  EXPECT_EQ(load.weight, 2048u);
  calc_delta(1, 1, load);
  load.subtract(1024);
  EXPECT_EQ(load.inverse, 0u);
}

TEST(FixedPoint, OrderWraps) {
  EXPECT_TRUE(is_before(~u64{0}, 1));
  EXPECT_EQ(later_of(~u64{0}, 1), 1u);
  EXPECT_EQ(earlier_of(~u64{0}, 1), ~u64{0});
}

TEST(FixedPoint, E18AverageRoundsDown) {
  u64 average = 1000000;
  std::vector<u64> seen;
  for (const u64 sample : {0u, 0u, 3000000u, 250000u}) {
    average = update_avg(average, sample);
    seen.push_back(average);
  }
  EXPECT_EQ(seen, (std::vector<u64>{875000, 765625, 1044921, 945555}));
  seen.clear();
  average = 5;
  for (int i = 0; i < 6; ++i) seen.push_back(average = update_avg(average, 0));
  EXPECT_EQ(seen, (std::vector<u64>{4, 3, 2, 1, 0, 0}));
}

struct Entity {
  u64 key = 0;
  int id = 0;
  TreeHook tree;
  ListHook list;
};
struct KeyBefore {
  bool operator()(const Entity& a, const Entity& b) const { return is_before(a.key, b.key); }
};

// Dense keys around the wrap of 2^64, so that ties and wraps are frequent.
TEST(Timeline, AgreesWithAStableMultimap) {
  std::mt19937_64 random(1);
  std::vector<Entity> entities(64);
  Timeline<Entity, &Entity::tree, KeyBefore> timeline;
  TaskList<Entity, &Entity::list> list;
  std::multimap<i64, int> oracle;  // by signed distance from the wrap; stable among equals
  std::vector<std::multimap<i64, int>::iterator> where(entities.size());
  std::vector<int> newest_first;
  std::vector<bool> in(entities.size());
  const u64 centre = 0;
  for (int step = 0; step < 20000; ++step) {
    const std::size_t i = random() % entities.size();
    Entity& entity = entities[i];
    if (in[i]) {
      timeline.erase(entity);
      list.erase(entity);
      oracle.erase(where[i]);
      std::erase(newest_first, static_cast<int>(i));
    } else {
      entity.id = static_cast<int>(i);
      entity.key = centre + random() % 8 - 4;
      timeline.insert(entity);
      list.push_front(entity);
      where[i] = oracle.emplace(distance(entity.key, centre), entity.id);
      newest_first.insert(newest_first.begin(), entity.id);
    }
    in[i] = !in[i];
    ASSERT_EQ(timeline.empty(), oracle.empty());
    if (oracle.empty()) {
      ASSERT_EQ(timeline.leftmost(), nullptr);
      ASSERT_EQ(timeline.rightmost(), nullptr);
      continue;
    }
    ASSERT_EQ(timeline.leftmost()->id, oracle.begin()->second);
    ASSERT_EQ(timeline.rightmost()->id, oracle.rbegin()->second);
    if (step % 16 != 0) continue;
    std::vector<int> ours, theirs, listed;
    for (const Entity& entry : timeline) ours.push_back(entry.id);
    for (const auto& [key, id] : oracle) theirs.push_back(id);
    for (const Entity& entry : list) listed.push_back(entry.id);
    ASSERT_EQ(ours, theirs);
    ASSERT_EQ(listed, newest_first);
  }
}

TEST(EventQueue, AgreesWithASortedMap) {
  std::mt19937_64 random(2);
  EventQueue queue;
  queue.resize(40);
  std::map<std::size_t, std::int64_t> oracle;  // slot -> time
  for (int step = 0; step < 50000; ++step) {
    const std::size_t slot = random() % queue.slots();
    switch (random() % 3) {
      case 0:
      case 1: {
        const auto time = static_cast<std::int64_t>(random() % 50);
        queue.set(slot, time);
        oracle[slot] = time;
        break;
      }
      default:
        queue.remove(slot);
        oracle.erase(slot);
    }
    ASSERT_EQ(queue.size(), oracle.size());
    ASSERT_EQ(queue.pending(slot), oracle.count(slot) > 0);
    if (oracle.empty()) continue;
    std::int64_t first = INT64_MAX;
    for (const auto& [at, time] : oracle) first = std::min(first, time);
    ASSERT_EQ(queue.first_time(), first);
    ASSERT_EQ(oracle.at(queue.first_slot()), first);
  }
}

TEST(CpuMask, FindsMembersAcrossWords) {
  CpuMask mask(130);
  EXPECT_EQ(mask.first(), -1);
  for (const int cpu : {0, 63, 64, 129}) mask.set(cpu);
  EXPECT_EQ(mask.first(), 0);
  EXPECT_EQ(mask.next(1), 63);
  EXPECT_EQ(mask.next(64), 64);
  EXPECT_EQ(mask.next(65), 129);
  EXPECT_EQ(mask.next(130), -1);
  mask.clear(63);
  EXPECT_EQ(mask.next(1), 64);
  CpuMask other(130);
  other.set(63);
  EXPECT_FALSE(mask.intersects(other));
  EXPECT_TRUE(CpuMask::all(130).intersects(other));
}

}  // namespace
}  // namespace impl
