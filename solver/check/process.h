// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/vocab/time.h"

namespace fw::solver {

/// A program to run, without a shell; its standard input is empty.
struct Job {
  std::vector<std::string> command;  ///< path and arguments
};

/// How it ended.
struct JobEnd {
  bool started = false;    ///< false: the program could not be run
  bool timed_out = false;  ///< killed at the limit
  int signal = 0;
  int status = 0;
  std::string output;  ///< standard output and error, at most 64 KiB
  double seconds = 0;  ///< wall
};

/// Runs every job, `parallel` at a time, each in a process group of its own that is killed when it
/// has used the limit of processor time (whole seconds, rounded up), or five times the limit by the
/// clock (SIGKILL, so a hang cannot outlast it), with at most 4 GiB of memory. Ends are in the
/// order of the jobs. `on_end` is told how many are done.
std::vector<JobEnd> run_jobs(const std::vector<Job>& jobs,
                             int parallel,
                             Duration limit,
                             const std::function<void(std::size_t)>& on_end = {});

}  // namespace fw::solver
