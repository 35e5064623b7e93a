// SPDX-License-Identifier: Apache-2.0
// Weights, and the products that stock 64-bit CFS does not use.
#include "impl/cfs/arithmetic.h"

#include "impl/base/fault.h"

namespace impl::cfs {
namespace {
struct WeightRow {
  u64 weight, inverse;
};
// Nice -20 to 19. The reciprocals are data, not computed: four rows are truncated.
constexpr WeightRow weights[40] = {
    {88761, 48388},  {71755, 59856},  {56483, 76040},  {46273, 92818},  {36291, 118348},
    {29154, 147320}, {23254, 184698}, {18705, 229616}, {14949, 287308}, {11916, 360437},
    {9548, 449829},  {7620, 563644},  {6100, 704093},  {4904, 875809},  {3906, 1099582},
    {3121, 1376151}, {2501, 1717300}, {1991, 2157191}, {1586, 2708050}, {1277, 3363326},
    {1024, 4194304}, {820, 5237765},  {655, 6557202},  {526, 8165337},  {423, 10153587},
    {335, 12820798}, {272, 15790321}, {215, 19976592}, {172, 24970740}, {137, 31350126},
    {110, 39045157}, {87, 49367440},  {70, 61356676},  {56, 76695844},  {45, 95443717},
    {36, 119304647}, {29, 148102320}, {23, 186737708}, {18, 238609294}, {15, 286331153},
};
constexpr u64 word32_max = 0xFFFF'FFFF;
}  // namespace

LoadWeight weight_of(int nice, TaskPolicy policy) {
  if (policy == TaskPolicy::idle) return {3, 1431655765};
  const WeightRow& row = weights[nice + 20];
  if (IMPL_FAULT(A11_inverse_digit_dropped) && nice == 1) return {row.weight, 237765};
  return {row.weight, row.inverse};
}

u64 calc_delta_word32(u64 delta, u64 weight, LoadWeight& load) {
  if (load.inverse == 0) {
    const auto by = static_cast<std::uint32_t>(load.weight);
    // A weight of 2^32 - 1 would divide by 0; no queue gets there.
    load.inverse = static_cast<std::uint32_t>(1 + (word32_max - by / 2) / (u64{by} + 1));
  }
  u64 product = (delta & word32_max) * (weight & word32_max);
  if (product > word32_max) {
    product = round_shift(round_shift(product, 16) * load.inverse, 16);
  } else {
    product = round_shift(product * load.inverse, 32);
  }
  return std::min<u64>(product, word32_max >> 1);
}

u64 calc_delta_floor(u64 delta, u64 weight, LoadWeight& load) {
  if (load.inverse == 0) {
    load.inverse = load.weight == 0 ? word32_max : std::max<u64>(1, word32_max / load.weight);
  }
  u64 factor = weight * load.inverse;
  int shift = 32;
  for (; factor > word32_max; factor >>= 1) --shift;
  __extension__ using wide = unsigned __int128;
  return static_cast<u64>(static_cast<wide>(delta) * factor >> shift);
}

}  // namespace impl::cfs
