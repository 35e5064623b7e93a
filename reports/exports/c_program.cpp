// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/exports/c_runtime.h"
#include "reports/exports/exporter.h"
#include "reports/metrics.h"

namespace fw::exports {
namespace {

/// Numbers names in the order they are met.
class Table {
 public:
  int operator()(const std::string& name) {
    return places_.try_emplace(name, static_cast<int>(places_.size())).first->second;
  }
  std::size_t size() const { return places_.size(); }

 private:
  std::map<std::string, int> places_;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
    out += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return out + "\"";
}

std::string cpu_list(const std::optional<CpuSet>& cpus) {
  if (!cpus) return "NULL";
  std::string out;
  for (const CpuId cpu : cpus->members()) {
    out += (out.empty() ? "" : ",") + std::to_string(cpu.value);
  }
  return quoted(out);
}

class Writer {
 public:
  Writer(const Case& c, const Recording& run) : case_(c), run_(run) {
    for (std::size_t i = 0; i < tasks().size(); ++i) {
      task_places_.emplace(tasks()[i].name, static_cast<int>(i));
    }
  }

  Exported write() {
    std::string ops, phases, rows;
    for (std::size_t t = 0; t < tasks().size(); ++t) {
      phases += fmt::format("static const struct phase phases_{}[] = {{\n", t);
      for (std::size_t p = 0; p < tasks()[t].phases.size(); ++p) {
        const Phase& phase = tasks()[t].phases[p];
        ops += fmt::format("static const struct op ops_{}_{}[] = {{\n", t, p);
        for (const Op& op : phase.ops) ops += "  " + op_row(op, tasks()[t]) + ",\n";
        if (phase.ops.empty()) ops += "  {YIELD, 0, 0, 0},\n";
        ops += "};\n";
        phases += fmt::format("  {{{}, {}, {}, ops_{}_{}, {}}},\n",
                              phase.loop,
                              phase.nice ? std::to_string(*phase.nice) : "KEEP_NICE",
                              cpu_list(phase.cpus),
                              t,
                              p,
                              phase.ops.size());
      }
      if (tasks()[t].phases.empty()) phases += "  {1, KEEP_NICE, NULL, NULL, 0},\n";
      phases += "};\n";
      rows += task_row(t);
    }
    Exported out;
    out.text = heading() + std::string(c_types) + "\n" + ops + phases +
               "static const struct task tasks[] = {\n" + rows + "};\n" + sizes() +
               std::string(c_interpreter);
    out.losses = losses();
    return out;
  }

 private:
  const std::vector<TaskDef>& tasks() const { return case_.workload.tasks; }

  std::string heading() const {
    return fmt::format(
        "/* SPDX-License-Identifier: Apache-2.0\n"
        " * A workload that Fairwitness wrote for a real kernel.\n"
        " *   cc -O2 -pthread FILE.c -o workload && ./workload\n"
        " * Predicted: {} on topology {}, all wakeups. Measured: wakeups by time only.\n"
        " */\n",
        comment(case_.spec.text),
        comment(case_.topology));
  }
  static std::string comment(std::string text) {
    std::replace(text.begin(), text.end(), '*', '?');
    return text;
  }

  std::string op_row(const Op& op, const TaskDef& task) {
    const auto row = [&](std::string_view kind, int a = 0, int b = 0) {
      return fmt::format("{{{}, {}LL, {}, {}}}", kind, op.amount.ns, a, b);
    };
    switch (op.kind) {
      case OpKind::run:
        return row("RUN");
      case OpKind::runtime:
        return row("RUNTIME");
      case OpKind::sleep:
        return row("SLEEP");
      case OpKind::timer:
        timer_users_[op.ref].push_back(&task);
        return row(op.absolute ? "TIMER_ABS" : "TIMER", timers_(op.ref));
      case OpKind::lock:
        return row("LOCK", locks_(op.ref));
      case OpKind::unlock:
        return row("UNLOCK", locks_(op.ref));
      case OpKind::wait:
        return row("WAIT", conds_(op.ref), locks_(op.mutex));
      case OpKind::signal:
        return row("SIGNAL", conds_(op.ref));
      case OpKind::broad:
        return row("BROAD", conds_(op.ref));
      case OpKind::sync:
        return row("SYNC", conds_(op.ref), locks_(op.mutex));
      case OpKind::barrier:
        barrier_users_[barriers_(op.ref)].push_back(&task);
        return row("BARRIER", barriers_(op.ref));
      case OpKind::suspend:
        return row("SUSPEND");
      case OpKind::resume:
        return row("RESUME", task_place(op.ref));
      case OpKind::sem_post:
        return row("SEM_POST", sems_(op.ref));
      case OpKind::sem_wait:
        return row("SEM_WAIT", sems_(op.ref));
      case OpKind::yield:
        return row("YIELD");
      case OpKind::fork:
        return row("FORK", task_place(op.ref));
    }
    return row("YIELD");
  }

