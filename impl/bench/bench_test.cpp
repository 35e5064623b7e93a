// SPDX-License-Identifier: Apache-2.0
#include "impl/bench/bench.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "impl/bench/bare_loop.h"

namespace impl::bench {
namespace {

TEST(BareLoop, CountsWhatATaskDoes) {
  BareLoop::Shape shape;
  shape.tasks = 1;
  shape.run_ns = 300'000;
  shape.sleep_ns = 500'000;
  BareLoop loop(shape);
  EXPECT_EQ(loop.step(), 2u);  // wake and schedule at 0
  EXPECT_EQ(loop.step(), 2u);  // block and schedule at 300 us
  EXPECT_EQ(loop.now(), 300'000);
  EXPECT_EQ(loop.step(), 2u);  // wake at 800 us
  EXPECT_EQ(loop.step(), 1u);  // the tick at 1 ms finds it running
  EXPECT_EQ(loop.now(), 1'000'000);
}

TEST(Bench, RowsHoldRates) {
  const std::vector<Row> rows = run(0.2);
  ASSERT_EQ(rows.size(), 2u);
  for (const Row& row : rows) {
    std::printf("%s n=%lld ours %.2f M %s, %s %.2f M, %.0f %%\n",
                row.name.c_str(),
                static_cast<long long>(row.n),
                row.ours / 1e6,
                row.unit.c_str(),
                row.peer_name.c_str(),
                row.peer / 1e6,
                100 * row.ours / row.peer);
    EXPECT_GT(row.ours, 0);
    EXPECT_GT(row.peer, 0);
    EXPECT_EQ(row.unit, "events/s");
  }
}

}  // namespace
}  // namespace impl::bench
