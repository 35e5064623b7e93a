// SPDX-License-Identifier: Apache-2.0
// The decision log, the figures of a run, the text timeline, and writing to disk.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "reports/decisions.h"
#include "reports/metrics.h"
#include "reports/sample/golden.h"
#include "reports/sample/sample.h"
#include "reports/text.h"
#include "reports/words.h"
#include "reports/write.h"

namespace fw::reports {
namespace {

Decision decision(std::int64_t t_ns, DecisionKind kind, int task, int nr = 1) {
  Decision out;
  out.t = Instant{t_ns};
  out.kind = kind;
  out.task = TaskId{task};
  out.nr = nr;
  out.state = {7, -3};
  return out;
}

Decision pick(std::int64_t t_ns, int task, int prev, Why why = Why::leftmost) {
  Decision out = decision(t_ns, DecisionKind::pick, task);
  out.other = TaskId{prev};
  out.why = why;
  return out;
}

std::string line(const Decision& of) {
  const std::vector<std::string> names = {"hog-0", "make-1-0"};
  const std::vector<std::string_view> keys = {"v", "min"};
  return decision_line(of, names, keys, 1);
}

TEST(DecisionLine, WritesAWordWhereOneStandsForTheNumber) {
  const std::vector<std::string> names = {"hog-0"};
  const std::vector<std::string_view> keys = {"slice", "array"};
  Decision yield = decision(5, DecisionKind::yield, 0, 2);
  yield.state = {2, 2};
  EXPECT_EQ(decision_line(yield, names, keys, 2),
            R"({"t":5,"cpu":0,"kind":"yield","task":"hog-0","nr":2,"slice":2,"array":"expired"})");
}

TEST(DecisionLine, WritesEachKindAsTheContractSays) {
  Decision fork = decision(5, DecisionKind::fork, 1, 2);
  fork.other = TaskId{0};
  fork.preempt = true;
  EXPECT_EQ(line(fork),
            R"({"t":5,"cpu":0,"kind":"fork","task":"make-1-0","nr":2,"by":"hog-0","preempt":true,)"
            R"("v":7,"min":-3})");
  Decision wake = decision(5, DecisionKind::wake, 0);
  wake.why = Why::timer;
  EXPECT_EQ(line(wake),
            R"({"t":5,"cpu":0,"kind":"wake","task":"hog-0","nr":1,"by":"timer","preempt":false,)"
            R"("v":7,"min":-3})");
  EXPECT_EQ(line(decision(5, DecisionKind::block, 0, 0)),
            R"({"t":5,"cpu":0,"kind":"block","task":"hog-0","nr":0,"v":7,"min":-3})");
  EXPECT_EQ(line(decision(5, DecisionKind::exit, 0, 0)),
            R"({"t":5,"cpu":0,"kind":"exit","task":"hog-0","nr":0,"v":7,"min":-3})");
  EXPECT_EQ(line(decision(5, DecisionKind::yield, 0)),
            R"({"t":5,"cpu":0,"kind":"yield","task":"hog-0","nr":1,"v":7,"min":-3})");
  Decision renice = decision(5, DecisionKind::renice, 0);
  renice.nice = -5;
  EXPECT_EQ(line(renice),
            R"({"t":5,"cpu":0,"kind":"renice","task":"hog-0","nr":1,"nice":-5,"v":7,"min":-3})");
  Decision affinity = decision(5, DecisionKind::affinity, 0);
  affinity.cpus = CpuSet::first(2);
  affinity.cpus->insert(CpuId{70});
  EXPECT_EQ(
      line(affinity),
      R"({"t":5,"cpu":0,"kind":"affinity","task":"hog-0","nr":1,"cpus":[0,1,70],"v":7,"min":-3})");
  Decision preempt = decision(5, DecisionKind::preempt, 0);
  preempt.why = Why::slice;
  EXPECT_EQ(
      line(preempt),
      R"({"t":5,"cpu":0,"kind":"preempt","task":"hog-0","nr":1,"why":"slice","v":7,"min":-3})");
  Decision migrate = decision(5, DecisionKind::migrate, 0);
  migrate.cpu = CpuId{3};
  migrate.from = CpuId{1};
  migrate.why = Why::newidle;
  EXPECT_EQ(line(migrate),
            R"({"t":5,"cpu":3,"kind":"migrate","task":"hog-0","nr":1,"from":1,"why":"newidle",)"
            R"("v":7,"min":-3})");
}

TEST(DecisionLine, LeavesTheTaskKeysOutForIdle) {
  EXPECT_EQ(line(pick(9, 0, -1, Why::earliest_deadline)),
            R"({"t":9,"cpu":0,"kind":"pick","task":"hog-0","nr":1,"prev":"idle",)"
            R"("why":"earliest-deadline","v":7,"min":-3})");
  EXPECT_EQ(line(pick(9, -1, 0, Why::idle)),
            R"({"t":9,"cpu":0,"kind":"pick","task":"idle","nr":1,"prev":"hog-0","why":"idle",)"
            R"("min":-3})");
}

TEST(Latencies, AreNearestRank) {
  std::vector<std::int64_t> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  const Latency hundred = latency_of(values);
  EXPECT_EQ(hundred.p50_ns, 50);
  EXPECT_EQ(hundred.p90_ns, 90);
  EXPECT_EQ(hundred.p99_ns, 99);
  EXPECT_EQ(hundred.max_ns, 100);
  const Latency three = latency_of({30, 10, 20});
  EXPECT_EQ(three.p50_ns, 20);
  EXPECT_EQ(three.p90_ns, 30);
  EXPECT_EQ(latency_of({}).count, 0);
  EXPECT_EQ(latency_of({5}).p50_ns, 5);
}

/// Task 0 runs from 0; 1 wakes at 10 and runs from 14 to 20, when it blocks; 0 runs again until 30;
/// 1 wakes at 28 and waits to the end.
Recording small_run() {
  Recording out;
  out.cpus = 1;
  out.end = Instant{30};
  out.task_names = {"hog-0", "waker-1"};
  out.decisions = {decision(0, DecisionKind::wake, 0),
                   pick(0, 0, -1),
                   decision(10, DecisionKind::wake, 1, 2),
                   pick(14, 1, 0),
                   decision(20, DecisionKind::block, 1),
                   pick(20, 0, 1),
                   pick(25, 0, 0),
                   decision(28, DecisionKind::wake, 1, 2)};
  return out;
}

TEST(Measured, CountsRunsWaitsAndShares) {
  const Metrics metrics = measure(small_run());
  const TaskMetrics& hog = metrics.tasks[0];
  const TaskMetrics& waker = metrics.tasks[1];
  EXPECT_EQ(hog.runs, 2);
  EXPECT_EQ(hog.run_ns, 24);
  EXPECT_EQ(hog.preempted, 1);
  EXPECT_EQ(hog.wait.count, 2);
  EXPECT_EQ(hog.wait.max_ns, 6) << "from losing the CPU at 14 to the pick at 20";
  EXPECT_EQ(hog.wakeup.count, 1);
  EXPECT_EQ(waker.runs, 1);
  EXPECT_EQ(waker.run_ns, 6);
  EXPECT_EQ(waker.wakeups, 2);
  EXPECT_EQ(waker.wakeup.max_ns, 4);
  EXPECT_EQ(waker.waiting_at_end_ns, 2);
  EXPECT_DOUBLE_EQ(waker.share, 0.2);
  EXPECT_DOUBLE_EQ(metrics.busy, 1.0);
  EXPECT_EQ(metrics.switches, 3);
}

TEST(Measured, ARunningTaskThatIsMovedWaitsFromThen) {
  Recording run;
  run.cpus = 2;
  run.end = Instant{20};
  run.task_names = {"hog-0"};
  Decision migrate = decision(8, DecisionKind::migrate, 0);
  migrate.cpu = CpuId{1};
  Decision there = pick(11, 0, -1);
  there.cpu = CpuId{1};
  run.decisions = {decision(0, DecisionKind::wake, 0),
                   pick(0, 0, -1),
                   migrate,
                   there,
                   pick(12, -1, 0, Why::idle)};
  const Metrics metrics = measure(run);
  EXPECT_EQ(metrics.tasks[0].wait.max_ns, 3);
  EXPECT_EQ(metrics.tasks[0].preempted, 0) << "CPU 0 lost it by the move, not by its later pick";
  EXPECT_EQ(metrics.migrations, 1);
}

TEST(Measured, IsPrintedAsTheGolden) {
  expect_golden("metrics.txt", metrics_text(measure(sample_result().recordings[1])));
}

TEST(Timeline, IsTheGolden) {
  expect_golden("timeline.txt", ascii_timeline(sample_result().recordings[0], 72));
}

TEST(Timeline, ShowsTheTaskThatRanLongestInAColumn) {
  const std::string timeline = ascii_timeline(small_run(), 10);
  EXPECT_NE(timeline.find("|AAAAABBAAA|"), std::string::npos) << timeline;
  EXPECT_NE(timeline.find("|^  ^     ^"), std::string::npos) << timeline;
  EXPECT_EQ(ascii_timeline(Recording{}), "");
}

TEST(Words, SplitChangedFieldsFromTheRight) {
  Divergence divergence;
  divergence.text =
      "vruntime(a: model 9, impl b): model 12, impl 13; curr(CPU 0): model a, impl idle\n"
      "impl has no decision 3";
  const std::vector<ChangedField> fields = changed_fields(divergence);
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].field, "vruntime(a: model 9, impl b)");
  EXPECT_EQ(fields[0].model, "12");
  EXPECT_EQ(fields[0].impl, "13");
  EXPECT_EQ(fields[1].impl, "idle");
  EXPECT_EQ(fields[2].field, "impl has no decision 3");
  EXPECT_EQ(fields[2].model, "");
}