  int task_place(const std::string& name) const {
    const auto found = task_places_.find(name);
    return found == task_places_.end() ? 0 : found->second;
  }

  std::string task_row(std::size_t t) const {
    const TaskDef& task = tasks()[t];
    const reports::Latency latency = predicted(task);
    const bool known = latency.count > 0;
    return fmt::format("  {{{}, {}, {}LL, {}, {}, {}, phases_{}, {}, {}, {}, {}}},\n",
                       quoted(task.name),
                       task.instances,
                       task.delay.ns,
                       task.loop,
                       task.nice,
                       cpu_list(task.cpus),
                       t,
                       std::max<std::size_t>(1, task.phases.size()),
                       known ? latency.p50_ns : -1,
                       known ? latency.p99_ns : -1,
                       known ? latency.max_ns : -1);
  }

  /// Of the instance that waited longest: percentiles of several cannot be joined.
  reports::Latency predicted(const TaskDef& task) const {
    reports::Latency out;
    for (const reports::TaskMetrics& metrics : reports::measure(run_).tasks) {
      if (metrics.name.rfind(task.name + "-", 0) != 0) continue;
      if (out.count == 0 || metrics.wakeup.max_ns > out.max_ns) out = metrics.wakeup;
    }
    return out;
  }

  std::string sizes() {
    std::string users;
    for (const auto& barrier : barrier_users_) {
      std::vector<const TaskDef*> distinct = barrier.second;
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      int count = 0;
      for (const TaskDef* task : distinct) count += task->instances;
      users += fmt::format("{}, ", count);
    }
    const Duration length = case_.horizon.ns > 0 ? case_.horizon : run_.end - Instant{};
    return fmt::format(
        "enum {{ TASKS = {}, LOCKS = {}, CONDS = {}, BARRIERS = {}, SEMS = {}, TIMERS = {} }};\n"
        "static const unsigned barrier_users[] = {{ {}0 }};\n"
        "static const long long DURATION_NS = {}LL;\n",
        tasks().size(),
        locks_.size(),
        conds_.size(),
        barriers_.size(),
        sems_.size(),
        timers_.size(),
        users,
        length.ns);
  }

  std::vector<std::string> losses() const {
    std::vector<std::string> out = {
        "policy, knobs and topology: the program runs on the kernel it finds"};
    for (const auto& timer : timer_users_) {
      if (timer.first.rfind("unique", 0) == 0) continue;
      const auto other = [&](const TaskDef* task) { return task != timer.second.front(); };
      if (std::any_of(timer.second.begin(), timer.second.end(), other)) {
        out.push_back("timer " + timer.first + " is shared in the workload, one a thread here");
      }
    }
    for (const TaskDef& task : tasks()) {
      if (task.sched_class != SchedClass::normal) {
        out.push_back(task.name + ": SCHED_BATCH and SCHED_IDLE become SCHED_OTHER");
      }
      if (task.slice) out.push_back(task.name + ": the custom slice is left out");
    }
    if (!case_.workload.spinlocks.empty()) out.push_back("spinlocks become blocking mutexes");
    const Costs none;
    if (!(case_.workload.costs == none)) out.push_back("machine costs are the machine's own");
    return out;
  }

  const Case& case_;
  const Recording& run_;
  std::map<std::string, int> task_places_;
  Table locks_, conds_, barriers_, sems_, timers_;
  std::map<int, std::vector<const TaskDef*>> barrier_users_;
  std::map<std::string, std::vector<const TaskDef*>> timer_users_;
};

}  // namespace

Exported export_c_program(const Case& c, const Recording& run) { return Writer(c, run).write(); }

}  // namespace fw::exports
