// SPDX-License-Identifier: Apache-2.0
#include "props/run/compare.h"

#include <gtest/gtest.h>

#include "model/vocab/spec.h"
#include "props/bridge/policies.h"
#include "props/gen/jitter.h"
#include "props/run/case_run.h"

namespace fw::run {
namespace {

Contender contender(const std::string& text) {
  auto spec = parse_spec(text, bridge::catalogue());
  EXPECT_TRUE(spec) << text;
  return {&bridge::row_of(*spec), *spec, false};
}

SearchOptions quick() {
  SearchOptions options;
  options.cases = 100;
  options.time = {60'000'000'000};  // the count decides, not this machine's speed
  return options;
}

TEST(Compare, ASpecWithItselfNeverParts) {
  for (const char* text : {"cfs@2.6.36", "eevdf@6.18"}) {
    const Contender one = contender(text);
    const auto result = search_difference(one, one, quick(), {});
    EXPECT_EQ(result.cases, 100) << text;
    EXPECT_GT(result.events, 1'000) << text;
    EXPECT_FALSE(result.smallest) << text;
  }
}

TEST(Compare, StartDebitPartsOnAFewTasks) {
  const Contender base = contender("cfs@2.6.36");
  const Contender patched = contender("cfs@2.6.36-START_DEBIT");
  const auto result = search_difference(base, patched, quick(), {});
  ASSERT_TRUE(result.smallest);
  ASSERT_TRUE(result.difference);
  EXPECT_LE(result.smallest->workload.tasks.size(), 3u);
  EXPECT_EQ(result.smallest->spec.text, base.spec.text);
  EXPECT_NE(result.difference->base, result.difference->patched);
  // The minimized workload shows the difference again, by itself.
  const auto setup = setup_of(*result.smallest);
  ASSERT_TRUE(setup);
  const auto again = first_difference(base, patched, *setup);
  ASSERT_TRUE(again);
  ASSERT_TRUE(again->has_value());
  EXPECT_EQ((*again)->kind, result.difference->kind);
}

TEST(Compare, PoliciesOfDifferentFamiliesPartToo) {
  const auto result =
      search_difference(contender("cfs@2.6.36"), contender("eevdf@6.18"), quick(), {});
  ASSERT_TRUE(result.difference);
  EXPECT_FALSE(result.difference->base_keys.empty());
  EXPECT_TRUE(result.difference->first_state.empty());  // they keep other integers
}

TEST(Jitter, MovesStartsWithinItsRangeAndRepeats) {
  Workload workload;
  workload.tasks.resize(20);
  const Workload moved = gen::jitter(workload, 7, {4'000'000});
  EXPECT_EQ(gen::jitter(workload, 7, {4'000'000}).tasks, moved.tasks);
  EXPECT_NE(gen::jitter(workload, 8, {4'000'000}).tasks, moved.tasks);
  EXPECT_EQ(gen::jitter(workload, 0, {4'000'000}).tasks, workload.tasks);
  for (const TaskDef& task : moved.tasks) {
    EXPECT_GE(task.delay.ns, 0);
    EXPECT_LE(task.delay.ns, 4'000'000);
    EXPECT_EQ(task.delay.ns % 1'000, 0);
  }
}

}  // namespace
}  // namespace fw::run
