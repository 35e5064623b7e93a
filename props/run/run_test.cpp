// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "model/input/rtapp.h"
#include "props/bridge/policies.h"
#include "props/gen/generate.h"
#include "props/run/campaign.h"
#include "props/run/case_run.h"
#include "props/run/child.h"
#include "props/run/difference.h"
#include "props/run/explain.h"
#include "props/run/failure.h"
#include "props/run/record.h"
#include "props/run/summary.h"
#include "props/run/trace_recording.h"

namespace fw::run {
namespace {

const PolicyRow& cfs() { return bridge::policies().front(); }

Case case_of(const std::string& tasks, const std::string& spec = "cfs@2.6.36") {
  Case c;
  c.spec = parse_spec(spec, bridge::catalogue()).value();
  const std::string text = R"({"tasks": {)" + tasks + R"(}, "global": {"duration": 1}})";
  c.workload = input::load_rtapp(text, "test.json", {}).value().workload;
  c.workload.name = "test";
  return c;
}

const char* const hog_and_sleeper =
    R"("hog": {"run": 50000}, "sleeper": {"run": 700, "timer": {"ref": "tick", "period": 5000}})";

Case generated(std::int64_t index) {
  gen::GenOptions options;
  options.spec = parse_spec("cfs@2.6.36", bridge::catalogue()).value();
  options.grain = {1'000};
  return gen::generate(*cfs().info, 7, static_cast<std::uint64_t>(index), options);
}

/// A side that shows the implementation with one integer off from some event on: what lockstep and
/// the comparison of views must notice.
class Crooked : public Side {
 public:
  explicit Crooked(const Setup& setup) : inner_(cfs().implementation(setup)) {}
  std::optional<Stimulus> advance() override {
    ++steps_;
    return inner_->advance();
  }
  std::span<const Decision> decisions() const override { return inner_->decisions(); }
  void look(View& out) const override {
    inner_->look(out);
    if (steps_ >= 20 && !out.tasks.empty()) out.tasks[0].ints[0] += 1;
  }
  std::string task_name(TaskId task) const override { return inner_->task_name(task); }
  std::string fault() const override { return inner_->fault(); }

 private:
  std::unique_ptr<Side> inner_;
  int steps_ = 0;
};

std::unique_ptr<Side> make_crooked(const Setup& setup) { return std::make_unique<Crooked>(setup); }

PolicyRow crooked_row() {
  PolicyRow row = cfs();
  row.implementation = make_crooked;
  return row;
}

TEST(CaseRun, TheTwoSidesAgreeOnGeneratedCasesOfEveryVersion) {
  for (const PolicyRow& row : bridge::policies()) {
    for (const std::string_view version : row.info->versions) {
      gen::GenOptions options;
      options.grain = {1'000};
      options.spec =
          parse_spec(fmt::format("{}@{}", row.info->name, version), bridge::catalogue()).value();
      std::int64_t events = 0;
      for (std::uint64_t i = 0; i < 150; ++i) {
        const Case c = gen::generate(*row.info, 7, i, options);
        const CaseRun run = run_case(row, c, {});
        ASSERT_TRUE(run.discard.empty()) << c.spec.text << " " << i << ": " << run.discard;
        ASSERT_FALSE(run.failure) << c.spec.text << " " << i << ": " << run.failure->property
                                  << ": " << run.failure->message;
        events += run.events;
      }
      EXPECT_GT(events, 20'000) << version;
    }
  }
}

TEST(CaseRun, EachSideAloneTakesTheSameDecisions) {
  for (std::int64_t i = 0; i < 50; ++i) {
    CaseOptions alone;
    alone.lockstep = false;
    alone.relations = false;
    CaseOptions model = alone;
    model.on_model = true;
    const Case c = generated(i);
    EXPECT_EQ(run_case(cfs(), c, alone).log_hash, run_case(cfs(), c, model).log_hash) << i;
  }
}

TEST(CaseRun, AnIntegerThatIsOffByOneIsNoticed) {
  const CaseRun run = run_case(crooked_row(), case_of(hog_and_sleeper), {});
  ASSERT_TRUE(run.failure);
  EXPECT_EQ(run.failure->property, "lockstep");
  EXPECT_EQ(run.failure->divergence.event, 19);
  EXPECT_NE(run.failure->message.find("vruntime(hog-0): model"), std::string::npos)
      << run.failure->message;
}

TEST(CaseRun, AWorkloadThatLoopsInNoTimeIsDiscardedNamingTheTask) {
  const CaseRun run = run_case(
      cfs(), case_of(R"("spin": {"loop": -1, "phases": {"p": {"loop": 5000, "yield": ""}}})"), {});
  EXPECT_FALSE(run.failure);
  EXPECT_NE(run.discard.find("spin-0"), std::string::npos) << run.discard;
}

TEST(CaseRun, AnUnreadableTopologyIsADiscard) {
  Case c = case_of(hog_and_sleeper);
  c.topology = "three by three";
  EXPECT_FALSE(run_case(cfs(), c, {}).discard.empty());
}

TEST(CaseRun, OnlyTheNamedPropertyIsChecked) {
  CaseOptions only;
  only.only = "load_recount";
  only.lockstep = false;
  const CaseRun run = run_case(cfs(), case_of(hog_and_sleeper), only);
  const auto all = props::all_properties();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(run.tallies[i].checked, all[i].id == "load_recount") << all[i].id;
  }
}

TEST(Signature, DependsOnPropertyAndKindOnly) {
  EXPECT_EQ(signature_of("a", "b"), signature_of("a", "b"));
  EXPECT_NE(signature_of("a", "b"), signature_of("a", "c"));
  EXPECT_NE(signature_of("ab", "c"), signature_of("a", "bc"));
  EXPECT_EQ(signature_of("a", "b").size(), 8u);
}

CampaignTotals campaign(const PolicyRow& row, std::int64_t cases, int jobs) {
  CampaignOptions options;
  options.cases = cases;
  options.jobs = jobs;
  return run_campaign(row, generated, options, {});
}

TEST(Campaign, CountsTheSameWithAnyNumberOfJobs) {
  const CampaignTotals one = campaign(cfs(), 60, 1);
  const CampaignTotals three = campaign(cfs(), 60, 3);
  EXPECT_EQ(one.cases, 60);
  EXPECT_EQ(three.cases, 60);
  EXPECT_EQ(one.events, three.events);
  EXPECT_FALSE(one.found);
  ASSERT_EQ(one.tallies.size(), three.tallies.size());
  for (std::size_t i = 0; i < one.tallies.size(); ++i) {
    EXPECT_EQ(one.tallies[i].reached, three.tallies[i].reached);
    EXPECT_EQ(one.tallies[i].checked, three.tallies[i].checked);
  }
}

TEST(Campaign, ReportsTheFailingCaseOfLowestIndexWithAnyNumberOfJobs) {
  const CampaignTotals one = campaign(crooked_row(), 60, 1);
  const CampaignTotals three = campaign(crooked_row(), 60, 3);
  ASSERT_TRUE(one.found);
  ASSERT_TRUE(three.found);
  EXPECT_EQ(one.found->index, three.found->index);
  EXPECT_EQ(one.found->failure.signature, three.found->failure.signature);
  EXPECT_EQ(one.found->failure.message, three.found->failure.message);
}

TEST(Investigate, ShrinksKeepingTheSameFailure) {
  const PolicyRow row = crooked_row();
  const Case original = case_of(std::string(hog_and_sleeper) +
                                R"(, "other": {"run": 900, "sleep": 3000}, "more": {"run": 40000},
                                   "late": {"delay": 9000, "run": 100, "yield": ""})");
  const CaseRun found = run_case(row, original, {});
  ASSERT_TRUE(found.failure);
  InvestigateOptions options;
  options.budget = {5'000'000'000};
  const Failure failure = investigate(row, original, *found.failure, options);
  EXPECT_EQ(failure.signature, found.failure->signature);
  EXPECT_LE(failure.tasks, 2);
  EXPECT_LE(failure.events, 8);
  const CaseRun again = run_case(row, failure.minimized, {});
  ASSERT_TRUE(again.failure);
  EXPECT_EQ(again.failure->signature, failure.signature);
}

TEST(Child, GivesWhatTheWorkReturnsAndSurvivesItsEnd) {
  const ChildEnd good = run_in_child([] { return std::string(100'000, 'x'); }, {5'000'000'000});
  EXPECT_TRUE(good.finished);
  EXPECT_EQ(good.output.size(), 100'000u);
  const ChildEnd dead = run_in_child([]() -> std::string { ::_exit(3); }, {5'000'000'000});
  EXPECT_FALSE(dead.finished);
  EXPECT_EQ(dead.status, 3);
  const ChildEnd stuck = run_in_child(
      []() -> std::string {
        for (;;) ::pause();
      },
      {200'000'000});
  EXPECT_TRUE(stuck.timed_out);
  EXPECT_FALSE(stuck.finished);
}

TEST(Explain, FindsWhoPassedTheWaiterOver) {
  const Case c = case_of(hog_and_sleeper);
  auto recording = record(cfs(), setup_of(c).value(), {});
  ASSERT_TRUE(recording);
  const TaskId sleeper = task_named(*recording, "sleeper-1");
  ASSERT_FALSE(sleeper.idle());
  const std::vector<Wait> waits = waits_of(*recording, sleeper);
  ASSERT_FALSE(waits.empty());
  EXPECT_EQ(waits[0].from, Instant{});
  EXPECT_EQ(waits[0].length(), Duration{3'000'000});
  ASSERT_EQ(waits[0].chain.size(), 1u);
  EXPECT_EQ(waits[0].chain[0].task, "hog-0");
  EXPECT_NE(explain_wait(waits[0], *recording).find("sleeper-1 waited 3ms"), std::string::npos);
  EXPECT_TRUE(task_named(*recording, "nobody").idle());
}

TEST(Explain, ReadsTheWaitsOfARecordedTrace) {
  const auto trace = input::read_trace(
      "     hog-11    [000] d..2.     1.000000: sched_wakeup: comm=late pid=12 prio=120 "
      "target_cpu=000\n"
      "     hog-11    [000] d..2.     1.000500: sched_switch: prev_comm=hog prev_pid=11 "
      "prev_prio=120 "
      "prev_state=R ==> next_comm=other next_pid=13 next_prio=120\n"
      "   other-13    [000] d..2.     1.002000: sched_switch: prev_comm=other prev_pid=13 "
      "prev_prio=120 prev_state=S ==> next_comm=late next_pid=12 next_prio=120\n",
      "t.txt");
  ASSERT_TRUE(trace) << trace.error().text();
  const Recording recording = recording_of(*trace);
  const std::vector<Wait> waits = waits_of(recording, task_named(recording, "late-12"));
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].length(), Duration{2'000'000});
  EXPECT_EQ(waits[0].began, "woken by hog-11");
  ASSERT_EQ(waits[0].chain.size(), 1u);
  EXPECT_EQ(waits[0].chain[0].task, "other-13");
  EXPECT_EQ(waits[0].chain[0].t, Instant{500'000});
}

TEST(Record, KeepsDecisionsNamesAndCurves) {
  auto recording = record(cfs(), setup_of(case_of(hog_and_sleeper)).value(), {});
  ASSERT_TRUE(recording);
  EXPECT_GT(recording->decisions.size(), 400u);
  EXPECT_EQ(recording->task_names, (std::vector<std::string>{"hog-0", "sleeper-1"}));
  const auto has = [&recording](const std::string& name) {
    return std::any_of(recording->series.begin(),
                       recording->series.end(),
                       [&name](const Recording::Series& s) { return s.name == name; });
  };
  EXPECT_TRUE(has("vruntime hog-0"));
  EXPECT_TRUE(has("spread"));
}

TEST(Conclude, SaysVacuousWhenNothingRanOrASituationWasMissed) {
  Result nothing;
  conclude(nothing, false);
  EXPECT_NE(std::find(nothing.all_statuses.begin(), nothing.all_statuses.end(), Exit::vacuous),
            nothing.all_statuses.end());
  Result missed;
  missed.cases = missed.events = 10;
  missed.required = {{"never_met", 0}};
  Result short_run = missed;
  conclude(missed, true);
  conclude(short_run, false);
  EXPECT_EQ(missed.all_statuses.back(), Exit::vacuous);
  EXPECT_EQ(short_run.all_statuses, std::vector<Exit>{Exit::held});
  Result discarded;
  discarded.cases = 10;
  discarded.events = 5;
  discarded.discards = 3;
  conclude(discarded, false);
  EXPECT_EQ(discarded.all_statuses.back(), Exit::vacuous);
}

}  // namespace
}  // namespace fw::run
