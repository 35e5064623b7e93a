// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_hint.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfHint final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      const std::int64_t hint = m.after.cpus[c].ints[eevdf::next];
      if (hint < 0) continue;
      const TaskView* task = eevdf::find(m.after, TaskId{static_cast<std::int32_t>(hint)});
      if (task == nullptr || task->state != TaskState::queued ||
          task->cpu.value != static_cast<std::int32_t>(c)) {
        return told("stale", hint, c, "does not wait there");
      }
      reach();
      if (hint == m.before.cpus[c].ints[eevdf::next]) continue;
      const bool wakes =
          eevdf::is_wakeup(m.stimulus.kind) || m.stimulus.kind == StimulusKind::affinity;
      if (!rules().next_buddy || !wakes || m.stimulus.task != task->id ||
          eevdf::idle_policy(*task)) {
        return told("set", hint, c, "did not just wake there, or may not be named");
      }
    }
    return std::nullopt;
  }

 private:
  static std::optional<Violation> told(const char* kind,
                                       std::int64_t task,
                                       std::size_t cpu,
                                       const char* what) {
    return eevdf::violation(
        kind,
        TaskId{static_cast<std::int32_t>(task)},
        fmt::format("the hint of CPU {} names task {}, which {}", cpu, task, what));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_hint() { return std::make_unique<EevdfHint>(); }

}  // namespace fw::props
