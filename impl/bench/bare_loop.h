// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "impl/base/event_queue.h"
#include "impl/base/fixed_point.h"
#include "impl/base/timeline.h"

namespace impl::bench {

/// The least that an event loop of N CPUs can do for tasks that run and sleep in turn: wake into an
/// ordered queue, run the leftmost to the end of its run, block it, tick. No charging, no
/// preemption, no records. What is left when the policy is taken away.
class BareLoop {
 public:
  struct Shape {
    int cpus = 1;
    int tasks = 10;
    std::int64_t run_ns = 0, run_step_ns = 0;  ///< task i runs run_ns + i * run_step_ns
    std::int64_t sleep_ns = 0, sleep_step_ns = 0;
  };

  explicit BareLoop(const Shape& shape);
  /// Handles the events of the next instant; gives how many there were.
  std::uint64_t step();
  std::int64_t now() const { return now_; }

 private:
  struct Task {
    std::size_t number = 0;
    std::size_t cpu = 0;
    std::int64_t run_ns = 0, sleep_ns = 0;
    u64 key = 0;
    TreeHook hook;
  };
  struct Before {
    bool operator()(const Task& a, const Task& b) const { return is_before(a.key, b.key); }
  };
  struct Cpu {
    Timeline<Task, &Task::hook, Before> queue;
    Task* curr = nullptr;
  };
  void schedule(std::size_t cpu);

  std::deque<Task> tasks_;
  std::deque<Cpu> cpus_;
  EventQueue events_;
  std::int64_t now_ = 0;
  std::int64_t next_tick_ = 1'000'000;
};

}  // namespace impl::bench
