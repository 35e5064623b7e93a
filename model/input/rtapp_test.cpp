// SPDX-License-Identifier: Apache-2.0
#include "model/input/rtapp.h"

#include <gtest/gtest.h>

namespace fw::input {
namespace {

RtappReading read(std::string_view text, const RtappOptions& options = {}) {
  Outcome<RtappReading> reading = read_rtapp(text, "f.json", options);
  if (!reading.ok()) {
    ADD_FAILURE() << reading.error().text();
    return {};
  }
  return std::move(reading).value();
}
/// A workload with the one task `t`.
RtappReading task(std::string_view inside, const RtappOptions& options = {}) {
  return read("{\"tasks\":{\"t\":{" + std::string(inside) + "}}}", options);
}
std::string all(const std::vector<Remark>& remarks) {
  std::string out;
  for (const Remark& remark : remarks) out += remark.key + ": " + remark.text + "\n";
  return out;
}
std::string programs(const Workload& workload) {
  std::string out;
  for (const TaskDef& def : workload.tasks) {
    out += def.name + "(";
    for (const Phase& phase : def.phases) {
      out += phase.name + "*" + std::to_string(phase.loop) + ":";
      for (const Op& op : phase.ops) {
        out += " " + std::string(op_name(op.kind)) + "." + std::to_string(op.amount.ns / 1000);
        if (!op.ref.empty()) out += "." + op.ref;
        if (op.absolute) out += "!";
      }
      out += ";";
    }
    out += ")";
  }
  return out;
}

TEST(Rtapp, KeepsRepeatedEventsInOrder) {
  const RtappReading reading = task("'run':1,'sleep':2,'run':3");
  EXPECT_EQ(programs(reading.workload), "t(*1: run.1 sleep.2 run.3;)");
  EXPECT_EQ(reading.counts.kept_events, 2);
  EXPECT_NE(all(reading.notes).find("rt-app keeps 2 of 3 events"), std::string::npos);
}

TEST(Rtapp, AnEventIsAnyKeyThatBeginsLikeOne) {
  EXPECT_EQ(
      programs(task("'runfoo':1,'run_a':2,'runtime7':3,'broadcast':'c','sem_wait':'s','lock2':'m'")
                   .workload),
      "t(*1: run.1 run.2 runtime.3 broad.0.c sem_wait.0.s lock.0.m;)");
}

TEST(Rtapp, RepeatedPhasesAndTasksGetTheNamesOfWorkgen) {
  const RtappReading reading =
      read("{'tasks':{'t':{'phases':{'a':{'run':1},'a':{'run':2},'a1':{'run':3}}},'t':{'run':4}}}");
  EXPECT_EQ(programs(reading.workload), "t(a*1: run.1;a1*1: run.2;a11*1: run.3;)t1(*1: run.4;)");
  EXPECT_EQ(reading.verdict, Verdict::accept);
}

TEST(Rtapp, ReadsSettings) {
  const Workload workload =
      read(
          "{'global':{'duration':3},'tasks':{'t':{'instance':2,'delay':5,'priority':-3,"
          "'policy':'SCHED_BATCH','cpus':[0,2,],'loop':4,'phases':{'a':{'loop':7,'priority':2,"
          "'cpus':[1],'run':1},'b':{'yield':null}}}}}")
          .workload;
  const TaskDef& def = workload.tasks.at(0);
  EXPECT_EQ(workload.name, "f");
  EXPECT_EQ(workload.duration, Duration{3'000'000'000});
  EXPECT_EQ(def.instances, 2);
  EXPECT_EQ(def.delay, Duration{5000});
  EXPECT_EQ(def.nice, -3);
  EXPECT_EQ(def.sched_class, SchedClass::batch);
  EXPECT_EQ(def.cpus->text(), "0,2");
  EXPECT_EQ(def.loop, 4);
  EXPECT_EQ(def.phases[0].loop, 7);
  EXPECT_EQ(def.phases[0].nice, 2);
  EXPECT_EQ(def.phases[0].cpus->text(), "1");
  EXPECT_FALSE(def.phases[1].nice.has_value());
  EXPECT_EQ(def.phases[1].ops.at(0).kind, OpKind::yield);
}

TEST(Rtapp, TimersFollowTheirOddRules) {
  const RtappReading reading = task(
      "'timer':{'ref':'unique1','period':7,'mode':'absolute_x'},'timer2':5,'timer3':{'period':8},"
      "'timer4':{'ref':'unique1','period':9}");
  EXPECT_EQ(programs(reading.workload),
            "t(*1: timer.7.unique1! timer.0.unknown timer.8.unknown timer.9.unique1!;)");
  EXPECT_EQ(reading.notes.size(), 3u) << all(reading.notes);
}

TEST(Rtapp, NumbersAreCInts) {
  const RtappReading reading = task("'run':99999999999,'loop':0,'phases':null");
  EXPECT_EQ(programs(reading.workload), "t(*1: run.2147483647;)");
  EXPECT_EQ(reading.workload.tasks[0].loop, -1);
  EXPECT_EQ(reading.notes.size(), 2u) << all(reading.notes);
}

TEST(Rtapp, ApproximatesByName) {
  const RtappReading reading = read(
      "{'global':{'default_policy':'SCHED_RR'},'tasks':{'a':{'run':1,'mem':8000},"
      "'b':{'policy':'SCHED_OTHER','taskgroup':'/g','iorun':1500,'memrun':{'count':3000}}}}");
  EXPECT_EQ(reading.verdict, Verdict::approximate) << all(reading.refusals);
  EXPECT_EQ(reading.workload.tasks[0].nice, -20);
  EXPECT_EQ(reading.workload.tasks[1].nice, 0);
  EXPECT_EQ(programs(reading.workload), "a(*1: run.1 run.2;)b(*1: run.2 run.3;)");
  EXPECT_EQ(reading.approximations.size(), 5u) << all(reading.approximations);
  EXPECT_FALSE(runnable(reading, "f", {}).ok());
  EXPECT_TRUE(runnable(reading, "f", {.approximate = true}).ok());
  const std::string error = runnable(reading, "f", {}).error().text();
  for (const char* key :
       {"default_policy", "mem", "taskgroup", "iorun", "memrun", "--approximate"}) {
    EXPECT_NE(error.find(key), std::string::npos) << error;
  }
  EXPECT_EQ(task("'run':1,'taskgroup':'/'").verdict, Verdict::accept);
}

TEST(Rtapp, RefusesByKeyAndListsAll) {
  // What stands in the task, and the key (with part of the text) that must be named.
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", "t: the task has no event"},
      {"'run':1000.5", "run: expected an integer, found a fraction 1000.5"},
      {"'run':'1'", "run: expected an integer, found a string"},
      {"'run':null", "run: expected"},
      {"'run':-1", "run: a time of -1 us is negative"},
      {"'run':1,'delay':-1", "delay: a time"},
      {"'run':1,'instance':-1", "instance: -1 is outside"},
      {"'run':1,'instance':100001", "instance: 100001 is outside"},
      {"'run':1,'priority':20", "priority: 20 is outside [-20, 19]"},
      {"'run':1,'priority':'1'", "priority: expected an integer"},
      {"'run':1,'policy':'SCHED_NORMAL'",
       "policy: rt-app knows no policy \"SCHED_NORMAL\"; nearest: SCHED_OTHER"},
      {"'run':1,'policy':'SCHED_DEADLINE'", "policy: SCHED_DEADLINE"},
      {"'run':1,'dl-runtime':1000", "dl-runtime: the policy has no custom slices"},
      {"'run':1,'dl-period':1000", "dl-period"},
      {"'run':1,'util_min':5", "util_min: utilization clamps"},
      {"'run':1,'cpus':0", "cpus: expected an array, found an integer"},
      {"'run':1,'cpus':[]", "cpus: the list of CPUs is empty"},
      {"'run':1,'cpus':[-1]", "cpus: CPU -1 is outside"},
      {"'run':1,'cpus':[2000000000]", "cpus: CPU 2000000000"},
      {"'run':1,'cpus':['8-31']", "cpus: \"8-31\" is no CPU number"},
      {"'run':1,'taskgroup':{}", "taskgroup: an object is scxsim's dialect"},
      {"'run':1,'taskgroup':'g'", "taskgroup: \"g\" does not begin with /"},
      {"'run':1,'policy':'SCHED_FIFO','taskgroup':'/g'", "taskgroup: rt-app takes no task group"},
      {"'run':1,'exec':5", "exec: a key of rt-app's legacy dialect"},
      {"'run':1,'lock_order':['a']", "lock_order: a key of rt-app's legacy dialect"},
      {"'run':1,'thread_of':'x'", "thread_of: a key of scxsim"},
      {"'run':1,'slep':5", "slep: unknown; rt-app ignores it without a word. Nearest: sleep"},
      {"'fork':'nobody'", "fork: there is no task \"nobody\" to fork"},
      {"'fork':1", "fork: expected a string"},
      {"'wait':{'ref':'q'}", "wait: needs a \"mutex\""},
      {"'wait':'q'", "wait: expected an object"},
      {"'timer':{'period':1.5}", "period: expected an integer"},
      {"'phases':[]", "phases: expected an object"},
      {"'phases':{}", "phases: the task has no phase"},
      {"'phases':{'a':5}", "a: expected an object"},
      {"'phases':{'a':{}}", "a: the phase has no event"},
      {"'phases':{'a':{'run':1,'instance':2}}", "instance: unknown"},
      {"'phases':{'a':{'run':1,'policy':'SCHED_IDLE'}}", "policy: a change between"},
      {"'phases':{'a':{'run':1,'loops':2}}", "loops: a key of rt-app's legacy"},
  };
  for (const auto& [inside, part] : rows) {
    const RtappReading reading = task(inside);
    EXPECT_EQ(reading.verdict, Verdict::refuse) << inside;
    EXPECT_NE(all(reading.refusals).find(part), std::string::npos)
        << inside << " -> " << all(reading.refusals);
    EXPECT_FALSE(runnable(reading, "f", {.approximate = true}).ok());
  }
  EXPECT_EQ(task("'exec':1,'util_max':2,'slep':3,'run':'4'").refusals.size(), 4u);
}

TEST(Rtapp, RefusesByTopLevelKey) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"[]", ": expected an object, found an array"},
      {"{}", "tasks: missing"},
      {"{'tasks':[]}", "tasks: expected an object"},
      {"{'tasks':{'t':5}}", "t: expected an object"},
      {"{'threads':{}}", "rt-muse"},
      {"{'tasks':{},'global':{'duration':0.5}}", "duration: rt-app takes whole seconds"},
      {"{'tasks':{},'global':{'gnuplot':0}}", "gnuplot: expected true or false"},
      {"{'tasks':{},'global':{'calibration':'CPU'}}", "calibration: expected CPU0"},
      {"{'tasks':{},'global':{'ftrace':'main,run'}}", "ftrace: rt-app knows no category \"run\""},
      {"{'tasks':{},'global':{'default_policy':'RR'}}", "default_policy: rt-app knows no policy"},
      {"{'tasks':{},'global':[]}", "global: expected an object"},
      {"{'tasks':{},'resources':{'m':{'type':'mutes'}}}", "m: a resource needs"},
      {"{'tasks':{'t':{'lock':'m'}},'global':{'pi_enabled':true}}", "pi_enabled: locks with"},
      {"{'tasks':{},'global':{'duration':__D__}}", "duration: the template's placeholder __D__"},
  };
  for (const auto& [text, part] : rows) {
    const RtappReading reading = read(text);
    EXPECT_EQ(reading.verdict, Verdict::refuse) << text;
    EXPECT_NE(all(reading.refusals).find(part), std::string::npos)
        << text << " -> " << all(reading.refusals);
  }
  EXPECT_EQ(read("{'tasks':{},'resources':4,'scxsim':{},'_x':1}").verdict, Verdict::accept);
}

