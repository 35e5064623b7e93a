// SPDX-License-Identifier: Apache-2.0
#include "model/input/file.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

namespace fw::input {
namespace {

std::string gzip(std::string_view text) {
  z_stream stream = {};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return "";
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in(text);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(File, UnpacksGzipInSeveralMembers) {
  EXPECT_EQ(unpack("plain", "f").value(), "plain");
  EXPECT_EQ(unpack("", "f").value(), "");
  EXPECT_EQ(unpack(gzip("one ") + gzip("two"), "f").value(), "one two");
  EXPECT_EQ(unpack(gzip("one") + std::string(64, '\0'), "f").value(), "one");
}

TEST(File, RefusesBombsAndBrokenGzip) {
  const std::string bomb = gzip(std::string(20'000'000, 'x'));
  EXPECT_LT(bomb.size(), 50'000u);
  EXPECT_EQ(unpack(bomb, "f", 1'000'000).error().text(),
            "f: the file holds more than 1000000 bytes\n  cut it to the part that matters");
  const std::string whole = gzip("some text that is long enough");
  for (std::size_t cut = 2; cut < whole.size(); ++cut) {
    ASSERT_FALSE(unpack(whole.substr(0, cut), "f").ok()) << cut;
  }
  std::string damaged = whole;
  damaged[12] = static_cast<char>(damaged[12] ^ 0x55);
  ASSERT_FALSE(unpack(damaged, "f").ok());
}

TEST(File, NamesWhatCannotBeRead) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("fw_file_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  EXPECT_NE(read_file(folder).error().text().find("is a directory"), std::string::npos);
  EXPECT_NE(read_file(folder / "none").error().text().find("No such file"), std::string::npos);
  EXPECT_FALSE(read_file("").ok());
  std::ofstream(folder / "a.gz") << gzip("text");
  EXPECT_EQ(read_file(folder / "a.gz").value(), "text");
  EXPECT_FALSE(read_file(folder / "a.gz", 3).ok());
  std::filesystem::remove_all(folder);
}

TEST(File, StemDropsFoldersAndEndings) {
  EXPECT_EQ(stem("/a/b.c/x.case.json"), "x");
  EXPECT_EQ(stem("x.json.gz"), "x");
  EXPECT_EQ(stem(".json"), ".json");
}

}  // namespace
}  // namespace fw::input
