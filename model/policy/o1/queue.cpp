// SPDX-License-Identifier: Apache-2.0
// One runqueue: its arrays, and what a tick, a wakeup and an exit do to a task's figures.
#include <algorithm>
#include <iterator>

#include "model/policy/o1/work.h"
#include "model/rules/o1.h"

namespace fw::model::o1 {

namespace ro = rules::o1;

std::uint64_t Work::effective_prio(const Task& p) const {
  return ro::effective_prio(
      ro::static_prio(p.nice), p.sleep_avg, config_.max_sleep_avg, config_.prio_bonus_ratio);
}

/// At the tail of the list of its priority.
void Work::enqueue(Task& p, Place place) {
  Queue& q = queue(p.cpu);
  std::vector<Entry>& array = place == Place::active ? q.active : q.expired;
  const auto behind = std::upper_bound(
      array.begin(), array.end(), p.prio, [](std::uint64_t prio, const Entry& entry) {
        return prio < entry.prio;
      });
  array.insert(behind, Entry{p.prio, p.id});
  p.place = place;
}

void Work::dequeue(Task& p) {
  Queue& q = queue(p.cpu);
  std::vector<Entry>& array = p.place == Place::active ? q.active : q.expired;
  const auto at = std::find(array.begin(), array.end(), Entry{p.prio, p.id});
  FW_ASSERT(at != array.end());
  array.erase(at);
  p.place = Place::none;
}

/// Section 6, wake-up: the sleep is credited, then the active array has the task.
void Work::activate(Task& p) {
  const std::uint64_t slept = event_.jiffies - p.sleep_timestamp;
  if (slept != 0) {
    p.sleep_avg = ro::sleep_credited(p.sleep_avg, slept, config_.max_sleep_avg);
    p.prio = effective_prio(p);
  }
  enqueue(p, Place::active);
}

/// Of a task that was just queued. A CPU without a current that is not idle is marked already.
void Work::check_preempt(const Task& woken) {
  Queue& q = queue(woken.cpu);
  const std::uint64_t running = q.curr.idle() ? ro::idle_prio : task(q.curr).prio;
  if (woken.prio < running) q.marked = true;
}

/// Brings the running time of the current up to now. Nothing decides by it.
void Work::account(Queue& q) {
  if (q.curr.idle() || q.left) return;
  Task& p = task(q.curr);
  p.sum_exec_ns += static_cast<std::uint64_t>((event_.t - p.exec_start).ns);
  p.exec_start = event_.t;
}

void Work::pay_tick(Queue& q, Task& p) {
  p.sleep_avg = ro::tick_paid(p.sleep_avg);
  if (--p.time_slice != 0) return;
  const std::uint64_t static_prio = ro::static_prio(p.nice);
  const std::uint64_t nr_running = q.nr_running();
  dequeue(p);
  q.marked = true;
  p.prio = effective_prio(p);
  p.time_slice = ro::timeslice(static_prio, config_.min_timeslice, config_.max_timeslice);
  p.first_time_slice = false;
  const bool interactive = ro::interactive(
      p.prio,
      ro::interactive_limit(static_prio, config_.prio_bonus_ratio, config_.interactive_delta));
  const bool starving = ro::starving(q.expired_timestamp,
                                     event_.jiffies,
                                     config_.starvation_limit,
                                     nr_running,
                                     config_.limit0_never);
  if (!ro::expires<std::uint64_t>(interactive, starving)) return enqueue(p, Place::active);
  if (q.expired_timestamp == 0) q.expired_timestamp = event_.jiffies;
  enqueue(p, Place::expired);
}

/// Section 6, exit.
void Work::reap(const Task& child) {
  const std::size_t at = child.parent.idle() ? state_.tasks.size() : find(state_, child.parent);
  if (at == state_.tasks.size() || state_.tasks[at].dead) return;
  Task& parent = state_.tasks[at];
  if (child.first_time_slice) {
    parent.time_slice =
        ro::slice_returned(parent.time_slice, child.time_slice, config_.max_timeslice);
  }
  parent.sleep_avg = ro::reaped_sleep_avg(parent.sleep_avg, child.sleep_avg, config_.exit_weight);
}

}  // namespace fw::model::o1
