// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/vocab/outcome.h"

namespace fw {

/// A length of real time.  Units: ns.
struct Duration {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
  friend constexpr Duration operator*(Duration a, std::int64_t times) { return {a.ns * times}; }
};

/// A moment of simulated time, counted from the start of the run.  Units: ns.
struct Instant {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(Instant, Instant) = default;
  friend constexpr Instant operator+(Instant a, Duration b) { return {a.ns + b.ns}; }
  friend constexpr Duration operator-(Instant a, Instant b) { return {a.ns - b.ns}; }
};

inline constexpr Instant never{INT64_MAX};

/// Reads `250us`, `1.5ms`, `60s`, `2min`, `100ns`. A bare number is refused: a duration has a unit.
/// Rounds: must be a whole number of ns. Errors: names the text and the units known.
Outcome<Duration> parse_duration(std::string_view text);

/// The shortest exact text with a unit: `1.5ms`, `750us`, `0ns`.
std::string format_duration(Duration duration);

}  // namespace fw
