// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

/// What a rule needs of a number type `N`. The model runs the rules on `std::uint64_t`, where sums
/// and products wrap modulo 2^64 as in the kernel; the solver brings a type of terms. Such a type
/// offers, found by argument-dependent look-up:
///  - construction from a std::uint64_t constant (`N(1024)`), and + - * / between two of them
///    (division truncates; rules divide non-negative values only),
///  - < <= > >= == !=, giving `Truth<N>`, which has && || ! (always written out in full: a term is
///    never short-circuited),
///  - the functions below, with N and Truth<N> for u64 and bool.
namespace fw::rules {

using u64 = std::uint64_t;
using s64 = std::int64_t;

template <class N>
using Truth = std::remove_cvref_t<decltype(std::declval<const N&>() < std::declval<const N&>())>;

/// `yes` where `condition` holds, else `no`. Both are evaluated.
constexpr u64 select(bool condition, u64 yes, u64 no) { return condition ? yes : no; }

/// value / 2^bits, rounded down.
constexpr u64 shift_right(u64 value, unsigned bits) { return value >> bits; }

/// Whether `a` lies after `b` on a virtual clock that may wrap: s64(a - b) > 0.
constexpr bool later(u64 a, u64 b) { return static_cast<s64>(a - b) > 0; }

/// s64(a - b) > limit, for a limit below 2^63.
constexpr bool ahead_by_more(u64 a, u64 b, u64 limit) {
  return static_cast<s64>(a - b) > static_cast<s64>(limit);
}

/// s64(a - b) / 2^bits, rounded towards minus infinity, as an addend.
constexpr u64 shifted_difference(u64 a, u64 b, unsigned bits) {
  return static_cast<u64>(static_cast<s64>(a - b) >> bits);
}

template <class N>
N minimum(const N& a, const N& b) {
  return select(b < a, b, a);
}

template <class N>
N maximum(const N& a, const N& b) {
  return select(a < b, b, a);
}

}  // namespace fw::rules
