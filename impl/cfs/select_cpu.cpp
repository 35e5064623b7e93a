// SPDX-License-Identifier: Apache-2.0
// Where a woken or new task goes. Source: cfs-semantics section 20.
#include <algorithm>

#include "impl/base/check.h"
#include "impl/cfs/fair.h"

namespace impl::cfs {

u64 FairClass::source_load(int cpu, int index) const {
  const Runqueue& rq = queue(cpu);
  if (index == 0 || !tunables_.lb_bias) return rq.load.weight;
  return std::min(rq.cpu_load[static_cast<std::size_t>(index) - 1], rq.load.weight);
}

u64 FairClass::target_load(int cpu, int index) const {
  const Runqueue& rq = queue(cpu);
  if (index == 0 || !tunables_.lb_bias) return rq.load.weight;
  return std::max(rq.cpu_load[static_cast<std::size_t>(index) - 1], rq.load.weight);
}

void FairClass::task_waking(Task& task) {
  // A uniprocessor kernel has no waking hook: the vruntime stays absolute.
  if (smp_) task.vruntime -= queue(task.cpu).min_vruntime;
}

int FairClass::select_task_rq(const Task& task, int waking_cpu, bool fork) {
  const int prev = task.cpu;
  int chosen = fork ? waking_cpu : prev;
  if (!balances_) {
    // stays
  } else if (fork) {
    chosen = find_idlest_cpu(task, waking_cpu);
  } else if (tunables_.has_averages()) {
    chosen = select_woken_cpu_old(task, waking_cpu);
  } else if (task.allowed.test(waking_cpu) || IMPL_FAULT(R14_wakeup_ignores_affinity)) {
    for (const Domain& domain : queue(waking_cpu).domains) {
      if (!domain.rules->wake_affine || !domain.span->mask.test(prev)) continue;
      const bool here = waking_cpu == prev || wake_affine(domain, task, waking_cpu, prev);
      chosen = select_idle_sibling(task, waking_cpu, here ? waking_cpu : prev);
      break;
    }
  }
  if (IMPL_FAULT(R14_wakeup_ignores_affinity) && !fork) return chosen;
  return task.allowed.test(chosen) ? chosen : task.allowed.first();
}

bool FairClass::wake_affine(const Domain& domain,
                            const Task& task,
                            int this_cpu,
                            int prev_cpu) const {
  const int index = domain.rules->wake_idx;
  const Runqueue& here = queue(this_cpu);
  const u64 load = source_load(prev_cpu, index);
  const u64 this_load = target_load(this_cpu, index);
  bool balanced = true;
  if (this_load != 0) {
    const u64 this_effective = 100 * queue(prev_cpu).power * (this_load + task.load.weight);
    const u64 factor = 100 + (domain.rules->imbalance_pct - 100) / 2;
    balanced = this_effective <= factor * here.power * load;
  }
  if (balanced) return true;
  const u64 per_task = here.nr_running == 0 ? 0 : here.load.weight / here.nr_running;
  return this_load <= load && this_load + target_load(prev_cpu, index) <= per_task;
}

int FairClass::select_idle_sibling(const Task& task, int waking_cpu, int target) const {
  const int prev = task.cpu;
  if ((target == waking_cpu || target == prev) && queue(target).runs_idle()) return target;
  for (const Domain& domain : queue(target).domains) {
    if (!domain.rules->shares_cache || IMPL_FAULT(W31_idle_sibling_missed)) break;
    for (const int cpu : domain.span->cpus) {
      if (IMPL_FAULT(O18_cpu_zero_is_none) && cpu == 0) continue;
      if (task.allowed.test(cpu) && queue(cpu).runs_idle()) {
        target = cpu;
        break;
      }
    }
    if (domain.span->mask.test(waking_cpu) && domain.span->mask.test(prev)) break;
  }
  return target;
}

namespace {
const Domain* highest_forking(const Runqueue& rq, std::size_t below_span) {
  const Domain* found = nullptr;
  for (const Domain& domain : rq.domains) {
    if (domain.span->cpus.size() >= below_span) break;
    if (domain.rules->balance_fork) found = &domain;
  }
  return found;
}

/// The next lower level of the same CPU that balances forks.
const Domain* child_of(const Runqueue& rq, const Domain* domain) {
  while (domain != rq.domains.data()) {
    --domain;
    if (domain->rules->balance_fork) return domain;
  }
  return nullptr;
}
}  // namespace

int FairClass::find_idlest_cpu(const Task& child, int this_cpu) const {
  int chosen = this_cpu;
  const Domain* domain = highest_forking(queue(this_cpu), SIZE_MAX);
  while (domain != nullptr) {
    const int index = domain->rules->forkexec_idx;
    const Group* idlest = nullptr;
    u64 this_load = IMPL_FAULT(L24_local_load_unset) ? 1 << 20 : 0;
    u64 min_load = ~u64{0};
    for (const Group& group : domain->span->groups) {
      if (!group.mask.intersects(child.allowed)) continue;
      const bool local = group.mask.test(this_cpu);
      u64 load = 0;
      for (const int cpu : group.cpus) {
        load += local ? source_load(cpu, index) : target_load(cpu, index);
      }
      load = load * 1024 / group.power;
      if (local) {
        this_load = load + (IMPL_FAULT(L25_fork_counts_child) ? child.load.weight : 0);
      } else if (load < min_load) {
        min_load = load;
        idlest = &group;
      }
    }
    const u64 imbalance = 100 + (domain->rules->imbalance_pct - 100) / 2;
    int best = -1;
    if (idlest != nullptr && 100 * this_load >= imbalance * min_load) {
      u64 best_load = ~u64{0};
      for (const int cpu : idlest->cpus) {
        if (!child.allowed.test(cpu)) continue;
        const u64 load = queue(cpu).load.weight;
        if (load < best_load || (load == best_load && cpu == this_cpu)) {
          best_load = load;
          best = cpu;
        }
      }
    }
    if (best < 0 || best == this_cpu) {
      domain = child_of(queue(this_cpu), domain);
    } else {
      chosen = this_cpu = best;
      domain = highest_forking(queue(best), domain->span->cpus.size());
    }
  }
  return chosen;
}

void FairClass::end_idle_period(Runqueue& rq) {
  // 2.6.32 has no such stamp, so it stays 0 there.
  if (rq.idle_stamp == 0) return;
  const u64 idle = clock_ - rq.idle_stamp;
  const u64 most = 2 * static_cast<u64>(tunables_.migration_cost);
  const bool capped = idle > most && !IMPL_FAULT(L41_avg_idle_without_cap);
  rq.avg_idle = capped ? most : update_avg(rq.avg_idle, idle);
  rq.idle_stamp = 0;
}

}  // namespace impl::cfs
