// SPDX-License-Identifier: Apache-2.0
#include "impl/eevdf/weights.h"

namespace impl::eevdf {
namespace {
__extension__ typedef unsigned __int128 unsigned_wide;

struct WeightRow {
  u64 weight, inverse;
};
// Nice -20 to 19. The reciprocals are data: nice 13, 14, 16 and 17 are not rounded to nearest.
constexpr WeightRow rows[40] = {
    {88761, 48388},  {71755, 59856},  {56483, 76040},  {46273, 92818},  {36291, 118348},
    {29154, 147320}, {23254, 184698}, {18705, 229616}, {14949, 287308}, {11916, 360437},
    {9548, 449829},  {7620, 563644},  {6100, 704093},  {4904, 875809},  {3906, 1099582},
    {3121, 1376151}, {2501, 1717300}, {1991, 2157191}, {1586, 2708050}, {1277, 3363326},
    {1024, 4194304}, {820, 5237765},  {655, 6557202},  {526, 8165337},  {423, 10153587},
    {335, 12820798}, {272, 15790321}, {215, 19976592}, {172, 24970740}, {137, 31350126},
    {110, 39045157}, {87, 49367440},  {70, 61356676},  {56, 76695844},  {45, 95443717},
    {36, 119304647}, {29, 148102320}, {23, 186737708}, {18, 238609294}, {15, 286331153},
};
constexpr u64 nice_0 = 1024;
}  // namespace

LoadWeight weight_of(int nice, TaskPolicy policy) {
  if (policy == TaskPolicy::idle) return {3, 1431655765};
  const WeightRow& row = rows[nice + 20];
  return {row.weight, row.inverse};
}

u64 vdelta(u64 delta, const LoadWeight& load, VdeltaKind kind) {
  if (load.weight == nice_0) return delta;
  if (kind == VdeltaKind::full) {
    return static_cast<u64>(static_cast<unsigned_wide>(delta) * nice_0 / load.weight);
  }
  u64 factor = nice_0 * load.inverse;
  int shift = 32;
  for (; (factor >> 32) != 0; factor >>= 1) --shift;
  return static_cast<u64>(static_cast<unsigned_wide>(delta) * factor >> shift);
}

i64 scale_toward_zero(i64 value, i64 times, i64 by) {
  return static_cast<i64>(static_cast<wide>(value) * times / by);
}

}  // namespace impl::eevdf
