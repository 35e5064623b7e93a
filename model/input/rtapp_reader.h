// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/input/rtapp.h"
#include "model/input/rtapp_keys.h"

namespace fw::input {

/// Turns the JSON of one workload into an RtappReading; used once. Its parts: rtapp.cpp (the whole,
/// `global`), rtapp_task.cpp (tasks, phases, scheduling), rtapp_event.cpp (events),
/// rtapp_checks.cpp (what needs all tasks, "fairwitness").
class RtappReader {
 public:
  explicit RtappReader(const RtappOptions& options) : options_(options) {}
  RtappReading read(const Json& root, std::string_view file_name);

 private:
  enum class RtPolicy { other, batch, idle, fifo, rr, deadline };

  // What was found, for the user.
  void refuse(const Json& item, std::string text);
  void approximate(const Json& item, std::string text);
  void note(const Json& item, std::string text);
  void add(std::vector<Remark>& list, const Json& item, std::string text);

  // Values. Each refuses a wrong type by itself and then gives nothing.
  bool is_a(const Json& item, JsonKind kind);
  std::optional<std::int64_t> c_int(const Json& item);
  std::optional<Duration> micros(const Json& item);
  std::optional<std::int64_t> loops(const Json& item);
  std::optional<CpuSet> cpus(const Json& item);
  std::optional<std::string> name(const Json& item);

  // rtapp.cpp
  void top_level(const Json& root);
  void global(const Json& item);
  void global_text(const Json& item);
  void resources(const Json& item);
  void settings_given_twice(const Json& object, bool events_are_settings);

  // rtapp_task.cpp
  void task(const Json& item);
  void phase(const Json& item, TaskDef& def, RtPolicy& current);
  void task_settings(const Json& item, TaskDef& def, RtPolicy& policy);
  bool odd_key(const Json& item, KeyPlace place);
  std::optional<RtPolicy> policy_of(const Json* item);
  void task_policy(const Json& item, TaskDef& def, RtPolicy& policy);
  void phase_policy(const Json& item, const TaskDef& def, Phase& phase, RtPolicy& current);
  std::optional<int> nice_of(const Json* priority, RtPolicy policy);
  void deadline_keys(const Json& item, TaskDef* def);
  void other_settings(const Json& item, RtPolicy policy);
  struct NameTable {
    std::set<std::string> taken;
    std::map<std::string, int> last_suffix;
  };
  std::string free_name(const Json& item, NameTable& names);

  // rtapp_event.cpp
  void event(const Json& item, RtappEvent event, const TaskDef& def, Phase& phase);
  bool fill(const Json& item, Op& op, const TaskDef& def);
  bool fill_timer(const Json& item, Op& op);
  bool fill_wait(const Json& item, Op& op);
  void approximate_event(const Json& item, RtappEvent event, Phase& phase);

  // rtapp_checks.cpp
  void check_names();
  void check_timers();
  void fairwitness(const Json& item);
  void fairwitness_labels(const Json& item);
  void fairwitness_costs(const Json& item);
  void exact(const Json& object);
  void exact_value(const Json& item, const std::string& task, const std::string& phase);
  void fairwitness_names(const Json& item, std::set<std::string>& out, bool tasks);

  struct Mention {
    const Json* item;
    std::string scope;
    OpKind kind;
    std::string ref;
  };

  RtappOptions options_;
  RtappReading out_;
  std::string scope_;  ///< ` (task "a", phase "b")`, appended to every remark
  RtPolicy default_policy_ = RtPolicy::other;
  const Json* default_policy_item_ = nullptr;
  bool default_policy_remarked_ = false;
  const Json* pi_enabled_ = nullptr;
  bool locks_used_ = false;
  /// Where each time came from: task, phase ("" in the task itself), key. Only filled when the file
  /// has exact times.
  struct Slot {
    std::size_t task, phase, op;
  };
  static constexpr std::size_t delay_slot = SIZE_MAX;  ///< as Slot::op
  static constexpr std::size_t slice_slot = SIZE_MAX - 1;
  std::map<std::array<std::string, 3>, Slot> slots_;
  bool wants_slots_ = false;
  std::vector<Mention> mentions_;  ///< forks and resumes, checked when all tasks are known
  NameTable task_names_;
  NameTable phase_names_;  ///< of the task being read
  std::set<std::string> suspends_remarked_;
};

/// The counts of a workload's JSON, whatever its dialect and however wrong its values.
RtappCounts count_rtapp(const Json& root);

}  // namespace fw::input
