// SPDX-License-Identifier: Apache-2.0
#include "reports/sample/sample.h"

#include <algorithm>

namespace fw::reports {
namespace {

constexpr std::int64_t us = 1000, ms = 1'000'000;

/// A toy fair queue on two CPUs, enough to fill a recording: a hog on each CPU, and a task that
/// sleeps and wakes on CPU 0, where the leftmost of two runs for 3 ms at a time.
class Toy {
 public:
  explicit Toy(Recording& out) : out_(out) {}

  void run() {
    for (int task = 0; task < 3; ++task) {
      add(0, task == 1 ? 1 : 0, DecisionKind::wake, task, task == 2 ? 2 : 1).why = Why::start;
    }
    pick(0, 0, 0, -1, Why::leftmost, 2);
    pick(0, 1, 1, -1, Why::only, 1);
    current_ = 0;
    std::int64_t t_ns = 0;
    bool awake = true;
    while (t_ns < 60 * ms) {
      const std::int64_t slice_ns = awake ? 3 * ms : 4 * ms + 250 * us;
      t_ns += slice_ns;
      v_[static_cast<std::size_t>(current_)] += slice_ns;
      v_[1] += slice_ns;
      sample(t_ns);
      awake = turn(t_ns, awake);
      sample(t_ns);
    }
    out_.end = Instant{t_ns + ms};
  }

 private:
  /// The end of a slice on CPU 0; says whether task 2 is awake after it.
  bool turn(std::int64_t t_ns, bool awake) {
    if (!awake) {
      Decision& wake = add(t_ns, 0, DecisionKind::wake, 2, 2);
      wake.why = Why::timer;
      wake.preempt = true;
      v_[2] = std::max(v_[2], v_[0] - 3 * ms);
      pick(t_ns + 10 * us, 0, 2, 0, Why::leftmost, 2);
      current_ = 2;
      return true;
    }
    if (current_ == 2) {
      add(t_ns, 0, DecisionKind::block, 2, 1);
      pick(t_ns, 0, 0, 2, Why::only, 1);
      current_ = 0;
      return false;
    }
    add(t_ns, 0, DecisionKind::preempt, 0, 2).why = Why::slice;
    pick(t_ns, 0, 2, 0, Why::leftmost, 2);
    current_ = 2;
    return true;
  }

  Decision& add(std::int64_t t_ns, int cpu, DecisionKind kind, int task, int nr) {
    Decision decision;
    decision.t = Instant{t_ns};
    decision.cpu = CpuId{cpu};
    decision.kind = kind;
    decision.task = TaskId{task};
    decision.nr = nr;
    decision.state = {task < 0 ? 0 : v_[static_cast<std::size_t>(task)], std::min(v_[0], v_[2])};
    out_.decisions.push_back(decision);
    return out_.decisions.back();
  }
  void pick(std::int64_t t_ns, int cpu, int task, int prev, Why why, int nr) {
    Decision& decision = add(t_ns, cpu, DecisionKind::pick, task, nr);
    decision.other = TaskId{prev};
    decision.why = why;
  }
  void sample(std::int64_t t_ns) {
    for (std::size_t task = 0; task < 3; ++task) {
      out_.series[task].points.emplace_back(t_ns, static_cast<double>(v_[task]));
    }
    const std::int64_t spread = std::max(v_[0], v_[2]) - std::min(v_[0], v_[2]);
    out_.series[3].points.emplace_back(t_ns, static_cast<double>(spread));
    out_.series[4].points.emplace_back(t_ns, 6.0 * static_cast<double>(ms));
  }

