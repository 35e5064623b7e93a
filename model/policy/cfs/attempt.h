// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/policy/cfs/work.h"
#include "model/vocab/fault.h"

/// Values passed around within one balancing attempt. Private to this folder.
namespace fw::model::cfs {

struct Work::Attempt {
  const Domain& domain;
  const int cpu;  ///< D: who pulls
  const Idleness idleness;
  const std::uint64_t failed;  ///< nr_balance_failed as the attempt began
  bool busy;                   ///< a CPU with a runnable task was met, or D is not idle
  bool designated = true;
  bool all_pinned = false;
  const Group* group = nullptr;
  int busiest = -1;
  std::uint64_t imbalance = 0;
  std::vector<int> excluded;

  Attempt(const Domain& of, int by, Idleness kind, std::uint64_t failures)
      : domain(of), cpu(by), idleness(kind), failed(failures), busy(kind == Idleness::busy) {}

  bool excludes(int member) const {
    for (const int out : excluded) {
      if (out == member) return true;
    }
    return false;
  }
  unsigned load_index() const {
    return idleness == Idleness::busy   ? domain.rules.busy_idx
           : idleness == Idleness::idle ? domain.rules.idle_idx
                                        : 0;
  }
};

/// Section 21.3, of one group.
struct Work::Statistics {
  bool local = false;
  std::uint64_t load = 0;
  std::uint64_t average = 0;
  std::uint64_t nr = 0;
  std::uint64_t sum_weight = 0;
  std::uint64_t capacity = 0;
  bool imbalanced = false;
  bool crowded() const {
    return FW_FAULT(L16_busiest_test_reversed) ? nr < capacity : nr > capacity;
  }
};

}  // namespace fw::model::cfs
