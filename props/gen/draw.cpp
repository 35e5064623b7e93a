// SPDX-License-Identifier: Apache-2.0
#include "props/gen/draw.h"

#include <rapidcheck/Gen.h>
#include <rapidcheck/gen/Arbitrary.h>
#include <rapidcheck/gen/Numeric.h>

#include <algorithm>
#include <bit>

namespace fw::gen {
namespace {
/// Spreads a pair over 64 bits, so that neighbouring seeds and indices share nothing.
std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15ull + 0x243f6a8885a308d3ull;
  for (int round = 0; round < 2; ++round) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    if (round == 0) x += index;
  }
  return x;
}
}  // namespace

Draw::Draw(std::uint64_t seed, std::uint64_t index, int max_size) : random_(mix(seed, index)) {
  size_ = between(0, std::clamp(max_size, 0, rc::kNominalSize));
}

std::int64_t Draw::between(std::int64_t lowest, std::int64_t highest) {
  FW_EXPECT(lowest <= highest);
  if (lowest == highest) return lowest;
  // RapidCheck excludes the upper end, so the widest range is drawn as a word.
  if (highest == INT64_MAX) {
    if (lowest == INT64_MIN) return static_cast<std::int64_t>(word());
    return between(lowest - 1, highest - 1) + 1;
  }
  return rc::gen::inRange<std::int64_t>(lowest, highest + 1)(random_.split()).value();
}

std::uint64_t Draw::word() { return rc::gen::arbitrary<std::uint64_t>()(random_.split()).value(); }

std::int64_t Draw::log_between(std::int64_t lowest, std::int64_t highest) {
  FW_EXPECT(1 <= lowest && lowest <= highest);
  const auto bits = [](std::int64_t value) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
  };
  const int chosen = between(bits(lowest), bits(highest));
  const std::int64_t from = std::int64_t{1} << (chosen - 1);
  return between(std::max(lowest, from), std::min(highest, from + (from - 1)));
}

int Draw::length(int lowest, int highest) {
  if (highest <= lowest) return lowest;
  return between(lowest, lowest + ((highest - lowest) * size_ + 99) / 100);
}

}  // namespace fw::gen
