// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "model/vocab/result.h"
#include "props/run/case_run.h"

namespace fw::run {

/// How far a failure is looked into.
struct InvestigateOptions {
  Duration budget{30'000'000'000};  ///< for reducing
  CaseOptions checks;               ///< as in the run that found it
  Duration hang_limit{20'000'000'000};  ///< a case that takes longer hangs
  std::string directory;            ///< the case file is kept here from the start; empty: nowhere
  std::string file_prefix = {};         ///< of the case file's name
  std::string program = "fairwitness";  ///< for the reproduce line
  std::function<void(const std::string&)> on_progress;
};

/// Shrinks a failing case, keeping the same failure, and says everything a reader needs: minimal
/// case, first divergence, blame, chain of picks. The case file is written before shrinking begins
/// and replaced at each success, so a kill loses nothing.
Failure investigate(const PolicyRow& row,
                    Case found,
                    const CaseFailure& failure,
                    const InvestigateOptions& options);

/// The same without shrinking: what a failing case shows as it stands.
Failure describe_failure(const PolicyRow& row, const Case& c, const CaseFailure& failure);

/// The run of a failure's minimal case, for timelines and plots.
Outcome<Recording> record_failure(const PolicyRow& row, const Failure& failure);

/// Which side is to blame: `policy flaw` (the model breaks the property too), `code flaw` (only the
/// implementation does), `model flaw` (only the model does), or that the sides merely differ.
std::string blame_of(const PolicyRow& row, const Case& c, const std::string& property);

}  // namespace fw::run
