// SPDX-License-Identifier: Apache-2.0
// Which CPU a woken or new task goes to (section 20; CHOICE page).
#include <algorithm>

#include "model/policy/cfs/work.h"

namespace fw::model::cfs {

namespace rc = rules::cfs;

namespace {
bool holds(const std::vector<int>& cpus, int cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}
}  // namespace

std::uint64_t Work::source_load(int cpu, unsigned index) {
  const Queue& q = queue(cpu);
  if (index == 0 || !config_.lb_bias) return q.load;
  return rc::source_load(q.cpu_load[index - 1], q.load);
}

std::uint64_t Work::target_load(int cpu, unsigned index) {
  const Queue& q = queue(cpu);
  if (index == 0 || !config_.lb_bias) return q.load;
  return rc::target_load(q.cpu_load[index - 1], q.load);
}

std::uint64_t Work::load_per_task(int cpu) {
  const Queue& q = queue(cpu);
  return q.nr_running == 0 ? 0 : q.load / q.nr_running;
}

int Work::choose_for_wakeup(const Task& p, int waking, int prev) {
  const bool affine = config_.affine_wakeups && p.allowed.contains(CpuId{waking});
  const int chosen = affine ? affine_cpu(p, waking, prev) : prev;
  return p.allowed.contains(CpuId{chosen}) ? chosen : p.allowed.lowest().value;
}

/// The walk up from the waking CPU, by version; `prev` if it leads nowhere.
int Work::affine_cpu(const Task& p, int waking, int prev) {
  const bool search_on_the_walk =
      config_.version == Version::v2_6_33 || config_.version == Version::v2_6_34;
  for (const Domain& domain : domains(waking)) {
    int target = holds(domain.span, prev) ? waking : -1;
    if (search_on_the_walk && domain.rules.shares_package) {
      target = empty_sibling(domain, p, target, waking, prev);
    }
    if (!domain.rules.wake_affine || target < 0) continue;
    if (averages()) return wake_affine(domain, p, waking, prev) ? target : prev;
    const bool here = waking == prev || wake_affine(domain, p, waking, prev);
    return idle_sibling(p, here ? waking : prev, waking, prev);
  }
  return prev;
}

/// 2.6.33 and .34: a CPU of the level without a runnable task, else `target`.
int Work::empty_sibling(const Domain& domain, const Task& p, int target, int waking, int prev) {
  if (target == waking && queue(prev).nr_running == 0) return prev;
  const auto found = std::find_if(domain.span.begin(), domain.span.end(), [&](int cpu) {
    return p.allowed.contains(CpuId{cpu}) && queue(cpu).nr_running == 0;
  });
  return found == domain.span.end() ? target : *found;
}

/// Whether the wakee may move to the waking CPU. All levels have wake index 0; no wakeup is sync
/// by itself, but SYNC_MORE (2.6.32 to .34) may make it so: then the waker's weight does not count.
bool Work::wake_affine(const Domain& domain, const Task& p, int waking, int prev) {
  std::uint64_t this_load = target_load(waking, 0);
  const std::uint64_t prev_load = source_load(prev, 0);
  const std::uint64_t factor = rc::half_imbalance(domain.rules.imbalance_pct);
  if (averages()) {
    const Queue& here = queue(waking);
    const Task* const current = here.curr.idle() ? nullptr : &task(here.curr);
    const bool sync =
        config_.sync_more && rc::both_overlap_little(current == nullptr ? 0 : current->avg_overlap,
                                                     p.avg_overlap,
                                                     config_.migration_cost_ns);
    if (sync && current != nullptr && current->on_rq) this_load -= current->weight;
    return rc::affine_balanced_old(this_load, prev_load, p.weight, factor) ||
           rc::affine_light(this_load, prev_load, target_load(prev, 0), load_per_task(waking));
  }
  const auto power = [&](int cpu) { return config_.powers[static_cast<std::size_t>(cpu)]; };
  return rc::affine_balanced(this_load, power(waking), prev_load, power(prev), p.weight, factor) ||
         rc::affine_light(this_load, prev_load, target_load(prev, 0), load_per_task(waking));
}

int Work::idle_sibling(const Task& p, int target, int waking, int prev) {
  if (target == waking && idle(waking)) return waking;
  if (target == prev && idle(prev)) return prev;
  int chosen = target;
  for (const Domain& domain : domains(target)) {
    if (!domain.rules.shares_package) break;
    const auto found = std::find_if(domain.span.begin(), domain.span.end(), [&](int cpu) {
      return p.allowed.contains(CpuId{cpu}) && idle(cpu);
    });
    if (found != domain.span.end()) chosen = *found;
    if (holds(domain.span, waking) && holds(domain.span, prev)) break;
  }
  return chosen;
}

int Work::choose_for_fork(const NewTask& child, int parent_cpu) {
  // The highest level with BALANCE_FORK among the levels narrower than `width` of a CPU.
  const auto start = [&](int cpu, std::size_t width) {
    int level = -1;
    const std::vector<Domain>& all = domains(cpu);
    for (std::size_t i = 0; i < all.size() && all[i].span.size() < width; ++i) {
      if (all[i].rules.balance_fork) level = static_cast<int>(i);
    }
    return level;
  };
  int cpu = parent_cpu;
  int level = start(cpu, SIZE_MAX);
  while (level >= 0) {
    const Domain& domain = domains(cpu)[static_cast<std::size_t>(level)];
    --level;
    if (!domain.rules.balance_fork) continue;
    const Group* group = idlest_group(domain, child.allowed, cpu);
    if (group == nullptr) continue;
    const int idlest = idlest_cpu(*group, child.allowed, cpu);
    if (idlest == cpu) continue;
    cpu = idlest;
    level = start(cpu, domain.span.size());
  }
  return cpu;
}

/// The remote group with the least load, or none if the local one is good enough.
const Group* Work::idlest_group(const Domain& domain, const CpuSet& allowed, int cpu) {
  const Group* idlest = nullptr;
  std::uint64_t least = 0;
  std::uint64_t local_load = 0;
  for (const Group& group : domain.groups) {
    const bool usable = std::any_of(group.cpus.begin(), group.cpus.end(), [&](int member) {
      return allowed.contains(CpuId{member});
    });
    if (!usable) continue;
    const bool local = holds(group.cpus, cpu);
    std::uint64_t load = 0;
    for (const int member : group.cpus) {
      load += local ? source_load(member, 0) : target_load(member, 0);
    }
    load = rc::load_average(load, group.power);
    if (local) {
      local_load = load;
    } else if (idlest == nullptr || load < least) {
      least = load;
      idlest = &group;
    }
  }
  const std::uint64_t factor = rc::half_imbalance(domain.rules.imbalance_pct);
  if (idlest == nullptr || 100 * local_load < factor * least) return nullptr;
  return idlest;
}

int Work::idlest_cpu(const Group& group, const CpuSet& allowed, int cpu) {
  int idlest = cpu;
  std::uint64_t least = UINT64_MAX;
  for (const int member : group.cpus) {
    if (!allowed.contains(CpuId{member})) continue;
    const std::uint64_t load = queue(member).load;
    if (load < least || (load == least && member == cpu)) {
      least = load;
      idlest = member;
    }
  }
  return idlest;
}

}  // namespace fw::model::cfs
