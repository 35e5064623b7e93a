// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/engine/graph.h"
#include "solver/theorem/bounds.h"

/// The transition system of the CFS theorems (theorem/cfs_queue.h) with a few tasks and time in
/// ticks: every reachable state is visited, and the worst cases are read off the graph. Placement,
/// minimum, charge and pick are the rules of model/rules/cfs.h on machine words.
namespace fw::exact {

struct CfsInstance {
  std::string name;
  theorem::CfsLimits limits;           ///< one unit = one tick: tick_ns is 1
  std::vector<std::uint64_t> weights;  ///< powers of two at most 1024: charges are whole units
  bool gap_rule = true;
  bool forks = false;          ///< tasks that have left come back as children, too
  std::int64_t debit_vns = 0;  ///< of a child; 0: START_DEBIT off
  std::size_t observed = 0;    ///< the task whose wait and share are asked for
  /// Only picks that no tie-break can change, and no wakeup at an instant without a running task:
  /// what a workload can make the policies do. Fewer runs, so no worst case of the theorem.
  bool replayable = false;
};

/// The bounds' view of the instance.
theorem::CfsMix mix_of(const CfsInstance& instance);

/// One event of a run, as the steps' labels say.
struct CfsEvent {
  enum class Kind { run, pick, leave, wake, fork } kind = Kind::run;
  std::size_t task = 0;  ///< who runs, is picked, leaves, is woken or forked
};
std::string event_text(const CfsEvent& event);

/// What the graph says.
struct CfsWorst {
  bool complete = false;  ///< false: too many states; nothing below holds then
  std::size_t states = 0;
  std::size_t steps = 0;
  std::int64_t spread = 0;  ///< vns
  bool wait_unbounded = false;
  std::int64_t wait = 0;  ///< of the observed task, ticks
  bool leftmost_wait_unbounded = false;
  std::int64_t leftmost_wait = 0;      ///< while it is leftmost all the time
  std::optional<solver::Ratio> share;  ///< least, while the observed task never leaves
  std::vector<CfsEvent> lead;          ///< from the empty queue to where the wait begins
  std::vector<CfsEvent> worst;         ///< the longest wait, or the cycle that has no end
};

CfsWorst explore_cfs(const CfsInstance& instance, std::size_t limit);

/// The instances that the tests and `prove` visit: two and three tasks, equal and mixed weights,
/// with and without buddies and forks. Each in well under a second.
std::vector<CfsInstance> cfs_instances();

/// The tunables of 2.6.36 on one CPU in ms, forks without a debit: its lasso can be replayed with
/// `cfs@2.6.36-START_DEBIT`.
CfsInstance starved_by_forks();

}  // namespace fw::exact
