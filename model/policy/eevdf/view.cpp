// SPDX-License-Identifier: Apache-2.0
// A state as others see it: sums, the View, and one line of text.
#include <algorithm>

#include "model/policy/eevdf/state.h"
#include "model/policy/tasks.h"

namespace fw::model::eevdf {

std::size_t index_of(const State& state, TaskId task) { return index_of_task(state.tasks, task); }

Totals totals(const State& state, const Queue& queue) {
  Totals out;
  const auto add = [&](std::uint64_t vruntime, std::uint64_t weight) {
    const auto key = static_cast<std::int64_t>(vruntime - queue.base);
    out.sum += static_cast<rules::Exact>(key) * static_cast<rules::Exact>(weight);
    out.weight += weight;
    ++out.count;
  };
  for (const Waiting& entry : queue.tree) add(entry.vruntime, entry.weight);
  if (!queue.curr.idle()) {
    const Task& current = state.tasks[index_of(state, queue.curr)];
    if (current.queued()) add(current.vruntime, current.weight.weight);
  }
  return out;
}

std::uint64_t average(const Queue& queue, const Totals& totals) {
  if (totals.count == 0) return queue.base;
  return queue.base +
         static_cast<std::uint64_t>(rules::eevdf::average<rules::Exact>(totals.sum, totals.weight));
}

namespace {
std::int64_t bits(std::uint64_t value) { return static_cast<std::int64_t>(value); }

void look_at(const Config& config, const State& state, const Queue& queue, CpuView& out) {
  out.curr = queue.curr;
  out.marked = queue.marked;
  out.nr_running = static_cast<int>(queue.nr_running);
  out.load = queue.load;
  out.queue.clear();
  for (const Waiting& entry : queue.tree) {
    if (!state.tasks[index_of(state, entry.task)].delayed) out.queue.push_back(entry.task);
  }
  const Totals all = totals(state, queue);
  out.ints.assign({bits(config.clock_base + static_cast<std::uint64_t>(state.now.ns)),
                   bits(queue.base),
                   bits(average(queue, all)),
                   bits(all.weight),
                   static_cast<std::int64_t>(all.sum),
                   queue.next.value,
                   bits(all.count)});
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
    view.weight = task.weight.weight;
    view.sum_exec_ns = task.sum_exec;
    view.ints = {bits(task.vruntime),
                 bits(task.deadline),
                 bits(task.slice),
                 task.vlag,
                 bits(task.exec_start),
                 bits(task.prev_sum_exec),
                 bits(task.protection),
                 task.delayed ? 1 : 0};
  }
  out.tasks.resize(live);
}

std::string text(const State& state) {
  const auto number = [](auto value) { return std::to_string(value); };
  std::string out = "t=" + number(state.now.ns);
  for (std::size_t cpu = 0; cpu < state.queues.size(); ++cpu) {
    const Queue& queue = state.queues[cpu];
    out += " | cpu " + number(cpu) + " base=" + number(queue.base) +
           " V=" + number(average(queue, totals(state, queue))) + " load=" + number(queue.load) +
           (queue.marked ? " marked" : "") + " next=" + number(queue.next.value);
    for (const Task& task : state.tasks) {
      if (static_cast<std::size_t>(task.cpu) != cpu) continue;
      out += " " + number(task.id.value) + "(" + (queue.curr == task.id ? "curr " : "") +
             (task.delayed ? "delayed "
              : task.on_rq ? ""
                           : "off ") +
             "v=" + number(task.vruntime) + " d=" + number(task.deadline) +
             " w=" + number(task.weight.weight) + " lag=" + number(task.vlag) +
             " exec=" + number(task.sum_exec) + ")";
    }
  }
  return out;
}

}  // namespace fw::model::eevdf
