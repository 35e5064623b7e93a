// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/command.h"
#include "model/vocab/case.h"

namespace fw::cli {

/// Adds an option whose value is a duration with a unit (`60s`, `250ms`).
CLI::Option* add_duration(CLI::App& app,
                          const std::string& flag,
                          Duration& value,
                          const std::string& about);

/// How a command shows its result; the options are the same for all.
struct OutputOptions {
  bool json = false;
  bool quiet = false;
  bool no_progress = false;
  std::string report;
  void add_to(CLI::App& app);
};

/// What to run: a workload or trace file on a topology.
struct WorkloadOptions {
  std::string file;
  std::string topology;
  bool no_balance = false;
  bool approximate = false;
  Duration duration = {};
  void add_to(CLI::App& app, bool required);
};

/// A workload as loaded: notes say what was approximated, dropped or guessed.
struct LoadedWorkload {
  Workload workload;
  std::string topology;  ///< what the file itself asks for; empty: nothing
  std::vector<std::string> notes;
};

/// Reads rt-app JSON, a recorded trace (imported) or a case (its workload).
Outcome<LoadedWorkload> load_workload(const std::string& path,
                                      bool approximate,
                                      const Program& program);

/// Reads a spec; `features_file` may be empty. Notes get the features that are known but without
/// effect.
Outcome<PolicySpec> load_spec(const std::string& text,
                              const std::string& features_file,
                              const Program& program,
                              std::vector<std::string>& notes);

/// The case that a spec, a workload file and the options describe.  `spec` may be empty: the
/// workload's own, else the newest cfs.
Outcome<Case> load_case(const std::string& spec,
                        const std::string& features_file,
                        const WorkloadOptions& options,
                        const Program& program,
                        std::vector<std::string>& notes);

/// A case file, or an Error that says what it is instead.
Outcome<Case> load_case_file(const std::string& path, const Program& program);

/// The row of a case's policy.
const PolicyRow& row_of(const Program& program, const PolicySpec& spec);

/// Longest run of a workload that has no end of its own, unless --duration says otherwise.
inline constexpr Duration endless_cap{10'000'000'000};

}  // namespace fw::cli
