// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/vocab/case.h"
#include "model/vocab/decision.h"

namespace fw {

/// Exit statuses (product.md). The most severe of a run wins.
enum class Exit : int {
  held = 0,
  usage = 1,
  falsified = 2,
  deadline = 3,
  stale = 4,
  vacuous = 5,
  nondeterminism = 6,
  proof_failed = 7,
  unknown = 8,
  internal = 70
};
/// One word for the last line and the JSON: `held`, `falsified`, `vacuous`, ...
std::string exit_word(Exit status);
/// 70 > 7 > 6 > 2 > 8 > 3 > 5 > 4 > 1 > 0.
Exit more_severe(Exit a, Exit b);

struct PropertyResult {
  std::string name;
  std::string policy;
  std::string verdict;        ///< held, falsified, not-applicable, vacuous
  std::string worst;          ///< worst value seen, with unit; empty when the property has no scale
  std::string bound;          ///< largest bound it was held against
  std::string slack;          ///< bound - worst at the tightest approach
  std::int64_t cases = 0;     ///< cases in which it was checked
  std::int64_t discards = 0;  ///< cases thrown away before it could be checked
  std::int64_t not_applicable = 0;  ///< cases outside its scope
};

struct RequiredResult {
  std::string situation;
  std::int64_t reached = 0;
};

/// One step of the chain of picks that passed a waiting task over.
struct PassedOver {
  Instant t;
  std::string task;  ///< who ran instead
  std::string why;   ///< the pick's reason
  std::string keys;  ///< keys of both, as text
};

struct Failure {
  std::string property;
  std::string policy;
  std::string signature;
  std::string message;  ///< one sentence with figures
  std::string case_file;
  std::string reproduce;  ///< complete command line
  std::int64_t original_events = 0;
  std::int64_t events = 0;  ///< rt-app events of the minimized case
  std::int64_t tasks = 0;
  std::int64_t oracle_calls = 0;
  bool budget_hit = false;
  std::string blame;  ///< policy flaw, code flaw, model flaw
  Divergence divergence;
  std::vector<std::string> notes;
  Case minimized;
  std::vector<PassedOver> chain;
};

/// One run in full, for timelines and plots: decisions with task names resolved, and sampled state.
struct Recording {
  std::string title;
  std::string spec;
  int cpus = 1;
  Instant end;
  std::vector<std::string> task_names;  ///< by TaskId
  std::vector<Decision> decisions;
  std::vector<std::string> log_keys;
  std::size_t task_log_keys = 0;  ///< as PolicySchema: the first so many belong to the task
  std::string failure;            ///< signature of the failure it shows; empty: a run as such
  /// Plot series: name (`vruntime hog-0`, `lag hog-0`, `spread`, `bound`), unit, points (t ns,
  /// value).
  struct Series {
    std::string name;
    std::string unit;
    std::vector<std::pair<std::int64_t, double>> points;
  };
  std::vector<Series> series;
};

struct MutantResult {
  std::string id;
  std::string policy;
  std::string about;
  bool both_sides = false;
  bool killed = false;   ///< with every property on
  std::string property;  ///< first killer
  bool killed_without_lockstep = false;
  std::string property_without_lockstep;
  std::int64_t cases = 0;
  double seconds = 0;
  std::int64_t tasks = 0;  ///< of the minimized case
  std::int64_t events = 0;
  std::int64_t oracle_calls = 0;  ///< runs that shrinking it took
};

struct BenchmarkResult {
  std::string name;
  std::int64_t n = 0;
  double ours = 0;
  double peer = 0;
  std::string peer_name;
  std::string unit;
  double ratio = 0;  ///< > 1: ours is faster
};

/// One rule of a policy against a recorded kernel (validate).
struct RuleResult {
  std::string rule;
  std::string policy;
  std::int64_t checked = 0;
  std::int64_t explained = 0;
  std::int64_t contested = 0;                   ///< of the checked: there was a choice
  std::map<std::string, std::int64_t> skipped;  ///< by cause: what the trace does not decide
  struct Miss {
    std::int64_t line = 0;  ///< of the trace
    Instant t;
    std::string task;
    std::string reason;
  };
  std::vector<Miss> misses;  ///< every unexplained decision
};

/// One theorem with its evidence (`prove`).
struct ObligationResult {
  std::string name;
  std::string policy;
  std::string status;    ///< proved, refuted, unknown, failed
  std::string expected;  ///< what its registry row expects: proved, refuted
  std::string reason;    ///< why it is not proved or refuted; empty otherwise
  std::string about;
  std::string scope;
  std::string formula;
  std::string at;                        ///< the tunables and tasks of `bound`
  std::optional<std::int64_t> bound;     ///< the formula's value there
  std::string unit;                      ///< `ns`, `vns`
  std::string tightness;                 ///< exact, supremum, slack; empty: not a bound
  std::string slack;                     ///< gap to the worst replay, in words
  std::string witness;                   ///< what the replay showed, or the case file
  std::vector<std::string> assumptions;  ///< `name: words`
  struct Engine {
    std::string solver;
    std::string version;
    std::string verdict;  ///< `33 of 33 queries as required`
    double seconds = 0;
  };
  std::vector<Engine> engines;
  bool negative_control = false;
  bool vacuity = false;
  std::string certificate;  ///< folder of the SMT-LIB files; empty: not kept
};

/// The first decision in which two policies part on one workload (`compare`).
struct DecisionDifference {
  Instant t;  ///< of the earlier of the two decisions
  CpuId cpu;
  std::int64_t decided_alike = 0;       ///< decisions before it that both took
  std::string kind;                     ///< `pick against preempt`; `end`: the run is over there
  std::string base, patched;            ///< the decisions as sentences
  std::string base_keys, patched_keys;  ///< that CPU's runnable tasks at `t`, with the first key
  std::string first_state;  ///< equal decisions whose integers differ first: `base | patched`
};

/// One figure of two policies on one workload, over several seeds.
struct MetricResult {
  std::string name;  ///< `wakeup p99`, `share hog-0`, `switches`
  std::string unit;  ///< `ns`, `%`, empty for counts
  struct Range {
    double low = 0, median = 0, high = 0;
  };
  Range base, patched;
  int up = 0, down = 0, equal = 0;  ///< seeds in which the patched value is higher, lower, equal
  bool significant = false;         ///< exact sign test over the seeds, p < 1 %
};

/// Two policies side by side (`compare`, `review`).
struct ComparisonResult {
  std::string base, patched;  ///< specs
  std::string workload;       ///< file, or `random workload`
  std::optional<DecisionDifference> first;
  std::int64_t cases = 0;      ///< workloads that were searched
  std::int64_t decisions = 0;  ///< compared in them
  int seeds = 0;
  std::vector<MetricResult> metrics;
  std::string case_file;  ///< the minimized workload; empty: not searched, or none
  std::int64_t original_events = 0, events = 0, tasks = 0, shrink_runs = 0;
};

/// What a command found; the reports read nothing else.
struct Result {
  std::string command;       ///< `check`
  std::string command_line;  ///< repeats the run
  Exit status = Exit::held;
  std::vector<Exit> all_statuses;
  std::uint64_t seed = 0;
  std::int64_t cases = 0;
  std::int64_t events = 0;
  std::int64_t discards = 0;
  double seconds = 0;
  double generate_share = 0, run_share = 0, shrink_share = 0;  ///< of the time; add up to <= 1
  std::vector<std::string> policies;
  std::vector<PropertyResult> properties;
  std::vector<ObligationResult> obligations;
  std::vector<Failure> failures;
  std::vector<RequiredResult> required;
  std::vector<MutantResult> mutants;
  std::vector<BenchmarkResult> benchmarks;
  std::vector<RuleResult> rules;
  std::vector<ComparisonResult> comparisons;
  std::vector<std::string> notes;  ///< what was dropped, guessed, approximated, skipped
  std::vector<Recording> recordings;
  std::map<std::string, std::string> identity;  ///< commit, compiler, build type, versions, cores
};

}  // namespace fw
