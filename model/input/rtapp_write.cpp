// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "model/input/rtapp.h"

namespace fw::input {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

/// To whole us, rounded to the nearest, but never to nothing.
std::int64_t whole_us(Duration amount) {
  if (amount.ns <= 0) return 0;
  return std::max<std::int64_t>(1, amount.ns / 1000 + (amount.ns % 1000 >= 500 ? 1 : 0));
}

/// The pairs of one object; repeated keys get rt-app's suffixes.
class Pairs {
 public:
  void add(std::string_view key, std::string value) {
    lines_.push_back(json_quote(key) + ": " + std::move(value));
    taken_.insert(std::string(key));
  }
  void add_unique(std::string_view key, std::string value) {
    std::string name(key);
    for (int n = 1; taken_.count(name) != 0; ++n) name = std::string(key) + std::to_string(n);
    add(name, std::move(value));
  }
  bool empty() const { return lines_.empty(); }
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

void add_ops(Pairs& pairs, const Phase& phase, bool in_task) {
  // An event is required; a sleep of 0 does nothing.
  if (phase.ops.empty()) pairs.add("sleep", "0");
  for (const Op& op : phase.ops) {
    // At task level rt-app takes a plain `runtime` for a request of a slice, too.
    const bool hidden_slice = in_task && op.kind == OpKind::runtime;
    pairs.add_unique(hidden_slice ? "runtime1" : op_name(op.kind), value_of(op));
  }
}

std::string phase_text(const Phase& phase, int indent) {
  Pairs pairs;
  if (phase.loop != 1) pairs.add("loop", std::to_string(phase.loop));
  if (phase.nice) pairs.add("priority", std::to_string(*phase.nice));
  if (phase.cpus) pairs.add("cpus", cpu_list(*phase.cpus));
  add_ops(pairs, phase, false);
  return pairs.text(indent);
}

/// Whether a task's program can stand in the task itself.
bool is_inline(const TaskDef& task) {
  if (task.phases.size() != 1) return task.phases.empty();
  const Phase& phase = task.phases.front();
  return phase.name.empty() && phase.loop == 1 && !phase.nice && !phase.cpus;
}

std::string task_text(const TaskDef& task, int indent) {
  Pairs pairs;
  if (task.instances != 1) pairs.add("instance", std::to_string(task.instances));
  if (task.delay.ns != 0) pairs.add("delay", std::to_string(whole_us(task.delay)));
  if (task.sched_class == SchedClass::batch) pairs.add("policy", "\"SCHED_BATCH\"");
  if (task.sched_class == SchedClass::idle) pairs.add("policy", "\"SCHED_IDLE\"");
  if (task.nice != 0) pairs.add("priority", std::to_string(task.nice));
  if (task.slice) pairs.add("dl-runtime", std::to_string(whole_us(*task.slice)));
  if (task.cpus) pairs.add("cpus", cpu_list(*task.cpus));
  if (task.loop != -1) pairs.add("loop", std::to_string(task.loop));
  if (is_inline(task)) {
    add_ops(pairs, task.phases.empty() ? Phase{} : task.phases.front(), true);
  } else {
    Pairs phases;
    for (const Phase& phase : task.phases) {
      phases.add_unique(phase.name.empty() ? "phase" : phase.name, phase_text(phase, indent + 4));
    }
    pairs.add("phases", phases.text(indent + 2));
  }
  return pairs.text(indent);
}

std::string our_text(const Workload& workload, int indent) {
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
  return pairs.empty() ? std::string() : pairs.text(indent);
}

/// Whether rt-app's integer holds the amount.
bool exact(Duration amount) {
  return amount.ns >= 0 && amount.ns % 1000 == 0 && amount.ns / 1000 <= INT32_MAX;
}

}  // namespace

std::string write_rtapp(const Workload& workload, int indent) {
  Pairs root, tasks, global;
  for (const TaskDef& task : workload.tasks) {
    tasks.add_unique(task.name, task_text(task, indent + 4));
  }
  root.add("tasks", tasks.text(indent + 2));
  if (workload.duration) {
    const std::int64_t ns = workload.duration->ns;
    global.add("duration", std::to_string(ns / second_ns + (ns % second_ns > 0 ? 1 : 0)));
  }
  global.add("lock_pages", "false");  // rt-app's default needs privileges
  root.add("global", global.text(indent + 2));
  if (std::string ours = our_text(workload, indent + 2); !ours.empty()) {
    root.add("fairwitness", std::move(ours));
  }
  return root.text(indent) + (indent == 0 ? "\n" : "");
}

std::vector<std::string> rtapp_losses(const Workload& workload) {
  std::vector<std::string> out;
  const auto lose = [&](const TaskDef& task, std::string what) {
    out.push_back("task " + json_shown(task.name) + ": " + std::move(what));
  };
  if (workload.duration && (workload.duration->ns % second_ns != 0 || workload.duration->ns <= 0)) {
    out.push_back("the duration " + format_duration(*workload.duration) +
                  " is not a whole number of seconds");
  }
  std::set<std::string> names;
  for (const TaskDef& task : workload.tasks) {
    if (!names.insert(task.name).second) lose(task, "the name is used twice");
    if (!exact(task.delay)) lose(task, "the delay is not a whole number of us in 31 bits");
    if (task.slice && !exact(*task.slice)) lose(task, "the slice is not a whole number of us");
    if (task.phases.empty()) lose(task, "it has no phase");
    std::set<std::string> phases;
    for (const Phase& phase : task.phases) {
      if (!phases.insert(phase.name).second) lose(task, "a phase name is used twice");
      if (phase.name.empty() && !is_inline(task)) lose(task, "a phase has no name");
      if (phase.ops.empty()) lose(task, "a phase has no event");
      for (const Op& op : phase.ops) {
        if (!exact(op.amount)) {
          lose(task,
               std::string(op_name(op.kind)) + " of " + format_duration(op.amount) +
                   " is not a whole number of us in 31 bits");
        }
      }
    }
  }
  return out;
}

}  // namespace fw::input
