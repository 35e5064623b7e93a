// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "impl/cfs/fair.h"

/// For this folder's tests: the class without a machine.
namespace impl::cfs {

struct NoLog final : MoveLog {
  struct Move {
    int task, from, to;
    Reason why;
  };
  std::vector<Move> moves;
  void moved(int task, int from, int to, Reason why) override {
    moves.push_back({task, from, to, why});
  }
  void marked(int) override {}
};

inline Request with(std::map<std::string, i64, std::less<>> knobs,
                    std::map<std::string, bool, std::less<>> features = {},
                    std::string version = "2.6.36") {
  return {std::move(version), std::move(features), std::move(knobs)};
}

/// A class on some CPUs, and tasks with chosen state on its queues.
class Bench {
 public:
  explicit Bench(int cpus = 1, const Request& request = {}, std::vector<ShapeLevel> levels = {})
      : fair(MachineShape{cpus, std::move(levels), {}}, request, true, log) {}

  Task& task(int nice = 0, u64 vruntime = 0, TaskPolicy policy = TaskPolicy::normal) {
    Task& out = tasks.emplace_back();
    out.id = static_cast<int>(tasks.size()) - 1;
    out.nice = nice;
    out.policy = policy;
    out.allowed = CpuMask::all(fair.cpus());
    fair.set_weight(out);
    out.vruntime = vruntime;
    return out;
  }
  /// On the queue with exactly this vruntime.
  Task& queued(int nice = 0, u64 vruntime = 0, int cpu = 0) {
    Task& out = task(nice, vruntime);
    out.cpu = cpu;
    out.vruntime -= fair.queue(cpu).min_vruntime;
    fair.enqueue_task(fair.queue(cpu), out, {});
    return out;
  }
  /// Makes a queued task the current one without the pick rules.
  void run(Task& task) {
    Runqueue& rq = fair.queue(task.cpu);
    rq.timeline.erase(task);
    rq.curr = &task;
  }

  NoLog log;
  std::deque<Task> tasks;
  FairClass fair;
};

}  // namespace impl::cfs
