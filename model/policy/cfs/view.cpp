// SPDX-License-Identifier: Apache-2.0
// A state as others see it: the View, and one line of text.
#include <algorithm>

#include "model/policy/cfs/state.h"
#include "model/policy/tasks.h"

namespace fw::model::cfs {

std::size_t index_of(const State& state, TaskId task) { return index_of_task(state.tasks, task); }

namespace {
std::int64_t bits(std::uint64_t value) { return static_cast<std::int64_t>(value); }

void look_at(const Config& config, const State& state, const Queue& queue, CpuView& out) {
  out.curr = queue.curr;
  out.marked = queue.marked;
  out.nr_running = static_cast<int>(queue.nr_running);
  out.load = queue.load;
  out.queue.clear();
  for (const Waiting& entry : queue.tree) out.queue.push_back(entry.task);
  const TaskId leftmost = queue.tree.empty() ? idle_task : queue.tree.front().task;
  out.ints.clear();
  out.ints.insert(out.ints.end(),
                  {bits(config.clock_base + static_cast<std::uint64_t>(state.now.ns)),
                   bits(queue.min_vruntime),
                   queue.next.value,
                   queue.last.value,
                   leftmost.value});
  for (const std::uint64_t load : queue.cpu_load) out.ints.push_back(bits(load));
  out.ints.insert(out.ints.end(),
                  {bits(queue.avg_idle),
                   bits(queue.idle_stamp),
                   bits(queue.next_balance),
                   bits(queue.exec_clock),
                   bits(queue.nr_spread_over)});
  for (const DomainState& domain : queue.domains) {
    out.ints.insert(out.ints.end(),
                    {bits(domain.last_balance),
                     bits(domain.balance_interval_ms),
                     bits(domain.nr_balance_failed)});
  }
}
}  // namespace

void look(const Config& config, const State& state, View& out) {
  out.now = state.now;
  out.cpus.resize(state.queues.size());
  for (std::size_t cpu = 0; cpu < state.queues.size(); ++cpu) {
    look_at(config, state, state.queues[cpu], out.cpus[cpu]);
  }
  out.tasks.resize(state.tasks.size());
  std::size_t live = 0;
  for (const Task& task : state.tasks) {
    if (task.dead) continue;
    TaskView& view = out.tasks[live++];
    const bool runs = state.queues[static_cast<std::size_t>(task.cpu)].curr == task.id;
    view.id = task.id;
    view.state = !task.on_rq ? TaskState::blocked : runs ? TaskState::running : TaskState::queued;
    view.cpu = CpuId{task.cpu};
    view.nice = task.nice;
    view.sched_class = task.sched_class;
    view.weight = task.weight;
    view.sum_exec_ns = task.sum_exec;
    view.ints[0] = bits(task.vruntime);
    view.ints[1] = bits(task.exec_start);
    view.ints[2] = bits(task.prev_sum_exec);
  }
  out.tasks.resize(live);
}

std::string text(const State& state) {
  const auto number = [](auto value) { return std::to_string(value); };
  std::string out = "t=" + number(state.now.ns);
  for (std::size_t cpu = 0; cpu < state.queues.size(); ++cpu) {
    const Queue& queue = state.queues[cpu];
    out += " | cpu " + number(cpu) + " min=" + number(queue.min_vruntime) +
           " load=" + number(queue.load) + (queue.marked ? " marked" : "") +
           " next=" + number(queue.next.value) + " last=" + number(queue.last.value);
    for (const Task& task : state.tasks) {
      if (static_cast<std::size_t>(task.cpu) != cpu) continue;
      out += " " + number(task.id.value) + "(" + (queue.curr == task.id ? "curr " : "") +
             (task.on_rq ? "" : "off ") + "v=" + number(task.vruntime) +
             " w=" + number(task.weight) + " exec=" + number(task.sum_exec) + ")";
    }
  }
  return out;
}

}  // namespace fw::model::cfs
