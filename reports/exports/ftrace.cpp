// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/exports/exporter.h"
#include "reports/metrics.h"

namespace fw::exports {
namespace {

constexpr int first_pid = 1000;
constexpr int nice_0_prio = 120;
constexpr std::size_t longest_comm = 15;
constexpr std::int64_t microsecond = 1'000;

enum class Standing { absent, runnable, blocked, exited };

class Writer {
 public:
  Writer(const Case& c, const Recording& run)
      : run_(run),
        standing_(run.task_names.size(), Standing::absent),
        nice_(run.task_names.size()),
        running_(static_cast<std::size_t>(run.cpus)) {
    for (std::size_t i = 0; i < nice_.size(); ++i) nice_[i] = nice_of(c, run.task_names[i]);
    fine_ = std::any_of(run.decisions.begin(), run.decisions.end(), [](const Decision& d) {
      return d.t.ns % microsecond != 0;
    });
    long_ = std::any_of(run.task_names.begin(), run.task_names.end(), [](const std::string& name) {
      return name.size() > longest_comm;
    });
  }

  Exported write(const Case& c) {
    out_.text = fmt::format("# tracer: nop\n# spec: {}\n# cpus: {}\n#\n", c.spec.text, run_.cpus);
    for (const Decision& d : run_.decisions) read(d);
    if (fine_)
      out_.losses.push_back("times below 1 us take nine digits, which some readers refuse");
    if (long_) out_.losses.push_back("task names are cut to 15 characters and told apart by pid");
    out_.losses.push_back("charges between decisions (sched_stat_runtime) are not recorded");
    if (affinity_) out_.losses.push_back("affinity changes have no event");
    return std::move(out_);
  }

 private:
  static int nice_of(const Case& c, const std::string& task) {
    const TaskDef* found = nullptr;
    for (const TaskDef& def : c.workload.tasks) {
      if (task.rfind(def.name + "-", 0) != 0) continue;
      if (found == nullptr || def.name.size() > found->name.size()) found = &def;
    }
    return found == nullptr ? 0 : found->nice;
  }
  static std::size_t index(TaskId task) { return static_cast<std::size_t>(task.value); }
  static int pid(TaskId task) { return task.idle() ? 0 : first_pid + task.value; }
  int prio(TaskId task) const { return nice_0_prio + (task.idle() ? 0 : nice_[index(task)]); }
  std::string comm(TaskId task, CpuId cpu) const {
    if (task.idle()) return fmt::format("swapper/{}", cpu.value);
    return reports::task_name(run_, task).substr(0, longest_comm);
  }

  /// `in_interrupt`: a timer woke somebody.
  void line(const Decision& d, std::string_view event, bool in_interrupt = false) {
    const TaskId task = running_[static_cast<std::size_t>(d.cpu.value)];
    const std::string who = task.idle() ? "<idle>" : comm(task, d.cpu);
    const std::int64_t second = 1'000'000'000;
    const std::string fraction = fine_ ? fmt::format("{:09}", d.t.ns % second)
                                       : fmt::format("{:06}", d.t.ns % second / microsecond);
    out_.text += fmt::format("{:>16}-{:<7} [{:03}] {} {:>5}.{}: {}\n",
                             who,
                             pid(task),
                             d.cpu.value,
                             in_interrupt ? "d.h1." : "d..2.",
                             d.t.ns / second,
                             fraction,
                             event);
  }

  std::string woken(const Decision& d, std::string_view event) const {
    return fmt::format("{}: comm={} pid={} prio={} target_cpu={:03}",
                       event,
                       comm(d.task, d.cpu),
                       pid(d.task),
                       prio(d.task),
                       d.cpu.value);
  }

  void read(const Decision& d) {
    switch (d.kind) {
      case DecisionKind::fork:
        line(d,
             fmt::format("sched_process_fork: comm={} pid={} child_comm={} child_pid={}",
                         comm(d.other, d.cpu),
                         pid(d.other),
                         comm(d.task, d.cpu),
                         pid(d.task)));
        line(d, woken(d, "sched_wakeup_new"));
        standing_[index(d.task)] = Standing::runnable;
        break;
      case DecisionKind::wake:
        line(
            d, woken(d, d.why == Why::start ? "sched_wakeup_new" : "sched_wakeup"), d.other.idle());
        standing_[index(d.task)] = Standing::runnable;
        break;
      case DecisionKind::block:
        standing_[index(d.task)] = Standing::blocked;
        break;
      case DecisionKind::exit:
        line(d,
             fmt::format("sched_process_exit: comm={} pid={} prio={}",
                         comm(d.task, d.cpu),
                         pid(d.task),
                         prio(d.task)));
        standing_[index(d.task)] = Standing::exited;
        break;
      case DecisionKind::yield:
        line(d, "sys_sched_yield()");
        break;
      case DecisionKind::renice:
        nice_[index(d.task)] = d.nice;
        break;
      case DecisionKind::affinity:
        affinity_ = true;
        break;
      case DecisionKind::preempt:
        break;
      case DecisionKind::migrate:
        line(d,
             fmt::format("sched_migrate_task: comm={} pid={} prio={} orig_cpu={} dest_cpu={}",
                         comm(d.task, d.cpu),
                         pid(d.task),
                         prio(d.task),
                         d.from.value,
                         d.cpu.value));
        break;
      case DecisionKind::pick:
        if (d.task != d.other) switched(d);
        break;
    }
  }

  void switched(const Decision& d) {
    std::string state = "R";
    if (!d.other.idle()) {
      if (standing_[index(d.other)] == Standing::blocked) state = "S";
      if (standing_[index(d.other)] == Standing::exited) state = "X";
    }
    line(d,
         fmt::format("sched_switch: prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> "
                     "next_comm={} next_pid={} next_prio={}",
                     comm(d.other, d.cpu),
                     pid(d.other),
                     prio(d.other),
                     state,
                     comm(d.task, d.cpu),
                     pid(d.task),
                     prio(d.task)));
    running_[static_cast<std::size_t>(d.cpu.value)] = d.task;
  }

  const Recording& run_;
  std::vector<Standing> standing_;
  std::vector<int> nice_;
  std::vector<TaskId> running_;
  bool fine_ = false;
  bool long_ = false;
  bool affinity_ = false;
  Exported out_;
};

}  // namespace

Exported export_ftrace(const Case& c, const Recording& run) { return Writer(c, run).write(c); }

}  // namespace fw::exports
