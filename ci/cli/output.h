// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ci/cli/options.h"
#include "model/vocab/result.h"

namespace fw::cli {

/// A progress line on stderr: a bar that redraws itself on a terminal, a plain line every ten
/// seconds otherwise; nothing with --quiet or --no-progress.
class ProgressLine {
 public:
  ProgressLine(const OutputOptions& options, std::string label);
  ~ProgressLine();
  /// `part` of the whole, 0..1; negative when the whole is not known.
  void show(double part, const std::string& text);

 private:
  bool on_ = false;
  bool terminal_ = false;
  bool drawn_ = false;
  std::string label_;
  double last_ = -1e9;
};

/// Prints an Error as all commands do and gives the status for bad usage or input.
Exit complain(const Error& error);

/// Writes a file that the user named: a regular one whole or not at all, a device or pipe as it is.
/// Errors:  name the file, the system's reason and what to do.
Outcome<Done> write_output(const std::string& path, const std::string& text);

/// What a command gives when stdout could not take all of its result.
Exit stdout_status(Exit status);

/// Whether a command prints the terminal report; one that has printed its own figures does not.
enum class Verdict { printed, reports_only };

/// Prints a result (text, or one JSON object), writes the report folder, and gives its status.
Exit finish(Result& result, const OutputOptions& options, Verdict verdict = Verdict::printed);

/// Commit, compiler, build type, library versions, cores: the identity block of reports.
std::map<std::string, std::string> identity();

}  // namespace fw::cli
