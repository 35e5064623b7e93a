// SPDX-License-Identifier: Apache-2.0
#include "impl/bench/bare_loop.h"

#include <algorithm>

namespace impl::bench {

BareLoop::BareLoop(const Shape& shape)
    : tasks_(static_cast<std::size_t>(shape.tasks)), cpus_(static_cast<std::size_t>(shape.cpus)) {
  events_.resize(cpus_.size() + tasks_.size());
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    tasks_[i].number = i;
    tasks_[i].cpu = i % cpus_.size();
    tasks_[i].run_ns = shape.run_ns + number * shape.run_step_ns;
    tasks_[i].sleep_ns = shape.sleep_ns + number * shape.sleep_step_ns;
    events_.set(cpus_.size() + i, 0);
  }
}

void BareLoop::schedule(std::size_t at) {
  Cpu& cpu = cpus_[at];
  cpu.curr = cpu.queue.leftmost();
  if (cpu.curr == nullptr) return;
  cpu.queue.erase(*cpu.curr);
  events_.set(at, now_ + cpu.curr->run_ns);
}

std::uint64_t BareLoop::step() {
  std::uint64_t events = 0;
  now_ = std::min(events_.first_time(), next_tick_);
  while (events_.first_time() == now_) {
    const std::size_t slot = events_.first_slot();
    events_.remove(slot);
    if (slot < cpus_.size()) {
      Task& task = *cpus_[slot].curr;
      events_.set(cpus_.size() + task.number, now_ + task.sleep_ns);
      schedule(slot);
      events += 2;  // block, schedule
    } else {
      Task& task = tasks_[slot - cpus_.size()];
      task.key += static_cast<u64>(task.run_ns);
      cpus_[task.cpu].queue.insert(task);
      ++events;
      if (cpus_[task.cpu].curr == nullptr) {
        schedule(task.cpu);
        ++events;
      }
    }
  }
  if (now_ == next_tick_) {
    next_tick_ += 1'000'000;
    for (const Cpu& cpu : cpus_) events += cpu.curr != nullptr;
  }
  return events;
}

}  // namespace impl::bench
