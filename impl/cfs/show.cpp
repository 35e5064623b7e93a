// SPDX-License-Identifier: Apache-2.0
// The state that is compared with the reference model after every stimulus.
#include "impl/cfs/fair.h"

namespace impl::cfs {
namespace {
i64 id_of(const Task* task) { return task == nullptr ? -1 : task->id; }
i64 bits(u64 value) { return static_cast<i64>(value); }
}  // namespace

void FairClass::task_ints(const Task& task, std::span<i64> out) {
  out[0] = bits(task.vruntime);
  out[1] = bits(task.exec_start);
  out[2] = bits(task.prev_sum_exec);
}

void FairClass::cpu_ints(const Runqueue& rq, std::vector<i64>& out) const {
  out.clear();
  out.push_back(bits(clock_));
  out.push_back(bits(rq.min_vruntime));
  out.push_back(id_of(rq.next));
  out.push_back(id_of(rq.last));
  out.push_back(id_of(rq.timeline.leftmost()));
  for (const u64 load : rq.cpu_load) out.push_back(bits(load));
  out.push_back(bits(rq.avg_idle));
  out.push_back(bits(rq.idle_stamp));
  out.push_back(bits(rq.next_balance));
  out.push_back(bits(rq.exec_clock));
  out.push_back(bits(rq.nr_spread_over));
  for (const Domain& domain : rq.domains) {
    out.push_back(bits(domain.last_balance));
    out.push_back(bits(domain.balance_interval));
    out.push_back(bits(domain.nr_balance_failed));
  }
}

void FairClass::waiting(const Runqueue& rq, std::vector<int>& out) {
  out.clear();
  for (const Task& task : rq.timeline) out.push_back(task.id);
}

}  // namespace impl::cfs
