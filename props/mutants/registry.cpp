// SPDX-License-Identifier: Apache-2.0
#include "props/mutants/registry.h"

#include <array>
#include <vector>

#include "props/mutants/cfs_balance.h"
#include "props/mutants/cfs_fair.h"
#include "props/mutants/eevdf.h"

namespace fw::mutants {

std::span<const Mutant> all_mutants() {
  static const std::vector<Mutant> table = [] {
    std::vector<Mutant> out;
    for (const std::span<const Mutant> part :
         {cfs_fair_mutants(), cfs_balance_mutants(), eevdf_mutants()}) {
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }();
  return table;
}

std::span<const std::string_view> harness_faults() {
  static constexpr std::array<std::string_view, 3> ids = {
      "H01_hang", "H02_crash", "H03_unrepeatable"};
  return ids;
}

const Mutant* find_mutant(std::string_view id) {
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.id == id) return &mutant;
  }
  return nullptr;
}

}  // namespace fw::mutants
