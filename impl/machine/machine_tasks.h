// SPDX-License-Identifier: Apache-2.0
#pragma once

// Members of Machine: construction, tasks and what is shown of them.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "impl/machine/machine.h"

namespace impl {

template <class Class>
Machine<Class>::Machine(Program program,
                        const MachineConfig& config,
                        const typename Class::Config& request)
    : program_(std::move(program)),
      class_(config.shape, request, config.balance, *this),
      has_costs_(program_.switch_cost != 0 || program_.cache_refill != 0 ||
                 program_.migration != 0),
      end_(config.end),
      cpu_states_(static_cast<std::size_t>(config.shape.cpus)),
      forks_of_(program_.tasks.size()),
      dirty_(config.shape.cpus),
      suspended_(program_.tasks.size()) {
  next_tick_ = 1'000'000'000 / class_.hz();
  events_.resize(static_cast<std::size_t>(cpus()));
  resolve_refs();
  if (!check_masks()) return;
  for (std::size_t def = 0; def < program_.tasks.size(); ++def) {
    for (int i = 0; i < program_.tasks[def].instances; ++i) {
      Task& task = new_task(static_cast<int>(def), -1);
      task.cpu = task.allowed.first();
      task.thread_start = task.def->delay;
      events_.set(static_cast<std::size_t>(cpus()) + task.slot, task.def->delay);
    }
  }
}

// --- tasks -------------------------------------------------------------------------------------

template <class Class>
auto Machine<Class>::new_task(int def, int fork_index) -> Task& {
  Task* task = nullptr;
  if (free_.empty()) {
    task = &tasks_.emplace_back();
    task->slot = by_slot_.size();
    by_slot_.push_back(task);
    events_.resize(static_cast<std::size_t>(cpus()) + by_slot_.size());
  } else {
    task = free_.back();
    free_.pop_back();
    const std::size_t slot = task->slot;
    std::destroy_at(task);
    std::construct_at(task);
    task->slot = slot;
  }
  task->id = static_cast<int>(names_.size());
  names_.emplace_back(def, fork_index);
  by_id_.push_back(task);
  live_.push_back(task->id);
  task->def = &program_.tasks[static_cast<std::size_t>(def)];
  task->def_index = def;
  task->nice = task->def->nice;
  task->policy = task->def->policy;
  task->allowed = mask_of(task->def->cpus);
  task->loops_left = task->def->loop;
  if (has_costs_) task->ran_on = CpuMask(cpus());
  class_.init_task(*task);
  if constexpr (requires { class_.set_slice(*task, task->def->slice); }) {
    class_.set_slice(*task, task->def->slice);
  }
  return *task;
}

template <class Class>
void Machine<Class>::release(Task& task) {
  by_id_[static_cast<std::size_t>(task.id)] = nullptr;
  free_.push_back(&task);
}

template <class Class>
CpuMask Machine<Class>::mask_of(const std::optional<std::vector<int>>& cpus_wanted) const {
  if (!cpus_wanted) return CpuMask::all(cpus());
  CpuMask mask(cpus());
  for (const int cpu : *cpus_wanted) {
    if (cpu >= 0 && cpu < cpus()) mask.set(cpu);
  }
  return mask;
}

namespace detail {
/// `0-3,8`; `none` when there is none. Ascending, without repeats.
inline std::string list_text(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  std::string out;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out += std::to_string(cpus[i]);
    if (last > i) out += '-' + std::to_string(cpus[last]);
    i = last + 1;
  }
  return out.empty() ? "none" : out;
}
}  // namespace detail

template <class Class>
bool Machine<Class>::check_masks() {
  const auto good = [this](const TaskDef& def, const std::optional<std::vector<int>>& wanted) {
    if (mask_of(wanted).first() >= 0) return true;
    fault_ = "task " + def.name + ": cpus " + detail::list_text(*wanted) +
             " has no CPU of this machine of " + std::to_string(cpus()) +
             "; use a larger topology or other cpus";
    return false;
  };
  for (const TaskDef& def : program_.tasks) {
    if (!good(def, def.cpus)) return false;
    for (const PhaseDef& phase : def.phases) {
      if (!good(def, phase.cpus)) return false;
    }
  }
  return true;
}

template <class Class>
void Machine<Class>::resolve_refs() {
  resources_.resize(program_.refs.size());
  for (std::size_t def = 0; def < program_.tasks.size(); ++def) {
    for (std::size_t ref = 0; ref < resources_.size(); ++ref) {
      if (program_.refs[ref].name == program_.tasks[def].name && resources_[ref].def < 0) {
        resources_[ref].def = static_cast<int>(def);
      }
    }
    for (const PhaseDef& phase : program_.tasks[def].phases) {
      for (const OpDef& op : phase.ops) {
        if (op.code == OpCode::barrier) {
          resource(op.ref).participants += program_.tasks[def].instances;
        }
      }
    }
  }
}

template <class Class>
void Machine<Class>::set_fault(const Task& task, const std::string& what) {
  fault_ = "task " + task_name(task.id) + " at t=" + std::to_string(now_) + " ns: " + what;
}

// --- what is shown -----------------------------------------------------------------------------

template <class Class>
std::string Machine<Class>::task_name(int id) const {
  if (id < 0) return "idle";
  const auto& [def, fork_index] = names_[static_cast<std::size_t>(id)];
  std::string name = program_.tasks[static_cast<std::size_t>(def)].name + "-" + std::to_string(id);
  if (fork_index >= 0) name += "-" + std::to_string(fork_index);
  return name;
}

template <class Class>
void Machine<Class>::show_task(int id, TaskShown& out) const {
  const Task& task = *by_id_[static_cast<std::size_t>(id)];
  out.state = !task.on_rq                            ? ShownState::blocked
              : class_.queue(task.cpu).curr == &task ? ShownState::running
                                                     : ShownState::queued;
  out.cpu = task.cpu;
  out.nice = task.nice;
  out.policy = task.policy;
  out.weight = task.load.weight;
  out.sum_exec = task.sum_exec;
  Class::task_ints(task, out.ints);
}

template <class Class>
void Machine<Class>::show_cpu(int cpu, CpuShown& out) const {
  const Runqueue& rq = class_.queue(cpu);
  out.curr = rq.curr == nullptr ? -1 : rq.curr->id;
  out.marked = rq.need_resched;
  out.nr_running = static_cast<int>(rq.nr_running);
  out.load = rq.load.weight;
  class_.cpu_ints(rq, out.ints);
  Class::waiting(rq, out.queue);
}

}  // namespace impl
