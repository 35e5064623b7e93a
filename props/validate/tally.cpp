// SPDX-License-Identifier: Apache-2.0
#include "props/validate/tally.h"

#include <algorithm>
#include <utility>

namespace fw::validate {

std::string_view rule_name(Rule rule) {
  switch (rule) {
    case Rule::vruntime_step:
      return "vruntime_step";
    case Rule::pick:
      return "pick";
    case Rule::wakeup_placement:
      return "wakeup_placement";
    case Rule::fork_placement:
      return "fork_placement";
    case Rule::wakeup_preemption:
      return "wakeup_preemption";
    case Rule::tick_preemption:
      return "tick_preemption";
    case Rule::deadline:
      return "deadline";
    case Rule::lag:
      return "lag";
    case Rule::delayed_dequeue:
      return "delayed_dequeue";
    case Rule::average:
      return "average";
  }
  return "";
}

std::span<const Rule> rules_of(std::string_view policy) {
  using enum Rule;
  static constexpr std::array cfs = {vruntime_step,
                                     pick,
                                     wakeup_placement,
                                     fork_placement,
                                     wakeup_preemption,
                                     tick_preemption};
  static constexpr std::array eevdf = {vruntime_step,
                                       deadline,
                                       pick,
                                       wakeup_placement,
                                       fork_placement,
                                       wakeup_preemption,
                                       tick_preemption,
                                       lag,
                                       delayed_dequeue,
                                       average};
  if (policy == "eevdf") return eevdf;
  return cfs;
}

void Tally::explained(Rule rule, bool contested) {
  ++at(rule).checked;
  ++at(rule).explained;
  if (contested) ++at(rule).contested;
}

void Tally::unexplained(Miss miss, bool contested) {
  ++at(miss.rule).checked;
  if (contested) ++at(miss.rule).contested;
  misses_.push_back(std::move(miss));
}

void Tally::sort() {
  std::stable_sort(
      misses_.begin(), misses_.end(), [](const Miss& a, const Miss& b) { return a.line < b.line; });
}

void Tally::skip(Rule rule, const std::string& cause) { ++at(rule).skipped[cause]; }

std::int64_t Tally::checked() const {
  std::int64_t out = 0;
  for (const RuleTally& rule : rules_) out += rule.checked;
  return out;
}

std::int64_t Tally::unexplained() const {
  std::int64_t out = 0;
  for (const RuleTally& rule : rules_) out += rule.unexplained();
  return out;
}

}  // namespace fw::validate
