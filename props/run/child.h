// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "model/vocab/time.h"

namespace fw::run {

/// How a child process ended.
struct ChildEnd {
  bool finished = false;   ///< its function returned
  bool timed_out = false;  ///< killed at the limit
  int signal = 0;          ///< signal that ended it
  int status = 0;          ///< exit status otherwise
  std::string output;      ///< what it returned, as far as it came
  /// `killed by signal 11`, `exit status 70`, `no answer within 20s`.
  std::string text() const;
};

/// Runs `work` in a child process and gives what it returns. A crash, an abort or a hang of `work`
/// stays in the child.  Errors: a failing fork() is reported as an unfinished child with status 71.
ChildEnd run_in_child(const std::function<std::string()>& work, Duration limit);

}  // namespace fw::run
