// SPDX-License-Identifier: Apache-2.0
// The printed names of the vocabulary's enumerators, in one place each.
#include <array>

#include "model/vocab/decision.h"
#include "model/vocab/result.h"
#include "model/vocab/topology.h"
#include "model/vocab/view.h"
#include "model/vocab/workload.h"

namespace fw {
namespace {
template <class Enum, std::size_t N>
std::string_view name_of(const std::array<std::string_view, N>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  FW_EXPECT(index < N);
  return names[index];
}
}  // namespace

std::string_view level_name(LevelKind kind) {
  static constexpr std::array<std::string_view, 8> names = {
      "SMT", "CLS", "MC", "DIE", "CPU", "GROUP", "NODE", "TOP"};
  return name_of(names, kind);
}

std::string_view op_name(OpKind kind) {
  static constexpr std::array<std::string_view, 17> names = {"run",
                                                             "runtime",
                                                             "sleep",
                                                             "timer",
                                                             "lock",
                                                             "unlock",
                                                             "wait",
                                                             "signal",
                                                             "broad",
                                                             "sync",
                                                             "barrier",
                                                             "suspend",
                                                             "resume",
                                                             "sem_post",
                                                             "sem_wait",
                                                             "yield",
                                                             "fork"};
  return name_of(names, kind);
}

std::string_view decision_name(DecisionKind kind) {
  static constexpr std::array<std::string_view, 10> names = {
      "fork", "wake", "block", "exit", "yield", "renice", "affinity", "preempt", "pick", "migrate"};
  return name_of(names, kind);
}

std::string_view why_name(Why why) {
  static constexpr std::array<std::string_view, 22> names = {
      "",         "only",       "leftmost",          "next",      "last",
      "idle",     "fifo",       "earliest-deadline", "protected", "slice",
      "deadline", "protection", "expired",           "wakeup",    "fork",
      "exec",     "periodic",   "newidle",           "active",    "affinity",
      "hotplug",  "timer"};
  return why == Why::start ? "start" : name_of(names, why);
}

std::string_view stimulus_name(StimulusKind kind) {
  static constexpr std::array<std::string_view, 12> names = {"start",
                                                             "wake",
                                                             "fork",
                                                             "block",
                                                             "exit",
                                                             "yield",
                                                             "renice",
                                                             "affinity",
                                                             "tick",
                                                             "idle_tick",
                                                             "balance",
                                                             "schedule"};
  return name_of(names, kind);
}

std::string exit_word(Exit status) {
  switch (status) {
    case Exit::held:
      return "held";
    case Exit::usage:
      return "usage";
    case Exit::falsified:
      return "falsified";
    case Exit::deadline:
      return "deadline";
    case Exit::stale:
      return "stale";
    case Exit::vacuous:
      return "vacuous";
    case Exit::nondeterminism:
      return "nondeterminism";
    case Exit::proof_failed:
      return "proof-failed";
    case Exit::unknown:
      return "unknown";
    case Exit::internal:
      return "internal";
  }
  return "internal";
}

Exit more_severe(Exit a, Exit b) {
  static constexpr std::array<Exit, 10> order = {Exit::held,
                                                 Exit::usage,
                                                 Exit::stale,
                                                 Exit::vacuous,
                                                 Exit::deadline,
                                                 Exit::unknown,
                                                 Exit::falsified,
                                                 Exit::nondeterminism,
                                                 Exit::proof_failed,
                                                 Exit::internal};
  const auto rank = [](Exit status) {
    std::size_t i = 0;
    while (order[i] != status) ++i;
    return i;
  };
  return rank(a) >= rank(b) ? a : b;
}

std::string_view state_word(std::string_view key, std::int64_t value) {
  constexpr std::array<std::string_view, 3> arrays = {"none", "active", "expired"};
  if (key != "array" || value < 0 || value > 2) return {};
  return arrays[static_cast<std::size_t>(value)];
}

}  // namespace fw
