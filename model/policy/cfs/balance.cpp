// SPDX-License-Identifier: Apache-2.0
// When a CPU balances, and what becomes of an attempt (section 21; CHOICE page, "load balancing").
#include <algorithm>

#include "model/policy/cfs/attempt.h"

namespace fw::model::cfs {

namespace rc = rules::cfs;

std::uint64_t Work::to_jiffies(std::uint64_t ms) const {
  return (ms * static_cast<std::uint64_t>(config_.hz) + 999) / 1000;
}

/// The periodic pass of a CPU whose next_balance is due.
void Work::balance_pass() {
  const int cpu = event_.cpu.value;
  const std::uint64_t jiffies = event_.jiffies;
  const auto hz = static_cast<std::uint64_t>(config_.hz);
  const std::uint64_t longest =
      std::max<std::uint64_t>(1, hz * static_cast<std::uint64_t>(config_.cpus) / 10);
  Idleness idleness = idle(cpu) ? Idleness::idle : Idleness::busy;
  std::uint64_t next = jiffies + 60 * hz;
  for (std::size_t i = 0; i < domains(cpu).size(); ++i) {
    const Domain& domain = domains(cpu)[i];
    DomainState& level = queue(cpu).domains[i];
    std::uint64_t interval_ms = level.balance_interval_ms;
    if (idleness == Idleness::busy) interval_ms *= domain.rules.busy_factor;
    const std::uint64_t interval = std::clamp<std::uint64_t>(to_jiffies(interval_ms), 1, longest);
    std::uint64_t& serialized = state_.serialized[static_cast<std::size_t>(domain.level)];
    const bool taken = domain.rules.serialize && serialized == jiffies;
    bool designated = true;
    if (!taken && jiffies >= level.last_balance + interval) {
      if (domain.rules.serialize) serialized = jiffies;
      if (balance_level(cpu, i, idleness, designated) != 0) idleness = Idleness::busy;
      level.last_balance = jiffies;
    }
    next = std::min(next, level.last_balance + interval);
    if (!designated) break;
  }
  queue(cpu).next_balance = next;
}

/// Inside schedule(), nothing being runnable.
void Work::new_idle(int cpu) {
  Queue& q = queue(cpu);
  if (config_.version != Version::v2_6_32) {
    q.idle_stamp = clock_;
    if (q.avg_idle < config_.migration_cost_ns) return;
  }
  std::uint64_t next = event_.jiffies + static_cast<std::uint64_t>(config_.hz);
  int result = 0;
  for (std::size_t i = 0; i < domains(cpu).size() && result == 0; ++i) {
    bool designated = true;
    result = balance_level(cpu, i, Idleness::newly_idle, designated);
    const DomainState& level = q.domains[i];
    next = std::min(next, level.last_balance + to_jiffies(level.balance_interval_ms));
  }
  if (result != 0) q.idle_stamp = 0;
  if (result != 0 || event_.jiffies > q.next_balance) q.next_balance = next;
}

int Work::balance_level(int cpu, std::size_t index, Idleness idleness, bool& designated) {
  const Domain& domain = domains(cpu)[index];
  DomainState& level = queue(cpu).domains[index];
  Attempt attempt(domain, cpu, idleness, level.nr_balance_failed);
  const auto lengthen = [&](bool pinned) {
    if ((pinned && level.balance_interval_ms < 512) ||
        level.balance_interval_ms < domain.rules.max_interval_ms) {
      level.balance_interval_ms *= 2;
    }
  };
  // New-idle attempts of 2.6.32 and .33 leave the interval and, when they fail, the count alone
  // (N9).
  const bool old = config_.until(Version::v2_6_33) && idleness == Idleness::newly_idle;
  // An SMT level whose core is not wholly idle keeps new-idle balancing from climbing further.
  const auto nothing = [&] { return domain.rules.shares_power && attempt.busy ? -1 : 0; };

  int moved = 0;
  bool pinned = false;
  while (true) {
    const bool found = find_busiest_group(attempt) && find_busiest_cpu(attempt);
    designated = attempt.designated;
    if (!found) {
      if (!old || nothing() == 0) level.nr_balance_failed = 0;
      if (!old) lengthen(pinned);
      return nothing();
    }
    attempt.all_pinned = false;
    if (queue(attempt.busiest).nr_running > 1) moved = move_tasks(attempt);
    if (!attempt.all_pinned) break;
    pinned = true;
    attempt.excluded.push_back(attempt.busiest);
  }
  if (moved > 0) {
    level.nr_balance_failed = 0;
    if (!old) level.balance_interval_ms = domain.rules.min_interval_ms;
    return moved;
  }
  if (old) return -1;
  ++level.nr_balance_failed;
  if (idleness == Idleness::newly_idle ||
      level.nr_balance_failed <= domain.rules.cache_nice_tries + 2) {
    level.balance_interval_ms = domain.rules.min_interval_ms;
    return nothing();
  }
  const Queue& busiest = queue(attempt.busiest);
  if (busiest.curr.idle() || !task(busiest.curr).allowed.contains(CpuId{cpu})) {
    lengthen(true);
    return nothing();
  }
  push_active(attempt);
  level.nr_balance_failed = domain.rules.cache_nice_tries + 1;
  lengthen(false);
  return nothing();
}

/// Active balance: the busiest CPU's current is put back, and the first task that may goes over.
void Work::push_active(Attempt& attempt) {
  Queue& q = queue(attempt.busiest);
  put_current(q);
  resched(q);
  for (auto at = q.list.rbegin(); at != q.list.rend(); ++at) {
    Task& p = task(*at);
    if (!p.allowed.contains(CpuId{attempt.cpu})) continue;
    pull(p, attempt.cpu, Why::active);
    return;
  }
}

/// Moves a runnable task that is not current anywhere.
void Work::pull(Task& p, int to, Why why) {
  const int from = p.cpu;
  dequeue(p, false);
  if (FW_FAULT(P02_vruntime_not_shifted_on_pull)) {
    p.vruntime += queue(from).min_vruntime - queue(to).min_vruntime;
  }
  p.cpu = to;
  enqueue(p, false, true);
  check_preempt(to, p, Birth::none);
  record_migration(p, from, why);
}

}  // namespace fw::model::cfs
