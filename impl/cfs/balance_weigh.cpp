// SPDX-License-Identifier: Apache-2.0
// Load balancing: who is busiest, and how much is too much. Source: cfs-semantics 21.3 to 21.5.
#include <algorithm>

#include "impl/cfs/balancing.h"

namespace impl::cfs {
namespace {
constexpr u64 scale = 1024;
}  // namespace

GroupLoad Balancing::weigh(const Group& group, bool local, DomainLoad& all) {
  GroupLoad out;
  out.group = &group;
  u64 largest = 0;
  u64 smallest = ~u64{0};
  u64 sum_per_task = 0;
  int first = -1;
  int first_idle = -1;
  for (const int cpu : group.cpus) {
    if (!members.test(cpu)) continue;
    const Runqueue& rq = fair.queue(cpu);
    if (first < 0) first = cpu;
    if (first_idle < 0 && rq.runs_idle()) first_idle = cpu;
    const u64 load =
        local ? fair.target_load(cpu, load_index()) : fair.source_load(cpu, load_index());
    largest = std::max(largest, load);
    smallest = std::min(smallest, load);
    out.load += IMPL_FAULT(L09_load_times_count) ? load * rq.nr_running : load;
    out.nr_running += rq.nr_running;
    out.weight_sum += rq.load.weight;
    if (old_rules && rq.nr_running > 0) sum_per_task += rq.load.weight / rq.nr_running;
  }
  if (out.nr_running > 0) anybody_runs = true;
  if (local && idle != IdleState::newly_idle) {
    all.designated = to.cpu == (first_idle >= 0 ? first_idle : first);
    if (IMPL_FAULT(L22_two_balancers) && to.cpu == first) all.designated = true;
  }
  out.average = out.load * scale / group.power;
  const u64 per_task = old_rules ? sum_per_task * scale / group.power : out.per_task();
  out.imbalanced = !local && first >= 0 && largest - smallest > 2 * per_task;
  if (IMPL_FAULT(L35_failure_marks_imbalance) && !local && domain.nr_balance_failed > 0) {
    out.imbalanced = true;
  }
  out.capacity = (group.power + scale / 2) / scale;
  if (domain.child_prefers_siblings) out.capacity = std::min<u64>(out.capacity, 1);
  return out;
}

DomainLoad Balancing::weigh_all() {
  DomainLoad all;
  for (const Group& group : domain.span->groups) {
    const bool local = IMPL_FAULT(L02_groups_seen_from_first_cpu)
                           ? &group == &domain.span->groups.front()
                           : group.mask.test(to.cpu);
    const GroupLoad one = weigh(group, local, all);
    all.total_load += one.load;
    all.total_power += group.power;
    if (local) {
      all.local = one;
    } else if (one.average > all.busiest.average &&
               ((IMPL_FAULT(L16_busiest_test_reversed) ? one.nr_running < one.capacity
                                                       : one.nr_running > one.capacity) ||
                one.imbalanced)) {
      all.busiest = one;
    }
  }
  return all;
}

bool Balancing::unbalanced(const DomainLoad& all) const {
  if (all.busiest.group == nullptr || all.busiest.nr_running == 0) return false;
  if (IMPL_FAULT(L42_mean_hides_crowd) && all.average() < scale) return false;
  if (IMPL_FAULT(A24_imbalance_underflow)) return true;
  if (all.local.average >= all.busiest.average) return false;
  if (all.local.average >= all.average()) return false;
  if (old_rules && all.busiest.average <= load_per_task(all)) return false;
  return 100 * all.busiest.average > rules().imbalance_pct * all.local.average;
}

u64 Balancing::load_per_task(const DomainLoad& all) {
  const u64 per_task = all.busiest.per_task();
  return all.busiest.imbalanced ? std::min(per_task, all.average()) : per_task;
}

u64 Balancing::amount_to_move(const DomainLoad& all) const {
  const GroupLoad& busiest = all.busiest;
  const GroupLoad& local = all.local;
  const u64 average = all.average();
  if (IMPL_FAULT(A24_imbalance_underflow)) {
    return (average - local.average) * local.group->power / scale;
  }
  const u64 per_task = load_per_task(all);
  if (busiest.average < average) return small_amount(all, per_task, 0);
  u64 limit = ~u64{0};
  if (old_rules) {
    limit = busiest.average - per_task;
  } else if (!busiest.imbalanced) {
    limit = (busiest.nr_running - busiest.capacity) * scale * scale / busiest.group->power;
  }
  const u64 most = std::min(busiest.average - average, limit);
  const u64 amount =
      std::min(most * busiest.group->power, (average - local.average) * local.group->power) / scale;
  return amount < per_task ? small_amount(all, per_task, amount) : amount;
}

/// When the amount is below one task: one task all the same, if that helps.
u64 Balancing::small_amount(const DomainLoad& all, u64 per_task, u64 amount) const {
  const u64 busy = all.busiest.average;
  const u64 here = all.local.average;
  const u64 busy_power = all.busiest.group->power;
  const u64 here_power = all.local.group->power;
  u64 factor = 2;
  u64 here_per_task = 0;
  if (all.local.nr_running > 0) {
    here_per_task = all.local.per_task();
    if (per_task > here_per_task) factor = 1;
  } else if (to.nr_running > 0) {
    here_per_task = to.load.weight / to.nr_running;
  }
  const u64 scaled = per_task * scale / busy_power;
  const u64 step = old_rules ? per_task : scaled;
  if (busy - here + step >= step * factor) return per_task;

  const u64 now =
      (busy_power * std::min(per_task, busy) + here_power * std::min(here_per_task, here)) / scale;
  u64 after = 0;
  if (busy > scaled) after += busy_power * std::min(per_task, busy - scaled);
  const u64 added = busy * busy_power < per_task * scale ? busy * busy_power / here_power
                                                         : per_task * scale / here_power;
  after += here_power * std::min(here_per_task, here + added);
  after /= scale;
  return after > now ? per_task : amount;
}

Runqueue* Balancing::busiest_queue(const Group& group) const {
  Runqueue* found = nullptr;
  u64 largest = 0;
  for (const int cpu : group.cpus) {
    if (!members.test(cpu)) continue;
    Runqueue& rq = fair.queue(cpu);
    const u64 capacity = (rq.power + scale / 2) / scale;
    const bool lone = rq.nr_running == 1 && !IMPL_FAULT(L19_lone_heavy_task_chosen);
    const u64 load = rq.load.weight * scale / rq.power;
    if (capacity >= 1 && lone && (old_rules ? load : rq.load.weight) > imbalance) continue;
    if (load > largest) {
      largest = load;
      found = &rq;
    }
  }
  return found;
}

}  // namespace impl::cfs
