// SPDX-License-Identifier: Apache-2.0
// `tune`: points, bounds beside simulated figures, the Pareto set, flags, and refusals.
#include "ci/cli/run_program.h"

namespace fw::cli {
namespace {

using nlohmann::json;

Words tune(const Words& more) {
  Words out = {"tune"};
  out.insert(out.end(), more.begin(), more.end());
  for (const char* word : {"--quiet", "--json"}) out.push_back(word);
  return out;
}

const json& bound_of(const json& point, const std::string& theorem) {
  static const json none;
  for (const json& bound : point["bounds"]) {
    if (bound["theorem"] == theorem) return bound;
  }
  return none;
}

TEST(Tune, GivesEveryCombinationWithBoundsAndFigures) {
  const Folder here;
  const Ran ran = fairwitness(here,
                              tune({"cfs@2.6.36",
                                    "--knob",
                                    "latency=6ms..18ms",
                                    "--knob",
                                    "min_granularity=1ms..3ms",
                                    "--steps",
                                    "2",
                                    "--cases",
                                    "3"}));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json result = json_of(ran)["tune"];
  EXPECT_EQ(result["knobs"], (json{"latency", "min_granularity"}));
  ASSERT_EQ(result["points"].size(), 4u);
  EXPECT_EQ(result["points"][0]["knobs"], (json{"6ms", "1ms"}));
  EXPECT_EQ(result["points"][3]["knobs"], (json{"18ms", "3ms"}));
  int pareto = 0;
  for (const json& point : result["points"]) {
    EXPECT_GT(bound_of(point, "cfs_wait")["value"], 0) << point;
    EXPECT_NE(bound_of(point, "cfs_wait")["binds"], "none") << point;
    EXPECT_GT(point["worst_wait_ns"], 0);
    EXPECT_GT(point["switches_per_s"], 0);
    EXPECT_EQ(point["failure"], "");
    pareto += point["pareto"] == true ? 1 : 0;
  }
  EXPECT_GE(pareto, 1);
  EXPECT_GT(bound_of(result["points"][2], "cfs_wait")["value"],
            bound_of(result["points"][0], "cfs_wait")["value"]);
}

TEST(Tune, RepeatsItself) {
  const Folder here;
  const Words words =
      tune({"cfs", "--knob", "latency=6ms..9ms", "--steps", "2", "--cases", "2", "--seed", "7"});
  EXPECT_EQ(json_of(fairwitness(here, words))["tune"], json_of(fairwitness(here, words))["tune"]);
}

TEST(Tune, SaysWhatABoundNeeds) {
  const Folder here;
  const Ran ran = fairwitness(
      here, tune({"cfs@2.6.36-START_DEBIT", "--knob", "latency=6ms..9ms", "--cases", "1"}));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json result = json_of(ran)["tune"];
  EXPECT_NE(result["valid_region"].get<std::string>().find("wait bound needs START_DEBIT"),
            std::string::npos)
      << result["valid_region"];
  EXPECT_NE(bound_of(result["points"][0], "cfs_spread_forks_debit")["lacks"], "");
}

TEST(Tune, WritesAPageWithAPlot) {
  const Folder here;
  const Ran ran = fairwitness(here,
                              {"tune",
                               "cfs",
                               "--knob",
                               "latency=6ms..9ms",
                               "--cases",
                               "1",
                               "--quiet",
                               "--report",
                               here / "report"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string page = content_of(here / "report/index.html");
  EXPECT_NE(page.find("<section id=\"tune\">"), std::string::npos);
  EXPECT_NE(page.find("<svg viewBox"), std::string::npos);
  EXPECT_NE(content_of(here / "report/summary.md").find("Pareto set"), std::string::npos);
}

TEST(Tune, RefusesWhatIsNoRange) {
  const Folder here;
  const auto refused = [&](const Words& more, const Words& parts) {
    Words words = {"tune", "cfs@2.6.36"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(fairwitness(here, words), parts);
  };
  refused({}, {"--knob"});
  refused({"--knob", "latency"}, {"is no range", "latency=4ms..24ms"});
  refused({"--knob", "latensy=1ms..2ms"}, {"latensy", "latency"});
  refused({"--knob", "latency=9ms..6ms"}, {"empty"});
  refused({"--knob", "latency=6ms..banana"}, {"latency"});
  refused({"--knob", "latency=1ms..2ms", "--knob", "latency=1ms..3ms"}, {"twice"});
  refused({"--knob", "latency=1ms..20ms", "--knob", "min_granularity=1ms..2ms", "--steps", "100"},
          {"10000 points"});
}

}  // namespace
}  // namespace fw::cli
