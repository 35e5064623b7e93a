// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/vocab/side.h"
#include "props/properties/cfs_view.h"

/// Reading a View of the o1 policy, and its arithmetic restated from the dossier.
namespace fw::props::o1 {

enum TaskInt : std::size_t {
  prio,
  time_slice,
  array,
  sleep_avg,
  sleep_timestamp,
  first_time_slice
};
enum CpuInt : std::size_t {
  nr_active,
  nr_expired,
  active_bitmap,
  expired_bitmap,
  expired_timestamp,
  nr_balanced,
  prev_nr_running,
  prev_node_load,
  cpu_ints
};
enum Array : std::int64_t { none, active, expired };

inline std::int64_t get(const TaskView& task, TaskInt which) { return task.ints[which]; }
inline std::int64_t get(const CpuView& cpu, CpuInt which) { return cpu.ints[which]; }

/// A run's figures as the checkers read them from its spec. Times are ticks.
struct Tunables {
  std::int64_t hz = 1000, min_slice = 10, max_slice = 300, child_penalty = 95;
  std::int64_t parent_penalty = 100, exit_weight = 3, ratio = 25, delta = 2;
  std::int64_t max_sleep = 2000, limit = 2000;
  bool zero_is_never = false;

  explicit Tunables(const Setup& setup) {
    const auto& knobs = setup.spec.knobs;
    const auto count = [&](const char* name, std::int64_t standard) {
      const auto found = knobs.find(name);
      return found == knobs.end() ? standard : found->second;
    };
    hz = count("hz", setup.workload.hz.value_or(1000));
    const auto ticks = [&](const char* name, std::int64_t ms) {
      const auto found = knobs.find(name);
      if (found == knobs.end()) return std::max<std::int64_t>(1, ms * hz / 1000);
      return static_cast<std::int64_t>(ticks_of_knob(found->second, static_cast<int>(hz)));
    };
    const std::int64_t variant = count("variant", 0);
    const bool part1 = variant == 1 || variant == 3;
    const bool part2 = variant >= 2;
    min_slice = std::max<std::int64_t>(1, ticks("min_timeslice", 10));
    max_slice = std::max(min_slice, ticks("max_timeslice", part1 ? 200 : 300));
    child_penalty = count("child_penalty", part1 ? 50 : 95);
    parent_penalty = count("parent_penalty", 100);
    exit_weight = count("exit_weight", 3);
    ratio = count("prio_bonus_ratio", 25);
    delta = count("interactive_delta", 2);
    max_sleep = std::max<std::int64_t>(1, ticks("max_sleep_avg", part2 ? 10'000 : 2'000));
    limit = ticks("starvation_limit", part2 ? 30'000 : 2'000);
    zero_is_never = count("limit0_never", part2 ? 1 : 0) != 0;
  }

  std::int64_t jiffies(Instant t) const {
    constexpr std::int64_t second = 1'000'000'000;
    return t.ns / second * hz + t.ns % second * hz / second;
  }
  std::int64_t slice_of(int nice) const {
    return min_slice + (max_slice - min_slice) * (19 - nice) / 39;
  }
  std::int64_t prio_of(int nice, std::int64_t sleep) const {
    const std::int64_t bonus = 40 * ratio * sleep / max_sleep / 100 - 40 * ratio / 100 / 2;
    return std::clamp<std::int64_t>(120 + nice - bonus, 100, 139);
  }
  bool interactive(int nice, std::int64_t prio_now) const {
    return prio_now <= 120 + nice - (nice * (40 * ratio / 100) / 40 + delta);
  }
  bool starving(std::int64_t since, std::int64_t now, std::int64_t nr_running) const {
    if (since == 0 || (zero_is_never && limit == 0)) return false;
    return now - since >= limit * nr_running + 1;
  }
};

/// The CPU's running task if it is in the active array, so that a tick takes time off it.
inline const TaskView* ticking(const View& view, CpuId cpu) {
  const TaskView* task = cfs::running_on(view, cpu);
  return task != nullptr && get(*task, array) == active ? task : nullptr;
}

}  // namespace fw::props::o1
