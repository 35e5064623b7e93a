// SPDX-License-Identifier: Apache-2.0
// Real traces against the rules, and against rules with one thing changed.
#include "props/validate/validate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iostream>

#include "model/input/file.h"
#include "model/vocab/fault.h"

namespace fw::validate {
namespace {

namespace fs = std::filesystem;

const fs::path shipped = fs::path(FW_SOURCE_DIR) / "model/input/testdata/traces";
const fs::path shared = fs::path(FW_SOURCE_DIR "/../shared/traces");

PolicySpec spec_of(const std::string& text) {
  const std::array<const PolicyInfo*, 1> catalogue = {&recorded_cfs_info()};
  auto spec = parse_spec(text, catalogue);
  EXPECT_TRUE(spec.ok()) << text;
  return *spec;
}

input::Trace trace_of(const fs::path& path) {
  auto text = input::read_file(path.string());
  EXPECT_TRUE(text.ok()) << path;
  auto trace = input::read_trace(*text, path.string());
  EXPECT_TRUE(trace.ok()) << path;
  return *trace;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> out;
  if (!fs::is_directory(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

using Counts = std::array<std::int64_t, rule_count>;

struct Sum {
  Counts checked = {};
  Counts contested = {};
  Counts missed = {};
  std::string first_miss;
};

using Change = std::function<void(Settings&)>;

void add(const input::Trace& trace, const Change& change, Sum& sum) {
  auto settings = settings_of(spec_of("cfs@6.1"), trace);
  ASSERT_TRUE(settings.ok());
  if (change) change(*settings);
  const auto seen = validate(trace, *settings);
  ASSERT_TRUE(seen.ok());
  for (std::size_t i = 0; i < rule_count; ++i) {
    const RuleTally& tally = seen->tally.of(static_cast<Rule>(i));
    sum.checked[i] += tally.checked;
    sum.contested[i] += tally.contested;
    sum.missed[i] += tally.unexplained();
  }
  if (sum.first_miss.empty() && !seen->tally.misses().empty()) {
    const Miss& miss = seen->tally.misses().front();
    sum.first_miss = trace.file + ":" + std::to_string(miss.line) + ": " + miss.reason;
  }
}

struct Folder {
  const char* name;
  Counts at_least;  ///< checked decisions, in the order of Rule
};
constexpr Folder folders[] = {
    {"qemu-cfs-6.1", {24'000, 22'500, 11'000, 1'400, 10'500, 6'200}},
    {"uml-cfs-6.1", {17'000, 19'000, 5'900, 1'300, 11'500, 6'100}},
    {"uml-real-make-cfs-6.1", {9'600, 8'600, 3'800, 120, 3'000, 1'700}},
    {"qemu-cfs-6.1-2cpu", {3'700, 3'300, 1'500, 270, 1'100, 850}},
};

TEST(ValidateTraces, ExplainsEveryDecidedDecisionOfTheRecordedKernels) {
  for (const Folder& folder : folders) {
    const std::vector<fs::path> files = files_of(shared / folder.name);
    if (files.empty()) {
      std::cout << "skipped: " << folder.name << " is not beside this checkout\n";
      continue;
    }
    Sum sum;
    for (const fs::path& file : files) add(trace_of(file), {}, sum);
    for (std::size_t i = 0; i < rule_count; ++i) {
      const std::string_view rule = rule_name(static_cast<Rule>(i));
      EXPECT_GE(sum.checked[i], folder.at_least[i]) << folder.name << ' ' << rule;
      EXPECT_EQ(sum.missed[i], 0) << folder.name << ' ' << rule << ' ' << sum.first_miss;
    }
  }
}

TEST(ValidateTraces, ExplainsTheShippedTraces) {
  Sum sum;
  add(trace_of(shipped / "cfs_sleep_2hogs.ftrace.txt.gz"), {}, sum);
  add(trace_of(shipped / "uml_pp4_hog6_last_nonext.ftrace.txt.gz"), {}, sum);
  for (std::size_t i = 0; i < rule_count; ++i) {
    EXPECT_EQ(sum.missed[i], 0) << rule_name(static_cast<Rule>(i)) << ' ' << sum.first_miss;
  }
  EXPECT_GT(sum.checked[0], 1'000);
  EXPECT_GT(sum.contested[1], 1'400);
}

/// One thing changed; `rules` are those that must find more than before.
struct Mutation {
  const char* name;
  Change change;        ///< of features and tunables
  std::uint64_t fault;  ///< planted instead, 0: none
  std::vector<Rule> rules;
};

std::uint64_t fault(std::string_view id) { return fault_hash(id); }

std::vector<Mutation> mutations() {
  using enum Rule;
  const auto flip = [](bool Settings::*feature) {
    return [feature](Settings& s) { s.*feature = !(s.*feature); };
  };
  const auto less = [](std::uint64_t rules::cfs61::Tunables::*tunable) {
    return [tunable](Settings& s) { s.tunables.*tunable -= s.tunables.*tunable / 10; };
  };
  using T = rules::cfs61::Tunables;
  return {
      {"GENTLE_FAIR_SLEEPERS flipped",
       flip(&Settings::gentle_fair_sleepers),
       0,
       {wakeup_placement, pick, wakeup_preemption}},
      {"START_DEBIT flipped", flip(&Settings::start_debit), 0, {fork_placement, pick}},
      {"LAST_BUDDY flipped", flip(&Settings::last_buddy), 0, {pick}},
      {"NEXT_BUDDY flipped", flip(&Settings::next_buddy), 0, {pick}},
      {"WAKEUP_PREEMPTION flipped",
       flip(&Settings::wakeup_preemption),
       0,
       {wakeup_preemption, pick}},
      {"BASE_SLICE flipped",
       [](Settings& s) { s.tunables.base_slice ^= true; },
       0,
       {fork_placement}},
      {"wakeup granularity -10 %", less(&T::wakeup_granularity), 0, {wakeup_preemption, pick}},
      {"min granularity -10 %", less(&T::min_granularity), 0, {fork_placement, tick_preemption}},
      {"latency -10 %", less(&T::latency), 0, {wakeup_placement, tick_preemption}},
      {"nr_latency - 1", [](Settings& s) { --s.tunables.nr_latency; }, 0, {pick}},
      {"inverse weight floored", {}, fault("V01_inverse_floored"), {vruntime_step}},
      {"min_vruntime counts a current that left",
       {},
       fault("V02_min_counts_current_that_left"),
       {wakeup_placement}},
      {"equals last in, first out", {}, fault("V03_equals_last_in_first_out"), {pick}},
      {"granularity by the running task's weight",
       {},
       fault("V04_granularity_by_current"),
       {wakeup_preemption}},
      {"yield without skip", {}, fault("V05_skip_ignored"), {pick}},
      {"last before next", {}, fault("V06_last_before_next"), {pick}},
      {"tick keeps buddies", {}, fault("V07_tick_keeps_buddies"), {pick}},
      {"wakeup ignores an earlier mark", {}, fault("V08_wakeup_ignores_mark"), {pick}},
      {"next only by NEXT_BUDDY", {}, fault("V09_next_only_by_feature"), {pick}},
      {"last on short queues", {}, fault("V10_last_on_short_queues"), {pick}},
      {"debit without the child", {}, fault("V11_slice_without_the_child"), {fork_placement}},
      {"exit keeps the floor", {}, fault("V12_exit_keeps_floor"), {wakeup_placement}},
      {"a sleeper stays buddy", {}, fault("V13_sleeper_stays_buddy"), {pick}},
      {"the picked stays buddy", {}, fault("V14_picked_stays_buddy"), {pick}},
      {"sleepers moved back", {}, fault("P01_sleeper_moved_back"), {wakeup_placement}},
      {"child without debit or floor", {}, fault("S18_child_inherits_credit"), {fork_placement}},
      {"slice ends at equal", {}, fault("W19_slice_ends_at_equal"), {tick_preemption}},
      {"min_vruntime by the tree only", {}, fault("O06_min_follows_tree_only"), {wakeup_placement}},
  };
}

TEST(ValidateTeeth, EachChangedRuleFailsOnRealTraces) {
  std::vector<fs::path> files = files_of(shared / "qemu-cfs-6.1");
  if (files.empty()) {
    GTEST_SKIP() << "skipped: the recorded traces are not beside this checkout";
  }
  for (const char* folder : {"uml-cfs-6.1", "uml-real-make-cfs-6.1", "qemu-cfs-6.1-2cpu"}) {
    const std::vector<fs::path> more = files_of(shared / folder);
    files.insert(files.end(), more.begin(), more.end());
  }
  std::vector<input::Trace> traces;
  for (const fs::path& file : files) traces.push_back(trace_of(file));
  for (const Mutation& mutation : mutations()) {
    Sum sum;
    planted_fault = mutation.fault;
    for (const input::Trace& trace : traces) add(trace, mutation.change, sum);
    planted_fault = 0;
    std::string row;
    for (const std::int64_t missed : sum.missed) row += ' ' + std::to_string(missed);
    std::cout << mutation.name << ':' << row << '\n';
    for (const Rule rule : mutation.rules) {
      EXPECT_GT(sum.missed[static_cast<std::size_t>(rule)], 0)
          << mutation.name << " is not noticed by " << rule_name(rule);
    }
  }
}

}  // namespace
}  // namespace fw::validate
