// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/vocab/contract.h"

namespace fw {

/// A task, numbered by creation from 0 (semantics/simulator.md A5). `idle` stands for no task.
struct TaskId {
  std::int32_t value = -1;
  friend constexpr auto operator<=>(TaskId, TaskId) = default;
  constexpr bool idle() const { return value < 0; }
};
inline constexpr TaskId idle_task{};

/// A CPU, numbered from 0 without holes.
struct CpuId {
  std::int32_t value = 0;
  friend constexpr auto operator<=>(CpuId, CpuId) = default;
};

/// A set of CPUs of any size. Bits beyond the last stored word are clear; equality ignores trailing
/// zero words.
class CpuSet {
 public:
  CpuSet() = default;
  static CpuSet first(int count) {
    CpuSet out;
    for (int cpu = 0; cpu < count; ++cpu) out.insert(CpuId{cpu});
    return out;
  }
  void insert(CpuId cpu) {
    FW_EXPECT(cpu.value >= 0);
    const auto word = static_cast<std::size_t>(cpu.value) / 64;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << (cpu.value % 64);
  }
  bool contains(CpuId cpu) const {
    const auto word = static_cast<std::size_t>(cpu.value) / 64;
    return cpu.value >= 0 && word < words_.size() && ((words_[word] >> (cpu.value % 64)) & 1) != 0;
  }
  int count() const {
    int out = 0;
    for (const std::uint64_t word : words_) out += __builtin_popcountll(word);
    return out;
  }
  bool empty() const { return count() == 0; }
  /// The lowest member; the set must not be empty.
  CpuId lowest() const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != 0) {
        return CpuId{static_cast<std::int32_t>(i * 64) + __builtin_ctzll(words_[i])};
      }
    }
    FW_EXPECT(false && "lowest() of an empty CpuSet");
    return {};
  }
  /// Members in ascending order.
  std::vector<CpuId> members() const;
  /// `0-3,8` and the like; `none` for the empty set.
  std::string text() const;
  friend bool operator==(const CpuSet& a, const CpuSet& b);

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace fw

template <>
struct std::hash<fw::TaskId> {
  std::size_t operator()(fw::TaskId id) const noexcept {
    return static_cast<std::size_t>(id.value);
  }
};
