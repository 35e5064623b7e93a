// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/vocab/result.h"

namespace fw::run {

/// One stay of a task on a runqueue without the CPU: from becoming runnable (or losing the CPU) to
/// being picked, or to the end of the recording.
struct Wait {
  TaskId task;
  Instant from;
  Instant to;
  bool ended = true;              ///< false: still waiting when the recording ends
  std::string began;              ///< `woken by fig-1`, `preempted`, `forked by sh-0`
  std::vector<PassedOver> chain;  ///< every pick of another task on its CPU meanwhile
  Duration length() const { return to - from; }
};

/// All waits of one task (or of every task, for idle_task), in order of their beginning.
std::vector<Wait> waits_of(const Recording& recording, TaskId task);

/// The task of that name; idle_task when there is none.
TaskId task_named(const Recording& recording, std::string_view name);

/// A wait as text that can be pasted into a mail.
std::string explain_wait(const Wait& wait, const Recording& recording);

}  // namespace fw::run
