// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/vocab/decision.h"

namespace fw::reports {

/// Appends one line of the decision log (product.md, "Decision log"), newline included: a JSON
/// object with the keys t, cpu, kind, task, nr, then the kind's own, then the policy's state.
/// `names` is by TaskId (a task beyond it prints as `task-N`). `log_keys` are
/// PolicySchema::log_keys; the first `task_log_keys` are left out when the decision's task is idle.
void append_decision_line(std::string& out,
                          const Decision& decision,
                          std::span<const std::string> names,
                          std::span<const std::string_view> log_keys,
                          std::size_t task_log_keys);

/// The same line by itself, without the newline.
std::string decision_line(const Decision& decision,
                          std::span<const std::string> names,
                          std::span<const std::string_view> log_keys,
                          std::size_t task_log_keys);

}  // namespace fw::reports
