// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/engine/obligation.h"
#include "solver/exact/cfs_instance.h"

/// The transition system of the CFS spread theorem for a fixed number of tasks and constant limits,
/// written without quantifiers: for Spacer, which finds an invariant of its own, and for bounded
/// model checking, which finds runs. A charge is a macro-step: any legal length at once.
namespace fw::exact {

struct ExplicitQueue {
  std::vector<std::int64_t> budgets;  ///< U of each task: 2 to 4 of them
  std::int64_t credit = 0;            ///< th
  std::int64_t lead = 0;              ///< g; 0: the pick is the leftmost
  // What a proof assumes; each can be left out.
  bool gap_rule = true;
  bool budget_rule = true;
  bool pick_rule = true;
};

/// Constrained Horn clauses: sat means that no run has two runnable tasks more than `bound` apart.
/// The answer's model defines `Inv`.
std::string horn_clauses(const ExplicitQueue& queue, std::int64_t bound);

/// `(define-fun Inv ...)` out of a solver's answer; nothing when there is none.
std::optional<std::string> invariant_in(const std::string& answer);

/// That an invariant found elsewhere holds: initiation, one query an event, the bound; with vacuity
/// checks and the control that it does not imply bound - 1... so that an answer without content
/// does not pass.
solver::Obligation check_invariant(const ExplicitQueue& queue,
                                   const std::string& definition,
                                   std::int64_t bound);

/// A run of `steps` steps from the empty queue at whose end two runnable tasks lie at least
/// `spread` apart: sat when there is one; the answer holds the events.
std::string bounded_run(const ExplicitQueue& queue, int steps, std::int64_t spread);

/// The events of such an answer, a charge of q units being q runs; nothing when it holds none.
std::optional<std::vector<CfsEvent>> events_in(const std::string& answer, int steps);

}  // namespace fw::exact
