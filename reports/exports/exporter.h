// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/outcome.h"
#include "model/vocab/result.h"

/// A case in another tool's format. Adding one: a pair of files here and a row in registry.cpp.
namespace fw::exports {

struct Exported {
  std::string text;
  std::vector<std::string> losses;  ///< what the format cannot hold, one sentence each
};

struct Exporter {
  std::string_view name;    ///< as for `--to`
  std::string_view about;   ///< one line
  std::string_view ending;  ///< of the default file name
  bool of_the_run = false;  ///< shows the recorded run; else the workload alone
  Exported (*make)(const Case& c, const Recording& run) = nullptr;
};

std::span<const Exporter> exporters();
/// Null when there is none of that name.
const Exporter* find_exporter(std::string_view name);

Exported export_rtapp(const Case& c, const Recording& run);
Exported export_chrome(const Case& c, const Recording& run);
Exported export_ftrace(const Case& c, const Recording& run);
Exported export_c_program(const Case& c, const Recording& run);
Exported export_gtest(const Case& c, const Recording& run);

}  // namespace fw::exports
