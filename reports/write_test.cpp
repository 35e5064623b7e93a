// SPDX-License-Identifier: Apache-2.0
#include "reports/write.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace fw::reports {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "fw-write-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { fs::remove_all(dir_); }
  fs::path dir_;
};

TEST_F(WriteFile, ReplacesTheWholeContent) {
  const fs::path file = dir_ / "out.json";
  ASSERT_TRUE(write_file(file.string(), "a longer first content"));
  ASSERT_TRUE(write_file(file.string(), "second"));
  EXPECT_EQ(content_of(file), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_), fs::directory_iterator()), 1);
}

TEST_F(WriteFile, KeepsALinkALink) {
  const fs::path target = dir_ / "target";
  const fs::path link = dir_ / "link";
  std::ofstream(target) << "old";
  fs::create_symlink(target, link);
  ASSERT_TRUE(write_file(link.string(), "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content_of(target), "new");
}

TEST_F(WriteFile, LeavesADeviceInPlace) {
  ASSERT_TRUE(write_file("/dev/null", "nothing"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, TellsOfAFullDevice) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "/dev/full is not a device here";
  const auto done = write_file("/dev/full", "x");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("free some space"), std::string::npos) << done.error().text();
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace fw::reports
