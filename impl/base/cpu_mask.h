// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace impl {

/// A set of CPUs of one machine. Two masks of the same machine have the same number of words.
class CpuMask {
 public:
  CpuMask() = default;
  explicit CpuMask(int cpus) : words_(static_cast<std::size_t>(cpus + 63) / 64) {}
  static CpuMask all(int cpus) {
    CpuMask mask(cpus);
    for (int cpu = 0; cpu < cpus; ++cpu) mask.set(cpu);
    return mask;
  }
  void set(int cpu) { word(cpu) |= bit(cpu); }
  void clear(int cpu) { word(cpu) &= ~bit(cpu); }
  bool test(int cpu) const { return (words_[static_cast<std::size_t>(cpu) / 64] & bit(cpu)) != 0; }
  /// The lowest member that is >= `from`, -1 when there is none.
  int next(int from) const {
    std::size_t i = static_cast<std::size_t>(from) / 64;
    if (i >= words_.size()) return -1;
    std::uint64_t rest = words_[i] & (~std::uint64_t{0} << (from % 64));
    for (;;) {
      if (rest != 0) return static_cast<int>(i * 64) + std::countr_zero(rest);
      if (++i >= words_.size()) return -1;
      rest = words_[i];
    }
  }
  int first() const { return next(0); }
  bool intersects(const CpuMask& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  friend bool operator==(const CpuMask&, const CpuMask&) = default;

 private:
  static std::uint64_t bit(int cpu) { return std::uint64_t{1} << (cpu % 64); }
  std::uint64_t& word(int cpu) { return words_[static_cast<std::size_t>(cpu) / 64]; }
  std::vector<std::uint64_t> words_;
};

}  // namespace impl
