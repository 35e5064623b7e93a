// SPDX-License-Identifier: Apache-2.0
// Which task a CPU takes (section 4), and which CPU a task is offered to (section 5).
#include "model/policy/bfs/work.h"
#include "model/rules/bfs.h"

namespace fw::model::bfs {

namespace rb = rules::bfs;

namespace {
/// Section 4's L.
std::uint64_t locality(Nearness nearness, bool gen_j) {
  const auto steps = static_cast<std::uint64_t>(nearness);
  if (!gen_j) return steps;
  return nearness <= Nearness::cache ? 0 : nearness == Nearness::node ? 1 : 3;
}
}  // namespace

/// What moving the task between the two CPUs adds to its deadline.
std::uint64_t Work::distance(int from, int to, const Task& p) const {
  const Nearness nearness =
      config_.nearness[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  const auto level = static_cast<std::uint64_t>(p.nice + 20);
  const std::uint64_t slice_ms =
      rb::slice_ms(rb::ratio(level, config_.gen_j), config_.rr_ms, config_.gen_j);
  const std::uint64_t ms = rb::distance(locality(nearness, config_.gen_j), slice_ms, config_.gen_j);
  if (!config_.dist_is_time) return ms;
  return config_.gen_j ? ms * static_cast<std::uint64_t>(config_.hz) / 1000 : ms * 1'000'000;
}

/// Section 4; idle_task if nothing queued may run here.
TaskId Work::earliest(int number) {
  for (const std::vector<TaskId>* list : {&state_.normal, &state_.idle_policy}) {
    TaskId best;
    std::uint64_t best_deadline = 0;
    for (const TaskId id : *list) {
      const Task& p = task(id);
      if (!p.allowed.contains(CpuId{number})) continue;
      const std::uint64_t deadline = p.deadline + distance(p.cpu, number, p);
      if (config_.gen_j && deadline < event_.jiffies) return id;
      if (!best.idle() && deadline >= best_deadline) continue;
      best = id;
      best_deadline = deadline;
    }
    if (!best.idle()) return best;
  }
  return idle_task;
}

/// Some CPU of the same cache runs something.
bool Work::cache_busy(int number) {
  for (int other = 0; other < config_.cpus; ++other) {
    const Nearness nearness =
        config_.nearness[static_cast<std::size_t>(number)][static_cast<std::size_t>(other)];
    if (nearness <= Nearness::cache && !idle(other)) return true;
  }
  return false;
}

bool Work::thread_busy(int number) {
  for (int other = 0; other < config_.cpus; ++other) {
    const Nearness nearness =
        config_.nearness[static_cast<std::size_t>(number)][static_cast<std::size_t>(other)];
    if (nearness == Nearness::thread && !idle(other)) return true;
  }
  return false;
}

/// Section 5: the lower the better for a task that last ran on `last`.
unsigned Work::idle_rank(int number, int last) {
  const Nearness nearness =
      config_.nearness[static_cast<std::size_t>(last)][static_cast<std::size_t>(number)];
  const bool elsewhere = nearness == Nearness::elsewhere;
  if (config_.gen_j) {
    return (cache_busy(number) ? 1u : 0u) + (number != last ? 2u : 0u) +
           (thread_busy(number) ? 4u : 0u) + (elsewhere ? 8u : 0u);
  }
  return (nearness == Nearness::thread ? 1u : 0u) + (nearness == Nearness::cache ? 2u : 0u) +
         (cache_busy(number) ? 4u : 0u) + (nearness == Nearness::node ? 8u : 0u) +
         (thread_busy(number) ? 16u : 0u) + (elsewhere ? 32u : 0u);
}

int Work::best_idle(const Task& p) {
  int best = -1;
  unsigned best_rank = 0;
  const unsigned good_enough = config_.gen_j ? 1 : 0;
  for (int step = 0; step < config_.cpus; ++step) {
    const int number = (p.cpu + step) % config_.cpus;
    if (!idle(number) || !p.allowed.contains(CpuId{number})) continue;
    const unsigned rank = idle_rank(number, p.cpu);
    if (best >= 0 && rank >= best_rank) continue;
    best = number;
    best_rank = rank;
    if (rank <= good_enough) break;
  }
  return best;
}

/// Section 5 steps 3 and 4. Deadlines may be worsened below 0, so they are compared as signed.
int Work::victim(const Task& p) {
  int best = -1;
  std::int64_t best_deadline = 0;
  const auto adjusted = [&](int number) {
    return static_cast<std::int64_t>(cpu(number).rq_deadline - distance(p.cpu, number, p));
  };
  for (int number = 0; number < config_.cpus; ++number) {
    if (!p.allowed.contains(CpuId{number})) continue;
    const Cpu& at = cpu(number);
    const std::int64_t deadline = adjusted(number);
    if (best >= 0) {
      const std::uint64_t best_prio = cpu(best).rq_prio;
      const bool tie = at.rq_prio == best_prio && deadline == best_deadline;
      const bool later = at.rq_prio > best_prio ||
                         (at.rq_prio == best_prio && deadline > best_deadline) ||
                         (tie && config_.gen_j && number == p.cpu);
      if (!later) continue;
    }
    best = number;
    best_deadline = deadline;
  }
  if (best < 0) return -1;
  const Cpu& at = cpu(best);
  const std::uint64_t prio = prio_of(p);
  if (prio != at.rq_prio) return prio < at.rq_prio ? best : -1;
  if (!config_.gen_j) return p.deadline < at.rq_deadline ? best : -1;
  // Generation J, as written: with several CPUs only policy NORMAL is held to the deadline.
  if (p.sched_class != SchedClass::normal) return config_.cpus > 1 ? best : -1;
  return static_cast<std::int64_t>(p.deadline) < best_deadline ? best : -1;
}

int Work::find_cpu(const Task& p) {
  const int idle = best_idle(p);
  const bool never_preempts = !config_.gen_j && p.sched_class == SchedClass::idle;
  return idle >= 0 || never_preempts ? idle : victim(p);
}

}  // namespace fw::model::bfs
