// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/eevdf_checker.h"

namespace fw::props::eevdf {

/// What section 5's preemption test gives for the task that a stimulus brings. CHOICE 17.
struct PreemptionTest {
  bool made = false;  ///< a task came; else nothing below counts
  bool decided =
      false;          ///< false: the order of a delayed equal, which a View does not show, decides
  bool mark = false;  ///< the CPU is marked afterwards
  bool was_marked = false;
  CpuId cpu;
  const TaskView* woken = nullptr;  ///< as it is afterwards
  TaskId tested = idle_task;        ///< the running task whose protection the test may end
  std::uint64_t protection = 0;     ///< of it, afterwards
  bool broken = false;              ///< a shorter slice took a protected task's CPU
};

/// Works the test out from the View before; what the placement did is taken from the View after.
PreemptionTest preemption_test(const Moment& m, const Tunables& rules, Book& book);

}  // namespace fw::props::eevdf
