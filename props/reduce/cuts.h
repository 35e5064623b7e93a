// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/vocab/case.h"

/// Pure removals from a case that leave a case: what depends on a removed piece goes with it.
namespace fw::reduce {

/// Where an event stands in the workload.
struct OpPlace {
  std::size_t task = 0, phase = 0, op = 0;
  friend auto operator<=>(const OpPlace&, const OpPlace&) = default;
};
/// Events that can only go together: one event, or a lock with its unlock and the waits between.
using OpUnit = std::vector<OpPlace>;

std::vector<OpUnit> op_units(const Case& input);
/// One unit for each name of a lock, condition, semaphore, barrier or timer: all events that use
/// it.
std::vector<OpUnit> ref_units(const Case& input);
/// One unit for each phase of tasks that have several.
std::vector<OpUnit> phase_units(const Case& input);

/// The case without the flagged tasks (by their place), and without references to them. Nothing
/// when no started task would be left.
std::optional<Case> without_tasks(const Case& input, const std::vector<bool>& drop);
/// The case without the flagged units; phases and tasks that become empty go, too.
std::optional<Case> without_units(const Case& input,
                                  const std::vector<OpUnit>& units,
                                  const std::vector<bool>& drop);

/// Whether running the case may take far longer than running `original` did: a loop that has come
/// to take hardly any time. Such a candidate is not tried.
bool explodes(const Case& input, const Case& original);

/// The phase, or the whole task, written out as often as it is repeated. Range: loop 2..8.
Case unrolled_task(Case input, std::size_t task);
Case unrolled_phase(Case input, std::size_t task, std::size_t phase);

/// CPUs of a topology's name: `2x2` is 4, `numaq` 16; 0 when the name does not say.
int cpus_of(const std::string& topology);

}  // namespace fw::reduce
