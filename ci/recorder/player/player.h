// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/workload.h"

/// Plays a workload with real threads, one for each instance of a task, on a kernel that is recorded.
namespace fw::player {

struct PlayOptions {
  Duration horizon{1'000'000'000};  ///< the end of the run, whatever the tasks still do
  std::string tracing;  ///< `tracing_on` of tracefs: 1 just before the start, 0 at the end
  int forks = 500;      ///< further forks are passed over
};

struct Played {
  long threads = 0;  ///< started, forks included
  long events = 0;   ///< program events done by threads that still run or have ended
  bool ended = false;  ///< every task came to its end before the horizon
  double loops_per_us = 0;
  std::string trouble;  ///< what could not be done; empty: nothing
};

/// Runs `workload` to its horizon. Threads that then still run are left alone: the caller ends the
/// process with std::_Exit. Used once in a process.
/// `run` burns a counted loop, calibrated at the start, never a clock: reading a thread's CPU clock
/// makes the kernel charge the thread, and so changes what is recorded.
/// Differs from semantics/simulator.md: the kernel's locks hand over as they like, a fork is a thread,
/// a timer is private to its thread, classes batch and idle count as normal.
Played play(const Workload& workload, const PlayOptions& options);

}  // namespace fw::player
