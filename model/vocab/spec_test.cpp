// SPDX-License-Identifier: Apache-2.0
#include "model/vocab/spec.h"

#include <gtest/gtest.h>

#include <array>

namespace fw {
namespace {

constexpr std::array<std::string_view, 3> cfs_versions = {"2.6.32", "2.6.36-rc3", "2.6.36"};
constexpr std::array<FeatureInfo, 3> cfs_features = {
    {{"LAST_BUDDY", true, "*", ""}, {"START_NICE", true, "", ""}, {"OWNER_SPIN", false, "*", ""}}};
constexpr std::array<std::string_view, 2> words = {"64", "32"};
constexpr std::array<std::string_view, 1> none = {"none"};
constexpr std::array<KnobInfo, 6> cfs_knobs = {
    {{"latency", KnobUnit::duration, 100'000, 1'000'000'000, "6ms", "", {}},
     {"hz", KnobUnit::count, 24, 10'000, "1000", "", {}},
     {"word", KnobUnit::choice, 0, 1, "64", "", words},
     {"clock_base", KnobUnit::wide, 0, 0, "0", "", {}},
     {"limit", KnobUnit::ticks, 2, 10'000, "10ms", "", {}},
     {"threshold", KnobUnit::count, 0, 1000, "125", "", none}}};
const PolicyInfo cfs{.name = "cfs",
                     .versions = cfs_versions,
                     .features = cfs_features,
                     .knobs = cfs_knobs,
                     .schema = {},
                     .about = ""};
const PolicyInfo plugin{.name = "./my-own+x.so",
                        .versions = {},
                        .features = {},
                        .knobs = cfs_knobs,
                        .schema = {},
                        .about = ""};
const std::array<const PolicyInfo*, 2> catalogue = {&cfs, &plugin};

std::string text_of(std::string_view spec) {
  const Outcome<PolicySpec> read = parse_spec(spec, catalogue);
  return read.ok() ? read->text : "error: " + read.error().text();
}

void expect_error(std::string_view spec, std::initializer_list<std::string_view> parts) {
  const std::string text = text_of(spec);
  EXPECT_TRUE(text.starts_with("error: ")) << spec << " -> " << text;
  for (const std::string_view part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << spec << " -> " << text;
  }
}

TEST(Spec, TakesTheNewestVersionByDefault) { EXPECT_EQ(text_of("cfs"), "cfs@2.6.36"); }

TEST(Spec, TakesTheLongestVersionThatFits) {
  const Outcome<PolicySpec> read = parse_spec("cfs@2.6.36-rc3-LAST_BUDDY", catalogue);
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->version, "2.6.36-rc3");
  EXPECT_EQ(read->features, (std::map<std::string, bool>{{"LAST_BUDDY", false}}));
  EXPECT_EQ(text_of("cfs@2.6.36-LAST_BUDDY"), "cfs@2.6.36-LAST_BUDDY");
}

TEST(Spec, ReadsKnobsByTheirUnits) {
  const Outcome<PolicySpec> read = parse_spec(
      "cfs+START_NICE,latency=18ms,hz=250,word=32,clock_base=18446744073709551615", catalogue);
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->knobs.at("latency"), 18'000'000);
  EXPECT_EQ(read->knobs.at("hz"), 250);
  EXPECT_EQ(read->knobs.at("word"), 1);
  EXPECT_EQ(read->knobs.at("clock_base"), -1);
  EXPECT_EQ(read->text,
            "cfs@2.6.36+START_NICE,clock_base=18446744073709551615,hz=250,latency=18ms,word=32");
  EXPECT_EQ(text_of(read->text), read->text);
}

TEST(Spec, TicksAreBareNumbersOrTimes) {
  const Outcome<PolicySpec> bare = parse_spec("cfs,limit=300", catalogue);
  ASSERT_TRUE(bare.ok()) << bare.error().text();
  EXPECT_EQ(ticks_of_knob(bare->knobs.at("limit"), 250), 300u);
  EXPECT_EQ(bare->text, "cfs@2.6.36,limit=300");
  const Outcome<PolicySpec> time = parse_spec("cfs,limit=300ms", catalogue);
  ASSERT_TRUE(time.ok()) << time.error().text();
  EXPECT_EQ(time->text, "cfs@2.6.36,limit=300ms");
  EXPECT_EQ(text_of(time->text), time->text);
  EXPECT_EQ(ticks_of_knob(time->knobs.at("limit"), 1000), 300u);
  EXPECT_EQ(ticks_of_knob(time->knobs.at("limit"), 250), 75u);
  EXPECT_EQ(ticks_of_knob(-9'999'999, 100), 0u);
  EXPECT_EQ(ticks_of_knob(-20'000'000'000'000, 10'000), 200'000'000u);
  expect_error("cfs,limit=1", {"`limit` = 1", "[2, 10000]", "limit=100ms"});
  expect_error("cfs,limit=11s", {"a time up to 10s"});
  expect_error("cfs,limit=0ms", {"neither"});
  expect_error("cfs,limit=-5", {"neither"});
  expect_error("cfs,limit=none", {"neither"});
}

TEST(Spec, ACountMayHaveAWordForItsLowestValue) {
  EXPECT_EQ(text_of("cfs,threshold=none"), "cfs@2.6.36,threshold=none");
  EXPECT_EQ(text_of("cfs,threshold=0"), "cfs@2.6.36,threshold=none");
  EXPECT_EQ(text_of("cfs,threshold=1"), "cfs@2.6.36,threshold=1");
  expect_error("cfs,threshold=all", {"whole number in [0, 1000] or none"});
}

TEST(Spec, KnobsOfAPlugInStartAfterItsFileName) {
  EXPECT_EQ(text_of("./my-own+x.so,hz=250"), "./my-own+x.so,hz=250");
}

TEST(Spec, ErrorsNameTheNearestWordOrTheRange) {
  expect_error("", {"empty", "cfs"});
  expect_error("cfx", {"`cfx`", "did you mean `cfs`?"});
  expect_error("cfs@2.6.37", {"no version `2.6.37`", "did you mean `2.6.32`?"});
  expect_error("cfs@2.6.361", {"no version", "2.6.36"});
  expect_error("cfs-LAST_BUDY", {"no feature `LAST_BUDY`", "did you mean `LAST_BUDDY`?"});
  expect_error("cfs+start_nice", {"no feature `start_nice`", "`START_NICE`"});
  expect_error("cfs+OWNER_SPIN", {"no effect"});
  expect_error("cfs+LAST_BUDDY-LAST_BUDDY", {"twice"});
  expect_error("cfs,latencey=18ms", {"no knob `latencey`", "`latency`"});
  expect_error("cfs,latency", {"no value"});
  expect_error("cfs,latency=18", {"latency", "unit"});
  expect_error("cfs,latency=18s", {"outside [100us, 1s]"});
  expect_error("cfs,hz=100000", {"outside [24, 10000]"});
  expect_error("cfs,hz=1k", {"whole number in [24, 10000]"});
  expect_error("cfs,word=16", {"choices: 64 32"});
  expect_error("cfs,clock_base=-1", {"18446744073709551615"});
  expect_error("cfs,clock_base=18446744073709551616", {"18446744073709551615"});
  expect_error("cfs,hz=250,hz=250", {"twice"});
  expect_error("cfs+", {"expected +FEATURE"});
  expect_error("cfs,", {"no knob ``"});
}

TEST(Nearest, IsQuickOnHostileWords) {
  const std::string word(1'000'000, 'x');
  const std::array<std::string_view, 2> known = {"aaaa", "xxxx"};
  EXPECT_EQ(nearest(word, known), "xxxx");
  EXPECT_EQ(nearest("any", {}), "");
}

TEST(Nearest, KnowsALongNameByItsBeginning) {
  const std::array<std::string_view, 3> known = {"HRTICK", "GENTLE_FAIR_SLEEPERS", "A03_max"};
  EXPECT_EQ(nearest("GENTEL", known), "GENTLE_FAIR_SLEEPERS");
  EXPECT_EQ(nearest("A03", known), "A03_max");
  EXPECT_EQ(nearest("HRTIC", known), "HRTICK");
}

TEST(Nearest, CountsASwapOfNeighboursOnce) {
  const std::array<std::string_view, 2> known = {"lokc", "look"};
  EXPECT_EQ(nearest("lock", known), "lokc");
}

}  // namespace
}  // namespace fw
