// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "impl/cfs/fair.h"

/// One attempt at balancing one level for one CPU: statistics and amounts are in
/// balance_weigh.cpp, moving and what follows from it in balance.cpp.
/// Source: cfs-semantics sections 19 and 21, the choices for load balancing, simulator section H.
namespace impl::cfs {

enum class IdleState { busy, idle, newly_idle };

struct GroupLoad {
  const Group* group = nullptr;
  u64 load = 0;        ///< sum over CPUs, biased by history
  u64 average = 0;     ///< load by power
  u64 weight_sum = 0;  ///< plain
  u64 nr_running = 0;
  u64 capacity = 0;
  bool imbalanced = false;
  u64 per_task() const { return nr_running == 0 ? 0 : weight_sum / nr_running; }
};

struct DomainLoad {
  GroupLoad local;
  GroupLoad busiest;
  u64 total_load = 0;
  u64 total_power = 0;
  bool designated = true;
  u64 average() const { return 1024 * total_load / total_power; }
};
/// One attempt to balance one level for one CPU.
struct Balancing {
  FairClass& fair;
  Runqueue& to;
  Domain& domain;
  IdleState idle;
  CpuMask members;  ///< of the level, without the CPUs excluded because all was pinned
  bool pinned = false;
  bool anybody_runs = false;  ///< met in any of this attempt's statistics
  u64 imbalance = 0;
  bool old_rules = fair.tunables_.version <= Version::v33;

  const DomainRules& rules() const { return *domain.rules; }
  int load_index() const {
    if (idle == IdleState::busy) return rules().busy_idx;
    return idle == IdleState::idle ? rules().idle_idx : rules().newidle_idx;
  }

  int run(bool& designated);
  GroupLoad weigh(const Group& group, bool local, DomainLoad& all);
  DomainLoad weigh_all();
  bool unbalanced(const DomainLoad& all) const;
  static u64 load_per_task(const DomainLoad& all);
  u64 amount_to_move(const DomainLoad& all) const;
  u64 small_amount(const DomainLoad& all, u64 per_task, u64 amount) const;
  Runqueue* busiest_queue(const Group& group) const;
  int move_tasks(Runqueue& from, bool& all_pinned);
  bool may_migrate(const Task& task, const Runqueue& from) const;
  int finish_balanced();
  int finish_failed(Runqueue& from);
  void lengthen_interval();
  int nothing_moved() const;
  /// 2.6.32 and .33 have a function of its own for these attempts.
  bool old_newidle() const { return old_rules && idle == IdleState::newly_idle; }
};

}  // namespace impl::cfs
