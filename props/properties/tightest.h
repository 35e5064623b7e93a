// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "props/properties/property.h"

namespace fw::props {

/// The value that came nearest to its bound, of all that were noted with theirs.
/// Range:  values from 0, bounds above 0.
class Tightest {
 public:
  void note(std::int64_t value, std::int64_t bound) {
    const bool nearer = bound_ == 0 || Wide{value} * bound_ > Wide{value_} * bound;
    if (!nearer) return;
    value_ = value;
    bound_ = bound;
  }
  /// Nothing before the first note.
  std::optional<Extreme> extreme(std::string unit) const {
    if (bound_ == 0) return std::nullopt;
    return Extreme{static_cast<double>(value_), static_cast<double>(bound_), std::move(unit)};
  }

 private:
  __extension__ using Wide = __int128;
  std::int64_t value_ = 0;
  std::int64_t bound_ = 0;
};

}  // namespace fw::props
