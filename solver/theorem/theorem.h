// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "solver/engine/obligation.h"
#include "solver/theorem/bounds.h"

namespace fw::theorem {

/// What the evidence is expected to show.
enum class Claim {
  holds,   ///< a bound: proved
  refuted  ///< a bound that does not exist: its queries prove that a family of runs exceeds every
           ///< number, and a run of that family is replayed on model and implementation
};

/// One registry row: a theorem with the function that states its bound.
struct Theorem {
  std::string_view name = {};
  std::string_view policy = {};
  Claim claim = Claim::holds;
  std::string_view about = {};    ///< one sentence
  std::string_view scope = {};    ///< for which runs
  std::string_view formula = {};  ///< as in bounds.h; empty where there is no number
  std::string_view unit = {};     ///< of the value: `vns`, `ns`, or empty
  solver::Obligation (*obligation)() = nullptr;
  /// The bound for these tunables and tasks; nullptr: a theorem without a number.
  std::int64_t (*value)(const CfsLimits&, const CfsMix&) = nullptr;
  bool buddies = false;           ///< the bound includes the buddy lead
  bool forks = false;             ///< the mix is open
  std::string_view needs = {};    ///< lemma that the proof rests on: proved in the same run
  std::string_view witness = {};  ///< scenario that the refutation or tightness is replayed with
};

/// All theorems, in the order of the reports.
std::span<const Theorem> theorems();

/// Nullptr: no such theorem.
const Theorem* find_theorem(std::string_view name);

}  // namespace fw::theorem