  Recording& out_;
  std::array<std::int64_t, 3> v_ = {};
  int current_ = 0;
};

Recording recording(const std::string& title) {
  Recording out;
  out.title = title;
  out.spec = "cfs@2.6.36";
  out.cpus = 2;
  out.task_names = {"hog-0", "other-1", "waker-2"};
  out.log_keys = {"v", "min"};
  out.task_log_keys = 1;
  for (const std::string& task : out.task_names) {
    out.series.push_back({"vruntime " + task, "vns", {}});
  }
  out.series.push_back({"spread", "vns", {}});
  out.series.push_back({"bound", "vns", {}});
  Toy(out).run();
  return out;
}

Case minimized() {
  Case out;
  out.spec.policy = "cfs";
  out.spec.version = "2.6.36";
  out.spec.text = "cfs@2.6.36-GENTLE_FAIR_SLEEPERS,latency=18ms";
  out.topology = "2";
  out.balance = false;
  out.horizon = Duration{60 * ms};
  TaskDef hog;
  hog.name = "hog";
  hog.instances = 2;
  Phase spin;
  spin.ops = {{OpKind::run, Duration{10 * ms}}};
  hog.phases = {spin};
  TaskDef waker;
  waker.name = "waker";
  waker.nice = 5;
  waker.loop = 3;
  waker.delay = Duration{250 * us};
  CpuSet first;
  first.insert(CpuId{0});
  waker.cpus = first;
  Phase work;
  work.name = "work";
  work.loop = 4;
  work.ops = {{OpKind::run, Duration{3 * ms}}, {OpKind::sleep, Duration{4 * ms}}};
  Phase wait;
  wait.name = "wait";
  wait.nice = -3;
  wait.ops = {{OpKind::wait, Duration{}, "door", "lock"}};
  waker.phases = {work, wait};
  out.workload.tasks = {hog, waker};
  out.workload.costs.switch_cost = Duration{2 * us};
  return out;
}

Failure spread_failure() {
  Failure out;
  out.property = "vruntime_spread_bounded";
  out.policy = "cfs@2.6.36";
  out.signature = "5f1c09aa3b7e2d41";
  out.message = "spread 7.2ms exceeds the proved bound 6ms after 41 events";
  out.case_file = ".fairwitness/cases/5f1c09aa.case.json";
  out.reproduce = "fairwitness replay .fairwitness/cases/5f1c09aa.case.json";
  out.original_events = 214;
  out.events = 4;
  out.tasks = 3;
  out.oracle_calls = 187;
  out.blame = "policy flaw: the model fails as well";
  out.divergence = {41, Instant{33 * ms + 500 * us}, "spread: model 7200000, impl 7200000"};
  out.notes = {"The nice value of waker does not matter: every value from -5 to 12 fails."};
  out.minimized = minimized();
  out.chain = {
      {Instant{13 * ms}, "waker-2", "leftmost", "hog-0 v=9000000, waker-2 v=6000000"},
      {Instant{20 * ms + 260 * us}, "waker-2", "next", "hog-0 v=13250000, waker-2 v=12100000"}};
  return out;
}

Failure lockstep_failure() {
  Failure out;
  out.property = "lockstep";
  out.policy = "cfs@2.6.36";
  out.signature = "c0ffee0012345678";
  out.message = "model and implementation differ in 2 fields after 17 events";
  out.case_file = ".fairwitness/cases/c0ffee00.case.json";
  out.reproduce = "fairwitness replay .fairwitness/cases/c0ffee00.case.json";
  out.original_events = 90;
  out.events = 3;
  out.tasks = 2;
  out.oracle_calls = 412;
  out.budget_hit = true;
  out.blame = "code flaw: the model keeps the property";
  out.divergence = {17,
                    Instant{4 * ms},
                    "vruntime(hog-0): model 12, impl 13\nmin_vruntime(CPU 0): model 9, impl 12"};
  out.minimized = minimized();
  out.minimized.mutant = "no_min_vruntime_clamp";
  return out;
}

}  // namespace

const char* const hostile_name =
    "x</script><img src=x onerror=alert(1)>\"'&|`@team #1 ::error::%\\ \x1b[31m\xff]]>\r\nnext";

Result sample_result() {
  Result out;
  out.command = "check";
  out.command_line = "fairwitness check cfs@2.6.36 --seed 7 --cases 20000";
  out.status = Exit::falsified;
  out.all_statuses = {Exit::falsified, Exit::vacuous};
  out.seed = 7;
  out.cases = 20000;
  out.events = 1'234'567;
  out.discards = 120;
  out.seconds = 12.5;
  out.generate_share = 0.21;
  out.run_share = 0.7;
  out.shrink_share = 0.08;
  out.policies = {"cfs@2.6.36"};
  out.properties = {{"lockstep", "cfs@2.6.36", "falsified", "", "", "", 20000, 0, 0},
                    {"vruntime_spread_bounded",
                     "cfs@2.6.36",
                     "falsified",
                     "7.2ms",
                     "6ms",
                     "-1.2ms",
                     19880,
                     120,
                     0},
                    {"no_starvation", "cfs@2.6.36", "held", "41ms", "48ms", "7ms", 19880, 120, 300},
                    {"buddy_delay_bounded", "cfs@2.6.36", "vacuous", "", "", "", 0, 0, 0},
                    {"renice_is_fair", "cfs@2.6.36", "not-applicable", "", "", "", 0, 0, 20000}};
  out.failures = {spread_failure(), lockstep_failure()};
  out.required = {{"two_runnable_tasks", 19911},
                  {"buddy_set_and_used", 0},
                  {"tick_preempts", 8120},
                  {"affinity_moves_running_task", 0}};
  out.mutants = {{"no_min_vruntime_clamp",
                  "cfs",
                  "min_vruntime may go back",
                  false,
                  true,
                  "lockstep",
                  true,
                  "vruntime_spread_bounded",
                  12,
                  0.4,
                  2,
                  3},
                 {"slice_ignores_weight",
                  "cfs",
                  "every task gets the same slice",
                  true,
                  false,
                  "",
                  false,
                  "",
                  5000,
                  9.1,
                  0,
                  0}};
  out.benchmarks = {{"enqueue_dequeue", 1000, 41.2, 92.7, "std::set", "ns/op", 2.25},
                    {"event_loop", 100000, 2.1e6, 1.9e6, "reference model", "events/s", 1.105}};
  out.notes = {"2 saved cases were replayed first; both held.",
               "reconstructed rule: START_DEBIT of 2.6.36-rc3 (a project decision)."};
  out.recordings = {recording("vruntime_spread_bounded, minimized"), recording("whole run")};
  out.recordings[0].failure = out.failures[0].signature;
  out.identity = {{"commit", "0123abcd"},
                  {"compiler", "g++ 12.2"},
                  {"build type", "Release"},
                  {"cores", "2"},
                  {"version", "0.1.0"}};
  return out;
}

Result hostile_result() {
  Result out = sample_result();
  const std::string bad = hostile_name;
  out.command_line = "fairwitness check " + bad;
  out.policies = {bad};
  for (PropertyResult& property : out.properties) property.policy = bad;
  out.properties[2].name = bad;
  for (Failure& failure : out.failures) {
    failure.policy = bad;
    failure.message = bad;
    failure.case_file = bad;
    failure.reproduce = bad;
    failure.blame = bad;
    failure.notes = {bad};
    failure.divergence.text = "vruntime(" + bad + "): model 1, impl 2";
    failure.minimized.topology = bad;
    for (TaskDef& task : failure.minimized.workload.tasks) task.name = bad;
    for (PassedOver& step : failure.chain) step.task = step.keys = bad;
  }
  out.required[1].situation = bad;
  out.mutants[1].about = bad;
  out.benchmarks[0].peer_name = bad;
  out.notes = {bad};
  out.identity["commit"] = bad;
  for (Recording& of : out.recordings) {
    of.title = bad;
    of.task_names[0] = bad;
    of.series[0].name = "vruntime " + bad;
  }
  return out;
}

Result large_result() {
  Result out = sample_result();
  Recording run;
  run.title = "large run";
  run.spec = "cfs@2.6.36";
  run.cpus = 64;
  run.log_keys = {"v", "min"};
  run.task_log_keys = 1;
  for (int task = 0; task < 300; ++task) run.task_names.push_back("task-" + std::to_string(task));
  for (int i = 0; i < 300'000; ++i) {
    Decision pick;
    pick.t = Instant{i * 10 * us};
    pick.cpu = CpuId{i % 64};
    pick.task = TaskId{i * 7 % 300};
    pick.other = TaskId{(i - 64) * 7 % 300};
    pick.why = Why::leftmost;
    pick.nr = 3;
    pick.state = {i * 9 * us, i * 8 * us};
    if (i < 64) pick.other = idle_task;
    run.decisions.push_back(pick);
  }
  run.end = Instant{3000 * ms};
  for (int i = 0; i < 50; ++i) {
    Recording::Series series{"lag " + run.task_names[static_cast<std::size_t>(i)], "ns", {}};
    for (int at = 0; at < 20'000; ++at) {
      series.points.emplace_back(at * 150 * us, static_cast<double>((at * (i + 3)) % 997) * 1e3);
    }
    run.series.push_back(std::move(series));
  }
  out.recordings.push_back(std::move(run));
  return out;
}

}  // namespace fw::reports
