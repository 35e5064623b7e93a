// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/vocab/side.h"
#include "props/properties/cfs_view.h"

/// Reading a View of the bfs policy, and its arithmetic restated from the dossier.
namespace fw::props::bfs {

enum TaskInt : std::size_t { deadline, time_slice, last_ran, prio, place, depth, first_time_slice };
enum CpuInt : std::size_t { niffies, qnr, rq_prio, rq_deadline, dither, cpu_ints };

inline std::int64_t get(const TaskView& task, TaskInt which) { return task.ints[which]; }
inline std::int64_t get(const CpuView& cpu, CpuInt which) { return cpu.ints[which]; }

/// A run's figures as the checkers read them from its spec.
struct Tunables {
  bool gen_j = false, penalty = false, dist_is_time = false;
  std::int64_t depth_rule = 0, hz = 1000, rr_ms = 6;
  const Topology* topology = nullptr;

  explicit Tunables(const Setup& setup) : topology(&setup.topology) {
    const auto& knobs = setup.spec.knobs;
    const auto count = [&](const char* name, std::int64_t standard) {
      const auto found = knobs.find(name);
      return found == knobs.end() ? standard : found->second;
    };
    gen_j = setup.spec.version == "0.31x";
    const std::int64_t cpus = setup.topology.cpus;
    std::int64_t doublings = 0;
    while (std::int64_t{2} << doublings <= cpus) ++doublings;
    rr_ms = count("rr_interval", gen_j ? 6 * (1 + doublings) : 6 * (4 * cpus + 4) / (cpus + 6));
    const auto feature = setup.spec.features.find("FORK_DEPTH_PENALTY");
    penalty = feature != setup.spec.features.end() && feature->second;
    depth_rule = count("depth_rule", 0);
    dist_is_time = count("dist_unit", 0) != 0;
    hz = count("hz", setup.workload.hz.value_or(1000));
  }

  std::int64_t jiffies(Instant t) const {
    constexpr std::int64_t second = 1'000'000'000;
    return t.ns / second * hz + t.ns % second * hz / second;
  }
  std::int64_t ratio(std::int64_t level) const {
    std::int64_t out = gen_j ? 100 : 128;
    for (std::int64_t i = 0; i < level; ++i) out = out * 11 / 10;
    return out;
  }
  std::int64_t full_slice() const { return gen_j ? rr_ms * 1000 : rr_ms * 1024; }
  /// The deadline of a refill at `t`.
  std::int64_t deadline_at(Instant t, int nice, std::int64_t task_depth) const {
    const std::int64_t d = penalty ? task_depth : 0;
    const std::int64_t level = nice + 20 + (depth_rule == 2 ? d : 0);
    const std::int64_t r = ratio(std::min<std::int64_t>(39, level));
    std::int64_t offset =
        gen_j ? std::max<std::int64_t>(1, r * rr_ms * hz / 100'000) : r * rr_ms * 8192;
    if (depth_rule == 0) offset *= 1 + d;
    if (depth_rule == 1) offset *= std::max<std::int64_t>(1, d);
    return (gen_j ? jiffies(t) : t.ns) + offset;
  }
  std::int64_t locality(int a, int b) const {
    if (a == b) return 0;
    bool nodes = false;
    for (const TopologyLevel& level : topology->levels) {
      nodes = nodes || level.kind == LevelKind::node;
      const auto set = [&](int cpu) { return level.set_of_cpu[static_cast<std::size_t>(cpu)]; };
      if (set(a) != set(b)) continue;
      if (level.kind == LevelKind::smt) return 1;
      if (level.kind == LevelKind::cluster || level.kind == LevelKind::mc) return 2;
      if (level.kind == LevelKind::node) return 3;
    }
    return nodes ? 4 : 3;
  }
  /// What a task of that nice pays for going from one CPU to another.
  std::int64_t distance(int from, int to, int nice) const {
    const std::int64_t l = locality(from, to);
    const std::int64_t slice_ms = rr_ms * ratio(nice + 20) / (gen_j ? 100 : 128);
    std::int64_t out = 0;
    if (gen_j) {
      out = l == 4 ? 3 * slice_ms : l == 3 ? slice_ms : 0;
    } else if (l > 2) {
      out = slice_ms << (l - 2);
    }
    if (!dist_is_time) return out;
    return gen_j ? out * hz / 1000 : out * 1'000'000;
  }
};

/// The queued tasks in the order of the global queue.
inline std::vector<const TaskView*> queue_of(const View& view) {
  std::vector<const TaskView*> out;
  for (const TaskView& task : view.tasks) {
    if (get(task, place) > 0) out.push_back(&task);
  }
  std::sort(out.begin(), out.end(), [](const TaskView* a, const TaskView* b) {
    return get(*a, place) < get(*b, place);
  });
  return out;
}

/// Whether any task of the workload may be kept off a CPU: a View does not tell masks.
inline bool has_masks(const Setup& setup) {
  for (const TaskDef& task : setup.workload.tasks) {
    if (task.cpus) return true;
    for (const Phase& phase : task.phases) {
      if (phase.cpus) return true;
    }
  }
  return false;
}

}  // namespace fw::props::bfs
