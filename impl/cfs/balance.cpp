// SPDX-License-Identifier: Apache-2.0
// Load balancing: moving tasks, and when. Source: cfs-semantics sections 19 and 21, the choices
// for load balancing, simulator section H.
#include <algorithm>

#include "impl/base/check.h"
#include "impl/cfs/balancing.h"

namespace impl::cfs {

bool Balancing::may_migrate(const Task& task, const Runqueue& from) const {
  if (&task == from.curr) return false;
  const u64 tries = IMPL_FAULT(L20_hot_after_one_failure) ? 0 : rules().cache_nice_tries;
  return domain.nr_balance_failed > tries || !fair.task_hot(task, from, to);
}

int Balancing::move_tasks(Runqueue& from, bool& all_pinned) {
  const Reason why = idle == IdleState::newly_idle ? Reason::newidle : Reason::periodic;
  i64 remaining = static_cast<i64>(imbalance);
  int moved = 0;
  bool looked = false;
  bool none_allowed = true;
  for (bool first_pass = true; remaining > 0; first_pass = false) {
    int moved_in_pass = 0;
    u64 looks = 0;
    for (auto at = from.tasks.begin(); at != from.tasks.end() && remaining > 0;) {
      if (looks++ > fair.tunables_.nr_migrate && !IMPL_FAULT(L28_scan_without_limit)) break;
      Task& task = *at++;  // moving it unlinks it
      looked = true;
      // Weight is tested first: of a task too heavy nobody asks where it may run.
      const u64 shift =
          1 + (IMPL_FAULT(A23_weight_shifted_by_failures) ? domain.nr_balance_failed % 63 : 0);
      const bool heavy = static_cast<i64>(task.load.weight >> shift) > remaining;
      if (heavy && !IMPL_FAULT(L07_heavy_task_pulled)) continue;
      if (!task.allowed.test(to.cpu) && !IMPL_FAULT(L46_pinned_task_pulled)) continue;
      if (first_pass) none_allowed = false;
      if (!may_migrate(task, from)) continue;
      fair.pull_task(from, task, to, why);
      ++moved_in_pass;
      remaining -= IMPL_FAULT(C13_moved_load_stale) ? 1 : static_cast<i64>(task.load.weight);
    }
    moved += moved_in_pass;
    if (moved_in_pass == 0 || old_rules) break;
  }
  all_pinned = looked && none_allowed;
  if (IMPL_FAULT(L36_pinned_by_running_task) && moved == 0 && from.curr != nullptr) {
    all_pinned = !from.curr->allowed.test(to.cpu);
  }
  return moved;
}

int Balancing::nothing_moved() const {
  const bool sibling_busy = anybody_runs || idle == IdleState::busy;
  return rules().shares_power && sibling_busy ? -1 : 0;
}

void Balancing::lengthen_interval() {
  constexpr u64 longest_pinned = 512;
  const u64 interval = domain.balance_interval;
  if ((pinned && interval < longest_pinned) || interval < rules().max_interval) {
    domain.balance_interval *= 2;
  }
}

int Balancing::finish_balanced() {
  if (old_newidle()) {
    const int result = nothing_moved();
    if (result == 0) domain.nr_balance_failed = 0;
    return result;
  }
  domain.nr_balance_failed = 0;
  if (IMPL_FAULT(L06_pinned_not_slowed) && pinned) return nothing_moved();
  lengthen_interval();
  return nothing_moved();
}

int Balancing::finish_failed(Runqueue& from) {
  if (old_newidle()) return -1;
  ++domain.nr_balance_failed;
  const u64 patience = IMPL_FAULT(L38_pushed_too_early) ? 0 : rules().cache_nice_tries + 2;
  const bool push = idle != IdleState::newly_idle && domain.nr_balance_failed > patience;
  if (!push) {
    domain.balance_interval = rules().min_interval;
    return nothing_moved();
  }
  if (from.curr == nullptr || !from.curr->allowed.test(to.cpu)) {
    pinned = true;
    lengthen_interval();
    return nothing_moved();
  }
  if (!IMPL_FAULT(R08_push_request_lost)) fair.active_balance(from, to);
  domain.nr_balance_failed = rules().cache_nice_tries + 1;
  if (domain.balance_interval < rules().max_interval) domain.balance_interval *= 2;
  return nothing_moved();
}

/// Number of tasks moved; 0 or -1 when none was.
int Balancing::run(bool& designated) {
  members = domain.span->mask;
  for (;;) {
    const DomainLoad all = weigh_all();
    designated = all.designated;
    if (!designated || !unbalanced(all)) return finish_balanced();
    imbalance = amount_to_move(all);
    Runqueue* from = busiest_queue(*all.busiest.group);
    if (from == nullptr) return finish_balanced();
    int moved = 0;
    if (from->nr_running > 1) {
      bool all_pinned = false;
      moved = move_tasks(*from, all_pinned);
      if (all_pinned) {
        pinned = true;
        if (IMPL_FAULT(L11_pinned_cpu_ends_search)) return finish_balanced();
        members.clear(from->cpu);
        if (members.first() < 0) return old_newidle() ? -1 : finish_balanced();
        continue;
      }
    }
    if (moved == 0) return finish_failed(*from);
    domain.nr_balance_failed = 0;
    if (!old_newidle()) domain.balance_interval = rules().min_interval;
    return moved;
  }
}

// --- moving ----------------------------------------------------------------------------------

bool FairClass::buddy_is_hot(const Runqueue& source, const Runqueue& destination) const {
  switch (tunables_.hot_buddy) {
    case HotBuddy::always:
      return true;
    case HotBuddy::source_crowded:
      return source.nr_running >= tunables_.nr_latency;
    case HotBuddy::source_busy:
      return source.nr_running >= 1;
    case HotBuddy::destination_busy:
      break;
  }
  return destination.nr_running != 0 || IMPL_FAULT(B10_buddy_kept_from_idle_cpu);
}

bool FairClass::task_hot(const Task& task,
                         const Runqueue& source,
                         const Runqueue& destination) const {
  const bool is_buddy = source.next == &task || source.last == &task;
  if (tunables_.cache_hot_buddy && is_buddy && buddy_is_hot(source, destination)) return true;
  if (tunables_.migration_cost == -1) return true;
  if (tunables_.migration_cost == 0) return false;
  return distance(clock_, task.exec_start) < tunables_.migration_cost;
}

void FairClass::pull_task(Runqueue& from, Task& task, Runqueue& to, Reason why) {
  dequeue_task(from, task, false);
  if (IMPL_FAULT(C10_load_left_at_pull)) from.load.add(task.load.weight);
  if (IMPL_FAULT(P02_vruntime_not_shifted_on_pull)) {
    task.vruntime += from.min_vruntime - to.min_vruntime;
  }
  task.cpu = to.cpu;
  const bool as_woken = IMPL_FAULT(C21_pull_placed_as_wakeup);
  enqueue_task(to, task, {as_woken, as_woken});
  check_preempt_curr(IMPL_FAULT(W33_source_cpu_marked) ? from : to, task, false);
  log_.moved(task.id, from.cpu, to.cpu, why);
}

void FairClass::active_balance(Runqueue& busiest, Runqueue& to) {
  Task& curr = *busiest.curr;
  if (tunables_.is_6_1()) {
    put_prev_entity(busiest, curr);
  } else {
    put_prev_task(busiest, curr);
  }
  busiest.moved_away = curr.id;
  busiest.need_resched = true;
  log_.marked(busiest.cpu);
  for (Task& task : busiest.tasks) {
    if (!task.allowed.test(to.cpu) && !IMPL_FAULT(L33_push_ignores_affinity)) continue;
    pull_task(busiest, task, to, Reason::active);
    return;
  }
}

// --- when ------------------------------------------------------------------------------------

void FairClass::update_cpu_load(Runqueue& rq) {
  const u64 load = rq.load.weight;
  if (IMPL_FAULT(C17_load_index_stale_when_idle) && load == 0) return;
  rq.cpu_load[0] = load;
  for (std::size_t i = 1; i < rq.cpu_load.size(); ++i) {
    const u64 parts = u64{1} << i;
    u64 now = load;
    if (now > rq.cpu_load[i]) now += parts - 1;
    rq.cpu_load[i] = (rq.cpu_load[i] * (parts - 1) + now) >> i;
  }
}

namespace {
u64 jiffies_of(u64 ms, u64 hz) { return (ms * hz + 999) / 1000; }
}  // namespace

u64 FairClass::interval_jiffies(const Domain& domain, bool busy) const {
  const u64 hz = static_cast<u64>(tunables_.hz);
  u64 ms = domain.balance_interval;
  if (busy) ms *= domain.rules->busy_factor;
  const u64 longest = std::max<u64>(1, hz * static_cast<u64>(cpus()) / 10);
  return std::clamp<u64>(jiffies_of(ms, hz), 1, longest);
}

bool FairClass::rebalance(Runqueue& rq) {
  IdleState idle = rq.idle_at_tick ? IdleState::idle : IdleState::busy;
  u64 next = jiffies_ + 60 * static_cast<u64>(tunables_.hz);
  bool moved = false;
  for (Domain& domain : rq.domains) {
    const u64 interval = interval_jiffies(domain, idle == IdleState::busy);
    bool designated = true;
    int& balanced_by = serialized_by_[static_cast<std::size_t>(domain.span->level)];
    const bool taken = domain.rules->serialize && balanced_by >= 0 && balanced_by != rq.cpu;
    if (!taken && jiffies_ >= domain.last_balance + interval) {
      if (domain.rules->serialize) balanced_by = rq.cpu;
      Balancing attempt{*this, rq, domain, idle, {}};
      const int result = attempt.run(designated);
      if (result > 0) moved = true;
      if (result != 0) idle = IdleState::busy;
      domain.last_balance = jiffies_;
    }
    next = std::min(next, domain.last_balance + interval);
    if (!designated) break;
  }
  rq.next_balance = next;
  return moved;
}

void FairClass::idle_balance(Runqueue& rq) {
  if (!balances_) return;
  if (tunables_.version != Version::v32) {
    rq.idle_stamp = clock_;
    if (rq.avg_idle < static_cast<u64>(tunables_.migration_cost)) return;
  }
  const u64 hz = static_cast<u64>(tunables_.hz);
  u64 next = jiffies_ + hz;
  bool moved = false;
  for (Domain& domain : rq.domains) {
    int result = 0;
    if (domain.rules->balance_newidle) {
      bool designated = true;
      Balancing attempt{*this, rq, domain, IdleState::newly_idle, {}};
      result = attempt.run(designated);
    }
    next = std::min(next, domain.last_balance + jiffies_of(domain.balance_interval, hz));
    if (result != 0) {
      moved = true;
      rq.idle_stamp = 0;
      break;
    }
  }
  if (IMPL_FAULT(L41_avg_idle_cut_on_failure) && !moved) rq.avg_idle -= rq.avg_idle / 2;
  if (moved || jiffies_ > rq.next_balance) rq.next_balance = next;
}

}  // namespace impl::cfs
