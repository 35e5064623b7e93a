// SPDX-License-Identifier: Apache-2.0
#include "reports/comparison.h"

#include <gtest/gtest.h>

#include "reports/sample/sample.h"

namespace fw::reports {
namespace {

TEST(SignTest, IsTheExactTwoSidedProbability) {
  EXPECT_DOUBLE_EQ(sign_test(0, 0), 1);
  EXPECT_DOUBLE_EQ(sign_test(5, 5), 1);
  EXPECT_DOUBLE_EQ(sign_test(10, 0), 2.0 / 1024);
  EXPECT_DOUBLE_EQ(sign_test(1, 9), 2.0 * 11 / 1024);
  EXPECT_DOUBLE_EQ(sign_test(0, 1), 1);
}

TEST(Metrics, OfARunAgainstItselfAreTheSame) {
  const Recording run = sample_result().recordings.at(0);
  const auto metrics = compare_metrics({{run, run}, {run, run}});
  ASSERT_FALSE(metrics.empty());
  for (const MetricResult& metric : metrics) {
    EXPECT_EQ(metric.equal, 2) << metric.name;
    EXPECT_FALSE(metric.significant) << metric.name;
    EXPECT_EQ(metric.base.median, metric.patched.median) << metric.name;
  }
}

TEST(Metrics, TellTheDirectionOfAChange) {
  const Recording run = sample_result().recordings.at(0);
  Recording shorter = run;
  ASSERT_FALSE(shorter.decisions.empty());
  shorter.decisions.clear();  // no switches at all
  std::vector<std::pair<Recording, Recording>> pairs(10, {run, shorter});
  for (const MetricResult& metric : compare_metrics(pairs)) {
    if (metric.name != "switches") continue;
    EXPECT_EQ(metric.down, 10);
    EXPECT_TRUE(metric.significant);
    return;
  }
  FAIL() << "no figure `switches`";
}

TEST(Comparison, SaysWhatWasCoveredWhenNothingDiffers) {
  ComparisonResult of;
  of.base = of.patched = "cfs@2.6.36";
  of.workload = "random workloads, seed 1";
  of.cases = 12;
  of.decisions = 345;
  const std::string text = comparison_text(of);
  EXPECT_NE(text.find("No decision differs in 12 random workloads (345 decisions compared)"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace fw::reports