TEST(Rtapp, ReadsOurKeys) {
  const Workload workload =
      read(
          "{'tasks':{'t':{'run':1}},'fairwitness':{'threads':['t'],'locks':'barging',"
          "'spinlocks':['m'],'labels':{'t':'input'},'costs':{'switch':1,'cache_refill':2,"
          "'migration':3},'spec':'cfs','topology':'2x2','hz':250}}")
          .workload;
  EXPECT_EQ(workload.threads.count("t"), 1u);
  EXPECT_TRUE(workload.barging);
  EXPECT_EQ(workload.spinlocks.count("m"), 1u);
  EXPECT_EQ(workload.labels.at("t"), "input");
  EXPECT_EQ(workload.costs, (Costs{{1}, {2}, {3}}));
  EXPECT_EQ(workload.spec, "cfs");
  EXPECT_EQ(workload.topology, "2x2");
  EXPECT_EQ(workload.hz, 250);
}

TEST(Rtapp, RefusesWrongKeysOfOurs) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"'thread':['t']", "thread: unknown under \"fairwitness\"; nearest: threads"},
      {"'threads':['x']", "threads: there is no task \"x\""},
      {"'threads':[1]", "threads: expected names"},
      {"'labels':{'x':'input'}", "x: there is no task"},
      {"'labels':{'t':'timer'}", "t: the only label"},
      {"'locks':'fair'", "locks: expected \"fifo\" or \"barging\""},
      {"'costs':{'swich':1}", "swich: unknown cost; nearest: switch"},
      {"'costs':{'switch':-1}", "switch: outside"},
      {"'hz':0", "hz: outside"},
      {"'spec':1", "spec: expected a string"},
      {"'exact_ns':{'task':{}}", "task: unknown under \"exact_ns\""},
  };
  for (const auto& [inside, part] : rows) {
    const RtappReading reading =
        read("{'tasks':{'t':{'run':1}},'fairwitness':{" + std::string(inside) + "}}");
    EXPECT_NE(all(reading.refusals).find(part), std::string::npos)
        << inside << " -> " << all(reading.refusals);
  }
}

