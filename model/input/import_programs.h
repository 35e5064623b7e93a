// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "model/input/import_tasks.h"

namespace fw::input {

/// The tasks met so far and their programs, at one moment of the walk over a trace. Tasks are meant
/// by their index in Drafts::tasks. Times are counted from the trace's start.
class Programs {
 protected:
  static constexpr std::int32_t idle = -2;
  struct Cpu {
    bool known = false;  ///< `task` is who runs
    bool seen = false;
    std::int32_t task = idle;
    Instant since;  ///< of the part of its stint that is in no step yet
  };

  explicit Programs(const TraceFacts& facts) : facts_(facts) {}

  void note(std::string_view text, std::int64_t count = 1) { out_.note(text, line_, count); }
  Draft& at(std::int32_t task) { return out_.tasks[static_cast<std::size_t>(task)]; }
  /// Null when nothing is known.
  const PidFacts* facts_of(std::int32_t pid) const;

  /// A new task; the pid means it from now on (placeholders: on that CPU).
  std::int32_t create(std::int32_t pid, std::int32_t cpu, DraftState state);
  /// The task, or -1.
  std::int32_t find(std::int32_t pid, std::int32_t cpu) const;
  /// Takes name and prio from an event's own fields; the newest stand.
  void learn(std::int32_t task, NameId name, std::int32_t prio);

  std::size_t push(std::int32_t task, Step step);
  void revive(const Slot& slot) { at(slot.task).steps[slot.step].live = true; }
  /// Puts what the task has run so far into its program; it runs on `cpu`.
  void flush(std::int32_t task, Cpu& cpu);

  /// Ends a block now, after its step is pushed.
  void woken(std::int32_t task);
  void wake_timed(std::int32_t task);
  /// The task is found up (switched in or out) although no line woke it.
  void ensure_up(std::int32_t task);

  const TraceFacts& facts_;
  Drafts out_;
  std::int64_t steps_ = 0;
  std::int64_t line_ = 0;
  Instant now_;

 private:
  std::int64_t key_of(std::int32_t pid, std::int32_t cpu) const;
  std::unordered_map<std::int64_t, std::int32_t> ids_;
};

}  // namespace fw::input
