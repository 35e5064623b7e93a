// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_slice.h"

#include <algorithm>

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class SliceOfTask final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    for (const TaskView& task : m.after.tasks) {
      const std::uint64_t is = eevdf::get(task, eevdf::slice);
      const TaskView* was = eevdf::find(m.before, task.id);
      const auto id = static_cast<std::size_t>(task.id.value);
      if (id < initial_.size() ? is != initial_[id] : !allowed(is)) {
        return told(task, id < initial_.size() ? initial_[id] : rules().base_slice_ns);
      }
      if (was == nullptr) continue;
      if (eevdf::get(*was, eevdf::slice) != is) return told(task, eevdf::get(*was, eevdf::slice));
      const bool custom = is != rules().base_slice_ns;
      if (custom && was->ints[eevdf::deadline] != task.ints[eevdf::deadline]) reach();
    }
    return std::nullopt;
  }

 private:
  bool in_scope(const Setup& setup) override {
    for (const TaskDef& task : setup.workload.tasks) {
      const std::uint64_t slice = rules().granted(task.slice ? task.slice->ns : 0);
      granted_.push_back(slice);
      for (int i = 0; i < task.instances; ++i) initial_.push_back(slice);
    }
    return true;
  }

  /// Which definition a forked task comes from cannot be seen.
  bool allowed(std::uint64_t slice) const {
    return std::find(granted_.begin(), granted_.end(), slice) != granted_.end();
  }

  static std::optional<Violation> told(const TaskView& task, std::uint64_t wanted) {
    return eevdf::violation("slice",
                            task.id,
                            fmt::format("task {} has a slice of {} ns instead of {}",
                                        task.id.value,
                                        eevdf::get(task, eevdf::slice),
                                        wanted));
  }

  std::vector<std::uint64_t> initial_;  // by task id
  std::vector<std::uint64_t> granted_;
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_slice() { return std::make_unique<SliceOfTask>(); }

}  // namespace fw::props
