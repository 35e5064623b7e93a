// SPDX-License-Identifier: Apache-2.0
// A state as others see it: the View, and one line of text.
#include <algorithm>

#include "model/policy/bfs/state.h"
#include "model/policy/tasks.h"
#include "model/rules/bfs.h"

namespace fw::model::bfs {

std::size_t find(const State& state, TaskId task) { return find_task(state.tasks, task); }

std::size_t index_of(const State& state, TaskId task) { return index_of_task(state.tasks, task); }

int nr_running(const State& state) {
  int out = static_cast<int>(state.qnr());
  for (const Cpu& at : state.cpus) {
    if (at.curr.idle()) continue;
    out += state.tasks[index_of(state, at.curr)].place == Place::running ? 1 : 0;
  }
  return out;
}

namespace {
std::int64_t bits(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// Shares go about as the square of the deadline ratio (section 8); nothing decides by it.
std::uint64_t weight_of(const Task& task) {
  constexpr std::uint64_t nice_0 = rules::bfs::ratios_n[20];
  const std::uint64_t own = rules::bfs::ratios_n[static_cast<std::size_t>(task.nice + 20)];
  return 1024 * nice_0 * nice_0 / (own * own);
}

void look_at_task(const Task& task, TaskView& view) {
  view.id = task.id;
  view.state = task.place == Place::running  ? TaskState::running
               : task.place == Place::queued ? TaskState::queued
                                             : TaskState::blocked;
  view.cpu = CpuId{task.cpu};
  view.nice = task.nice;
  view.sched_class = task.sched_class;
  view.weight = weight_of(task);
  view.sum_exec_ns = task.sum_exec_ns;
  view.ints = {bits(task.deadline),
               task.time_slice,
               task.last_ran.ns,
               task.sched_class == SchedClass::idle ? bits(idle_policy_prio) : bits(normal_prio),
               0,
               bits(task.depth),
               task.first_time_slice ? 1 : 0};
}
}  // namespace

void look(const Config&, const State& state, View& out) {
  constexpr std::size_t place = 4;
  out.now = state.now;
  out.cpus.resize(state.cpus.size());
  for (std::size_t i = 0; i < state.cpus.size(); ++i) {
    const Cpu& at = state.cpus[i];
    CpuView& view = out.cpus[i];
    view.curr = at.curr;
    view.marked = at.marked;
    view.nr_running = 0;
    view.load = 0;
    view.queue.clear();
    view.ints.assign({state.now.ns,
                      bits(state.qnr()),
                      bits(at.rq_prio),
                      bits(at.rq_deadline),
                      at.dither ? 1 : 0});
  }
  std::vector<std::size_t> row_of(state.tasks.size());
  out.tasks.resize(state.tasks.size());
  std::size_t live = 0;
  for (std::size_t i = 0; i < state.tasks.size(); ++i) {
    const Task& task = state.tasks[i];
    if (task.dead) continue;
    row_of[i] = live;
    TaskView& view = out.tasks[live++];
    look_at_task(task, view);
    if (view.state == TaskState::blocked) continue;
    CpuView& at = out.cpus[static_cast<std::size_t>(task.cpu)];
    ++at.nr_running;
    at.load += view.weight;
  }
  out.tasks.resize(live);
  std::int64_t position = 0;
  for (const std::vector<TaskId>* list : {&state.normal, &state.idle_policy}) {
    for (const TaskId id : *list) {
      const std::size_t at = index_of(state, id);
      out.tasks[row_of[at]].ints[place] = ++position;
      out.cpus[static_cast<std::size_t>(state.tasks[at].cpu)].queue.push_back(id);
    }
  }
}

std::string text(const State& state) {
  const auto number = [](auto value) { return std::to_string(value); };
  const auto shown = [&](TaskId id) {
    const Task& task = state.tasks[index_of(state, id)];
    return number(id.value) + "(dl=" + number(task.deadline) + " slice=" + number(task.time_slice) +
           ")";
  };
  std::string out = "t=" + number(state.now.ns) + " queue:";
  for (const TaskId id : state.normal) out += " " + shown(id);
  for (const TaskId id : state.idle_policy) out += " idle-policy " + shown(id);
  for (std::size_t i = 0; i < state.cpus.size(); ++i) {
    const Cpu& at = state.cpus[i];
    out += " | cpu " + number(i) + (at.marked ? " marked " : " ");
    out += at.curr.idle() ? "idle" : shown(at.curr);
  }
  return out;
}

}  // namespace fw::model::bfs
