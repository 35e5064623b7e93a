// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Brute force beside the theorems.
namespace fw::exact {

/// One theorem on one small instance.
struct BruteForce {
  std::string theorem;   ///< its registry name
  std::string instance;  ///< in words
  std::string unit;      ///< `vns` or `ns`, a tick being one of them
  std::size_t states = 0;
  bool complete = false;
  std::optional<std::int64_t> worst;  ///< of all runs; nothing: there is no greatest
  std::optional<std::int64_t> bound;  ///< the formula's value; nothing: the theorem denies a bound
  /// The worst case does not exceed the bound, or both say that there is none.
  bool agrees() const;
  /// `30 of 32 ns in 52215 states`.
  std::string words() const;
};

/// Every comparison there is; all instances together take a second.
std::vector<BruteForce> brute_force();

/// Those of one theorem.
std::vector<BruteForce> of_theorem(const std::vector<BruteForce>& all, std::string_view theorem);

}  // namespace fw::exact
