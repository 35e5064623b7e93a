// SPDX-License-Identifier: Apache-2.0
#include "model/vocab/time.h"

#include <gtest/gtest.h>

namespace fw {
namespace {

std::int64_t ns_of(std::string_view text) {
  const Outcome<Duration> read = parse_duration(text);
  return read.ok() ? read->ns : -1;
}

TEST(Duration, ReadsEveryUnit) {
  EXPECT_EQ(ns_of("100ns"), 100);
  EXPECT_EQ(ns_of("250us"), 250'000);
  EXPECT_EQ(ns_of("1.5ms"), 1'500'000);
  EXPECT_EQ(ns_of("60s"), 60'000'000'000);
  EXPECT_EQ(ns_of("2min"), 120'000'000'000);
  EXPECT_EQ(ns_of("0.5min"), 30'000'000'000);
  EXPECT_EQ(ns_of("1.25min"), 75'000'000'000);
  EXPECT_EQ(ns_of("0.000001ms"), 1);
  EXPECT_EQ(ns_of("1.000000000000000000ns"), 1);
  EXPECT_EQ(ns_of("9223372036854775807ns"), INT64_MAX);
}

TEST(Duration, RefusesWhatIsNoDuration) {
  for (const char* text : {"",
                           "5",
                           "ms",
                           "-1ms",
                           "+1ms",
                           "1.ms",
                           ".5ms",
                           "1.2.3ms",
                           "0.5ns",
                           "1 ms",
                           "1h",
                           "1e3us",
                           "0x1ms",
                           "0.0000001ms",
                           "9223372036854775808ns",
                           "99999999999999999999s"}) {
    const Outcome<Duration> read = parse_duration(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.error().text().find("ns us ms s min"), std::string::npos) << text;
  }
  EXPECT_EQ(ns_of("153722867min"), 153'722'867ll * 60'000'000'000);
  EXPECT_EQ(ns_of("153722868min"), -1);
}

TEST(Duration, PrintsTheShortestExactText) {
  EXPECT_EQ(format_duration({0}), "0ns");
  EXPECT_EQ(format_duration({1'500'000}), "1.5ms");
  EXPECT_EQ(format_duration({750'000}), "750us");
  EXPECT_EQ(format_duration({60'000'000'000}), "60s");
  EXPECT_EQ(format_duration({16'667'000}), "16667us");
  EXPECT_EQ(format_duration({-250}), "-250ns");
  EXPECT_EQ(format_duration({INT64_MIN}), "-9223372036854775808ns");
}

TEST(Duration, WhatIsPrintedReadsBack) {
  std::uint64_t x = 88172645463325252ull;
  for (int i = 0; i < 20'000; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    const auto ns = static_cast<std::int64_t>(x >> (1 + i % 63));
    ASSERT_EQ(ns_of(format_duration({ns})), ns);
  }
}

}  // namespace
}  // namespace fw
