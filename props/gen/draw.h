// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck/Random.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "model/vocab/contract.h"

namespace fw::gen {

/// Random scalars of one case, in the order asked for. RapidCheck's size is always its nominal 100
/// here, so that no range is cut off at its upper end; `size()` scales lengths instead.
class Draw {
 public:
  /// Two pairs that differ give independent sequences. `max_size`: 0..100.
  Draw(std::uint64_t seed, std::uint64_t index, int max_size);

  /// How large this case should be, 0..100. Each size is equally likely.
  int size() const { return size_; }

  /// Uniform, both ends included.
  std::int64_t between(std::int64_t lowest, std::int64_t highest);
  int between(int lowest, int highest) {
    return static_cast<int>(between(std::int64_t{lowest}, std::int64_t{highest}));
  }
  std::uint64_t word();
  bool percent(int probability) { return between(0, 99) < probability; }

  /// Uniform in the number of bits, then within them: small and large are equally likely.
  /// Range:   1 <= lowest <= highest.
  std::int64_t log_between(std::int64_t lowest, std::int64_t highest);

  /// A length: uniform between `lowest` and a part of the way to `highest` that grows with size().
  int length(int lowest, int highest);

  template <class Range>
  const auto& of(const Range& range) {
    const auto count = static_cast<std::int64_t>(std::size(range));
    FW_EXPECT(count > 0);
    return *(std::begin(range) + between(std::int64_t{0}, count - 1));
  }

 private:
  rc::Random random_;
  int size_ = 0;
};

}  // namespace fw::gen
