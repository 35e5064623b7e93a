// SPDX-License-Identifier: Apache-2.0
#include "props/properties/fork_placement.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// The child's vruntime, and under one cache and without affinity also its CPU.
class ForkPlacement final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::fork) return std::nullopt;
    const Decision* record = cfs::decision(m, DecisionKind::fork);
    const TaskView* child = cfs::find(m.after, m.stimulus.task);
    const TaskView* parent = record == nullptr ? nullptr : cfs::find(m.before, record->other);
    if (child == nullptr || parent == nullptr || parent->state != TaskState::running) {
      return std::nullopt;
    }
    reach();
    const CpuView& home = cfs::cpu_of(m.before, parent->cpu);
    const cfs::Charge charge =
        cfs::charge_of(m.before, parent->cpu, rules().clock_at(m.stimulus.t));
    if (charge.task != parent) return std::nullopt;

    // Placed on the parent's queue, one virtual slice behind its minimum, never ahead of the
    // parent.
    const exact::WeightRow& row = cfs::row_of(*child);
    std::uint64_t placed = charge.min;
    if (rules().start_debit) {
      const std::uint64_t slice =
          rules().slice(home.nr_running + 1, home.load + row.weight, row.weight);
      placed += exact::fair(slice, row);
    }
    placed = exact::later(charge.vruntime, placed);
    std::uint64_t parent_v = charge.vruntime;
    if (rules().child_runs_first && exact::ahead(placed, parent_v) > 0) std::swap(placed, parent_v);

    // Then carried to the queue it starts on, whose minimum is read before that queue's charge.
    const std::uint64_t there =
        child->cpu == parent->cpu ? charge.min : cfs::min_of(cfs::cpu_of(m.before, child->cpu));
    const std::uint64_t wanted = placed - charge.min + there;
    if (one_cache_) {
      if (auto bad = elsewhere(m.before, parent->cpu, *child)) return bad;
    }
    if (cfs::vr(*child) != wanted) return told("child", *child, cfs::vr(*child), wanted);
    const TaskView* now = cfs::find(m.after, parent->id);
    if (now != nullptr && cfs::vr(*now) != parent_v) {
      return told("parent", *now, cfs::vr(*now), parent_v);
    }
    return std::nullopt;
  }

 private:
  bool in_scope(const Setup& setup) override {
    const Topology& topology = setup.topology;
    one_cache_ = setup.balance && topology.levels.size() == 1 &&
                 topology.levels.front().kind == LevelKind::mc;
    if (!one_cache_) return true;
    for (const int set : topology.levels.front().set_of_cpu) one_cache_ = one_cache_ && set == 0;
    for (const TaskDef& task : setup.workload.tasks) one_cache_ = one_cache_ && !task.cpus;
    return true;
  }

  /// The CPU with the least load, if the parent's has 112/100 of that; else the parent's.
  static std::optional<Violation> elsewhere(const View& before, CpuId home, const TaskView& child) {
    int wanted = -1;
    const auto load = [&](int cpu) { return cfs::cpu_of(before, CpuId{cpu}).load; };
    for (int cpu = 0; cpu < static_cast<int>(before.cpus.size()); ++cpu) {
      if (cpu != home.value && (wanted < 0 || load(cpu) < load(wanted))) wanted = cpu;
    }
    if (wanted < 0 || 100 * load(home.value) < 112 * load(wanted)) wanted = home.value;
    if (child.cpu.value == wanted) return std::nullopt;
    return cfs::violation("cpu",
                          child.id,
                          fmt::format("fork: the child (task {}) starts on CPU {}, not on CPU {}",
                                      child.id.value,
                                      child.cpu.value,
                                      wanted));
  }

  static std::optional<Violation> told(const char* kind,
                                       const TaskView& task,
                                       std::uint64_t is,
                                       std::uint64_t wanted) {
    return cfs::violation(kind,
                          task.id,
                          fmt::format("fork: the {} (task {}) is placed {} vns away from its rule",
                                      kind,
                                      task.id.value,
                                      exact::ahead(is, wanted)));
  }

  bool one_cache_ = false;
};

}  // namespace

std::unique_ptr<Checker> make_fork_placement() { return std::make_unique<ForkPlacement>(); }

}  // namespace fw::props
