// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/vocab/side.h"

namespace fw {

/// Where the first difference or violation was seen.
struct Divergence {
  std::int64_t event = -1;  ///< stimulus number from 0; -1: unknown
  Instant t;
  std::string text;  ///< changed fields only: `vruntime(hog-0): model 12, impl 13`
};

/// A failing (or kept) run as a plain value: nothing else is needed to reproduce it.
struct Case {
  PolicySpec spec;
  std::string topology = "1";  ///< as for --topology
  bool balance = true;
  Duration horizon = {};  ///< 0: the workload's own end
  Workload workload;
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
  std::string property;   ///< property id, `lockstep` for a difference; empty: none expected
  std::string signature;  ///< stable hash of property and kind of failure
  std::string mutant;     ///< seeded fault that was on (mutants build), empty otherwise
  Divergence expected;
  std::vector<std::string> notes;  ///< irrelevance notes and the like, one sentence each
};

}  // namespace fw
