// SPDX-License-Identifier: Apache-2.0
#include "props/properties/affinity.h"

#include <map>

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// Follows each task's mask: from its definition, then from the affinity records. Which definition
/// a forked task has is not in the View; when its parent's program forks several, the child's mask
/// is taken as their union, which can only make the check milder.
class Affinity final : public Checker {
 public:
  bool applies(const Setup& setup) override {
    if (setup.topology.cpus < 2) return false;
    const CpuSet all = CpuSet::first(setup.topology.cpus);
    std::map<std::string, std::size_t> by_name;
    for (const TaskDef& task : setup.workload.tasks) by_name.emplace(task.name, by_name.size());
    bool restricted = false;
    for (const TaskDef& task : setup.workload.tasks) {
      Def def{task.cpus ? *task.cpus : all, {}};
      restricted = restricted || task.cpus.has_value();
      for (const Phase& phase : task.phases) {
        restricted = restricted || phase.cpus.has_value();
        for (const Op& op : phase.ops) {
          const auto found = by_name.find(op.ref);
          if (op.kind == OpKind::fork && found != by_name.end()) def.forks.push_back(found->second);
        }
      }
      defs_.push_back(std::move(def));
      for (int i = 0; i < task.instances; ++i) {
        tasks_.push_back(Known{defs_.size() - 1, defs_.back().cpus});
      }
    }
    // A definition named twice would make the numbering a guess.
    return restricted && by_name.size() == setup.workload.tasks.size();
  }

  std::optional<Violation> after_event(const Moment& m) override {
    switch (m.stimulus.kind) {
      case StimulusKind::tick:
      case StimulusKind::idle_tick:
      case StimulusKind::block:
      case StimulusKind::yield:
      case StimulusKind::renice:
        return std::nullopt;
      default:
        break;
    }
    follow(m);
    for (const TaskView& task : m.after.tasks) {
      if (!cfs::runnable(task)) continue;
      const auto id = static_cast<std::size_t>(task.id.value);
      if (id >= tasks_.size() || tasks_[id].def == unknown) continue;
      if (tasks_[id].cpus.contains(task.cpu)) continue;
      return cfs::violation("forbidden_cpu",
                            task.id,
                            fmt::format("task {} is runnable on CPU {} but allowed on {}",
                                        task.id.value,
                                        task.cpu.value,
                                        tasks_[id].cpus.text()));
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t unknown = SIZE_MAX;
  static constexpr std::size_t ambiguous = SIZE_MAX - 1;
  struct Def {
    CpuSet cpus;
    std::vector<std::size_t> forks;
  };
  struct Known {
    std::size_t def = unknown;
    CpuSet cpus;
  };

  void follow(const Moment& m) {
    for (const Decision& d : m.decisions) {
      if (d.kind == DecisionKind::fork) learn_child(d.task, d.other);
      if (d.kind == DecisionKind::migrate || d.kind == DecisionKind::affinity) reach();
      if (d.kind != DecisionKind::affinity || !d.cpus) continue;
      const auto id = static_cast<std::size_t>(d.task.value);
      if (id < tasks_.size()) tasks_[id].cpus = *d.cpus;
    }
  }

  void learn_child(TaskId child, TaskId parent) {
    const auto id = static_cast<std::size_t>(child.value);
    const auto by = static_cast<std::size_t>(parent.value);
    if (child.idle() || id < tasks_.size() || parent.idle()) return;
    tasks_.resize(id + 1);
    if (by >= tasks_.size() || tasks_[by].def >= ambiguous) return;
    const std::vector<std::size_t>& forks = defs_[tasks_[by].def].forks;
    if (forks.empty()) return;
    Known known{forks.front(), defs_[forks.front()].cpus};
    for (const std::size_t def : forks) {
      if (def == known.def) continue;
      known.def = ambiguous;
      for (const CpuId cpu : defs_[def].cpus.members()) known.cpus.insert(cpu);
    }
    tasks_[id] = std::move(known);
  }

  std::vector<Def> defs_;
  std::vector<Known> tasks_;
};

}  // namespace

std::unique_ptr<Checker> make_affinity() { return std::make_unique<Affinity>(); }

}  // namespace fw::props
