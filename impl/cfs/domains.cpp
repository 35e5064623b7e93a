// SPDX-License-Identifier: Apache-2.0
// Sched domains from a machine's shape. Source: cfs-semantics section 22.
#include <algorithm>

#include "impl/base/check.h"
#include "impl/cfs/fair.h"

namespace impl::cfs {
namespace {
DomainRules rules_of(DomainKind kind, int cpus) {
  DomainRules out;  // CPU level: packages of a node
  switch (kind) {
    case DomainKind::smt:
      out.max_interval = 2;
      out.imbalance_pct = 110;
      out.cache_nice_tries = 0;
      out.busy_idx = 0;
      out.shares_power = true;
      out.shares_cache = true;
      break;
    case DomainKind::mc:
      out.shares_cache = true;
      out.prefer_sibling = true;
      break;
    case DomainKind::cpu:
      out.idle_idx = 1;
      out.prefer_sibling = true;
      break;
    case DomainKind::node:
      out.min_interval = 8;
      out.max_interval = 32;
      out.busy_factor = 32;
      out.cache_nice_tries = 2;
      out.busy_idx = 3;
      out.idle_idx = 2;
      out.serialize = true;
      break;
    case DomainKind::all_nodes:
      out.min_interval = 64;
      out.max_interval = 64 * static_cast<u64>(cpus);
      out.busy_factor = 128;
      out.imbalance_pct = 133;
      out.busy_idx = 3;
      out.idle_idx = 3;
      out.balance_fork = false;
      out.wake_affine = false;
      out.serialize = true;
      break;
  }
  return out;
}

u64 power_of_cpu(const MachineShape& shape, int cpu) {
  constexpr u64 smt_gain = 1178;
  const auto at = static_cast<std::size_t>(cpu);
  const int threads = at < shape.threads_of_core.size() ? shape.threads_of_core[at] : 1;
  if (threads <= 1) return 1024;
  return smt_gain / static_cast<u64>(threads) * 1024 >> 10;
}

/// Set number of a CPU one level below `level`; each CPU is its own set below the lowest.
int set_below(const MachineShape& shape, std::size_t level, int cpu) {
  return level == 0 ? cpu : shape.levels[level - 1].set_of_cpu[static_cast<std::size_t>(cpu)];
}
}  // namespace

void FairClass::build_domains(const MachineShape& shape) {
  const int count = shape.cpus;
  for (int cpu = 0; cpu < count; ++cpu) queue(cpu).power = power_of_cpu(shape, cpu);
  serialized_by_.assign(shape.levels.size(), -1);
  rules_.clear();
  for (const ShapeLevel& level : shape.levels) rules_.push_back(rules_of(level.kind, count));

  for (std::size_t at = 0; at < shape.levels.size(); ++at) {
    const std::vector<int>& set_of = shape.levels[at].set_of_cpu;
    IMPL_CHECK(set_of.size() == static_cast<std::size_t>(count));
    std::vector<Span*> span_of_set;
    std::vector<Group*> group_of_set;
    for (int cpu = 0; cpu < count; ++cpu) {
      const auto set = static_cast<std::size_t>(set_of[static_cast<std::size_t>(cpu)]);
      if (set >= span_of_set.size()) span_of_set.resize(set + 1);
      if (span_of_set[set] == nullptr) {
        span_of_set[set] = &spans_.emplace_back();
        span_of_set[set]->level = static_cast<int>(at);
        span_of_set[set]->mask = CpuMask(count);
      }
      Span& span = *span_of_set[set];
      span.cpus.push_back(cpu);
      span.mask.set(cpu);
    }
    for (Span* span : span_of_set) {
      if (span == nullptr) continue;
      std::vector<int> below;  // set numbers in order of their lowest CPU
      for (const int cpu : span->cpus) {
        const int set = set_below(shape, at, cpu);
        auto found = std::find(below.begin(), below.end(), set);
        if (found == below.end()) {
          found = below.insert(below.end(), set);
          span->groups.emplace_back().mask = CpuMask(count);
        }
        Group& group = span->groups[static_cast<std::size_t>(found - below.begin())];
        group.cpus.push_back(cpu);
        group.mask.set(cpu);
        group.power += queue(cpu).power;
      }
    }
    for (int cpu = 0; cpu < count; ++cpu) {
      const Span* span =
          span_of_set[static_cast<std::size_t>(set_of[static_cast<std::size_t>(cpu)])];
      if (span->groups.size() < 2) continue;  // alone, or the same CPUs as below
      std::vector<Domain>& domains = queue(cpu).domains;
      Domain domain;
      domain.span = span;
      domain.rules = &rules_[at];
      domain.child_prefers_siblings = !domains.empty() && domains.back().rules->prefer_sibling;
      domain.balance_interval = domain.rules->min_interval;
      domains.push_back(domain);
    }
  }
}

}  // namespace impl::cfs
