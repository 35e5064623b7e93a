// SPDX-License-Identifier: Apache-2.0
#include "props/properties/cfs_bounds.h"

#include <algorithm>

namespace fw::props::cfs {
namespace {

struct Program {
  bool forks = false;
  bool yields = false;
};

Program program_of(const TaskDef& task) {
  Program out;
  for (const Phase& phase : task.phases) {
    for (const Op& op : phase.ops) {
      out.forks = out.forks || op.kind == OpKind::fork;
      out.yields = out.yields || op.kind == OpKind::yield;
    }
  }
  return out;
}

}  // namespace

std::optional<BoundInputs> bound_inputs(const Setup& setup, const Tunables& rules) {
  if (!rules.restated || setup.topology.cpus != 1 || rules.child_runs_first) return std::nullopt;
  BoundInputs out;
  std::size_t tasks = 0;
  for (const TaskDef& task : setup.workload.tasks) {
    const Program program = program_of(task);
    // Such a yield jumps behind the rightmost task.
    if (program.yields && (rules.compat_yield || task.sched_class == SchedClass::batch)) {
      return std::nullopt;
    }
    for (const Phase& phase : task.phases) {
      if (phase.nice && *phase.nice != task.nice) return std::nullopt;
    }
    out.mix.open = out.mix.open || program.forks;
    tasks += static_cast<std::size_t>(task.instances);
  }
  for (const TaskDef& task : setup.workload.tasks) {
    const std::uint64_t weight =
        exact::weight_row(task.nice, task.sched_class == SchedClass::idle).weight;
    // In an open mix one that is only ever forked stands for any number of its kind.
    const int count = std::max(task.instances, out.mix.open ? 1 : 0);
    for (int i = 0; i < count; ++i) out.mix.weights.push_back(weight);
  }
  if (tasks == 0 || (tasks < 2 && !out.mix.open)) return std::nullopt;
  out.mix.arithmetic = theorem::Arithmetic::kernel;
  out.limits.latency_ns = static_cast<std::int64_t>(rules.latency_ns);
  out.limits.min_granularity_ns = static_cast<std::int64_t>(rules.min_granularity_ns);
  out.limits.nr_latency = rules.nr_latency;
  out.limits.tick_ns = rules.tick_ns();
  out.limits.credit_vns = static_cast<std::int64_t>(rules.credit_ns());
  const bool crowd = out.mix.open || static_cast<std::int64_t>(tasks) >= rules.nr_latency;
  if (crowd && (rules.last_buddy || rules.next_buddy)) {
    out.limits.granularity_ns = static_cast<std::int64_t>(rules.wakeup_granularity_ns);
  }
  return out;
}

bool ScopeWatch::holds(const Moment& m, const Tunables& rules) {
  if (!inside_) return false;
  switch (m.stimulus.kind) {
    case StimulusKind::renice:
    case StimulusKind::affinity:
      inside_ = false;
      break;
    case StimulusKind::start:
    case StimulusKind::wake:
    case StimulusKind::fork:
      inside_ = !stale(m, rules);
      break;
    default:
      break;
  }
  if (m.stimulus.kind != StimulusKind::idle_tick) follow_charge(m, rules);
  return inside_;
}

/// Whether a placement at this moment reads a minimum that lies below every runnable task.
bool ScopeWatch::stale(const Moment& m, const Tunables& rules) {
  const CpuView& cpu = m.before.cpus.front();
  if (cpu.curr.idle()) return false;
  const Charge charge = charge_of(m.before, CpuId{0}, rules.clock_at(m.stimulus.t));
  bool any = false;
  std::uint64_t lowest = 0;
  if (charge.task != nullptr) {
    lowest = charge.vruntime;
    any = true;
  }
  if (!cpu.queue.empty()) {
    if (const TaskView* left = find(m.before, cpu.queue.front())) {
      lowest = any ? exact::earlier(lowest, vr(*left)) : vr(*left);
      any = true;
    }
  }
  return any && exact::ahead(lowest, charge.min) > 0;
}

void ScopeWatch::follow_charge(const Moment& m, const Tunables& rules) {
  const TaskView* ran = running_on(m.before, CpuId{0});
  if (ran != nullptr) {
    const std::uint64_t spent =
        get(m.after.cpus.front(), exec_clock) - get(m.before.cpus.front(), exec_clock);
    if (spent != 0) {
      const std::uint64_t weight = row_of(*ran).weight;
      const auto delta = static_cast<std::int64_t>(spent);
      run_excess_ += theorem::cfs_charge_excess(weight, delta);
      excess_ = std::max(excess_, run_excess_);
      charges_count_ = charges_count_ && delta >= theorem::cfs_least_charge(weight);
    }
  }
  if (m.stimulus.kind == StimulusKind::schedule) run_excess_ = 0;
  (void)rules;
}

}  // namespace fw::props::cfs
