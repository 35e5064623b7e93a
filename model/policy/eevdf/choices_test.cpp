// SPDX-License-Identifier: Apache-2.0
// The rules of the CHOICE page, and the dossier's rules that have no vector, step by step.
#include <gtest/gtest.h>

#include "model/policy/eevdf/catalog.h"
#include "model/policy/eevdf/hand_made.h"

namespace fw::model::eevdf {
namespace {

constexpr std::uint64_t ms = 1'000'000;
constexpr std::int64_t e618s = 3;
constexpr std::int64_t e618l = 4;

Setup with_knob(const char* name, std::int64_t value, const std::string& version = "6.18") {
  Setup out = settings(version);
  out.spec.knobs[name] = value;
  return out;
}

Setup without(const char* feature, const std::string& version = "6.18") {
  Setup out = settings(version);
  out.spec.features[feature] = false;
  return out;
}

TEST(EevdfCatalog, NamesMatchTheView) {
  const PolicyInfo& info = eevdf_info();
  Bench bench(settings("6.18", 2));
  View view;
  look(bench.config, bench.state, view);
  EXPECT_EQ(view.cpus[0].ints.size(), info.schema.cpu_ints.size());
  EXPECT_EQ(info.schema.task_ints.size(), max_task_ints);
  EXPECT_EQ(info.schema.log_keys.size(), info.schema.task_log_keys);
  for (const std::string_view version : info.versions) {
    const auto read = parse_spec("eevdf@" + std::string(version), std::vector{&info});
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->version, version);
  }
  const auto later = parse_spec("eevdf,profile=E618L,reweight=e71", std::vector{&info});
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later->text, "eevdf@6.18,profile=E618L,reweight=e71");
  auto setup = settings();
  setup.spec = *later;
  EXPECT_EQ(configure(setup).profile, Profile::e618l);
  EXPECT_EQ(configure(setup).reweight, Reweight::e71);
}

TEST(EevdfConfig, ProfilesSetTheSwitches) {
  const Config old = configure(settings("6.12"));
  EXPECT_EQ(old.reference, Reference::min);
  EXPECT_EQ(old.reweight, Reweight::e612);
  const Config stable = configure(with_knob("profile", e618s));
  EXPECT_EQ(stable.reference, Reference::zero);
  EXPECT_TRUE(stable.yield_forfeits);
  EXPECT_FALSE(stable.lag_limit_new);
  const Config later = configure(with_knob("profile", e618l));
  EXPECT_EQ(later.reference, Reference::zero_at_use);
  EXPECT_TRUE(later.lag_limit_new && later.vprot_at_pick_only && later.vprot_scaled);
  auto setup = with_knob("lag_limit", 0);
  setup.spec.knobs["profile"] = e618l;
  EXPECT_FALSE(configure(setup).lag_limit_new);
}

TEST(EevdfConfig, AFeatureUnknownToTheProfileStaysOff) {
  auto setup = settings("6.6");
  for (const char* name : {"DELAY_DEQUEUE", "DELAY_ZERO", "PREEMPT_SHORT", "PLACE_REL_DEADLINE"}) {
    setup.spec.features[name] = true;
  }
  const Config config = configure(setup);
  EXPECT_FALSE(config.delay_dequeue || config.delay_zero || config.preempt_short ||
               config.place_rel_deadline || config.place_deadline_initial);
}

TEST(EevdfCharge, NoTimeNoMark) {
  Bench bench(settings());
  const int id = bench.running(2 * ms);
  bench.waiting(1 * ms);
  bench.task(id).protection = 1 * ms;  // long past
  bench.apply(StimulusKind::tick);
  EXPECT_FALSE(bench.queue().marked);
  bench.apply(StimulusKind::tick, -1, 1);
  EXPECT_TRUE(bench.queue().marked);
  EXPECT_EQ(bench.log.back().why, Why::protection);
}

TEST(EevdfCharge, CancelledProtectionMarksOnlyTheIneligibleIn612) {
  for (const bool ahead : {false, true}) {
    Bench bench(settings("6.12"));
    const int id = bench.running(ahead ? 3 * ms : 1 * ms);
    bench.waiting(2 * ms);
    bench.apply(StimulusKind::tick, -1, 10);
    EXPECT_FALSE(bench.queue().marked);  // protected
    bench.task(id).protection = bench.task(id).deadline + 1;
    bench.apply(StimulusKind::tick, -1, 20);
    EXPECT_EQ(bench.queue().marked, ahead);
  }
}

