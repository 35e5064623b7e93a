// SPDX-License-Identifier: Apache-2.0
// One task: its slice, its deadline, its place in the global queue.
#include <algorithm>

#include "model/policy/bfs/work.h"
#include "model/rules/bfs.h"

namespace fw::model::bfs {

namespace rb = rules::bfs;

std::uint64_t deadline_from(const Config& config,
                            const Task& p,
                            Instant now,
                            std::uint64_t jiffies) {
  const std::uint64_t depth = config.depth_penalty ? p.depth : 0;
  auto level = static_cast<std::uint64_t>(p.nice + 20);
  if (config.depth_rule == DepthRule::additive) level = rb::depth_level(level, depth);
  const std::uint64_t ratio = rb::ratio(level, config.gen_j);
  std::uint64_t offset =
      config.gen_j
          ? rb::deadline_offset_j(ratio, config.rr_ms, static_cast<std::uint64_t>(config.hz))
          : rb::deadline_offset(ratio, config.rr_ms);
  if (config.depth_rule == DepthRule::linear) offset = rb::depth_linear(offset, depth);
  if (config.depth_rule == DepthRule::max) offset = rb::depth_max(offset, depth);
  return (config.gen_j ? jiffies : static_cast<std::uint64_t>(now.ns)) + offset;
}

std::uint64_t Work::prio_of(const Task& p) {
  return p.sched_class == SchedClass::idle ? idle_policy_prio : normal_prio;
}

/// Section 2: a full slice, and the deadline that goes with it.
void Work::refill(Task& p) {
  p.time_slice = static_cast<std::int64_t>(rb::full_slice(config_.rr_ms, config_.gen_j));
  p.deadline = deadline_from(config_, p, event_.t, event_.jiffies);
  p.first_time_slice = false;
}

/// Section 2. Nothing but the slice decides anything; sum_exec_ns is exact.
void Work::charge(Task& p) {
  p.sum_exec_ns += static_cast<std::uint64_t>((event_.t - p.exec_start).ns);
  p.exec_start = event_.t;
  const auto elapsed = static_cast<std::uint64_t>((event_.t - p.last_ran).ns);
  const std::uint64_t paid =
      config_.gen_j ? elapsed / 1000 : rb::charged_slice(elapsed, config_.tick_ns);
  p.time_slice -= static_cast<std::int64_t>(paid);
  p.last_ran = event_.t;
}

bool Work::refill_due(const Task& p) const {
  const bool batch = !config_.gen_j && p.sched_class == SchedClass::batch;
  return batch || rb::slice_over(p.time_slice, config_.gen_j);
}

void Work::enqueue(Task& p) {
  (prio_of(p) == normal_prio ? state_.normal : state_.idle_policy).push_back(p.id);
  p.place = Place::queued;
}

/// Off the global queue.
void Work::take(Task& p) {
  std::erase(prio_of(p) == normal_prio ? state_.normal : state_.idle_policy, p.id);
}

/// Section 5, fork. The parent is marked by the caller when its slice has become 0.
void Work::split_slice(Task& parent, Task& child) {
  const bool splits = config_.gen_j ? parent.time_slice > 0 : rb::can_split(parent.time_slice);
  if (!splits) {
    parent.time_slice = 0;
    refill(child);
    return;
  }
  child.deadline = parent.deadline;
  child.time_slice = config_.gen_j ? (parent.time_slice + 1) / 2 : parent.time_slice / 2;
  child.first_time_slice = config_.gen_j;
  parent.time_slice /= 2;
}

/// Generation J: a child that never had a slice of its own gives back what is left.
void Work::reap(const Task& child) {
  if (!child.first_time_slice) return;
  const std::size_t at = find(state_, child.parent);
  if (at == state_.tasks.size() || state_.tasks[at].dead) return;
  Task& parent = state_.tasks[at];
  const auto full = static_cast<std::int64_t>(rb::full_slice(config_.rr_ms, true));
  parent.time_slice = std::min(parent.time_slice + child.time_slice, full);
}

/// Section 2: whether the coming ticks count the tick that is under way (G2).
bool Work::dither() const {
  const auto hz = static_cast<std::uint64_t>(config_.hz);
  constexpr std::uint64_t second = 1'000'000'000;
  const std::uint64_t last_tick = event_.jiffies / hz * second + event_.jiffies % hz * second / hz;
  const std::uint64_t since = static_cast<std::uint64_t>(event_.t.ns) - last_tick;
  return !config_.gen_j && since <= second / hz / 2;
}

}  // namespace fw::model::bfs
