// SPDX-License-Identifier: Apache-2.0
#include "props/properties/tree_order.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class TreeOrder final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      if (auto bad = sorted(m, c)) return bad;
      if (m.stimulus.kind != StimulusKind::tick) {
        if (auto bad = stable(m, c)) return bad;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<Violation> sorted(const Moment& m, std::size_t c) {
    const CpuView& cpu = m.after.cpus[c];
    const std::int64_t leftmost = cpu.ints[cfs::leftmost];
    const TaskId first = cpu.queue.empty() ? idle_task : cpu.queue.front();
    if (!cfs::same_ids(leftmost, first)) {
      return told("leftmost", first, c, fmt::format("keeps {} as leftmost", leftmost));
    }
    const TaskView* previous = nullptr;
    for (const TaskId id : cpu.queue) {
      const TaskView* task = cfs::find(m.after, id);
      if (task == nullptr) return std::nullopt;  // task_conservation's
      if (previous != nullptr) {
        const std::int64_t gap = exact::ahead(cfs::vr(*task), cfs::vr(*previous));
        if (gap < 0) {
          return told("order", id, c, fmt::format("has it {} vns before its predecessor", -gap));
        }
        if (gap == 0) {
          reach();
          if (came(m, *previous, c) && !came(m, *task, c)) {
            return told("fifo", previous->id, c, "has it before an equal that waited already");
          }
        }
      }
      previous = task;
    }
    return std::nullopt;
  }

  /// Those that waited before and still wait have kept their order.
  std::optional<Violation> stable(const Moment& m, std::size_t c) const {
    const auto& was = m.before.cpus[c].queue;
    const auto& is = m.after.cpus[c].queue;
    std::size_t i = 0;
    for (const TaskId id : is) {
      if (i < was.size() && was[i] == id) {
        ++i;
        continue;
      }
      const TaskView* old = cfs::find(m.before, id);
      if (old == nullptr || !waited(*old, c)) continue;
      while (i < was.size() && was[i] != id) {
        const TaskView* passed = cfs::find(m.after, was[i]);
        if (passed != nullptr && waited(*passed, c)) {
          return told("overtaken", was[i], c, "let a waiting task pass it");
        }
        ++i;
      }
      ++i;
    }
    return std::nullopt;
  }

  static bool waited(const TaskView& task, std::size_t cpu) {
    return task.state == TaskState::queued && task.cpu.value == static_cast<std::int32_t>(cpu);
  }
  static bool came(const Moment& m, const TaskView& task, std::size_t cpu) {
    const TaskView* old = cfs::find(m.before, task.id);
    return old == nullptr || !waited(*old, cpu);
  }
  static std::optional<Violation> told(const char* kind,
                                       TaskId id,
                                       std::size_t cpu,
                                       const std::string& what) {
    return cfs::violation(
        kind, id, fmt::format("the queue of CPU {} around task {} {}", cpu, id.value, what));
  }
};

}  // namespace

std::unique_ptr<Checker> make_tree_order() { return std::make_unique<TreeOrder>(); }

}  // namespace fw::props
