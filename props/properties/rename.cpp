// SPDX-License-Identifier: Apache-2.0
#include "props/properties/rename.h"

#include <iterator>
#include <map>

#include "props/properties/same_decisions.h"

namespace fw::props {
namespace {

/// Gives tasks, locks and other shared objects new names whose alphabetical order is the reverse.
/// The order of definition, and with it every task id, stays.
class Rename final : public SameDecisions {
 public:
  std::optional<Setup> variant(const Setup& setup, std::uint64_t salt) override {
    (void)salt;
    std::map<std::string, std::string> tasks;
    std::map<std::string, std::string> refs;
    for (const TaskDef& task : setup.workload.tasks) {
      tasks.emplace(task.name, "");
      for (const Phase& phase : task.phases) {
        for (const Op& op : phase.ops) {
          if (!op.ref.empty()) (names_task(op.kind) ? tasks : refs).emplace(op.ref, "");
          if (!op.mutex.empty()) refs.emplace(op.mutex, "");
        }
      }
    }
    number(tasks, "task");
    number(refs, "ref");

    Setup out = setup;
    for (TaskDef& task : out.workload.tasks) {
      task.name = tasks[task.name];
      for (Phase& phase : task.phases) {
        for (Op& op : phase.ops) {
          if (!op.ref.empty()) op.ref = (names_task(op.kind) ? tasks : refs)[op.ref];
          if (!op.mutex.empty()) op.mutex = refs[op.mutex];
        }
      }
    }
    out.workload.threads.clear();
    for (const std::string& name : setup.workload.threads) {
      if (tasks.count(name) != 0) out.workload.threads.insert(tasks[name]);
    }
    out.workload.spinlocks.clear();
    for (const std::string& name : setup.workload.spinlocks) {
      if (refs.count(name) != 0) out.workload.spinlocks.insert(refs[name]);
    }
    out.workload.labels.clear();
    for (const auto& [name, label] : setup.workload.labels) {
      if (tasks.count(name) != 0) out.workload.labels[tasks[name]] = label;
    }
    return out;
  }

 private:
  static bool names_task(OpKind kind) { return kind == OpKind::fork || kind == OpKind::resume; }

  /// New names in reverse order; `unique...` refs are private to an instance and must stay so.
  static void number(std::map<std::string, std::string>& names, const std::string& stem) {
    auto place = static_cast<std::ptrdiff_t>(names.size());
    for (auto& [name, renamed] : names) {
      const std::string prefix = name.rfind("unique", 0) == 0 ? "unique" : "";
      renamed = fmt::format("{}{}{:06}", prefix, stem, place--);
    }
  }
};

}  // namespace

std::unique_ptr<Relation> make_rename() { return std::make_unique<Rename>(); }

}  // namespace fw::props
