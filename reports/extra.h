// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What `prove` and `tune` report beside a Result.
namespace fw::reports {

/// Further facts about one obligation of the result, by its name.
struct ProofFacts {
  std::string theorem;
  std::string aspect;    ///< spread, wait, buddy delay, ...
  std::string switches;  ///< what is on or off
  std::string paper;     ///< the bound of a paper, for comparison
  /// What the proof really rests on: each assumption was left out by itself.
  struct Need {
    std::string assumption;  ///< its name
    std::string verdict;     ///< needed, not needed, undecided
    int queries = 0;         ///< of the proof that state it
    int lost = 0;            ///< of them: no longer proved without it
  };
  std::vector<Need> needs;
  /// All runs of a small instance beside the theorem.
  struct BruteForce {
    std::string instance;
    std::int64_t states = 0;
    std::optional<std::int64_t> worst;  ///< nothing: unbounded
    std::optional<std::int64_t> bound;  ///< nothing: the theorem denies a bound
    std::string unit;                   ///< a tick of the instance being one
    bool agrees = false;
  };
  std::vector<BruteForce> brute_force;
};

/// A question and what the theorems say about it.
struct Answer {
  std::string question;
  std::string text;
  std::vector<std::string> theorems;
};

/// One setting of the knobs.
struct TunePoint {
  std::vector<std::string> knobs;  ///< values as text, in the order of TuneResult::knobs
  std::string spec;
  struct Bound {
    std::string theorem;
    std::optional<std::int64_t> value;  ///< nothing: outside the formula's scope
    std::string unit;                   ///< `ns`, `vns`
    std::string binds;                  ///< the tunable that the value depends on most
    std::string lacks;                  ///< why it does not hold for runs here; empty: it does
  };
  std::vector<Bound> bounds;
  std::int64_t worst_wait_ns = 0;  ///< of all simulated runs
  std::int64_t wakeup_p99_ns = 0;  ///< greatest of the runs
  double worst_spread = 0;         ///< vns
  double switches_per_s = 0;
  bool pareto = false;
  std::vector<std::string> flags;  ///< what the bounds need and the spec lacks
  std::string failure;             ///< a property that failed in simulation; empty: none
};

struct TuneResult {
  std::vector<std::string> knobs;
  std::vector<std::string> objectives;  ///< of the Pareto set
  std::string valid_region;
  std::vector<TunePoint> points;
};

struct Extra {
  std::vector<ProofFacts> proofs;
  std::vector<Answer> answers;
  TuneResult tune;
};

}  // namespace fw::reports
