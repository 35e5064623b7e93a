// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "model/input/rtapp.h"

namespace fw::input {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

/// To whole us in 31 bits, rounded to the nearest, but never to nothing.
std::int64_t whole_us(Duration amount) {
  if (amount.ns <= 0) return 0;
  const std::int64_t us = amount.ns / 1000 + (amount.ns % 1000 >= 500 ? 1 : 0);
  return std::clamp<std::int64_t>(us, 1, INT32_MAX);
}

/// The pairs of one object; repeated keys get rt-app's suffixes.
class Pairs {
 public:
  void add(std::string_view key, std::string value) {
    lines_.push_back(json_quote(key) + ": " + std::move(value));
    taken_.insert(std::string(key));
  }
  /// Gives the key that was used.
  std::string add_unique(std::string_view key, std::string value) {
    std::string name(key);
    int& n = last_suffix_[name];
    while (taken_.count(name) != 0) name = std::string(key) + std::to_string(++n);
    add(name, std::move(value));
    return name;
  }
  /// Adds a time in us, and to `exact` the ns when they are not the same.
  void add_time(std::string_view key, Duration amount, Pairs& exact) {
    add(key, std::to_string(whole_us(amount)));
    if (whole_us(amount) * 1000 != amount.ns) exact.add(key, std::to_string(amount.ns));
  }
  bool empty() const { return lines_.empty(); }
  std::string one_line() const {
    std::string out;
    for (const std::string& line : lines_) out += (out.empty() ? "{" : ", ") + line;
    return out + "}";
  }
  std::string text(int indent) const {
    const std::string blanks(static_cast<std::size_t>(indent), ' ');
    if (lines_.empty()) return "{}";
    std::string out = "{";
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      out += (i == 0 ? "\n  " : ",\n  ") + blanks + lines_[i];
    }
    return out + "\n" + blanks + "}";
  }

 private:
  std::vector<std::string> lines_;
  std::set<std::string> taken_;
  std::map<std::string, int> last_suffix_;
};

template <class Names>
std::string name_list(const Names& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + json_quote(name);
  return "[" + out + "]";
}

std::string cpu_list(const CpuSet& cpus) {
  std::string out;
  for (const CpuId cpu : cpus.members())
    out += (out.empty() ? "" : ", ") + std::to_string(cpu.value);
  return "[" + out + "]";
}

std::string value_of(const Op& op) {
  switch (op.kind) {
    case OpKind::run:
    case OpKind::runtime:
    case OpKind::sleep:
      return std::to_string(whole_us(op.amount));
    case OpKind::timer:
      return "{\"ref\": " + json_quote(op.ref) +
             ", \"period\": " + std::to_string(whole_us(op.amount)) +
             (op.absolute ? ", \"mode\": \"absolute\"}" : "}");
    case OpKind::wait:
    case OpKind::sync:
      return "{\"ref\": " + json_quote(op.ref) + ", \"mutex\": " + json_quote(op.mutex) + "}";
    case OpKind::suspend:
    case OpKind::yield:
      return "\"\"";
    default:
      return json_quote(op.ref);
  }
}

void add_ops(Pairs& pairs, const Phase& phase, bool in_task, Pairs& exact) {
  // An event is required; a sleep of 0 does nothing.
  if (phase.ops.empty()) pairs.add("sleep", "0");
  for (const Op& op : phase.ops) {
    // At task level rt-app takes a plain `runtime` for a request of a slice, too.
    const bool hidden_slice = in_task && op.kind == OpKind::runtime;
    const std::string key =
        pairs.add_unique(hidden_slice ? "runtime1" : op_name(op.kind), value_of(op));
    if (whole_us(op.amount) * 1000 != op.amount.ns) exact.add(key, std::to_string(op.amount.ns));
  }
}

std::string phase_text(const Phase& phase, int indent, Pairs& exact) {
  Pairs pairs;
  if (phase.loop != 1) pairs.add("loop", std::to_string(phase.loop));
  if (phase.nice) pairs.add("priority", std::to_string(*phase.nice));
  if (phase.cpus) pairs.add("cpus", cpu_list(*phase.cpus));
  add_ops(pairs, phase, false, exact);
  return pairs.text(indent);
}

/// Whether a task's program can stand in the task itself.
bool is_inline(const TaskDef& task) {
  if (task.phases.size() != 1) return task.phases.empty();
  const Phase& phase = task.phases.front();
  return phase.name.empty() && phase.loop == 1 && !phase.nice && !phase.cpus;
}

