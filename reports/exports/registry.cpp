// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "reports/exports/exporter.h"

namespace fw::exports {

std::span<const Exporter> exporters() {
  static constexpr std::array<Exporter, 5> rows = {{
      {"rt-app", "the workload, for rt-app and scxsim", ".json", false, export_rtapp},
      {"perfetto",
       "the run as Chrome trace JSON, for ui.perfetto.dev and chrome://tracing",
       ".trace.json",
       true,
       export_chrome},
      {"ftrace",
       "the run as ftrace text, for KernelShark, `import` and `validate`",
       ".ftrace.txt",
       true,
       export_ftrace},
      {"c",
       "a standalone C program that runs the workload on this machine's kernel",
       ".c",
       false,
       export_c_program},
      {"gtest", "a GoogleTest regression of this project", "_test.cpp", false, export_gtest},
  }};
  return rows;
}

const Exporter* find_exporter(std::string_view name) {
  for (const Exporter& row : exporters()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace fw::exports
