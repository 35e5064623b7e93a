// SPDX-License-Identifier: Apache-2.0
// What 2.6.32 to 2.6.34 remember of a task's habits (section 15; CHOICE page N2, N3). Nothing in
// later versions.
#include <algorithm>

#include "model/policy/cfs/work.h"

namespace fw::model::cfs {

namespace rc = rules::cfs;

/// A task that is about to be enqueued by a wakeup.
void Work::average_wakee(Task& p) {
  if (averages()) p.start_runtime = p.sum_exec;
}

/// A task that has woken another one.
void Work::average_waker(Task& waker) {
  if (!averages()) return;
  const std::uint64_t since = waker.last_wakeup != 0 ? waker.last_wakeup : waker.start_runtime;
  waker.avg_wakeup = rc::updated_average(waker.avg_wakeup, waker.sum_exec - since);
  waker.last_wakeup = waker.sum_exec;
}

/// A task that is about to be dequeued to sleep.
void Work::average_sleeper(Task& p) {
  if (!averages()) return;
  if (p.last_wakeup != 0) {
    p.avg_overlap = rc::updated_average(p.avg_overlap, p.sum_exec - p.last_wakeup);
    p.last_wakeup = 0;
  } else {
    p.avg_wakeup = rc::updated_average(p.avg_wakeup, config_.wakeup_granularity_ns);
  }
}

/// A task that is about to be put back, or has left (section 12 step 4).
void Work::average_put(Task& p) {
  if (!averages()) return;
  const bool running_too = config_.version == Version::v2_6_32;
  const std::uint64_t ran = p.sum_exec - p.prev_sum_exec;
  if (running_too) p.avg_running = rc::updated_average(p.avg_running, ran);
  if (p.on_rq) {
    p.avg_overlap =
        rc::updated_average(p.avg_overlap, std::min(ran, 2 * config_.migration_cost_ns));
  } else if (running_too) {
    p.avg_running = rc::updated_average(p.avg_running, std::uint64_t{0});
  }
}

}  // namespace fw::model::cfs
