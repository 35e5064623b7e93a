// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/time.h"

namespace fw::validate {

/// The kinds of decision that a trace shows.
enum class Rule {
  vruntime_step,
  pick,
  wakeup_placement,
  fork_placement,
  wakeup_preemption,
  tick_preemption,
  deadline,
  lag,
  delayed_dequeue,
  average
};
inline constexpr std::size_t rule_count = 10;
/// Those that a policy's replay checks, `cfs` or `eevdf`.
std::span<const Rule> rules_of(std::string_view policy);
std::string_view rule_name(Rule rule);

/// A decision of the kernel that is not the model's.
struct Miss {
  Rule rule = Rule::pick;
  std::int64_t line = 0;  ///< of the trace
  Instant t;
  std::string task;
  std::string reason;  ///< what the model expected and why, with the values it had
};

struct RuleTally {
  std::int64_t checked = 0;
  std::int64_t explained = 0;
  std::int64_t contested = 0;  ///< of the checked: the rule had a choice
  std::int64_t unexplained() const { return checked - explained; }
  /// Decisions that the trace does not decide, by cause.
  std::map<std::string, std::int64_t> skipped;
};

/// What a replay found.
class Tally {
 public:
  void explained(Rule rule, bool contested);
  void unexplained(Miss miss, bool contested);
  /// Misses by line: some are known to be such only later.
  void sort();
  void skip(Rule rule, const std::string& cause);
  /// The state did not fit the trace and was read from it anew.
  void resynchronized(const std::string& cause) { ++resyncs_[cause]; }

  const RuleTally& of(Rule rule) const { return rules_[static_cast<std::size_t>(rule)]; }
  const std::vector<Miss>& misses() const { return misses_; }
  const std::map<std::string, std::int64_t>& resyncs() const { return resyncs_; }
  std::int64_t checked() const;
  std::int64_t unexplained() const;

 private:
  RuleTally& at(Rule rule) { return rules_[static_cast<std::size_t>(rule)]; }
  std::array<RuleTally, rule_count> rules_;
  std::vector<Miss> misses_;
  std::map<std::string, std::int64_t> resyncs_;
};

}  // namespace fw::validate
