// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// CFS arithmetic for the checkers, written from the specification a third time so that a slip of
/// the model or of the implementation cannot hide here. 64-bit rules only. Source:  Linux 2.6.36
/// kernel/sched_fair.c, kernel/sched.c; the CFS page, sections 2, 3 and 5.
namespace fw::props::exact {

/// Signed distance from `b` to `a` on the 64-bit ring.
constexpr std::int64_t ahead(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a - b);
}
constexpr std::uint64_t later(std::uint64_t a, std::uint64_t b) { return ahead(b, a) > 0 ? b : a; }
constexpr std::uint64_t earlier(std::uint64_t a, std::uint64_t b) {
  return ahead(b, a) < 0 ? b : a;
}

struct WeightRow {
  std::uint64_t weight = 0;
  std::uint64_t inverse = 0;
};

/// nice -20 .. 19, then the idle class.
inline constexpr std::array<WeightRow, 41> weight_rows = {{
    {88761, 48388},  {71755, 59856},  {56483, 76040},  {46273, 92818},  {36291, 118348},
    {29154, 147320}, {23254, 184698}, {18705, 229616}, {14949, 287308}, {11916, 360437},
    {9548, 449829},  {7620, 563644},  {6100, 704093},  {4904, 875809},  {3906, 1099582},
    {3121, 1376151}, {2501, 1717300}, {1991, 2157191}, {1586, 2708050}, {1277, 3363326},
    {1024, 4194304}, {820, 5237765},  {655, 6557202},  {526, 8165337},  {423, 10153587},
    {335, 12820798}, {272, 15790321}, {215, 19976592}, {172, 24970740}, {137, 31350126},
    {110, 39045157}, {87, 49367440},  {70, 61356676},  {56, 76695844},  {45, 95443717},
    {36, 119304647}, {29, 148102320}, {23, 186737708}, {18, 238609294}, {15, 286331153},
    {3, 1431655765},
}};

/// The row of a nice level, or of the idle class whatever its nice.
constexpr const WeightRow& weight_row(int nice, bool idle_class) {
  return weight_rows[idle_class ? 40u : static_cast<std::size_t>(nice + 20)];
}

/// Reciprocal of a queue's load, for 0 < weight < 2^32.
constexpr std::uint64_t lazy_inverse(std::uint64_t weight) {
  return 1 + ((std::uint64_t{1} << 32) - weight / 2) / (weight + 1);
}

constexpr std::uint64_t round_shift(std::uint64_t x, int bits) {
  return (x + (std::uint64_t{1} << (bits - 1))) >> bits;
}

/// delta * weight / (the load whose reciprocal is `inverse`), as the kernel's fixed point gives it.
constexpr std::uint64_t scaled(std::uint64_t delta, std::uint64_t weight, std::uint64_t inverse) {
  const std::uint64_t product = delta * weight;
  const std::uint64_t out = product > (std::uint64_t{1} << 32)
                                ? round_shift(round_shift(product, 16) * inverse, 16)
                                : round_shift(product * inverse, 32);
  const std::uint64_t most = (std::uint64_t{1} << 63) - 1;
  return out < most ? out : most;
}

/// Virtual time that `delta` ns of CPU time costs an entity of this row.
constexpr std::uint64_t fair(std::uint64_t delta, const WeightRow& row) {
  return row.weight == 1024 ? delta : scaled(delta, 1024, row.inverse);
}

}  // namespace fw::props::exact
