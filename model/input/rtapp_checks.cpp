// SPDX-License-Identifier: Apache-2.0
// What can be judged only when all tasks are known, and the keys under "fairwitness".
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "model/input/rtapp_reader.h"
#include "model/vocab/spec.h"

namespace fw::input {
namespace {

constexpr std::array<std::string_view, 9> our_keys = {
    "threads", "locks", "spinlocks", "labels", "costs", "spec", "topology", "hz", "exact_ns"};
constexpr std::array<std::string_view, 3> cost_keys = {"switch", "cache_refill", "migration"};
constexpr std::int64_t max_cost_ns = 1'000'000'000;
constexpr std::int64_t max_hz = 100'000;

}  // namespace

void RtappReader::check_names() {
  std::set<std::string> remarked;
  std::set<std::string> forked;
  for (const Mention& mention : mentions_) {
    scope_ = mention.scope;
    const bool known = task_names_.taken.count(mention.ref) != 0;
    if (mention.kind == OpKind::fork) {
      forked.insert(mention.ref);
      if (!known) refuse(*mention.item, "there is no task " + json_shown(mention.ref) + " to fork");
    } else if (!known && remarked.insert(mention.ref).second) {
      note(*mention.item,
           "no task is called " + json_shown(mention.ref) + ": such a resume wakes nobody");
    }
  }
  scope_.clear();
  for (const TaskDef& task : out_.workload.tasks) {
    if (forked.count(task.name) == 0) continue;
    for (const Phase& phase : task.phases) {
      const bool barrier = std::any_of(phase.ops.begin(), phase.ops.end(), [](const Op& op) {
        return op.kind == OpKind::barrier;
      });
      if (barrier) {
        out_.notes.push_back({"barrier",
                              0,
                              "rt-app counts a barrier's users from the file: forks of task " +
                                  json_shown(task.name) + " are not counted"});
        break;
      }
    }
  }
  if (pi_enabled_ != nullptr && locks_used_) {
    refuse(*pi_enabled_, "locks with priority inheritance cannot be represented");
  }
}

/// One absolute use makes a timer absolute for all its uses: of the whole workload, or of the
/// task for a `unique` one.
void RtappReader::check_timers() {
  std::set<std::pair<std::string, std::string>> absolute;
  const auto key = [](const TaskDef& task, const Op& op) {
    return std::pair(op.ref.starts_with("unique") ? task.name : std::string(), op.ref);
  };
  const auto each_timer = [&](auto&& action) {
    for (TaskDef& task : out_.workload.tasks) {
      for (Phase& phase : task.phases) {
        for (Op& op : phase.ops) {
          if (op.kind == OpKind::timer) action(task, op);
        }
      }
    }
  };
  each_timer([&](const TaskDef& task, const Op& op) {
    if (op.absolute) absolute.insert(key(task, op));
  });
  std::set<std::string> remarked;
  each_timer([&](const TaskDef& task, Op& op) {
    if (op.absolute || absolute.count(key(task, op)) == 0) return;
    op.absolute = true;
    if (remarked.insert(op.ref).second) {
      out_.notes.push_back(
          {"timer", 0, "timer " + json_shown(op.ref) + " is absolute in one use and so in all"});
    }
  });
}

void RtappReader::fairwitness_names(const Json& item, std::set<std::string>& out, bool tasks) {
  if (!is_a(item, JsonKind::array)) return;
  for (const Json& one : item.items) {
    if (!one.is(JsonKind::string)) {
      refuse(item, "expected names, found " + std::string(json_kind_name(one.kind)));
    } else if (tasks && task_names_.taken.count(one.text) == 0) {
      refuse(item, "there is no task " + json_shown(one.text));
    } else {
      out.insert(one.text);
    }
  }
}

void RtappReader::fairwitness_labels(const Json& item) {
  if (!is_a(item, JsonKind::object)) return;
  for (const Json& label : item.items) {
    if (task_names_.taken.count(label.key) == 0) {
      refuse(label, "there is no task of this name to label");
    } else if (!label.is(JsonKind::string) || label.text != "input") {
      refuse(label, "the only label is \"input\"");
    } else {
      out_.workload.labels[label.key] = label.text;
    }
  }
}

void RtappReader::fairwitness_costs(const Json& item) {
  if (!is_a(item, JsonKind::object)) return;
  Costs& costs = out_.workload.costs;
  const std::array<Duration*, 3> targets = {
      &costs.switch_cost, &costs.cache_refill, &costs.migration};
  for (const Json& cost : item.items) {
    const auto found = std::find(cost_keys.begin(), cost_keys.end(), cost.key);
    if (found == cost_keys.end()) {
      refuse(cost, "unknown cost; nearest: " + std::string(nearest(cost.key, cost_keys)));
    } else if (is_a(cost, JsonKind::integer)) {
      if (cost.integer < 0 || cost.integer > max_cost_ns) {
        refuse(cost, "outside [0, " + std::to_string(max_cost_ns) + "] ns");
      } else {
        targets[static_cast<std::size_t>(found - cost_keys.begin())]->ns = cost.integer;
      }
    }
  }
}

/// One exact time, in a task (`phase` empty) or a phase. It must round to the time it refines: one
/// left over from an edited event is not obeyed.
void RtappReader::exact_value(const Json& item, const std::string& task, const std::string& phase) {
  if (!is_a(item, JsonKind::integer)) return;
  Duration* target = nullptr;
  if (const auto slot = slots_.find({task, phase, item.key}); slot != slots_.end()) {
    const Slot& at = slot->second;
    TaskDef& def = out_.workload.tasks[at.task];
    target = at.op == delay_slot   ? &def.delay
             : at.op == slice_slot ? &*def.slice
                                   : &def.phases[at.phase].ops[at.op].amount;
  }
  const std::int64_t limit = INT32_MAX * std::int64_t{1000};
  const bool fits = target != nullptr && item.integer >= 0 &&
                    (std::abs(target->ns - std::min(item.integer, limit)) < 1000);
  if (fits) {
    target->ns = item.integer;
  } else {
    note(item, "not obeyed: no event of this name, or another time");
  }
}

void RtappReader::exact(const Json& object) {
  if (!is_a(object, JsonKind::object)) return;
  for (const Json& item : object.items) {
    std::optional<Duration>& duration = out_.workload.duration;
    if (item.key == "duration") {
      if (!is_a(item, JsonKind::integer)) continue;
      if (duration && item.integer > 0 && item.integer <= duration->ns &&
          duration->ns - item.integer < 1'000'000'000) {
        duration->ns = item.integer;
      } else {
        note(item, "not obeyed: the duration is another one");
      }
    } else if (item.key != "tasks") {
      refuse(item, "unknown under \"exact_ns\": expected \"duration\" or \"tasks\"");
    } else if (is_a(item, JsonKind::object)) {
      for (const Json& task : item.items) {
        if (!is_a(task, JsonKind::object)) continue;
        for (const Json& value : task.items) {
          if (!value.is(JsonKind::object)) exact_value(value, task.key, "");
          for (const Json& inner : value.items) exact_value(inner, task.key, value.key);
        }
      }
    }
  }
}

void RtappReader::fairwitness(const Json& object) {
  if (!is_a(object, JsonKind::object)) return;
  Workload& workload = out_.workload;
  for (const Json& item : object.items) {
    if (item.key == "threads") {
      fairwitness_names(item, workload.threads, true);
    } else if (item.key == "spinlocks") {
      fairwitness_names(item, workload.spinlocks, false);
    } else if (item.key == "labels") {
      fairwitness_labels(item);
    } else if (item.key == "exact_ns") {
      exact(item);
    } else if (item.key == "costs") {
      fairwitness_costs(item);
    } else if (item.key == "locks") {
      if (!is_a(item, JsonKind::string)) continue;
      workload.barging = item.text == "barging";
      if (!workload.barging && item.text != "fifo") {
        refuse(item, "expected \"fifo\" or \"barging\", found " + json_shown(item.text));
      }
    } else if (item.key == "spec" || item.key == "topology") {
      if (is_a(item, JsonKind::string))
        (item.key == "spec" ? workload.spec : workload.topology) = item.text;
    } else if (item.key == "hz") {
      if (!is_a(item, JsonKind::integer)) continue;
      if (item.integer < 1 || item.integer > max_hz) {
        refuse(item, "outside [1, " + std::to_string(max_hz) + "]");
      } else {
        workload.hz = static_cast<int>(item.integer);
      }
    } else {
      refuse(item,
             "unknown under \"fairwitness\"; nearest: " + std::string(nearest(item.key, our_keys)));
    }
  }
}

}  // namespace fw::input
