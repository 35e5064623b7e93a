// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/vocab/view.h"
#include "props/properties/exact.h"

/// Reading a View of the cfs policy: places of its integers (the catalogue's PolicySchema, in
/// order), and the few look-ups that every checker needs. Nothing here allocates.
namespace fw::props::cfs {

enum TaskInt : std::size_t { vruntime, exec_start, prev_sum_exec };

enum CpuInt : std::size_t {
  clock,
  min_vruntime,
  next,
  last,
  leftmost,
  cpu_load0,
  cpu_load1,
  cpu_load2,
  cpu_load3,
  cpu_load4,
  avg_idle,
  idle_stamp,
  next_balance,
  exec_clock,
  nr_spread_over,
  cpu_ints
};

/// After the CPU's own integers, once for each level of its sched domains.
enum DomainInt : std::size_t { last_balance, balance_interval, nr_balance_failed, domain_ints };
constexpr std::size_t place_of(std::size_t level, DomainInt which) {
  return std::size_t{cpu_ints} + level * std::size_t{domain_ints} + std::size_t{which};
}

inline std::uint64_t get(const TaskView& task, TaskInt which) {
  return static_cast<std::uint64_t>(task.ints[which]);
}
inline std::uint64_t get(const CpuView& cpu, CpuInt which) {
  return static_cast<std::uint64_t>(cpu.ints[which]);
}
inline std::uint64_t vr(const TaskView& task) { return get(task, vruntime); }
inline std::uint64_t min_of(const CpuView& cpu) { return get(cpu, min_vruntime); }

/// The live task of that id, or nullptr. Ids ascend, so a task stands at or before its own number.
inline const TaskView* find(const View& view, TaskId id) {
  if (id.value < 0 || view.tasks.empty()) return nullptr;
  std::size_t high = std::min(static_cast<std::size_t>(id.value), view.tasks.size() - 1);
  if (view.tasks[high].id == id) return &view.tasks[high];
  std::size_t low = 0;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (view.tasks[middle].id < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return view.tasks[low].id == id ? &view.tasks[low] : nullptr;
}

inline const CpuView& cpu_of(const View& view, CpuId id) {
  return view.cpus[static_cast<std::size_t>(id.value)];
}

inline bool runnable(const TaskView& task) { return task.state != TaskState::blocked; }

inline const exact::WeightRow& row_of(const TaskView& task) {
  return exact::weight_row(task.nice, task.sched_class == SchedClass::idle);
}

/// The running task of the CPU; nullptr when it idles, or when its current has just left.
inline const TaskView* running_on(const View& view, CpuId id) {
  const TaskView* curr = find(view, cpu_of(view, id).curr);
  return curr != nullptr && curr->state == TaskState::running && curr->cpu == id ? curr : nullptr;
}

/// What a charge of the CPU's running task at `now_clock` will give, worked out from the View
/// before.
struct Charge {
  const TaskView* task = nullptr;  ///< nullptr: nothing to charge
  std::uint64_t delta = 0;         ///< ns
  std::uint64_t vruntime = 0;      ///< the task's, afterwards
  std::uint64_t min = 0;           ///< the queue's min_vruntime, afterwards
};
inline Charge charge_of(const View& view, CpuId id, std::uint64_t now_clock) {
  const CpuView& cpu = cpu_of(view, id);
  Charge out;
  out.min = min_of(cpu);
  out.task = running_on(view, id);
  if (out.task == nullptr) return out;
  out.delta = now_clock - get(*out.task, exec_start);
  out.vruntime = vr(*out.task);
  if (out.delta == 0) return out;
  out.vruntime += exact::fair(out.delta, row_of(*out.task));
  std::uint64_t floor = out.vruntime;
  if (!cpu.queue.empty()) {
    if (const TaskView* left = find(view, cpu.queue.front()))
      floor = exact::earlier(floor, vr(*left));
  }
  out.min = exact::later(out.min, floor);
  return out;
}

inline bool same_ids(std::int64_t stored, TaskId id) { return stored == id.value; }

}  // namespace fw::props::cfs
