// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "props/reduce/reduce.h"

namespace fw::reduce {

/// The state of one reduction: the best case so far, what is known, what it has cost.
class Search {
 public:
  Search(const Case& original,
         const Oracle& oracle,
         const Budget& budget,
         const Progress& on_progress,
         const Options& options);

  /// Runs the original; false when it does not fail as its signature says.
  bool start();

  /// Runs the candidate (or knows the answer); when it fails as the original does, it is the best.
  bool attempt(Case candidate);
  /// The same without making it the best.
  bool fails(const Case& candidate);

  /// Runs the best case once more, whatever is known of it.
  bool confirm();

  /// Flags of things that can all be done to a case, each for itself.
  using Apply = std::function<std::optional<Case>(const Case&, const std::vector<bool>&)>;
  /// Does as many of `count` things as the failure allows: halves first, or, in the thorough
  /// rounds, one by one until no single one more can be done. True when any was done. Calls:   1
  /// when all can be done; at most 2n, and n in a thorough round that finds nothing.
  bool apply_most(std::size_t count, const Apply& apply);

  /// A change of one thing; false when it has nothing to change.
  using Edit = std::function<bool(Case&)>;
  /// apply_most over edits, which must not disturb each other.
  bool edit_most(const std::vector<Edit>& edits);

  void set_thorough() { thorough_ = true; }

  /// Tentative steps tell nobody until they are kept.
  void set_quiet(bool quiet) { quiet_ = quiet; }
  void restore(Case kept) { best_ = std::move(kept); }
  void announce();

  const Case& best() const { return best_; }
  const Case& original() const { return original_; }
  const Options& options() const { return options_; }
  const std::string& signature() const { return signature_; }
  std::vector<Other> take_others() { return std::move(others_); }
  Statistics statistics() const;
  bool spent() const { return spent_; }
  /// Whether fine tuning has used up its calls.
  bool fine_spent() const { return spent_ || calls_ >= options_.fine_calls; }
  std::int64_t calls() const { return calls_; }

 private:
  const OracleAnswer* ask(const Case& candidate);
  void note_other(const OracleAnswer& answer, const Case& candidate);

  const Case& original_;
  const Oracle& oracle_;
  const Budget& budget_;
  const Progress& on_progress_;
  const Options& options_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Case best_;
  std::string signature_;
  std::vector<Other> others_;
  std::unordered_map<std::string, OracleAnswer> known_;
  std::int64_t calls_ = 0, cache_hits_ = 0;
  bool spent_ = false;
  bool quiet_ = false;
  bool thorough_ = false;
};

}  // namespace fw::reduce
