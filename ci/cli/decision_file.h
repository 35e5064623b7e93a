// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/side.h"

namespace fw::cli {

/// Runs one side and writes its decision log (product.md, "Decision log"; `-`: stdout). Gives the
/// number of events.  Errors: the file cannot be written in full; the workload's own fault.
Outcome<std::int64_t> write_decisions(const PolicyRow& row,
                                      const Setup& setup,
                                      bool model,
                                      const std::string& path);

/// Why a command whose result goes to stdout takes no `--decisions -`.
Error decisions_to_stdout();

}  // namespace fw::cli
