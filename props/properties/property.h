// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/side.h"

namespace fw::props {

/// What a checker sees after each stimulus of the side under test.
struct Moment {
  std::int64_t event = 0;  ///< stimulus number from 0
  const Stimulus& stimulus;
  std::span<const Decision> decisions;
  const View& before;
  const View& after;
};

struct Violation {
  std::string what;                 ///< one sentence with figures
  std::string kind;                 ///< short stable word for the failure signature
  std::optional<TaskId> task = {};  ///< the victim, when there is one
};

/// Worst value seen against its bound; for the slack in reports.
struct Extreme {
  double worst = 0;
  double bound = 0;
  std::string unit;  ///< `ns`, `vns`, ...
};

/// Watches one run for one property. Made fresh for each run; holds what it must remember.
class Checker {
 public:
  virtual ~Checker() = default;
  /// False: the run lies outside the property's scope (counted as "not applicable").
  virtual bool applies(const Setup& setup) {
    (void)setup;
    return true;
  }
  virtual std::optional<Violation> after_event(const Moment& moment) = 0;
  virtual std::optional<Violation> at_end(const View& last) {
    (void)last;
    return std::nullopt;
  }
  virtual std::optional<Extreme> extreme() const { return std::nullopt; }
  /// How often the situation that shows the property is not vacuous was met.
  std::int64_t reached() const { return reached_; }
  /// True: the run met something outside the property's scope (a renice, a stale minimum, ...) and
  /// was judged only up to there. Counted as "not applicable", never as falsified.
  bool left_scope() const { return left_scope_; }

 protected:
  void reach() { ++reached_; }
  void leave_scope() { left_scope_ = true; }

 private:
  std::int64_t reached_ = 0;
  bool left_scope_ = false;
};

/// A second run whose log must relate to the first one's in a stated way (shift, rename, no-op,
/// ...). Runs on one side, so it also sees faults that both sides share.
class Relation {
 public:
  virtual ~Relation() = default;
  /// The related setup, or nothing when the relation says nothing about this one.
  virtual std::optional<Setup> variant(const Setup& setup, std::uint64_t salt) = 0;
  /// Compares decision `index` of both runs, after task ids etc. were translated by the relation.
  virtual std::optional<Violation> compare(const Decision& original, const Decision& varied) = 0;
};

/// One registry row. `id` is the same in file name, tests, command line and reports.
struct Property {
  std::string_view id;
  std::string_view about;      ///< one line
  std::string_view policy;     ///< policy name, `*` for every policy
  std::string_view situation;  ///< required situation: `two_runnable_tasks`
  std::string_view mutant;     ///< a mutant it must kill with lockstep off
  std::unique_ptr<Checker> (*checker)() = nullptr;
  std::unique_ptr<Relation> (*relation)() = nullptr;
};

/// All properties, in the order of the reports. Tests, help and reports loop over it.
std::span<const Property> all_properties();

}  // namespace fw::props
