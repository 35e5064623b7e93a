// SPDX-License-Identifier: Apache-2.0
// The state that is compared with the reference model after every stimulus.
#include "impl/eevdf/eevdf.h"

namespace impl::eevdf {
namespace {
i64 bits(u64 value) { return static_cast<i64>(value); }
}  // namespace

std::array<i64, 4> EevdfClass::log_state(const Task* task, const Runqueue& rq) const {
  if (task == nullptr) return {};
  const i64 lag = task->queued ? distance(average_vruntime(rq), task->vruntime) : task->vlag;
  return {distance(task->vruntime, tunables_.vruntime_base),
          distance(task->deadline, tunables_.vruntime_base),
          lag,
          0};
}

void EevdfClass::task_ints(const Task& task, std::span<i64> out) {
  out[0] = bits(task.vruntime);
  out[1] = bits(task.deadline);
  out[2] = bits(task.slice);
  out[3] = task.vlag;
  out[4] = bits(task.exec_start);
  out[5] = bits(task.prev_sum_exec);
  out[6] = bits(task.protection);
  out[7] = task.delayed ? 1 : 0;
}

void EevdfClass::cpu_ints(const Runqueue& rq, std::vector<i64>& out) const {
  out.clear();
  out.push_back(bits(clock_));
  out.push_back(bits(rq.base_vruntime));
  out.push_back(bits(average_vruntime(rq)));
  out.push_back(total_load(rq));
  out.push_back(static_cast<i64>(total_sum(rq)));
  out.push_back(rq.next == nullptr ? -1 : rq.next->id);
  out.push_back(rq.nr_queued);
}

void EevdfClass::waiting(const Runqueue& rq, std::vector<int>& out) {
  out.clear();
  for (TreeNode* node = rq.tree.first(); node != nullptr; node = OrderedTree::next(node)) {
    const Task& task = *static_cast<Task*>(node);
    if (!task.delayed) out.push_back(task.id);
  }
}

}  // namespace impl::eevdf
