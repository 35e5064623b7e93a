// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/vocab/outcome.h"
#include "solver/exact/cfs_instance.h"

namespace fw::exact {

/// A run as a workload file (rt-app JSON), so that model and implementation can replay it.
struct Schedule {
  std::string workload;
  std::string observed;    ///< the observed task's thread, `A-2`
  std::int64_t ticks = 0;  ///< that the events take together
};

/// Each life of a task slot (from a start or fork to its exit) becomes a program: it runs, sleeps
/// until the instant at which the schedule wakes it, forks, and yields where another is picked
/// while it stays runnable. Whether the policy then takes the same picks is for the replay to show.
/// The observed task gets work without end.
/// Errors:  an event that no workload expresses (a sleep without length, a wakeup by nobody at the
/// instant of the leave); the text names it.
Outcome<Schedule> schedule_of(const CfsInstance& instance,
                              const std::vector<CfsEvent>& events,
                              std::int64_t tick_us);

/// The lead, then the cycle that many times.
std::vector<CfsEvent> unrolled(const CfsWorst& worst, int rounds);

}  // namespace fw::exact
