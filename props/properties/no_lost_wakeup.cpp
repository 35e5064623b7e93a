// SPDX-License-Identifier: Apache-2.0
#include "props/properties/no_lost_wakeup.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class NoLostWakeup final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.t > last_) {
      // Time has moved: every CPU must have acted on its mark.
      if (auto bad = settled(m.before)) return bad;
      last_ = m.stimulus.t;
    }
    if (!cfs::brings_task(m.stimulus.kind)) return std::nullopt;
    const TaskView* task = cfs::find(m.after, m.stimulus.task);
    if (task == nullptr || !cfs::runnable(*task)) {
      return cfs::violation(
          "lost",
          m.stimulus.task,
          fmt::format("task {} was woken but is not runnable", m.stimulus.task.value));
    }
    const CpuView& cpu = cfs::cpu_of(m.after, task->cpu);
    if (!cpu.curr.idle()) return std::nullopt;
    reach();
    if (cpu.marked) return std::nullopt;
    return cfs::violation("unmarked",
                          task->id,
                          fmt::format("task {} was woken on idle CPU {}, which is not marked",
                                      task->id.value,
                                      task->cpu.value));
  }

  std::optional<Violation> at_end(const View& last) override { return settled(last); }

 private:
  static std::optional<Violation> settled(const View& view) {
    for (std::size_t c = 0; c < view.cpus.size(); ++c) {
      const CpuView& cpu = view.cpus[c];
      if (!cpu.marked) continue;
      return cfs::violation(
          "mark_ignored", cpu.curr, fmt::format("CPU {} was marked but did not schedule", c));
    }
    return std::nullopt;
  }

  Instant last_{-1};
};

}  // namespace

std::unique_ptr<Checker> make_no_lost_wakeup() { return std::make_unique<NoLostWakeup>(); }

}  // namespace fw::props
