// SPDX-License-Identifier: Apache-2.0
// The winner trees against a scan of all entities.
#include "impl/eevdf/winner_queue.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace impl::eevdf {
namespace {

struct Reference {
  struct Entity {
    u64 deadline, vruntime;
    WinnerQueue::Slot slot;
  };
  std::vector<Entity> entities;  // in order of insertion

  WinnerQueue::Slot pick(u64 limit) const {
    const Entity* best = nullptr;
    for (const Entity& entity : entities) {
      if (is_before(limit, entity.vruntime)) continue;
      if (best == nullptr || is_before(entity.deadline, best->deadline)) best = &entity;
    }
    return best == nullptr ? WinnerQueue::none : best->slot;
  }
};

/// Keys around a base (which may wrap) that moves on; the limit goes forward and back.
void compare(u64 base, u64 spread, std::size_t most, int steps, unsigned seed, u64 move = 0) {
  std::mt19937_64 random(seed);
  WinnerQueue queue;
  Reference reference;
  int picks = 0;
  for (int step = 0; step < steps; ++step) {
    base += move;
    const bool full = reference.entities.size() >= most;
    if (!full && (reference.entities.empty() || random() % 5 < 3)) {
      const u64 vruntime = base + random() % spread;
      const u64 deadline = base + random() % spread;
      reference.entities.push_back({deadline, vruntime, queue.insert(deadline, vruntime)});
    } else {
      const std::size_t at = random() % reference.entities.size();
      queue.erase(reference.entities[at].slot);
      reference.entities.erase(reference.entities.begin() + static_cast<std::ptrdiff_t>(at));
    }
    ASSERT_EQ(queue.size(), reference.entities.size());
    if (random() % 3 == 0) continue;  // some changes between two picks
    const u64 limit = base + random() % spread;
    const auto passes = [limit](u64 value) { return !is_before(limit, value); };
    const WinnerQueue::Slot picked = queue.pick(passes);
    ASSERT_EQ(picked, reference.pick(limit)) << step;
    picks += picked != WinnerQueue::none ? 1 : 0;
  }
  EXPECT_GT(picks, steps / 4);
}

TEST(WinnerQueue, AgreesWithAScanAndManyTies) { compare(0, 8, 60, 20'000, 1); }
TEST(WinnerQueue, AgreesWithAScanAndFewTies) { compare(1'000, 10'000'000, 200, 20'000, 2); }
TEST(WinnerQueue, AgreesWithAScanAcrossTheWrap) { compare(~u64{0} - 30, 60, 40, 20'000, 3); }
TEST(WinnerQueue, AgreesWithAScanAcrossTheSign) { compare((u64{1} << 63) - 40, 80, 40, 20'000, 4); }
TEST(WinnerQueue, AgreesWithAScanOfManyEntities) { compare(5'000, 3'000'000, 2'000, 12'000, 5); }
TEST(WinnerQueue, AgreesWhileItsKeysGoRoundTheRing) {
  compare(0, 1'000, 3, 20'000, 6, u64{1} << 53);
}
TEST(WinnerQueue, IsEmptyAtFirst) {
  WinnerQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.pick([](u64) { return true; }), WinnerQueue::none);
}

}  // namespace
}  // namespace impl::eevdf
