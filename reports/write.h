// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/vocab/outcome.h"
#include "model/vocab/result.h"

namespace fw::reports {

/// Writes index.html, result.json, junit.xml, results.sarif and summary.md into `dir`, which is
/// made if need be. Each file appears whole or not at all. Errors: name the file, the system's
/// reason and what to do; files written before the error stay.
Outcome<Done> write_report(const Result& result, const std::string& dir);

/// Writes one file: a regular one whole or not at all (a temporary beside it is renamed; a link
/// stays a link), a device or pipe as it is. Errors: as above.
Outcome<Done> write_file(const std::string& path, std::string_view content);

}  // namespace fw::reports
