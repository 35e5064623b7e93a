// SPDX-License-Identifier: Apache-2.0
// The virtual clock: average, lag, placement, protection and what the tree holds.
#include <algorithm>

#include "impl/eevdf/eevdf.h"

namespace impl::eevdf {
// --- average and eligibility -------------------------------------------------------------------

wide EevdfClass::total_sum(const Runqueue& rq) {
  const Task* curr = current(rq);
  if (curr == nullptr) return rq.avg_vruntime;
  return rq.avg_vruntime + static_cast<wide>(key(rq, curr->vruntime)) * weight(*curr);
}

i64 EevdfClass::total_load(const Runqueue& rq) {
  const Task* curr = current(rq);
  return curr == nullptr ? rq.avg_load : rq.avg_load + weight(*curr);
}

u64 EevdfClass::average_vruntime(const Runqueue& rq) {
  const bool tree_only = IMPL_FAULT(O06_average_without_running) && rq.avg_load > 0;
  const i64 load = tree_only ? rq.avg_load : total_load(rq);
  if (load == 0) return rq.base_vruntime;
  wide sum = tree_only ? rq.avg_vruntime : total_sum(rq);
  if (sum < 0 && !IMPL_FAULT(E14_average_truncated)) sum -= load - 1;  // down, not toward zero
  const auto low = static_cast<i64>(sum);
  const i64 quotient = low == sum ? low / load : static_cast<i64>(sum / load);
  return rq.base_vruntime + static_cast<u64>(quotient);
}

bool EevdfClass::eligible(const Runqueue& rq, u64 vruntime) {
  return total_sum(rq) >= static_cast<wide>(key(rq, vruntime)) * total_load(rq);
}

void EevdfClass::move_base(Runqueue& rq, u64 to) {
  rq.avg_vruntime -= static_cast<wide>(distance(to, rq.base_vruntime)) * rq.avg_load;
  rq.base_vruntime = to;
}

void EevdfClass::update_min_vruntime(Runqueue& rq) const {
  if (tunables_.reference != Reference::min) return;
  const Task* curr = current(rq);
  if (curr == nullptr && rq.tree.empty()) return;
  u64 least = 0;
  if (!rq.tree.empty()) {
    least = tunables_.by_deadline() ? rq.tree.root()->least_value : rq.tree.first()->key;
    if (curr != nullptr && !IMPL_FAULT(O06_minimum_without_running)) {
      least = earlier_of(curr->vruntime, least);
    }
  } else {
    least = curr->vruntime;
  }
  if (is_before(rq.base_vruntime, least)) move_base(rq, least);
}

// --- lag and placement -------------------------------------------------------------------------

u64 EevdfClass::greatest_slice(const Runqueue& rq, const Task& task) {
  u64 most = task.slice;
  if (const Task* curr = current(rq); curr != nullptr) most = std::max(most, curr->slice);
  if (!rq.tree.empty()) most = std::max(most, rq.tree.root()->greatest_slice);
  return most;
}

i64 EevdfClass::lag_limit(const Runqueue& rq, const Task& task) const {
  const u64 real = tunables_.lag_limit == LagLimit::own_slice
                       ? std::max(2 * task.slice, tunables_.tick)
                       : greatest_slice(rq, task) + tunables_.tick;
  return static_cast<i64>(delta_fair(real, task));
}

i64 EevdfClass::clamped_lag(const Runqueue& rq, const Task& task) const {
  if (IMPL_FAULT(P17_average_after_removal)) {
    const i64 others = total_load(rq) - weight(task);
    const wide sum = total_sum(rq) - static_cast<wide>(key(rq, task.vruntime)) * weight(task);
    return others > 0 ? static_cast<i64>(sum / others) - key(rq, task.vruntime) : 0;
  }
  if (IMPL_FAULT(A17_lag_not_clamped)) return distance(average_vruntime(rq), task.vruntime);
  const i64 limit = lag_limit(rq, task);
  return std::clamp(distance(average_vruntime(rq), task.vruntime), -limit, limit);
}

void EevdfClass::store_lag(Runqueue& rq, Task& task) const {
  task.vlag = clamped_lag(rq, task);
  if (tunables_.reference == Reference::zero_at_use) follow_average(rq);
}

void EevdfClass::place_entity(const Runqueue& rq, Task& task, bool initial) const {
  renew_slice(task);
  u64 vslice = delta_fair(task.slice, task);
  i64 lag = 0;
  if (tunables_.place_lag && rq.nr_queued > 0) {
    const i64 load = total_load(rq);
    lag = scale_toward_zero(task.vlag, load + weight(task), load);
    if (IMPL_FAULT(E06_lag_not_inflated)) lag = task.vlag;
    if (IMPL_FAULT(E07_debt_forgiven)) lag = std::max<i64>(lag, 0);
  }
  task.vruntime = average_vruntime(rq) - static_cast<u64>(lag);
  if (task.rel_deadline) {
    task.deadline += task.vruntime;
    task.rel_deadline = false;
    return;
  }
  if (initial && tunables_.place_deadline_initial) vslice /= 2;
  task.deadline = task.vruntime + vslice;
}

// --- protection --------------------------------------------------------------------------------

bool EevdfClass::is_protected(const Task& task) const {
  if (tunables_.has_vprot()) return is_before(task.vruntime, task.protection);
  return tunables_.run_to_parity && task.protection == task.deadline;
}

void EevdfClass::cancel_protection(Task& task) const {
  if (tunables_.has_vprot()) {
    if (is_protected(task)) task.protection = task.vruntime;
  } else if (task.protection == task.deadline) {
    ++task.protection;
  }
}

u64 EevdfClass::least_slice(const Runqueue& rq) {
  u64 least = ~u64{0};
  if (const Task* curr = current(rq); curr != nullptr) least = curr->slice;
  if (!rq.tree.empty()) least = std::min(least, rq.tree.root()->least_slice);
  return least;
}

void EevdfClass::protect(const Runqueue& rq, Task& task) const {
  task.protection = task.deadline;
  if (!tunables_.has_vprot() || IMPL_FAULT(P21_protection_set_by_own_slice)) return;
  const u64 wanted = tunables_.run_to_parity ? least_slice(rq) : tunables_.unscaled_slice;
  const u64 slice = std::min(wanted, task.slice);
  if (slice == task.slice) return;
  task.protection = earlier_of(task.deadline, task.vruntime + delta_fair(slice, task));
}

// --- the tree ----------------------------------------------------------------------------------

void EevdfClass::insert_entity(Runqueue& rq, Task& task) {
  task.key = tunables_.by_deadline() ? task.deadline : task.vruntime;
  task.value = tunables_.by_deadline() ? task.vruntime : task.deadline;
  task.tree_slice = task.slice;
  rq.avg_vruntime += static_cast<wide>(key(rq, task.vruntime)) * weight(task);
  rq.avg_load += weight(task);
  rq.tree.insert(task);
  if (tunables_.reference != Reference::min) follow_average(rq);
}

void EevdfClass::erase_entity(Runqueue& rq, Task& task) {
  rq.tree.erase(task);
  rq.avg_vruntime -= static_cast<wide>(key(rq, task.vruntime)) * weight(task);
  rq.avg_load -= weight(task);
  if (tunables_.reference != Reference::min) follow_average(rq);
}

void EevdfClass::set_next_entity(Runqueue& rq, Task& task, bool picked) {
  if (!IMPL_FAULT(B12_hint_kept_when_picked)) clear_buddy(rq, task);
  erase_entity(rq, task);
  task.exec_start = clock_;
  task.prev_sum_exec = task.sum_exec;
  if (picked || !tunables_.vprot_at_pick_only) protect(rq, task);
  rq.curr = &task;
}

/// Weight changes while the sums stay right: a waiting entity leaves the tree for it.
void EevdfClass::reweight_queued(Runqueue& rq, Task& task, const LoadWeight& load) {
  const bool waits = rq.curr != &task;
  update_curr(rq);
  const i64 from = weight(task);
  const i64 to = static_cast<i64>(load.weight);
  const u64 average = average_vruntime(rq);
  const i64 lag = scale_toward_zero(clamped_lag(rq, task), from, to);
  const i64 until_deadline = distance(task.deadline, task.vruntime);
  const i64 until_protected = distance(task.protection, task.vruntime);
  const bool scale_vprot = tunables_.vprot_on_reweight && !waits && is_protected(task);
  if (waits) erase_entity(rq, task);
  const auto set_weight = [&] {
    rq.load.weight += load.weight - task.load.weight;
    task.load = load;
  };
  switch (tunables_.reweight) {
    case Reweight::e66:
      set_weight();
      task.deadline = task.vruntime + static_cast<u64>(scale_toward_zero(until_deadline, from, to));
      break;
    case Reweight::e612:
    case Reweight::e71: {
      set_weight();
      const auto about_average = [&](u64 point) {
        return average + static_cast<u64>(scale_toward_zero(distance(point, average), from, to));
      };
      if (scale_vprot) task.protection = about_average(task.protection);
      task.deadline = about_average(task.deadline);
      task.vruntime = average - static_cast<u64>(lag);
      break;
    }
    case Reweight::e618:
      task.vlag = lag;
      task.deadline = static_cast<u64>(scale_toward_zero(until_deadline, from, to));
      task.rel_deadline = true;
      if (waits) {
        task.queued = false;
        --rq.nr_queued;
      }
      set_weight();
      place_entity(rq, task, false);
      if (scale_vprot) {
        task.protection =
            task.vruntime + static_cast<u64>(scale_toward_zero(until_protected, from, to));
      }
      if (waits) {
        task.queued = true;
        ++rq.nr_queued;
      }
      break;
  }
  if (waits) insert_entity(rq, task);
  update_min_vruntime(rq);
}

}  // namespace impl::eevdf
