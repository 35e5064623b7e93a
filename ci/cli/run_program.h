// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

/// Runs the built programs as a person or a script does. For tests only.
namespace fw::cli {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

inline const std::string program = FW_PROGRAM;
inline const std::string mutants_program = FW_MUTANTS_PROGRAM;
inline const std::string testdata = FW_SOURCE_DIR "/model/input/testdata/";
inline const std::string pair_json = testdata + "pair.json";
inline const std::string a_trace = testdata + "traces/spin_0_5_cpu1.perf.txt.gz";
inline const std::string seeded_case = FW_SOURCE_DIR "/ci/cli/testdata/seeded.case.json";

inline std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A folder of its own for each test; goes with it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "fairwitness-cli-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const fs::path& path() const { return path_; }
  /// Writes a file there and gives its path.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }

 private:
  fs::path path_;
};

struct Ran {
  int status = -1;  ///< 128 + the signal's number when it was killed by one
  std::string out;
  std::string err;
};

/// Runs `which` in `folder` with the given words; stdout goes to `stdout_to` when it is given. A
/// run of more than two minutes is killed.
inline Ran run(const Folder& folder,
               const std::string& which,
               const Words& words,
               const std::string& stdout_to = "") {
  const fs::path logs = folder.path() / ".logs";
  fs::create_directories(logs);
  const std::string out = stdout_to.empty() ? (logs / "out").string() : stdout_to;
  const std::string err = (logs / "err").string();
  std::vector<char*> pointers = {const_cast<char*>(which.c_str())};
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    if (::chdir(folder.path().c_str()) != 0) ::_exit(99);
    if (::dup2(::open("/dev/null", O_RDONLY), 0) < 0) ::_exit(99);
    if (::dup2(::open(out.c_str(), flags, 0600), 1) < 0) ::_exit(99);
    if (::dup2(::open(err.c_str(), flags, 0600), 2) < 0) ::_exit(99);
    ::alarm(120);
    ::execv(which.c_str(), pointers.data());
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  Ran ran;
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (stdout_to.empty()) ran.out = content_of(out);
  ran.err = content_of(err);
  return ran;
}

inline Ran fairwitness(const Folder& folder, const Words& words) {
  return run(folder, program, words);
}
inline Ran faulty(const Folder& folder, const Words& words) {
  return run(folder, mutants_program, words);
}

/// Status 1, nothing on stdout, and a reason on stderr that holds all of `parts`.
inline void expect_refused(const Ran& ran, const Words& parts) {
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.rfind("fairwitness", 0), 0u) << ran.err;
  for (const std::string& part : parts) {
    EXPECT_NE(ran.err.find(part), std::string::npos) << "no '" << part << "' in: " << ran.err;
  }
}

inline nlohmann::json json_of(const Ran& ran) {
  auto out = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_TRUE(out.is_object()) << ran.out.substr(0, 200) << ran.err;
  return out;
}

inline std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

}  // namespace fw::cli