TEST(Words, RoundTimesForReading) {
  EXPECT_EQ(readable_ns(0), "0");
  EXPECT_EQ(readable_ns(999.6), "1us");
  EXPECT_EQ(readable_ns(-1'234'567), "-1.23ms");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(grouped(123), "123");
}

class Disk : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(dir_); }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  std::size_t files() const {
    std::size_t out = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_)) {
      out += entry.is_regular_file() ? 1 : 0;
    }
    return out;
  }
  std::string dir_ = ::testing::TempDir() + "fw-reports-" + std::to_string(::getpid());
};

TEST_F(Disk, GetsTheFiveFilesAndNothingElse) {
  const std::string report = dir_ + "/a/b";
  ASSERT_TRUE(write_report(sample_result(), report).ok());
  ASSERT_TRUE(write_report(sample_result(), report).ok()) << "over an older report";
  for (const char* name :
       {"index.html", "result.json", "junit.xml", "results.sarif", "summary.md"}) {
    EXPECT_GT(read_file(report + "/" + name).size(), 1000u) << name;
  }
  EXPECT_EQ(files(), 5u);
}

TEST_F(Disk, AFileInTheWayIsAnError) {
  ASSERT_TRUE(write_file(dir_ + "/file", "old").ok());
  for (const std::string& report : {dir_ + "/file", dir_ + "/file/below"}) {
    const Outcome<Done> done = write_report(sample_result(), report);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().where, report);
    EXPECT_NE(done.error().what.find("Not a directory"), std::string::npos) << done.error().what;
    EXPECT_NE(done.error().hint.find("--report"), std::string::npos);
  }
  EXPECT_EQ(read_file(dir_ + "/file"), "old");
}

TEST_F(Disk, AFullOneIsAnErrorAndLeavesTheOldFile) {
  ASSERT_TRUE(write_file(dir_ + "/file", "old").ok());
  // A limit on file sizes stands in for a full disk: the write ends half way.
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome<Done> done = write_file(dir_ + "/file", std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().what.find("cannot write the file"), std::string::npos);
  EXPECT_NE(done.error().hint.find("free some space"), std::string::npos);
  EXPECT_EQ(read_file(dir_ + "/file"), "old");
  EXPECT_EQ(files(), 1u) << "no temporary file stays";
}

TEST_F(Disk, AFolderWithoutPermissionIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::permissions(
      dir_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const Outcome<Done> done = write_report(sample_result(), dir_);
  std::filesystem::permissions(dir_, std::filesystem::perms::owner_all);
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().what.find("Permission denied"), std::string::npos);
}

}  // namespace
}  // namespace fw::reports
