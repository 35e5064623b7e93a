// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/vocab/ids.h"
#include "model/vocab/time.h"

namespace fw {

/// Kinds of decision-log record (product.md, "Decision log").
enum class DecisionKind {
  fork,
  wake,
  block,
  exit,
  yield,
  renice,
  affinity,
  preempt,
  pick,
  migrate
};
std::string_view decision_name(DecisionKind kind);

/// The `why` of picks, preempts and migrations, and the `by` of wakeups that no task made.
enum class Why {
  none,
  only,
  leftmost,
  next,
  last,
  idle,
  fifo,
  earliest_deadline,
  protected_,  // pick
  slice,
  deadline,
  protection,
  expired,  // preempt (+ leftmost)
  wakeup,
  fork,
  exec,
  periodic,
  newidle,
  active,
  affinity,
  hotplug,  // migrate
  timer,
  start,  // wake by
};
/// As printed: `earliest-deadline`, `protected`, `newidle`, ...
std::string_view why_name(Why why);

/// One decision, in the order taken. Keys that a kind does not have stay at their defaults.
/// Meaning of every key: semantics/simulator.md section B.
struct Decision {
  Instant t;
  CpuId cpu;
  DecisionKind kind = DecisionKind::pick;
  TaskId task;   ///< idle_task for `idle`
  int nr = 0;    ///< runnable tasks of that CPU after the operation
  TaskId other;  ///< fork, wake: by (idle_task with `why` = timer or start); pick: prev
  CpuId from;    ///< migrate
  Why why = Why::none;
  bool preempt = false;        ///< wake, fork
  int nice = 0;                ///< renice
  std::optional<CpuSet> cpus;  ///< affinity
  /// State after the decision, in the order of PolicySchema::log_keys; keys of a task are absent
  /// when `task` is idle.
  std::array<std::int64_t, 4> state = {};
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// The word that stands for a value of a log key: `none`, `active`, `expired` for 0, 1, 2 of
/// `array`. Empty where the number itself is shown.
std::string_view state_word(std::string_view key, std::int64_t value);

}  // namespace fw
