// SPDX-License-Identifier: Apache-2.0
// From whom, how much and which tasks (sections 21.3 to 21.5, 19; CHOICE page).
#include <algorithm>

#include "model/policy/cfs/attempt.h"

namespace fw::model::cfs {

namespace rc = rules::cfs;

void Work::group_statistics(Attempt& attempt, const Group& group, Statistics& out) {
  out.local = std::find(group.cpus.begin(), group.cpus.end(), attempt.cpu) != group.cpus.end();
  const unsigned index = attempt.load_index();
  std::uint64_t largest = 0;
  std::uint64_t smallest = UINT64_MAX;
  std::uint64_t sum_averages = 0;
  int first = -1;
  int first_idle = -1;
  for (const int member : group.cpus) {
    if (attempt.excludes(member)) continue;
    const Queue& q = queue(member);
    if (q.nr_running > 0) attempt.busy = true;
    const std::uint64_t load = out.local ? target_load(member, index) : source_load(member, index);
    largest = std::max(largest, load);
    smallest = std::min(smallest, load);
    out.load += load;
    out.nr += q.nr_running;
    out.sum_weight += q.load;
    sum_averages += load_per_task(member);
    if (first < 0) first = member;
    if (first_idle < 0 && idle(member)) first_idle = member;
  }
  if (out.local && attempt.idleness != Idleness::newly_idle) {
    attempt.designated = attempt.cpu == (first_idle >= 0 ? first_idle : first);
  }
  out.average = rc::load_average(out.load, group.power);
  out.capacity = rc::capacity(group.power);
  if (attempt.domain.child_prefers_sibling) out.capacity = std::min<std::uint64_t>(out.capacity, 1);
  std::uint64_t per_task = out.nr == 0 ? 0 : out.sum_weight / out.nr;
  if (config_.until(Version::v2_6_33)) per_task = rc::load_average(sum_averages, group.power);
  out.imbalanced = !out.local && smallest <= largest && largest - smallest > 2 * per_task;
}

/// Sections 21.3 and 21.4: sets group and imbalance; false if the level is balanced (or another CPU
/// balances it).
bool Work::find_busiest_group(Attempt& attempt) {
  Statistics local;
  Statistics busiest;
  attempt.group = nullptr;
  std::uint64_t local_power = 1;
  std::uint64_t total_load = 0;
  std::uint64_t total_power = 0;
  for (const Group& group : attempt.domain.groups) {
    Statistics here;
    group_statistics(attempt, group, here);
    total_load += here.load;
    total_power += group.power;
    if (here.local) {
      local = here;
      local_power = group.power;
    } else if (here.average > busiest.average && (here.crowded() || here.imbalanced)) {
      busiest = here;
      attempt.group = &group;
    }
  }
  if (!attempt.designated || attempt.group == nullptr || busiest.nr == 0) return false;
  const std::uint64_t average = rc::load_average(total_load, total_power);
  const bool balanced = local.average >= busiest.average || local.average >= average ||
                        100 * busiest.average <= attempt.domain.rules.imbalance_pct * local.average;
  if (balanced && !FW_FAULT(A24_imbalance_underflow)) return false;
  std::uint64_t per_task = busiest.sum_weight / busiest.nr;
  if (busiest.imbalanced) per_task = std::min(per_task, average);
  const bool old = config_.until(Version::v2_6_33);
  if (old && busiest.average <= per_task) return false;
  const std::uint64_t local_per_task =
      local.nr > 0 ? local.sum_weight / local.nr : load_per_task(attempt.cpu);
  const std::uint64_t imbn = local.nr > 0 && per_task > local_per_task ? 1 : 2;
  const std::uint64_t most =
      old ? busiest.average - per_task
      : busiest.imbalanced
          ? UINT64_MAX
          : rc::load_above_capacity(busiest.nr, busiest.capacity, attempt.group->power);
  attempt.imbalance =
      rc::imbalance(rc::GroupLoad<std::uint64_t>{busiest.average, attempt.group->power, per_task},
                    rc::GroupLoad<std::uint64_t>{local.average, local_power, local_per_task},
                    average,
                    most,
                    imbn,
                    old);
  return true;
}

/// Section 21.5.
bool Work::find_busiest_cpu(Attempt& attempt) {
  attempt.busiest = -1;
  std::uint64_t largest = 0;
  for (const int member : attempt.group->cpus) {
    if (attempt.excludes(member)) continue;
    const Queue& q = queue(member);
    const std::uint64_t power = config_.powers[static_cast<std::size_t>(member)];
    const std::uint64_t load = rc::load_average(q.load, power);
    const std::uint64_t alone = config_.until(Version::v2_6_33) ? load : q.load;
    if (rc::capacity(power) >= 1 && q.nr_running == 1 && alone > attempt.imbalance) continue;
    if (load > largest) {
      largest = load;
      attempt.busiest = member;
    }
  }
  return attempt.busiest >= 0;
}

/// Whole passes over the busiest CPU's list while they move something and the amount is not
/// reached; a single one in 2.6.32 and .33.
int Work::move_tasks(Attempt& attempt) {
  int moved = 0;
  std::uint64_t done = 0;
  bool first = true;
  while (done < attempt.imbalance) {
    const std::uint64_t weight = move_pass(attempt, attempt.imbalance - done, moved, first);
    if (weight == 0 || config_.until(Version::v2_6_33)) break;
    done += weight;
    first = false;
  }
  return moved;
}

/// One pass, newest task first. Returns the weight that was moved.
std::uint64_t Work::move_pass(Attempt& attempt, std::uint64_t amount, int& moved, bool first) {
  Queue& from = queue(attempt.busiest);
  const Queue& to = queue(attempt.cpu);
  auto remaining = static_cast<std::int64_t>(amount);
  std::uint64_t looks = 0;
  bool any_allowed = false;
  // `rest` tasks of the list have not been seen; moving one leaves those before it in place.
  for (std::size_t rest = from.list.size(); rest > 0 && looks <= config_.nr_migrate;) {
    Task& p = task(from.list[--rest]);
    ++looks;
    if (static_cast<std::int64_t>(p.weight >> 1) > remaining) continue;
    if (!p.allowed.contains(CpuId{attempt.cpu}) && !FW_FAULT(L46_pinned_task_pulled)) continue;
    any_allowed = true;
    if (from.curr == p.id) continue;
    const bool buddy =
        config_.cache_hot_buddy && (from.next == p.id || from.last == p.id) &&
        rc::buddy_is_hot(
            config_.hot_buddy_boundary, from.nr_running, to.nr_running, config_.nr_latency);
    const bool hot = buddy || rc::cache_hot(clock_, p.exec_start, config_.migration_cost_ns);
    if (hot && attempt.failed <= attempt.domain.rules.cache_nice_tries) continue;
    const auto weight = static_cast<std::int64_t>(p.weight);
    pull(p, attempt.cpu, attempt.idleness == Idleness::newly_idle ? Why::newidle : Why::periodic);
    ++moved;
    remaining -= weight;
    if (remaining <= 0) break;
  }
  if (first) attempt.all_pinned = looks > 0 && !any_allowed;
  return amount - static_cast<std::uint64_t>(remaining);
}

}  // namespace fw::model::cfs
