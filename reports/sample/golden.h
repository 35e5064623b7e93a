// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace fw::reports {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Compares with reports/testdata/NAME; FAIRWITNESS_UPDATE=1 rewrites that file instead.
inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(FW_SOURCE_DIR "/reports/testdata/") + name;
  const char* const update = std::getenv("FAIRWITNESS_UPDATE");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
  }
  EXPECT_EQ(read_file(path), actual) << "if intended, run again with FAIRWITNESS_UPDATE=1";
}

}  // namespace fw::reports
