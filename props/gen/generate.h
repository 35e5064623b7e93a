// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/vocab/case.h"
#include "model/vocab/spec.h"

namespace fw::gen {

/// A topology with its number of CPUs, which the generator needs for affinities.
struct TopologyChoice {
  std::string name;
  int cpus = 1;
};

/// What a campaign fixes; everything left open is drawn anew for each case.
struct GenOptions {
  /// Kept as given (version, features, knobs); none: any version of the policy.
  std::optional<PolicySpec> spec;
  /// Whether features and knobs that `spec` does not name are drawn, too.
  bool vary_features = true;
  bool vary_knobs = true;
  std::optional<TopologyChoice> topology;
  std::optional<bool> balance;
  bool slices = false;  ///< some tasks get a custom slice: for policies that know them
  int max_size = 100;   ///< 0..100 (more is clamped: RapidCheck's integers are wrong above 100)
  int max_tasks = 12;   ///< task definitions, at least 1
  Duration max_duration{2'000'000'000};
  Duration grain{1};   ///< every amount of time is a multiple of this; 1 us suits plain rt-app
  int events = 3'000;  ///< aimed-at upper bound of program events of a case, ticks not counted
};

/// Whether tasks of the policy may ask for a slice (GenOptions::slices). 6.6 ignores the request, but
/// the knob `profile` makes later rules of it.
inline bool takes_slices(const PolicySpec& spec) { return spec.policy == "eevdf"; }

/// The random case number `index` of a campaign: a pure function of its arguments. The case is
/// valid by construction (programs that take time, balanced and ordered locks, a horizon), so that
/// nothing has to be discarded. Its horizon is set, its workload names neither spec nor topology.
/// Source:  RapidCheck generators called directly, without its runner, shrinking or discards.
Case generate(const PolicyInfo& info,
              std::uint64_t seed,
              std::uint64_t index,
              const GenOptions& options = {});

}  // namespace fw::gen
