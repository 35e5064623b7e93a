// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/input/import.h"

/// The importer's own values: facts of a first pass over the trace, and the programs under
/// construction.
namespace fw::input {

/// What the whole trace says of one pid.
struct PidFacts {
  bool placeholder = false;    ///< on two CPUs at once: one name for many tasks
  bool stopper = false;        ///< stop-class thread (`migration/N`)
  bool kernel_thread = false;  ///< by its name
  bool blocks = false;         ///< switched out blocked at least once
  std::int64_t on_cpu_ns = 0;
  std::int64_t wakeups = 0;
  std::int64_t wakeups_from_idle = 0;
};

/// How often lines name one task as the context of another's wakeups.
struct PairFacts {
  std::int64_t wakeups = 0;
  std::int64_t soon_blocked = 0;  ///< the context task blocked within 50 us of CPU time
  std::int64_t short_sleeps =
      0;  ///< the wakee had slept for 50 us or less (no timer is that exact)
};

struct TraceFacts {
  std::map<std::int32_t, PidFacts> pids;
  bool has_wakeups = false;
  bool heads_name_tasks = true;  ///< the pid in a line's head is the thread, not its group
  std::map<std::pair<std::int32_t, std::int32_t>, PairFacts> pairs;  ///< context, wakee
  Duration span;

  /// Without flags an interrupt cannot be seen: whether wakeups of `wakee` in the context of
  /// `context` look like one's. See import.h for the rule.
  bool looks_interrupted(std::int32_t context, std::int32_t wakee) const;
};
TraceFacts gather_facts(const std::vector<const TraceEvent*>& events, const Trace& trace);

enum class StepKind { run, post, wait, sleep, fork, nice };

struct Step {
  StepKind kind = StepKind::run;
  std::int64_t amount = 0;  ///< ns; nice: the value
  std::int32_t task = -1;   ///< post: wakee, fork: child
  bool live = true;         ///< false: kept aside, may turn out to be needed
  Instant wake = {};        ///< sleep: when it ended
};

enum class DraftState { fresh, queued, running, blocked, dead };

/// A step of some task's program that a later line may bring to life.
struct Slot {
  std::int32_t task = -1;
  std::size_t step = 0;
};

/// A task under construction.
struct Draft {
  std::int32_t pid = -1;
  NameId name = 0;
  std::int32_t cpu = -1;  ///< placeholders: the CPU they stand for
  DraftState state = DraftState::queued;
  bool stopper = false;
  bool placeholder = false;
  bool ran = false;  ///< was switched in, or made a line
  bool forked = false;
  bool approximated = false;
  std::int32_t prio = TraceEvent::no_prio;
  int first_nice = 0;
  Instant start;       ///< of its program: delay, or the fork
  Instant last_block;  ///< its start, or when it last came back from a block
  Instant last_out;    ///< when it last left a CPU
  Instant blocked_at;
  std::int64_t burst_ns = 0;  ///< on CPU since the last step
  std::int64_t dropped_ns = 0;
  Slot fork_slot;   ///< the parent's fork, if no wakeup_new follows
  Slot early_wake;  ///< a wakeup that came just before the block
  std::vector<Step> steps;
};

/// What the walk over the events gives.
struct Drafts {
  std::vector<Draft> tasks;
  std::map<std::string, TraceNote, std::less<>> notes;
  Instant end;  ///< from the trace's start
  void note(std::string_view text, std::int64_t line, std::int64_t count = 1);
};

Drafts walk_trace(const std::vector<const TraceEvent*>& events,
                  const Trace& trace,
                  const TraceFacts& facts,
                  const ImportOptions& options);

/// Turns drafts into the workload; moves what it can.
Imported build_workload(Drafts& drafts, const Trace& trace, const ImportOptions& options);

/// nice of a kernel prio; -20 for real-time and deadline tasks, 0 for an unknown one.
int nice_of(std::int32_t prio);

}  // namespace fw::input
