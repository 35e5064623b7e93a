// SPDX-License-Identifier: Apache-2.0
// Where a woken task goes in 2.6.32 to 2.6.34. Source: cfs-semantics section 20, choices N5, N6.
#include "impl/cfs/fair.h"

namespace impl::cfs {

bool FairClass::wake_affine_old(const Domain& domain,
                                const Task& task,
                                int this_cpu,
                                int prev_cpu) const {
  const Runqueue& here = queue(this_cpu);
  const int index = domain.rules->wake_idx;
  const u64 load = source_load(prev_cpu, index);
  u64 this_load = target_load(this_cpu, index);
  const auto cost = static_cast<u64>(tunables_.migration_cost);
  const u64 overlap = here.curr == nullptr ? 0 : here.curr->averages.overlap;
  const bool sync = tunables_.sync_more && overlap < cost && task.averages.overlap < cost;
  if (sync && here.curr != nullptr && here.curr->on_rq) this_load -= here.curr->load.weight;
  const u64 factor = 100 + (domain.rules->imbalance_pct - 100) / 2;
  if (this_load == 0 || 100 * (this_load + task.load.weight) <= factor * load) return true;
  const u64 per_task = here.nr_running == 0 ? 0 : here.load.weight / here.nr_running;
  return this_load <= load && this_load + target_load(prev_cpu, index) <= per_task;
}

int FairClass::select_woken_cpu_old(const Task& task, int waking_cpu) const {
  const int prev = task.cpu;
  if (!tunables_.affine_wakeups || !task.allowed.test(waking_cpu)) return prev;
  for (const Domain& domain : queue(waking_cpu).domains) {
    int target = domain.span->mask.test(prev) ? waking_cpu : -1;
    if (tunables_.version != Version::v32 && domain.rules->shares_cache) {
      if (target == waking_cpu && queue(prev).nr_running == 0) {
        target = prev;
      } else {
        for (const int cpu : domain.span->cpus) {
          if (!task.allowed.test(cpu) || queue(cpu).nr_running != 0) continue;
          target = cpu;
          break;
        }
      }
    }
    if (target < 0) continue;
    if (!domain.rules->wake_affine) {
      // Only the topmost level is so: nothing above can be affine.
      return prev;
    }
    return wake_affine_old(domain, task, waking_cpu, prev) ? target : prev;
  }
  return prev;
}

}  // namespace impl::cfs
