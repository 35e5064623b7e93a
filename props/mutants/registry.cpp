// SPDX-License-Identifier: Apache-2.0
#include "props/mutants/registry.h"

#include <vector>

namespace fw::mutants {

std::span<const Mutant> all_mutants() {
  static const std::vector<Mutant> table = {};
  return table;
}

const Mutant* find_mutant(std::string_view id) {
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.id == id) return &mutant;
  }
  return nullptr;
}

}  // namespace fw::mutants
