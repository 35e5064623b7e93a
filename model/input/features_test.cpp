// SPDX-License-Identifier: Apache-2.0
#include "model/input/features.h"

#include <gtest/gtest.h>

#include <array>

namespace fw::input {
namespace {

constexpr std::array<FeatureInfo, 3> rows = {{{"START_DEBIT", true, "*", ""},
                                              {"LAST_BUDDY", true, "*", ""},
                                              {"NONTASK_POWER", false, "*", ""}}};
const PolicyInfo cfs{
    .name = "cfs", .versions = {}, .features = rows, .knobs = {}, .schema = {}, .about = ""};

TEST(Features, SortsTheThreeKinds) {
  const Outcome<FeatureReading> reading =
      read_features("START_DEBIT NO_LAST_BUDDY\nNONTASK_POWER\n", "f", cfs);
  ASSERT_TRUE(reading.ok()) << reading.error().text();
  EXPECT_EQ(reading->features,
            (std::map<std::string, bool>{{"LAST_BUDDY", false}, {"START_DEBIT", true}}));
  EXPECT_EQ(reading->without_effect, std::vector<std::string>{"NONTASK_POWER"});
  PolicySpec spec;
  spec.policy = "cfs";
  spec.version = "2.6.34";
  spec.features = {{"LAST_BUDDY", true}};
  apply_features(*reading, cfs, spec);
  EXPECT_EQ(spec.text, "cfs@2.6.34+LAST_BUDDY+START_DEBIT");
}

TEST(Features, JoinsANameThatALineEndCut) {
  const Outcome<FeatureReading> reading =
      read_features("NO_NONTASK_ \nPOWER START_\nDEBIT", "f", cfs);
  ASSERT_TRUE(reading.ok()) << reading.error().text();
  EXPECT_EQ(reading->without_effect, std::vector<std::string>{"NO_NONTASK_POWER"});
  EXPECT_EQ(reading->notes[0], "NO_NONTASK_ and POWER (lines 1 and 2) are one name");
  EXPECT_TRUE(reading->features.at("START_DEBIT"));
}

TEST(Features, NamesEveryUnknownOneAndTheNearest) {
  const Outcome<FeatureReading> reading =
      read_features("LAST_BUDY\nSTART_DEBUT FOO_\nBAR", "f", cfs);
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().text(),
            "f:1: unknown to policy cfs: LAST_BUDY (nearest: LAST_BUDDY), START_DEBUT (nearest: "
            "START_DEBIT), FOO_BAR (nearest: LAST_BUDDY) cut at the end of line 2\n  `list "
            "features` shows what it knows; take the others out");
}

TEST(Features, RefusesWhatIsNoFeaturesFile) {
  for (const char* text : {"", " \n", "start_debit", "A-B", "{}", "\xff", "1A"}) {
    EXPECT_FALSE(list_features(text, "f").ok()) << text;
    EXPECT_FALSE(read_features(text, "f", cfs).ok()) << text;
  }
  EXPECT_EQ(list_features("A\n\nb", "f").error().text().substr(0, 4), "f:3:");
}

}  // namespace
}  // namespace fw::input
