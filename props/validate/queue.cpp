// SPDX-License-Identifier: Apache-2.0
#include "props/validate/queue.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fw::validate {

namespace rc = rules::cfs;
namespace r61 = rules::cfs61;
using rules::later;

/// By then every task that was runnable without a line having said so has run.
constexpr Duration settling{100'000'000};

bool is_fair(std::int32_t prio) { return prio >= 100 && prio <= 139; }

rc::Load<u64> load_of_prio(std::int32_t prio) {
  rc::Load<u64> load = rc::load_of_nice(std::clamp(prio, 100, 139) - 120);
  if (FW_FAULT(V01_inverse_floored)) load.inverse = (u64{1} << 32) / load.weight;
  return load;
}

void Queue::start(u64 v, Instant now) {
  if (started_) return;
  started_ = true;
  min_ = v;
  expect_lower_min(now);
}

void Queue::doubtful(Instant now) {
  complete_from_ = now + settling;
  expect_lower_min(now);
}

void Queue::expect_lower_min(Instant now) {
  min_sure_ = false;
  unsure_since_ = now;
  // Whoever runs was placed at most a credit behind it.
  min_limit_ = min_ + settings_.tunables.latency;
}

void Queue::learn_min(u64 min) {
  min_ = min_sure_ ? rc::later_of(min_, min) : min;
  min_sure_ = started_ = true;
  update_min({});
}

void Queue::update_min(Instant now) {
  if (!started_) return;
  const bool has_current =
      curr != nullptr && (curr->on_rq() || FW_FAULT(V02_min_counts_current_that_left));
  min_ = rc::updated_min(min_,
                         has_current,
                         has_current ? curr->v : 0,
                         !tree.empty(),
                         tree.empty() ? 0 : tree.front()->v);
  if (later(min_, min_limit_) && now - unsure_since_ > settling) min_sure_ = true;
}

void Queue::forget(Instant now) {
  complete_from_ = now + settling;
  curr = next = last = skip = nullptr;
  tree.clear();
  started_ = min_sure_ = false;
}

std::size_t Queue::nr_running() const {
  return tree.size() + (curr != nullptr && curr->on_rq() ? 1 : 0);
}

u64 Queue::weight() const {
  u64 sum = curr != nullptr && curr->on_rq() ? curr->load.weight : 0;
  for (const Entity* entity : tree) sum += entity->load.weight;
  return sum;
}

bool Queue::all_known() const {
  return (curr == nullptr || curr->known) &&
         std::all_of(tree.begin(), tree.end(), [](const Entity* e) { return e->known; });
}

void Queue::insert(Entity& entity) {
  auto place = tree.end();
  if (FW_FAULT(V03_equals_last_in_first_out)) {
    while (place != tree.begin() && !later(entity.v, (*(place - 1))->v)) --place;
  } else {
    while (place != tree.begin() && later((*(place - 1))->v, entity.v)) --place;
  }
  tree.insert(place, &entity);
}

void Queue::remove(Entity& entity) {
  tree.erase(std::remove(tree.begin(), tree.end(), &entity), tree.end());
}

void Queue::clear_buddies(const Entity& entity) {
  if (next == &entity) next = nullptr;
  if (last == &entity) last = nullptr;
  if (skip == &entity) skip = nullptr;
}

u64 Queue::slice(const Entity& entity) const {
  const u64 extra = entity.on_rq() || FW_FAULT(V11_slice_without_the_child) ? 0 : 1;
  return r61::slice(settings_.tunables,
                    nr_running() + extra,
                    entity.load.weight,
                    weight() + extra * entity.load.weight);
}

u64 Queue::credit() const {
  return rc::sleeper_credit(settings_.tunables.latency, settings_.gentle_fair_sleepers);
}

Born Queue::born() const {
  Entity child;
  child.load = curr->load;
  const u64 debit = settings_.start_debit ? r61::fair(slice(child), child.load) : 0;
  Born out;
  out.own = curr->v;
  out.min = min_;
  out.shift = debit;
  out.placed = rc::placed_at_fork(curr->v, min_, debit);
  out.sure = min_sure_ && curr->known;
  out.contested = out.placed != out.own;
  return out;
}

bool Queue::overtakes(const Entity& current, const Entity& challenger) const {
  if (FW_FAULT(V04_granularity_by_current)) {
    return r61::overtakes(settings_.tunables, current.v, challenger.v, current.load);
  }
  return r61::overtakes(settings_.tunables, current.v, challenger.v, challenger.load);
}

r61::TickVerdict Queue::tick() const {
  if (curr == nullptr || tree.empty()) return r61::TickVerdict::goes_on;
  return r61::tick_verdict(settings_.tunables, curr->ran, slice(*curr), curr->v, tree.front()->v);
}

Choice Queue::pick(Entity* prev) const {
  Entity* left = tree.empty() ? nullptr : tree.front();
  if (left == nullptr || (prev != nullptr && later(left->v, prev->v))) left = prev;
  if (left == nullptr) return {};
  Entity* second = nullptr;
  if (skip == left && !FW_FAULT(V05_skip_ignored)) {
    second = tree.empty() ? nullptr : tree.front();
    if (left != prev) {
      second = tree.size() > 1 ? tree[1] : nullptr;
      if (second == nullptr || (prev != nullptr && later(second->v, prev->v))) second = prev;
    }
  }
  Entity* first = next;
  Entity* other = last;
  if (FW_FAULT(V06_last_before_next)) std::swap(first, other);
  std::array<r61::Ranked, 3> ranked;
  const auto rank = [&ranked](std::size_t at, const Entity* entity) -> const r61::Ranked* {
    if (entity == nullptr) return nullptr;
    ranked[at] = {entity->v, entity->load};
    return &ranked[at];
  };
  switch (r61::pick(
      settings_.tunables, {left->v, left->load}, rank(0, second), rank(1, first), rank(2, other))) {
    case r61::Taken::next:
      return {first, "next"};
    case r61::Taken::last:
      return {other, "last"};
    case r61::Taken::second:
      return {second, "skip"};
    case r61::Taken::leftmost:
      break;
  }
  return {left, nr_running() == 1 ? "only" : "leftmost"};
}

}  // namespace fw::validate
