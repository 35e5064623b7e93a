// SPDX-License-Identifier: Apache-2.0
// What 2.6.32 to 2.6.34 measure of a task, and the granularity they make of it.
// Source: cfs-semantics sections 12 and 15, choices N2 to N4.
#include "impl/cfs/fair.h"

namespace impl::cfs {

void FairClass::note_sleep(Task& task) const {
  Averages& of = task.averages;
  if (of.last_wakeup != 0) {
    of.overlap = update_avg(of.overlap, task.sum_exec - of.last_wakeup);
    of.last_wakeup = 0;
  } else {
    of.wakeup = update_avg(of.wakeup, tunables_.wakeup_granularity);
  }
}

void FairClass::note_put(Task& task) const {
  Averages& of = task.averages;
  const u64 ran = task.sum_exec - task.prev_sum_exec;
  of.running = update_avg(of.running, ran);
  if (task.on_rq) {
    // So that it does not go stale while the task is preempted rather than going to sleep.
    const u64 most = 2 * static_cast<u64>(tunables_.migration_cost);
    of.overlap = update_avg(of.overlap, std::min(ran, most));
  } else {
    of.running = update_avg(of.running, 0);
  }
}

void FairClass::note_wakeup_issued(Task& waker) const {
  Averages& of = waker.averages;
  const u64 since = of.last_wakeup != 0 ? of.last_wakeup : of.start_runtime;
  of.wakeup = update_avg(of.wakeup, waker.sum_exec - since);
  of.last_wakeup = waker.sum_exec;
}

u64 FairClass::adaptive_gran(const Task& curr, const Task& challenger) const {
  const u64 ran = curr.sum_exec - curr.prev_sum_exec;
  const u64 expected = 2 * challenger.averages.wakeup * queue(challenger.cpu).nr_running;
  const u64 missing = ran < expected ? expected - ran : 0;
  const i64 least =
      std::min(static_cast<i64>(missing), static_cast<i64>(tunables_.wakeup_granularity));
  return static_cast<u64>(least) & tunables_.word_mask;
}

u64 FairClass::wakeup_gran_by_averages(const Task& curr, const Task& challenger) const {
  const bool runs = queue(curr.cpu).curr != nullptr;
  const u64 granularity = tunables_.adaptive_gran && runs ? adaptive_gran(curr, challenger)
                                                          : tunables_.wakeup_granularity;
  return calc_delta_fair(granularity, tunables_.asym_gran ? challenger : curr);
}

}  // namespace impl::cfs
