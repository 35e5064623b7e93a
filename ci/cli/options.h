// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/command.h"
#include "ci/cli/values.h"
#include "model/vocab/case.h"

namespace fw::cli {

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
/// `custom_slice`: the policy knows `dl-runtime` of ordinary tasks.
Outcome<LoadedWorkload> load_workload(const std::string& path,
                                      bool approximate,
                                      const Program& program,
                                      bool custom_slice = false);

/// Imports a recorded trace.
/// Errors:  it is no trace; workloads and cases are told apart.
Outcome<LoadedWorkload> load_trace_file(const std::string& path);

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

/// Whether a file calls itself a case; false, too, for one that cannot be read.
bool is_case_file(const std::string& path);

/// A case file, or an Error that says what it is instead.
Outcome<Case> load_case_file(const std::string& path, const Program& program);

/// Plants the seeded fault that a case needs; none: nothing happens. The shipping build hands the
/// whole command over to fairwitness-mutants beside it and does not come back.
/// Errors:  that program is not there.
std::optional<Error> plant_for(const Case& c, const Program& program);

/// Runs fairwitness-mutants with this program's arguments in its place.
/// Errors:  that program is not there, or cannot be run.
Error hand_over(const Program& program);

/// The row of a case's policy.
const PolicyRow& row_of(const Program& program, const PolicySpec& spec);

/// Longest run of a workload that has no end of its own, unless --duration says otherwise.
inline constexpr Duration endless_cap{10'000'000'000};

}  // namespace fw::cli
