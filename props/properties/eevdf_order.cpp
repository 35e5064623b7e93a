// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_order.h"

#include <algorithm>

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfOrder final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      const CpuView& queue = m.after.cpus[c];
      const TaskView* previous = nullptr;
      for (const TaskId id : queue.queue) {
        const TaskView* task = eevdf::find(m.after, id);
        if (task == nullptr) return std::nullopt;  // task_conservation's
        if (previous != nullptr) {
          if (auto bad = follows(m, *previous, *task)) return bad;
        }
        previous = task;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<Violation> follows(const Moment& m, const TaskView& first, const TaskView& second) {
    const std::int64_t gap = exact::ahead(key(second), key(first));
    if (gap < 0) {
      return told("order", second, fmt::format("stands {} vns behind its place", -gap));
    }
    if (gap > 0) return std::nullopt;
    reach();
    if (came(m, first) && !came(m, second)) {
      return told(
          "fifo", second, fmt::format("was passed by task {} of equal key", first.id.value));
    }
    const auto& was = m.before.cpus[static_cast<std::size_t>(first.cpu.value)].queue;
    const auto a = std::find(was.begin(), was.end(), first.id);
    const auto b = std::find(was.begin(), was.end(), second.id);
    if (a != was.end() && b != was.end() && b < a && !came(m, first)) {
      return told("swap", second, fmt::format("changed places with task {}", first.id.value));
    }
    return std::nullopt;
  }

  std::uint64_t key(const TaskView& task) const {
    return eevdf::get(task,
                      rules().since(eevdf::Profile::e612) ? eevdf::deadline : eevdf::vruntime);
  }

  /// Entered the tree at this stimulus; a delayed sleeper has been there all the time.
  static bool came(const Moment& m, const TaskView& task) {
    const TaskView* was = eevdf::find(m.before, task.id);
    return was == nullptr || was->cpu != task.cpu ||
           (was->state != TaskState::queued && !eevdf::is_delayed(*was));
  }

  static std::optional<Violation> told(const char* kind,
                                       const TaskView& task,
                                       const std::string& what) {
    return eevdf::violation(
        kind, task.id, fmt::format("on CPU {} task {} {}", task.cpu.value, task.id.value, what));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_order() { return std::make_unique<EevdfOrder>(); }

}  // namespace fw::props
