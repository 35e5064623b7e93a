// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "impl/base/check.h"
#include "impl/base/fixed_point.h"

namespace impl::eevdf {

/// Entities of which the eligible one of least deadline is wanted, equals in order of insertion.
/// Two winner trees in one array: eligible entities by deadline, the others by vruntime. A pick
/// moves those over that have become eligible since (or ceased to be, when V fell), then reads the
/// root. insert, erase: O(log n) without a branch to mispredict; pick: O(log n) for each move,
/// about one move an entity and run. Whether an entity counts as eligible is decided at the pick
/// only, so that no answer depends on what earlier picks moved. Range: keys within 2^61 of each
/// other; below 2^24 entities and 2^40 insertions.
class WinnerQueue {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot none = ~Slot{0};

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }

  /// Gives the place under which the entity is known until it is erased.
  Slot insert(u64 deadline, u64 vruntime) {
    if (free_.empty()) grow(vruntime);
    if (far_from(deadline) || far_from(vruntime)) rebase(vruntime);
    const Slot slot = free_.back();
    free_.pop_back();
    ++count_;
    Entity& entity = entities_[slot];
    entity = {{sequence_++ << slot_bits | slot, deadline}, vruntime, true, false};
    update(slot, vacant(), {slot, vruntime});
    return slot;
  }

  void erase(Slot slot) {
    IMPL_CHECK(slot < entities_.size() && entities_[slot].present);
    entities_[slot].present = false;
    update(slot, vacant(), vacant());
    free_.push_back(slot);
    --count_;
  }

  /// The entity of least deadline among those whose vruntime passes; none when there is none.
  /// `passes` must hold for every vruntime before one for which it holds.
  template <class Passes>
  Slot pick(Passes passes) {
    if (count_ == 0) return none;
    while (nodes_[1].waiting.high != far_ && passes(nodes_[1].waiting.high)) {
      const Slot slot = slot_of(nodes_[1].waiting);
      entities_[slot].eligible = true;
      update(slot, entities_[slot].deadline, vacant());
    }
    while (nodes_[1].eligible.high != far_) {
      const Slot slot = slot_of(nodes_[1].eligible);
      if (passes(entities_[slot].vruntime)) return slot;
      entities_[slot].eligible = false;
      update(slot, vacant(), {slot, entities_[slot].vruntime});
    }
    return none;
  }

 private:
  static constexpr unsigned slot_bits = 24;

  /// Ordered by the wrapping `high`, then by `low`, which ends in the slot.
  struct Key {
    u64 low = 0;
    u64 high = 0;
  };
  struct Node {
    Key eligible;
    Key waiting;
  };
  struct Entity {
    Key deadline;
    u64 vruntime = 0;
    bool present = false;
    bool eligible = false;
  };

  static Slot slot_of(const Key& key) {
    return static_cast<Slot>(key.low & ((u64{1} << slot_bits) - 1));
  }

  /// The lesser of the two by the sign of their 128-bit difference. The compilers make a jump of a
  /// plain `?:` here, which costs more than the whole walk.
  static Key lesser(Key a, Key b) {
#if defined(__x86_64__)
    u64 high = b.high;
    __asm__("cmpq %[al], %[bl]\n\tsbbq %[ah], %[t]\n\tcmovsq %[bl], %[al]\n\tcmovsq %[bh], %[ah]"
            : [t] "+&r"(high), [al] "+&r"(a.low), [ah] "+&r"(a.high)
            : [bl] "r"(b.low), [bh] "r"(b.high)
            : "cc");
    return a;
#else
    const u64 gap = b.high - a.high - (b.low < a.low ? 1 : 0);
    const u64 mask = u64{0} - (gap >> 63);
    return {a.low ^ ((a.low ^ b.low) & mask), a.high ^ ((a.high ^ b.high) & mask)};
#endif
  }

  Key vacant() const { return {~u64{0}, far_}; }

  /// Both trees' paths from a leaf to the root, in one pass.
  void update(Slot slot, Key eligible, Key waiting) {
    for (std::size_t at = leaves_ + slot; at > 1; at >>= 1) {
      const Node sibling = nodes_[at ^ 1];
      nodes_[at] = {eligible, waiting};
      eligible = lesser(eligible, sibling.eligible);
      waiting = lesser(waiting, sibling.waiting);
    }
    nodes_[1] = {eligible, waiting};
  }

  bool far_from(u64 key) const {
    return static_cast<u64>(distance(key, reference_) + (i64{1} << 61)) >> 62 != 0;
  }

  void grow(u64 near) {
    const std::size_t old = entities_.size();
    leaves_ = std::max<std::size_t>(2, 2 * old);
    IMPL_CHECK(leaves_ <= std::size_t{1} << slot_bits);
    entities_.resize(leaves_);
    for (std::size_t slot = leaves_; slot-- > old;) free_.push_back(static_cast<Slot>(slot));
    rebase(count_ == 0 ? near : reference_);
  }

  /// Moves what stands for an empty place, which must be later than every key, and rebuilds.
  void rebase(u64 reference) {
    reference_ = reference;
    far_ = reference + (u64{1} << 62);
    nodes_.assign(2 * leaves_, {vacant(), vacant()});
    for (std::size_t slot = 0; slot < entities_.size(); ++slot) {
      const Entity& entity = entities_[slot];
      if (!entity.present) continue;
      const Key waiting{slot, entity.vruntime};
      nodes_[leaves_ + slot] =
          entity.eligible ? Node{entity.deadline, vacant()} : Node{vacant(), waiting};
    }
    for (std::size_t at = leaves_ - 1; at > 0; --at) {
      const Node& left = nodes_[2 * at];
      const Node& right = nodes_[2 * at + 1];
      nodes_[at] = {lesser(left.eligible, right.eligible), lesser(left.waiting, right.waiting)};
    }
  }

  std::vector<Node> nodes_;  // root at 1, leaf of slot s at leaves_ + s
  std::vector<Entity> entities_;
  std::vector<Slot> free_;
  std::size_t leaves_ = 0;
  std::size_t count_ = 0;
  u64 sequence_ = 0;
  u64 reference_ = 0;
  u64 far_ = 0;
};

}  // namespace impl::eevdf
