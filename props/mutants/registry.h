// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace fw::mutants {

/// A seeded fault. It is planted in impl by `IMPL_FAULT(id)` and, when `both_sides`, separately in
/// model/rules (or the model) by `FW_FAULT(id)`; both exist only in the *_faulty libraries.
struct Mutant {
  std::string_view id;  ///< bug row and a few words: `A03_unsigned_max_placement`
  std::string_view policy;
  std::string_view about;   ///< what the faulty code does, one line
  bool both_sides = false;  ///< lockstep is blind to it
  std::string_view spec =
      {};  ///< spec it needs to show (features that are off by default); empty: any
};

/// Policy faults, in the order of the table.
std::span<const Mutant> all_mutants();

/// Faults of the harness's own, planted in props/bridge: a hang, a crash, a run that does not
/// repeat. `check --mutant` takes them; they are in no table, for no property is to catch them.
std::span<const std::string_view> harness_faults();

/// The row of that id; nullptr when there is none.
const Mutant* find_mutant(std::string_view id);

}  // namespace fw::mutants
