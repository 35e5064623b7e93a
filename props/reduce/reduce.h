// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/vocab/case.h"
#include "model/vocab/outcome.h"
#include "model/vocab/spec.h"

namespace fw::reduce {

/// What running a candidate showed. An empty signature: it holds (or is no valid case).
struct OracleAnswer {
  std::string signature;
  Divergence first;  ///< where the failure was seen; its `t` lets the run be cut off there
};
using Oracle = std::function<OracleAnswer(const Case&)>;

/// When to stop with the best case so far. Checked before each oracle call, so that a deadline is
/// overrun by one call at most.
struct Budget {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::int64_t max_calls = 5'000;
};

struct Statistics {
  std::int64_t calls = 0;                        ///< oracle runs, those for the notes included
  std::int64_t cache_hits = 0;                   ///< candidates whose answer was known
  std::int64_t original_events = 0, events = 0;  ///< rt-app events as written
  std::int64_t original_tasks = 0, tasks = 0;    ///< task definitions
  double seconds = 0;
};

/// Another failure that a candidate showed on the way, with the first case that did.
struct Other {
  std::string signature;
  Case example;
  std::int64_t seen = 0;
};

struct Options {
  /// The policy's row: for rewriting the text of changed specs and for defaults of knobs. Without
  /// it the text stays as it was while features and knobs go.
  const PolicyInfo* info = nullptr;
  /// Fine tuning of numbers (not removal) stops at this many calls.
  std::int64_t fine_calls = 400;
  /// At most this many calls for notes on what does not matter.
  std::int64_t note_calls = 24;
};

struct Reduced {
  Case best;  ///< fails with the original signature; `expected`, `signature` and `notes` are set
  Statistics statistics;
  /// No task, phase, event, lock pair or deviation from a default can be removed by itself.
  bool one_minimal = false;
  bool out_of_budget = false;
  /// The best case was run once more at the end and failed again; false: out of budget before, or
  /// the oracle is not deterministic.
  bool confirmed = false;
  std::vector<Other> others;
};

/// Called with each better case, before the next oracle run: the place to write it to disk.
using Progress = std::function<void(const Case&, const Statistics&)>;

/// The smallest case found that fails as `original` does (same signature; other failures count as
/// passes and are listed). Deterministic but for the deadline.
/// Errors:  the original does not fail, or fails otherwise than its own `signature` says.
Outcome<Reduced> reduce(const Case& original,
                        const Oracle& oracle,
                        const Budget& budget = {},
                        const Progress& on_progress = {},
                        const Options& options = {});

/// Size of a case: rt-app events of one task as written, added up over the tasks.
std::int64_t count_events(const Case& input);

/// Everything that decides how the case runs, as text: equal texts give equal runs.
std::string canonical_text(const Case& input);

}  // namespace fw::reduce
