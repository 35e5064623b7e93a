// SPDX-License-Identifier: Apache-2.0
#include "model/vocab/ids.h"

#include <algorithm>

namespace fw {

std::vector<CpuId> CpuSet::members() const {
  std::vector<CpuId> out;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
      out.push_back(CpuId{static_cast<std::int32_t>(i * 64) + __builtin_ctzll(rest)});
    }
  }
  return out;
}

std::string CpuSet::text() const {
  const std::vector<CpuId> all = members();
  if (all.empty()) return "none";
  std::string out;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t last = i;
    while (last + 1 < all.size() && all[last + 1].value == all[last].value + 1) ++last;
    if (!out.empty()) out += ",";
    out += std::to_string(all[i].value);
    if (last > i) out += "-" + std::to_string(all[last].value);
    i = last + 1;
  }
  return out;
}

bool operator==(const CpuSet& a, const CpuSet& b) {
  const auto& longer = a.words_.size() >= b.words_.size() ? a.words_ : b.words_;
  const auto& shorter = a.words_.size() >= b.words_.size() ? b.words_ : a.words_;
  return std::equal(shorter.begin(), shorter.end(), longer.begin()) &&
         std::all_of(longer.begin() + static_cast<std::ptrdiff_t>(shorter.size()),
                     longer.end(),
                     [](std::uint64_t word) { return word == 0; });
}

}  // namespace fw
