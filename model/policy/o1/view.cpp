// SPDX-License-Identifier: Apache-2.0
// A state as others see it: the View, and one line of text.
#include <algorithm>

#include "model/policy/o1/state.h"
#include "model/policy/tasks.h"
#include "model/rules/o1.h"

namespace fw::model::o1 {

namespace ro = rules::o1;

std::size_t find(const State& state, TaskId task) { return find_task(state.tasks, task); }

std::size_t index_of(const State& state, TaskId task) { return index_of_task(state.tasks, task); }

namespace {
std::int64_t bits(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::uint64_t weight_of(const Config& config, const Task& task) {
  return ro::timeslice(ro::static_prio(task.nice), config.min_timeslice, config.max_timeslice);
}

/// Bit i for priority 100 + i.
std::uint64_t bitmap(const std::vector<Entry>& array) {
  std::uint64_t out = 0;
  for (const Entry& entry : array) out |= std::uint64_t{1} << (entry.prio - ro::best_prio);
  return out;
}

/// One figure for a whole row of them: each weighted by its place, from 1.
std::uint64_t weighted_sum(const std::vector<std::uint64_t>& values) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < values.size(); ++i) out += (i + 1) * values[i];
  return out;
}

void look_at(const Config& config, const State& state, const Queue& queue, CpuView& out) {
  out.curr = queue.curr;
  out.marked = queue.marked;
  out.nr_running = static_cast<int>(queue.nr_running());
  out.load = 0;
  out.queue.clear();
  for (const std::vector<Entry>* array : {&queue.active, &queue.expired}) {
    for (const Entry& entry : *array) {
      out.load += weight_of(config, state.tasks[index_of(state, entry.task)]);
      if (entry.task != queue.curr) out.queue.push_back(entry.task);
    }
  }
  out.ints.assign({bits(queue.active.size()),
                   bits(queue.expired.size()),
                   bits(bitmap(queue.active)),
                   bits(bitmap(queue.expired)),
                   bits(queue.expired_timestamp),
                   bits(queue.nr_balanced),
                   bits(weighted_sum(queue.prev_nr_running)),
                   bits(weighted_sum(queue.prev_node_load))});
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
    view.state = task.place == Place::none ? TaskState::blocked
                 : runs                    ? TaskState::running
                                           : TaskState::queued;
    view.cpu = CpuId{task.cpu};
    view.nice = task.nice;
    view.sched_class = SchedClass::normal;
    view.weight = weight_of(config, task);
    view.sum_exec_ns = task.sum_exec_ns;
    view.ints = {bits(task.prio),
                 bits(task.time_slice),
                 static_cast<std::int64_t>(task.place),
                 bits(task.sleep_avg),
                 bits(task.sleep_timestamp),
                 task.first_time_slice ? 1 : 0};
  }
  out.tasks.resize(live);
}

std::string text(const State& state) {
  const auto number = [](auto value) { return std::to_string(value); };
  std::string out = "t=" + number(state.now.ns);
  for (std::size_t cpu = 0; cpu < state.queues.size(); ++cpu) {
    const Queue& queue = state.queues[cpu];
    out += " | cpu " + number(cpu) + (queue.marked ? " marked" : "") +
           " curr=" + number(queue.curr.value) + " since=" + number(queue.expired_timestamp);
    for (const std::vector<Entry>* array : {&queue.active, &queue.expired}) {
      out += array == &queue.active ? " active:" : " expired:";
      for (const Entry& entry : *array) {
        const Task& task = state.tasks[index_of(state, entry.task)];
        out += " " + number(entry.task.value) + "(prio=" + number(entry.prio) +
               " slice=" + number(task.time_slice) + " sleep=" + number(task.sleep_avg) + ")";
      }
    }
  }
  return out;
}

}  // namespace fw::model::o1