TEST(EevdfPick, ProtectedRunsOnUntilItsProtectionEnds) {
  for (const std::string version : {"6.6", "6.12", "6.18"}) {
    for (const bool parity : {true, false}) {
      auto setup = settings(version);
      setup.spec.features["RUN_TO_PARITY"] = parity;
      Bench bench(setup);
      const int id = bench.running(1 * ms, 0, 3 * ms);
      const int earlier = bench.waiting(1 * ms, 0, 2'600'000);
      bench.waiting(2 * ms, 0, 2'700'000);
      bench.schedule();
      // In 6.18 the end of the protection is an instant of v, whatever the feature.
      const bool stays = parity || version == "6.18";
      EXPECT_EQ(bench.queue().curr.value, stays ? id : earlier) << version;
      EXPECT_EQ(bench.log.back().why, stays ? Why::protected_ : Why::earliest_deadline);
    }
  }
}

TEST(EevdfPick, EqualDeadlines) {
  // From 6.12 the tree's first wins, in 6.6 the running task.
  for (const std::string version : {"6.6", "6.12", "6.18"}) {
    Bench bench(settings(version));
    const int id = bench.running(1 * ms, 0, 3 * ms);
    bench.task(id).protection = 0;
    const int first = bench.waiting(1 * ms, 0, 3 * ms);
    bench.waiting(1 * ms, 0, 3 * ms);
    bench.schedule();
    EXPECT_EQ(bench.queue().curr.value, version == "6.6" ? id : first) << version;
  }
}

TEST(EevdfPick, AloneEvenIfItWouldNotBeEligible) {
  Bench bench(settings());
  const int id = bench.waiting(5 * ms);
  bench.schedule();
  EXPECT_EQ(bench.queue().curr.value, id);
  EXPECT_EQ(bench.log.back().why, Why::only);
  EXPECT_EQ(bench.log.back().nr, 1);
}

