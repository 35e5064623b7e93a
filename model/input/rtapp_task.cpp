// SPDX-License-Identifier: Apache-2.0
// Tasks, phases and what they say about scheduling.
#include <array>

#include "model/input/rtapp_reader.h"
#include "model/vocab/spec.h"

namespace fw::input {
namespace {

constexpr std::array<std::string_view, 6> policy_names = {
    "SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE", "SCHED_FIFO", "SCHED_RR", "SCHED_DEADLINE"};
constexpr std::int64_t max_cpus = 4096;

}  // namespace

/// `item`'s key, or the first of key1, key2, ... that is free: what workgen does.
std::string RtappReader::free_name(const Json& item, NameTable& names) {
  if (names.taken.insert(item.key).second) return item.key;
  std::string out;
  do {
    out = item.key + std::to_string(++names.last_suffix[item.key]);
  } while (!names.taken.insert(out).second);
  note(item, "repeated: read as " + json_shown(out) + "; rt-app keeps only the last one");
  return out;
}

/// Remarks on keys that are neither events nor settings; false for those.
bool RtappReader::odd_key(const Json& item, KeyPlace place) {
  switch (key_use(item.key, place)) {
    case KeyUse::setting:
      return false;
    case KeyUse::comment:
      return true;
    case KeyUse::legacy:
      refuse(item, "a key of rt-app's legacy dialect (before 2014), which rt-app no longer runs");
      return true;
    case KeyUse::scxsim:
      refuse(item, "a key of scxsim's dialect, not of rt-app");
      return true;
    case KeyUse::rtmuse:
      refuse(item, "a key of rt-muse's dialect, not of rt-app");
      return true;
    case KeyUse::unknown:
      break;
  }
  if (rtapp_event(item.key)) return false;
  refuse(
      item,
      "unknown; rt-app ignores it without a word. Nearest: " + std::string(nearest_key(item.key)) +
          "; comments may stand under keys that begin with _");
  return true;
}

std::optional<CpuSet> RtappReader::cpus(const Json& item) {
  if (!is_a(item, JsonKind::array)) return std::nullopt;
  if (item.items.empty()) {
    refuse(item, "the list of CPUs is empty");
    return std::nullopt;
  }
  CpuSet out;
  for (const Json& cpu : item.items) {
    std::int64_t number = cpu.integer;
    if (cpu.is(JsonKind::real) || cpu.is(JsonKind::string)) {
      const std::size_t digits = cpu.text.find_first_not_of("0123456789");
      const bool whole =
          digits == std::string::npos || (cpu.is(JsonKind::real) && cpu.text[digits] == '.');
      if (!whole || cpu.text.empty() || cpu.text.size() > 9) {
        refuse(item,
               json_shown(cpu.text) + " is no CPU number" +
                   (cpu.is(JsonKind::string) ? " (ranges are a dialect of scxsim)" : ""));
        return std::nullopt;
      }
      number = std::stoll(cpu.text);
      note(item, json_shown(cpu.text) + " is read as CPU " + std::to_string(number));
    } else if (!cpu.is(JsonKind::integer)) {
      refuse(item, "expected CPU numbers, found " + std::string(json_kind_name(cpu.kind)));
      return std::nullopt;
    }
    if (number < 0 || number >= max_cpus) {
      refuse(item, "CPU " + std::to_string(number) + " is outside [0, 4095]");
      return std::nullopt;
    }
    out.insert(CpuId{static_cast<std::int32_t>(number)});
  }
  return out;
}

std::optional<RtappReader::RtPolicy> RtappReader::policy_of(const Json* item) {
  if (item == nullptr || !is_a(*item, JsonKind::string)) return std::nullopt;
  for (std::size_t i = 0; i < policy_names.size(); ++i) {
    if (policy_names[i] == item->text) return static_cast<RtPolicy>(i);
  }
  refuse(*item,
         "rt-app knows no policy " + json_shown(item->text) +
             "; nearest: " + std::string(nearest(item->text, policy_names)));
  return std::nullopt;
}

/// The nice value that priority (nullptr: not given) means under `policy`.
std::optional<int> RtappReader::nice_of(const Json* priority, RtPolicy policy) {
  const bool real_time = policy == RtPolicy::fifo || policy == RtPolicy::rr;
  if (priority == nullptr) return real_time ? -20 : 0;
  const std::optional<std::int64_t> value = c_int(*priority);
  if (!value || policy == RtPolicy::deadline) return std::nullopt;
  const int low = real_time ? 1 : -20;
  const int high = real_time ? 99 : 19;
  if (*value < low || *value > high) {
    refuse(*priority,
           std::to_string(*value) + " is outside [" + std::to_string(low) + ", " +
               std::to_string(high) + "], the range of this policy");
    return std::nullopt;
  }
  return real_time ? -20 : static_cast<int>(*value);
}

void RtappReader::task_policy(const Json& item, TaskDef& def, RtPolicy& policy) {
  const Json* given = item.find("policy");
  policy = given != nullptr ? policy_of(given).value_or(RtPolicy::other) : default_policy_;
  const Json* named = given != nullptr ? given : default_policy_item_;
  const bool once = given != nullptr || !default_policy_remarked_;
  if (policy == RtPolicy::deadline && once) {
    refuse(*named, "SCHED_DEADLINE cannot be represented");
  } else if ((policy == RtPolicy::fifo || policy == RtPolicy::rr) && once) {
    approximate(*named, named->text + " as nice -20");
  }
  if (given == nullptr && policy != RtPolicy::other) default_policy_remarked_ = true;
  if (policy == RtPolicy::batch) def.sched_class = SchedClass::batch;
  if (policy == RtPolicy::idle) def.sched_class = SchedClass::idle;
  def.nice = nice_of(item.find("priority"), policy).value_or(0);
}

void RtappReader::phase_policy(const Json& item,
                               const TaskDef& def,
                               Phase& phase,
                               RtPolicy& current) {
  const Json* given = item.find("policy");
  const Json* priority = item.find("priority");
  if (given == nullptr && priority == nullptr) return;
  if (given != nullptr) {
    const std::optional<RtPolicy> policy = policy_of(given);
    if (!policy) return;
    current = *policy;
    const SchedClass wanted = current == RtPolicy::batch  ? SchedClass::batch
                              : current == RtPolicy::idle ? SchedClass::idle
                                                          : SchedClass::normal;
    if (current == RtPolicy::deadline) {
      refuse(*given, "SCHED_DEADLINE cannot be represented");
    } else if (wanted != def.sched_class) {
      refuse(*given,
             "a change between SCHED_OTHER, SCHED_BATCH and SCHED_IDLE in a phase cannot be "
             "represented");
    } else if (current == RtPolicy::fifo || current == RtPolicy::rr) {
      approximate(*given, given->text + " as nice -20");
    }
  }
  phase.nice = nice_of(priority, current);
}

/// dl-runtime and its like; `def` is null in a phase.
void RtappReader::deadline_keys(const Json& item, TaskDef* def) {
  for (const std::string_view key : {"dl-period", "dl-deadline"}) {
    if (const Json* value = item.find(key)) {
      refuse(*value, "only means something under SCHED_DEADLINE, which cannot be represented");
    }
  }
  const Json* runtime = item.find("dl-runtime");
  if (runtime == nullptr) return;
  if (def == nullptr) {
    refuse(*runtime, "a custom slice that changes with the phase cannot be represented");
  } else if (!options_.custom_slice) {
    refuse(*runtime, "the policy has no custom slices (eevdf of Linux 6.12 and later has)");
  } else if (const std::optional<Duration> slice = micros(*runtime)) {
    def->slice = *slice;
  }
}

/// Settings that are equal in tasks and phases and act on more than one task, or on no CPU.
void RtappReader::other_settings(const Json& item, RtPolicy policy) {
  for (const std::string_view key : {"util_min", "util_max"}) {
    if (const Json* value = item.find(key))
      refuse(*value, "utilization clamps cannot be represented");
  }
  if (const Json* nodes = item.find("nodes_membind")) {
    approximate(*nodes, "left out: memory nodes make no difference here");
  }
  const Json* group = item.find("taskgroup");
  if (group == nullptr) return;
  if (group->is(JsonKind::object)) {
    refuse(*group, "an object is scxsim's dialect; rt-app takes a string");
  } else if (!is_a(*group, JsonKind::string) || group->text.empty() || group->text == "/") {
    return;  // refused, or the root group
  } else if (!group->text.starts_with('/')) {
    refuse(*group, json_shown(group->text) + " does not begin with /");
  } else if (policy == RtPolicy::fifo || policy == RtPolicy::rr) {
    refuse(*group, "rt-app takes no task group for a real-time task");
  } else {
    approximate(*group,
                "the group " + json_shown(group->text) +
                    " is flat: its tasks share the CPU as if in the root group");
  }
}

void RtappReader::phase(const Json& item, TaskDef& def, RtPolicy& current) {
  if (!is_a(item, JsonKind::object)) return;
  Phase out;
  out.name = free_name(item, phase_names_);
  const std::string task_scope = scope_;
  scope_ = " (task " + json_shown(def.name) + ", phase " + json_shown(out.name) + ")";
  settings_given_twice(item, false);
  phase_policy(item, def, out, current);
  deadline_keys(item, nullptr);
  other_settings(item, current);
  if (const Json* loop = item.find("loop")) out.loop = loops(*loop).value_or(1);
  if (const Json* list = item.find("cpus")) out.cpus = cpus(*list);
  bool events = false;
  for (const Json& pair : item.items) {
    const std::optional<RtappEvent> kind = rtapp_event(pair.key);
    events = events || kind.has_value();
    if (!odd_key(pair, KeyPlace::phase) && kind) event(pair, *kind, def, out);
  }
  if (!events) refuse(item, "the phase has no event");
  scope_ = task_scope;
  def.phases.push_back(std::move(out));
}

void RtappReader::task_settings(const Json& item, TaskDef& def, RtPolicy& policy) {
  settings_given_twice(item, false);
  task_policy(item, def, policy);
  deadline_keys(item, &def);
  other_settings(item, policy);
  if (const Json* instance = item.find("instance")) {
    const std::int64_t count = c_int(*instance).value_or(1);
    if (count < 0 || count > 100'000) {
      refuse(*instance, std::to_string(count) + " is outside [0, 100000]");
    } else {
      def.instances = static_cast<int>(count);
    }
  }
  if (const Json* delay = item.find("delay")) def.delay = micros(*delay).value_or(Duration{});
  const std::size_t index = out_.workload.tasks.size();
  if (wants_slots_)
    slots_.emplace(std::array<std::string, 3>{def.name, "", "delay"}, Slot{index, 0, delay_slot});
  if (wants_slots_ && def.slice) {
    slots_.emplace(std::array<std::string, 3>{def.name, "", "dl-runtime"},
                   Slot{index, 0, slice_slot});
  }
  if (const Json* loop = item.find("loop")) def.loop = loops(*loop).value_or(-1);
  if (const Json* list = item.find("cpus")) def.cpus = cpus(*list);
}

void RtappReader::task(const Json& item) {
  TaskDef def;
  def.name = free_name(item, task_names_);
  phase_names_ = {};
  scope_ = " (task " + json_shown(def.name) + ")";
  if (is_a(item, JsonKind::object)) {
    RtPolicy policy = RtPolicy::other;
    task_settings(item, def, policy);
    const Json* phases = item.find("phases");
    if (phases != nullptr && phases->is(JsonKind::null)) phases = nullptr;
    Phase inline_events;
    bool events = false;
    for (const Json& pair : item.items) {
      const std::optional<RtappEvent> kind = rtapp_event(pair.key);
      if (odd_key(pair, KeyPlace::task)) {
        events = events || kind.has_value();
      } else if (kind && phases != nullptr) {
        note(pair, "ignored, by rt-app too: an event beside \"phases\"");
      } else if (kind) {
        events = true;
        if (pair.key == "runtime") {
          note(pair,
               "rt-app also takes this for a request of a slice; call the event runtime1 to avoid "
               "that");
        }
        event(pair, *kind, def, inline_events);
      }
    }
    if (phases == nullptr) {
      if (!events) refuse(item, "the task has no event");
      def.phases.push_back(std::move(inline_events));
    } else if (is_a(*phases, JsonKind::object)) {
      if (phases->items.empty()) refuse(*phases, "the task has no phase");
      for (const Json& one : phases->items) phase(one, def, policy);
    }
  }
  scope_.clear();
  out_.workload.tasks.push_back(std::move(def));
}

}  // namespace fw::input