std::string task_text(const TaskDef& task, int indent, Pairs& exact) {
  Pairs pairs;
  if (task.instances != 1) pairs.add("instance", std::to_string(task.instances));
  if (task.delay.ns != 0) pairs.add_time("delay", task.delay, exact);
  if (task.sched_class == SchedClass::batch) pairs.add("policy", "\"SCHED_BATCH\"");
  if (task.sched_class == SchedClass::idle) pairs.add("policy", "\"SCHED_IDLE\"");
  if (task.nice != 0) pairs.add("priority", std::to_string(task.nice));
  if (task.slice) pairs.add_time("dl-runtime", *task.slice, exact);
  if (task.cpus) pairs.add("cpus", cpu_list(*task.cpus));
  if (task.loop != -1) pairs.add("loop", std::to_string(task.loop));
  if (is_inline(task)) {
    add_ops(pairs, task.phases.empty() ? Phase{} : task.phases.front(), true, exact);
  } else {
    Pairs phases;
    for (const Phase& phase : task.phases) {
      Pairs exact_phase;
      const std::string key = phases.add_unique(phase.name.empty() ? "phase" : phase.name,
                                                phase_text(phase, indent + 4, exact_phase));
      if (!exact_phase.empty()) exact.add(key, exact_phase.one_line());
    }
    pairs.add("phases", phases.text(indent + 2));
  }
  return pairs.text(indent);
}

std::string our_text(const Workload& workload, const Pairs& exact, int indent) {
  Pairs pairs;
  if (!workload.threads.empty()) pairs.add("threads", name_list(workload.threads));
  if (workload.barging) pairs.add("locks", "\"barging\"");
  if (!workload.spinlocks.empty()) pairs.add("spinlocks", name_list(workload.spinlocks));
  if (!workload.labels.empty()) {
    Pairs labels;
    for (const auto& [task, label] : workload.labels) labels.add(task, json_quote(label));
    pairs.add("labels", labels.text(indent + 2));
  }
  if (workload.costs != Costs{}) {
    const Costs& costs = workload.costs;
    pairs.add("costs",
              "{\"switch\": " + std::to_string(costs.switch_cost.ns) +
                  ", \"cache_refill\": " + std::to_string(costs.cache_refill.ns) +
                  ", \"migration\": " + std::to_string(costs.migration.ns) + "}");
  }
  if (!workload.spec.empty()) pairs.add("spec", json_quote(workload.spec));
  if (!workload.topology.empty()) pairs.add("topology", json_quote(workload.topology));
  if (workload.hz) pairs.add("hz", std::to_string(*workload.hz));
  if (!exact.empty()) pairs.add("exact_ns", exact.text(indent + 2));
  return pairs.empty() ? std::string() : pairs.text(indent);
}

}  // namespace

std::string write_rtapp(const Workload& workload, int indent) {
  Pairs root, tasks, global, exact, exact_tasks;
  for (const TaskDef& task : workload.tasks) {
    Pairs exact_task;
    const std::string key = tasks.add_unique(task.name, task_text(task, indent + 4, exact_task));
    if (!exact_task.empty()) exact_tasks.add(key, exact_task.one_line());
  }
  root.add("tasks", tasks.text(indent + 2));
  if (workload.duration) {
    const std::int64_t ns = workload.duration->ns;
    global.add("duration", std::to_string(ns / second_ns + (ns % second_ns > 0 ? 1 : 0)));
    if (ns % second_ns != 0) exact.add("duration", std::to_string(ns));
  }
  global.add("lock_pages", "false");  // rt-app's default needs privileges
  root.add("global", global.text(indent + 2));
  if (!exact_tasks.empty()) exact.add("tasks", exact_tasks.text(indent + 6));
  if (std::string ours = our_text(workload, exact, indent + 2); !ours.empty()) {
    root.add("fairwitness", std::move(ours));
  }
  return root.text(indent) + (indent == 0 ? "\n" : "");
}

std::vector<std::string> rtapp_losses(const Workload& workload) {
  std::vector<std::string> out;
  std::set<std::string> names;
  for (const TaskDef& task : workload.tasks) {
    const auto lose = [&](std::string_view what) {
      out.push_back("task " + json_shown(task.name) + ": " + std::string(what));
    };
    if (!names.insert(task.name).second) lose("the name is used twice");
    if (task.phases.empty()) lose("it has no phase");
    std::set<std::string> phases;
    for (const Phase& phase : task.phases) {
      if (!phases.insert(phase.name).second) lose("a phase name is used twice");
      if (phase.name.empty() && !is_inline(task)) lose("a phase has no name");
      if (phase.ops.empty()) lose("a phase has no event");
    }
  }
  return out;
}

}  // namespace fw::input
