// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "impl/base/check.h"

namespace impl {

/// At most one pending time per slot, the earliest in O(1), any slot changed or removed in
/// O(log n): a binary heap that knows where each slot is. Slots with equal times come out in no
/// particular order; the caller sorts what is due at one instant.
class EventQueue {
 public:
  void resize(std::size_t slots) { place_.resize(slots, absent); }
  std::size_t slots() const { return place_.size(); }
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  std::int64_t first_time() const { return heap_.front().time; }
  std::size_t first_slot() const { return heap_.front().slot; }
  bool pending(std::size_t slot) const { return place_[slot] != absent; }

  /// Sets or moves the time of `slot`.
  void set(std::size_t slot, std::int64_t time) {
    const Item item{time, static_cast<std::uint32_t>(slot)};
    std::uint32_t at = place_[slot];
    if (at == absent) {
      at = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back(item);
      sift_up(at, item);
    } else if (time < heap_[at].time) {
      sift_up(at, item);
    } else {
      sift_down(at, item);
    }
  }

  void remove(std::size_t slot) {
    const std::uint32_t at = place_[slot];
    if (at == absent) return;
    place_[slot] = absent;
    const Item last = heap_.back();
    heap_.pop_back();
    if (at == heap_.size()) return;
    if (at > 0 && last.time < heap_[(at - 1) / 2].time) {
      sift_up(at, last);
    } else {
      sift_down(at, last);
    }
  }

 private:
  static constexpr std::uint32_t absent = UINT32_MAX;
  struct Item {
    std::int64_t time;
    std::uint32_t slot;
  };

  void put(std::uint32_t at, Item item) {
    heap_[at] = item;
    place_[item.slot] = at;
  }
  void sift_up(std::uint32_t at, Item item) {
    while (at > 0) {
      const std::uint32_t parent = (at - 1) / 2;
      if (heap_[parent].time <= item.time) break;
      put(at, heap_[parent]);
      at = parent;
    }
    put(at, item);
  }
  void sift_down(std::uint32_t at, Item item) {
    const auto count = static_cast<std::uint32_t>(heap_.size());
    for (;;) {
      std::uint32_t child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && heap_[child + 1].time < heap_[child].time) ++child;
      if (heap_[child].time >= item.time) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, item);
  }

  std::vector<Item> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace impl
