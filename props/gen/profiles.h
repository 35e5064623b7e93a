// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "props/gen/shape.h"

namespace fw::gen {

/// Kinds of situation that a workload is put together from; each adds one to a few tasks.
enum class Profile {
  hogs,
  ties,
  sleepers,
  long_sleeper,
  periodic,
  ping_pong,
  ring,
  hub,
  semaphore,
  condition,
  locks,
  barrier,
  crowd,
  forks,
  yields,
  renice,
  affinity,
  runtime,
  finite,
  soup
};
inline constexpr int profile_count = 20;
std::string_view profile_name(Profile profile);

/// A workload being written.
struct Draft {
  Draw& draw;
  const Shape& shape;
  Workload& workload;
  int refs = 0;  ///< names given so far to timers, locks, ...

  int room() const { return shape.max_tasks - static_cast<int>(workload.tasks.size()); }
  std::string new_ref(std::string_view stem) { return std::string(stem) + std::to_string(refs++); }
  /// `STEM` and the task's place in the file; a task of one phase that is repeated for ever.
  TaskDef task(std::string_view stem, std::vector<Op> ops, std::size_t place = 0) const;
  Duration brief() { return draw_amount(draw, shape, 1'000, 500'000); }
  Duration middling() { return draw_amount(draw, shape, 100'000, 5'000'000); }
  Duration long_one() { return draw_amount(draw, shape, 2'000'000, 100'000'000); }
  /// Of any scale, with a few absurdly small ones.
  Duration any();
};

/// Adds the tasks of `profile`, as far as there is room: those of a pair or group come together or
/// not at all.
void add_profile(Draft& draft, Profile profile);

/// Gives a drawn task its nice, class, affinity, delay and instances, by the rates of the shape.
void dress(Draft& draft, TaskDef& task);

/// Keeps a task's program within `events` in the case's horizon: by time taken in each round, or by
/// a limited number of rounds. Every loop takes time afterwards.
void limit_rate(Draft& draft, TaskDef& task, std::int64_t events);

/// Bounds how often each task forks.
void limit_forks(Workload& workload);

}  // namespace fw::gen