TEST(EevdfPick, RenewsNothingForTheSameTask) {
  Bench bench(settings());
  const int id = bench.running(1 * ms, 0, 2 * ms);
  bench.waiting(10 * ms);
  bench.task(id).protection = 1'100'000;
  bench.schedule(500'000);
  EXPECT_EQ(bench.queue().curr.value, id);
  EXPECT_EQ(bench.task(id).protection, 1'100'000u);
  EXPECT_EQ(bench.task(id).prev_sum_exec, 0u);
  EXPECT_EQ(bench.task(id).vruntime, 1'500'000u);  // charged before the pick
}

TEST(EevdfPick, DropsDelayedSleepersWithTheirLag) {
  for (const bool zero : {true, false}) {
    auto setup = settings();
    setup.spec.features["DELAY_ZERO"] = zero;
    Bench bench(setup);
    const int sleeper = bench.waiting(1 * ms, 0, 2 * ms);
    const int other = bench.waiting(2 * ms, 0, 3 * ms);
    bench.task(sleeper).on_rq = false;
    bench.task(sleeper).delayed = true;
    --bench.queue().nr_running;
    bench.schedule();
    EXPECT_EQ(bench.queue().curr.value, other);
    EXPECT_FALSE(bench.task(sleeper).queued());
    EXPECT_EQ(bench.task(sleeper).vlag, zero ? 0 : 500'000);
    EXPECT_EQ(bench.log.size(), 1u);
  }
}

TEST(EevdfSleep, DelayedOnlyIfItOwes) {
  struct Row {
    std::uint64_t v;
    bool feature, exits, delayed;
  };
  const std::vector<Row> rows = {{3 * ms, true, false, true},
                                 {1 * ms, true, false, false},
                                 {3 * ms, false, false, false},
                                 {3 * ms, true, true, false}};
  for (const Row& row : rows) {
    auto setup = settings();
    setup.spec.features["DELAY_DEQUEUE"] = row.feature;
    Bench bench(setup);
    const int id = bench.running(row.v);
    bench.waiting(2 * ms);
    bench.apply(row.exits ? StimulusKind::exit : StimulusKind::block, id);
    EXPECT_EQ(bench.task(id).delayed, row.delayed);
    EXPECT_EQ(totals(bench.state, bench.queue()).count, row.delayed ? 2u : 1u);
    EXPECT_EQ(bench.queue().nr_running, 1u);
    bench.schedule();
    EXPECT_EQ(bench.queue().tree.size(), row.delayed ? 1u : 0u);
  }
}

TEST(EevdfSleep, WithoutDelayZeroADelayedWakerKeepsItsPlace) {
  Bench bench(without("DELAY_ZERO"));
  bench.running(9 * ms);
  const int id = bench.waiting(1 * ms);
  bench.task(id).on_rq = false;
  bench.task(id).delayed = true;
  --bench.queue().nr_running;
  bench.wake(id);
  EXPECT_TRUE(bench.task(id).on_rq);
  EXPECT_EQ(bench.task(id).vruntime, 1 * ms);
  EXPECT_EQ(bench.task(id).vlag, 0);
}

TEST(EevdfPreempt, ShortRequestBreaksProtection) {
  for (const std::string version : {"6.12", "6.18"}) {
    for (const bool feature : {true, false}) {
      auto setup = settings(version);
      setup.spec.features["PREEMPT_SHORT"] = feature;
      Bench bench(setup);
      const int id = bench.running(1 * ms, 0, 2'400'000);
      const int woken = bench.sleeper(0, 0, 300'000);
      bench.wake(woken);
      EXPECT_EQ(bench.queue().marked, feature) << version;
      EXPECT_EQ(bench.log.back().preempt, feature);
      const std::uint64_t cancelled = version == "6.12" ? 2'400'001 : 1 * ms;
      EXPECT_EQ(bench.task(id).protection, feature ? cancelled : 2'400'000);
    }
  }
}

TEST(EevdfPreempt, AShortRequestThatLosesShortensProtection) {
  Bench bench(settings());
  const int id = bench.running(1 * ms, 0, 2'400'000);
  bench.waiting(1 * ms, 0, 1'100'000);  // would be picked before the woken one
  const int woken = bench.sleeper(0, 0, 300'000);
  bench.wake(woken);
  EXPECT_FALSE(bench.queue().marked);
  EXPECT_EQ(bench.task(id).protection, 1'300'000u);
}

TEST(EevdfPreempt, IdlePolicyAlwaysYieldsAndLosesProtectionIn618) {
  for (const std::string version : {"6.12", "6.18"}) {
    Bench bench(without("WAKEUP_PREEMPTION", version));
    const int id = bench.running(1 * ms);
    bench.task(id).sched_class = SchedClass::idle;
    const std::uint64_t protection = bench.task(id).protection;
    bench.wake(bench.sleeper(0));
    EXPECT_TRUE(bench.queue().marked);
    EXPECT_EQ(bench.task(id).protection, version == "6.18" ? 1 * ms : protection);
  }
}

TEST(EevdfPreempt, BatchAndIdleNeverPreempt) {
  for (const SchedClass sched_class : {SchedClass::batch, SchedClass::idle, SchedClass::normal}) {
    Bench bench(settings());
    bench.task(bench.running(9 * ms)).protection = 0;
    bench.waiting(9 * ms);
    const int woken = bench.sleeper(0);
    bench.task(woken).vlag = 3 * static_cast<std::int64_t>(ms);
    bench.task(woken).sched_class = sched_class;
    bench.wake(woken);
    EXPECT_EQ(bench.queue().marked, sched_class == SchedClass::normal);
  }
}

TEST(EevdfPreempt, TheHintIsSetByWakeupsAndPickedIfEligible) {
  for (const std::string version : {"6.6", "6.12", "6.18"}) {
    auto setup = settings(version);
    setup.spec.features["NEXT_BUDDY"] = true;
    setup.spec.features["WAKEUP_PREEMPTION"] = false;
    Bench bench(setup);
    const int parent = bench.running(1 * ms, 0, 2 * ms);
    bench.waiting(1 * ms, 0, 2'100'000);
    bench.fork(parent);
    EXPECT_TRUE(bench.queue().next.idle());
    const int woken = bench.sleeper(0);
    bench.wake(woken);
    EXPECT_EQ(bench.queue().next.value, woken);
    EXPECT_FALSE(bench.queue().marked);
    bench.schedule();
    EXPECT_EQ(bench.queue().curr.value, woken);
    EXPECT_EQ(bench.log.back().why, Why::next);
    EXPECT_TRUE(bench.queue().next.idle());
  }
}

TEST(EevdfYield, GivesADeadlineOrItsVirtualTime) {
  for (const std::int64_t forfeits : {0, 1}) {
    for (const bool ahead : {false, true}) {
      Bench bench(with_knob("yield", forfeits));
      const int id = bench.running(ahead ? 3 * ms : 1 * ms, 0, 4 * ms);
      bench.waiting(2 * ms);
      bench.apply(StimulusKind::yield, id);
      const bool moves = forfeits != 0 && !ahead;
      const bool gives = forfeits == 0 || !ahead;
      EXPECT_EQ(bench.task(id).vruntime, moves ? 4 * ms : ahead ? 3 * ms : 1 * ms);
      EXPECT_EQ(bench.task(id).deadline, gives ? 5'400'000 : 4 * ms);
      EXPECT_TRUE(bench.queue().marked);
    }
  }
  Bench alone(settings());
  const int id = alone.running(1 * ms, 0, 4 * ms);
  alone.apply(StimulusKind::yield, id, 1000);
  EXPECT_EQ(alone.task(id).deadline, 4 * ms);
  EXPECT_EQ(alone.task(id).vruntime, 1 * ms);  // not even charged
  EXPECT_TRUE(alone.queue().marked);
}

TEST(EevdfRenice, RenewsProtectionButInE618L) {
  for (const std::int64_t profile : {e618s, e618l}) {
    Bench bench(with_knob("profile", profile));
    bench.waiting(10 * ms);
    const int id = bench.running(10'500'000, 0, 11'700'000);
    bench.task(id).protection = 77;
    bench.apply(StimulusKind::renice, id, 0, 5);
    EXPECT_EQ(bench.task(id).protection, profile == e618l ? 77 : bench.task(id).deadline);
  }
}

TEST(EevdfRenice, ThereAndBackKeepsTheLag) {
  for (const std::string version : {"6.6", "6.12", "6.18"}) {
    Bench bench(settings(version));
    bench.waiting(10 * ms);
    const int id = bench.running(10'500'000, 0, 11'700'000);
    const std::int64_t lag = bench.lag(id);
    bench.apply(StimulusKind::renice, id, 0, 5);
    bench.apply(StimulusKind::renice, id, 0, 0);
    EXPECT_NEAR(static_cast<double>(bench.lag(id)), static_cast<double>(lag), 4) << version;
  }
}

TEST(EevdfRenice, StrongerOrAloneIsNoMark) {
  Bench bench(settings());
  const int id = bench.running(1 * ms);
  bench.apply(StimulusKind::renice, id, 0, 5);
  EXPECT_FALSE(bench.queue().marked);
  bench.waiting(1 * ms);
  bench.apply(StimulusKind::renice, id, 0, -5);
  EXPECT_FALSE(bench.queue().marked);
  EXPECT_EQ(bench.log.back().nice, -5);
}

TEST(EevdfBase, AnEmptyQueueRemembersMinimumOrAverage) {
  // One task runs from 0 to 5 ms alone and sleeps; where does the next one begin?
  struct Row {
    std::int64_t reference;
    std::uint64_t v;
  };
  const std::vector<Row> rows = {{0, 5 * ms}, {1, 0}, {2, 5 * ms}};
  for (const Row& row : rows) {
    Bench bench(with_knob("reference", row.reference));
    const int id = bench.sleeper(0);
    bench.apply(StimulusKind::start, id);
    bench.schedule();
    bench.apply(StimulusKind::block, id, 5 * static_cast<std::int64_t>(ms));
    bench.schedule(5 * static_cast<std::int64_t>(ms));
    EXPECT_EQ(bench.log.back().why, Why::idle);
    const int next = bench.sleeper(0);
    bench.wake(next, 6 * static_cast<std::int64_t>(ms));
    EXPECT_EQ(bench.task(next).vruntime, row.v) << row.reference;
  }
}

TEST(EevdfBase, ZeroFollowsTheTreeAtAPick) {
  Bench bench(with_knob("reference", 1));
  bench.waiting(1 * ms, 0, 2 * ms);
  bench.waiting(2 * ms, 0, 5 * ms);
  const int picked_from = bench.running(4 * ms, 0, 9 * ms);
  bench.task(picked_from).protection = 0;
  bench.schedule();
  // Put back: V of 1, 2, 4 ms; then the one at 1 ms goes: V of 2 and 4 ms.
  EXPECT_EQ(bench.queue().curr.value, 0);
  EXPECT_EQ(bench.queue().base, 3 * ms);
}

TEST(EevdfPlace, WithoutPlaceLagEverybodyStartsAtTheAverage) {
  Bench bench(without("PLACE_LAG"));
  bench.running(10 * ms);
  const int woken = bench.sleeper(0);
  bench.task(woken).vlag = -700'000;
  bench.wake(woken);
  EXPECT_EQ(bench.task(woken).vruntime, 10 * ms);
  EXPECT_EQ(bench.task(woken).vlag, -700'000);
}

TEST(EevdfSlices, RequestsAreIgnoredBefore612) {
  Bench bench(settings("6.6"));
  EXPECT_EQ(bench.task(bench.sleeper(0, 0, 300'000)).slice, 1'400'000u);
  Bench later(settings("6.12"));
  EXPECT_EQ(later.task(later.sleeper(0, 0, 300'000)).slice, 300'000u);
}

TEST(EevdfState, IsAValueWithOneLine) {
  Bench bench(settings());
  bench.running(1 * ms);
  bench.waiting(2 * ms);
  const State before = bench.state;
  bench.apply(StimulusKind::tick, -1, 5);
  EXPECT_NE(before, bench.state);
  const std::string line = text(before);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(line.find("V=1500000"), std::string::npos) << line;
}

}  // namespace
}  // namespace fw::model::eevdf
