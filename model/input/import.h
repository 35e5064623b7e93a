// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/input/trace.h"
#include "model/vocab/workload.h"

/// From a recorded trace to a closed-loop workload: what each task did between its blocks, and who
/// woke whom. A policy under test then decides when it happens.
///
/// How a trace is read:
/// - A program is the observed sequence of CPU bursts; a burst is the on-CPU time between two
/// blocks,
///   summed over preemptions.
/// - A wakeup made by a running task (not from an interrupt, not from idle) is causal: the waker's
///   program does `sem_post w.NAME` where it did it, the sleeper `sem_wait w.NAME`. Each wait has
///   the one post that ended it, so the workload cannot deadlock under any policy: the unmet wait
///   whose trace time is least would need a post that lies behind an unmet wait of still lesser
///   time. Posts are remembered, so none is lost when the order changes.
/// - Every other wakeup is timed: `sleep` of the observed length, or, for a task whose wakeups come
///   at a steady period while its sleeps vary, a one-shot absolute `timer` at the observed instant.
///   Formats without a flags column do not show interrupts. There a wakeup also counts as timed
///   when the sleeper is a kernel thread or is woken from idle at least a quarter of the time; when
///   the waker never blocks in the whole trace (a hog that a timer interrupted); or when the waker
///   makes no more than twice the share of the sleeper's wakeups that its CPU time explains, unless
///   in half of them it blocks within 50 us of CPU time or the sleep was no longer than that.
/// - A task forked in the trace is forked by its parent's program; others start with a `delay`: 0
/// if
///   they ran or waited at the beginning, else the instant of their first wakeup.
/// - A task that still lives at the end goes on running when it had not blocked for at least half
/// of
///   its life and a tenth of the trace (a hog's demand does not end with the recording), else it
///   ends in `suspend`.
/// - Not reproduced: migrations, affinity, yields, policies other than by prio.
namespace fw::input {

struct ImportOptions {
  Duration max_time = {};            ///< of the trace, from its start; 0: all of it
  std::string name = {};             ///< of the workload; empty: the trace's file name
  std::int64_t max_ops = 1'000'000;  ///< of all programs together; the import stops there
};

/// One task of the workload and where it comes from.
struct ImportedTask {
  std::string name;
  std::string comm;  ///< the last name the trace gives it
  std::int32_t pid = -1;
  Duration run;               ///< CPU time of its program, the open end left out
  Duration dropped;           ///< observed on a CPU up to an unknown moment, left out
  bool forked = false;        ///< started by another task's program
  bool open_end = false;      ///< runs on when its recorded program is done
  bool approximated = false;  ///< real-time or deadline task, now nice -20
};

struct Imported {
  Workload workload;
  std::vector<ImportedTask> tasks;  ///< in the order of workload.tasks
  std::vector<TraceNote> notes;     ///< what was guessed, dropped, approximated, not reproduced
  std::int64_t ops = 0;
};

/// The name of the phase that stands for an open end.
inline constexpr std::string_view open_end_phase = "open-end";

/// Errors: the trace holds no switch between two tasks, or none of the fair class (RT and deadline
/// tasks count, as approximated; stopper threads do not).
Outcome<Imported> import_trace(const Trace& trace, const ImportOptions& options = {});

}  // namespace fw::input