TEST(Rtapp, ExactTimesOnlyRefineTheTimeTheyBelongTo) {
  const RtappReading reading = read(
      "{'tasks':{'t':{'run':2,'run1':5,'delay':1}},'global':{'duration':1},'fairwitness':"
      "{'exact_ns':{'duration':250000000,'tasks':{'t':{'run':1500,'run1':9000,'delay':900,"
      "'sleep':1}}}}}");
  const TaskDef& def = reading.workload.tasks.at(0);
  EXPECT_EQ(def.phases[0].ops[0].amount.ns, 1500);
  EXPECT_EQ(def.phases[0].ops[1].amount.ns, 5000);
  EXPECT_EQ(def.delay.ns, 900);
  EXPECT_EQ(reading.workload.duration->ns, 250'000'000);
  EXPECT_EQ(reading.notes.size(), 2u) << all(reading.notes);
}

TEST(Rtapp, TakesACustomSliceWhereThePolicyHasOne) {
  const RtappReading reading = task("'run':1,'dl-runtime':300", {.custom_slice = true});
  EXPECT_EQ(reading.verdict, Verdict::accept);
  EXPECT_EQ(reading.workload.tasks.at(0).slice, Duration{300'000});
}

TEST(Rtapp, SaysWhatRtAppWouldDo) {
  EXPECT_NE(all(task("'runtime':1").notes).find("request of a slice"), std::string::npos);
  EXPECT_NE(all(task("'suspend':'x','resume':'x'").notes).find("only suspends itself"),
            std::string::npos);
  EXPECT_NE(all(task("'suspend':'t','resume':'x'").notes).find("wakes nobody"), std::string::npos);
  EXPECT_NE(all(task("'run':1,'phases':{'a':{'run':2}}").notes).find("beside \"phases\""),
            std::string::npos);
  EXPECT_NE(all(read("{'tasks':{}} rest").notes).find("after the end"), std::string::npos);
  EXPECT_NE(all(task("'barrier':'b','fork':'t'").notes).find("barrier's users"), std::string::npos);
}

TEST(Rtapp, ManyRepeatedNamesTakeLinearTime) {
  std::string text = "{'tasks':{'t':{'phases':{";
  for (int i = 0; i < 50'000; ++i) text += "'a':{'run':1},";
  const RtappReading reading = read(text + "}}}}");
  EXPECT_EQ(reading.counts.phases, 50'000);
  EXPECT_EQ(reading.notes.size(), 1001u);
}

}  // namespace
}  // namespace fw::input
