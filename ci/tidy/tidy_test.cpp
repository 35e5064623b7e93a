// SPDX-License-Identifier: Apache-2.0
// The repository's rules as a test: layers, licence lines, lengths, forbidden words.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path root = FW_SOURCE_DIR;

/// Which folders a folder's shipped sources may include. Tests may include anything but must not
/// let impl/ and model/ meet outside props/, reports/ and ci/.
const std::map<std::string, std::vector<std::string>>& layers() {
  static const std::map<std::string, std::vector<std::string>> table = {
      {"model/vocab", {"model/vocab"}},
      {"model/rules", {"model/rules", "model/vocab"}},
      {"model/input", {"model/input", "model/vocab"}},
      {"model/ideal", {"model/ideal", "model/vocab"}},
      {"model/policy", {"model/policy", "model/rules", "model/vocab"}},
      {"model/machine", {"model/machine", "model/policy", "model/rules", "model/vocab"}},
      {"impl", {"impl"}},
      {"solver/engine", {"solver/engine", "model/vocab"}},
      {"solver/theorem", {"solver/theorem", "solver/engine", "model/rules", "model/vocab"}},
      {"solver/check/faulty", {"solver/check", "solver/theorem", "solver/engine", "model/vocab"}},
      {"solver/check", {"solver/check", "solver/engine", "model/vocab"}},
      {"props/bridge", {"props/bridge", "model/machine", "model/policy", "model/vocab", "impl"}},
      {"props/gen", {"props/gen", "model/vocab"}},
      {"props/properties", {"props/properties", "solver/theorem", "model/ideal", "model/vocab"}},
      {"props/mutants", {"props/mutants", "model/vocab"}},
      {"props/reduce", {"props/reduce", "model/vocab"}},
      {"props/store", {"props/store", "model/input", "model/vocab"}},
      {"props/validate",
       {"props/validate", "model/rules", "model/policy", "model/input", "model/vocab"}},
      {"props/run",
       {"props/run",
        "props/gen",
        "props/properties",
        "props/mutants",
        "props/reduce",
        "props/store",
        "model/ideal",
        "model/input",
        "model/vocab"}},
      {"reports", {"reports", "model/input", "model/vocab"}},
      {"ci/cli", {"ci", "props", "reports", "solver", "model"}},
  };
  return table;
}

std::vector<fs::path> sources() {
  std::vector<fs::path> out;
  for (const char* top : {"model", "impl", "props", "solver", "reports", "ci"}) {
    for (auto at = fs::recursive_directory_iterator(root / top);
         at != fs::recursive_directory_iterator();
         ++at) {
      const std::string name = at->path().filename().string();
      if (at->is_directory() && (name == "node_modules" || name == "testdata" || name == "dist")) {
        at.disable_recursion_pending();
        continue;
      }
      const std::string ext = at->path().extension().string();
      if (at->is_regular_file() && (ext == ".h" || ext == ".cpp")) out.push_back(at->path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string in_repository(const fs::path& path) {
  return fs::relative(path, root).generic_string();
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

bool is_test(const std::string& name) {
  return name.find("_test.cpp") != std::string::npos || name.find("/test/") != std::string::npos;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& heads) {
  return std::any_of(heads.begin(), heads.end(), [&text](const std::string& head) {
    return text == head || text.rfind(head + "/", 0) == 0;
  });
}

TEST(Tidy, FindsTheSources) { EXPECT_GT(sources().size(), 50u); }

TEST(Tidy, EveryIncludeIsAllowedByTheLayers) {
  const std::regex include("^#include \"([^\"]+)\"");
  for (const fs::path& path : sources()) {
    const std::string name = in_repository(path);
    if (is_test(name)) continue;
    // From behind: of two layers that hold the file, the inner one.
    const auto layer = std::find_if(layers().rbegin(), layers().rend(), [&name](const auto& row) {
      return name.rfind(row.first + "/", 0) == 0;
    });
    if (layer == layers().rend()) continue;
    for (const std::string& line : lines_of(path)) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      EXPECT_TRUE(starts_with_any(match[1].str(), layer->second))
          << name << " may not include " << match[1] << " (see CONTRIBUTING.md)";
    }
  }
}

TEST(Tidy, TheTwoWritingsMeetOnlyAboveThem) {
  const std::regex include("^#include \"(model|impl)/");
  for (const fs::path& path : sources()) {
    const std::string name = in_repository(path);
    const std::string other = name.rfind("impl/", 0) == 0    ? "model"
                              : name.rfind("model/", 0) == 0 ? "impl"
                                                             : "";
    if (other.empty()) continue;
    for (const std::string& line : lines_of(path)) {
      std::smatch match;
      if (std::regex_search(line, match, include)) {
        EXPECT_NE(match[1].str(), other) << name << ": " << line;
      }
    }
  }
}

TEST(Tidy, EverySourceBeginsWithItsLicence) {
  for (const fs::path& path : sources()) {
    const auto lines = lines_of(path);
    ASSERT_FALSE(lines.empty()) << in_repository(path);
    EXPECT_EQ(lines[0], "// SPDX-License-Identifier: Apache-2.0") << in_repository(path);
  }
}

TEST(Tidy, HeadersGuardThemselves) {
  for (const fs::path& path : sources()) {
    if (path.extension() != ".h") continue;
    const auto lines = lines_of(path);
    EXPECT_NE(std::find(lines.begin(), lines.end(), "#pragma once"), lines.end())
        << in_repository(path);
  }
}

TEST(Tidy, FilesAndLinesStayReadable) {
  for (const fs::path& path : sources()) {
    const auto lines = lines_of(path);
    EXPECT_LE(lines.size(), 700u) << in_repository(path) << ": cut it along a concept";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_LE(lines[i].size(), 120u) << in_repository(path) << ":" << i + 1;
    }
  }
}

TEST(Tidy, NothingIsLeftUndone) {
  // Spelled in pieces so that this file does not find itself.
  const std::regex words(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X|DISABLED"
      "_\\w*)\\b");
  for (const fs::path& path : sources()) {
    const auto lines = lines_of(path);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_FALSE(std::regex_search(lines[i], words))
          << in_repository(path) << ":" << i + 1 << ": " << lines[i];
    }
  }
}

TEST(Tidy, EveryFolderOfSourcesSaysWhatItIs) {
  for (const fs::path& path : sources()) {
    fs::path folder = path.parent_path();
    bool found = false;
    while (folder != root && !found) {
      found = fs::exists(folder / "README.md");
      folder = folder.parent_path();
    }
    EXPECT_TRUE(found) << in_repository(path) << " has no README.md above it";
  }
}

}  // namespace
