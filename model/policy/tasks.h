// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/vocab/contract.h"
#include "model/vocab/ids.h"

/// A state's tasks: values with an `id` and a mark `dead`, by ascending id.
namespace fw::model {

/// The position of a task; the list's size if it is gone.
template <class Task>
std::size_t find_task(const std::vector<Task>& tasks, TaskId task) {
  // Ids are positions as long as nobody has ended.
  const auto guess = static_cast<std::size_t>(task.value);
  if (guess < tasks.size() && tasks[guess].id == task) return guess;
  const auto found = std::lower_bound(
      tasks.begin(), tasks.end(), task, [](const Task& a, TaskId b) { return a.id < b; });
  if (found == tasks.end() || found->id != task) return tasks.size();
  return static_cast<std::size_t>(found - tasks.begin());
}

/// The same for a task that must be there.
template <class Task>
std::size_t index_of_task(const std::vector<Task>& tasks, TaskId task) {
  const std::size_t at = find_task(tasks, task);
  FW_ASSERT(at < tasks.size());
  return at;
}

/// Forgets a task that has exited and now left its CPU.
template <class Task>
void erase_if_dead(std::vector<Task>& tasks, TaskId task) {
  const std::size_t at = index_of_task(tasks, task);
  if (tasks[at].dead) tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace fw::model
