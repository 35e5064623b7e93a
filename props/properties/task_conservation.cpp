// SPDX-License-Identifier: Apache-2.0
#include "props/properties/task_conservation.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class TaskConservation final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick && m.decisions.empty()) return std::nullopt;
    if (m.stimulus.kind == StimulusKind::exit) exited_ = m.stimulus.task;
    std::size_t waiting = 0;
    if (auto bad = cpus(m.after, waiting)) return bad;
    if (auto bad = tasks(m.after, waiting)) return bad;
    if (auto bad = picked(m)) return bad;
    return ids(m);
  }

 private:
  std::optional<Violation> cpus(const View& view, std::size_t& waiting) {
    if (seen_.size() < view.tasks.size()) seen_.resize(view.tasks.size());
    ++round_;
    for (std::size_t c = 0; c < view.cpus.size(); ++c) {
      const CpuView& cpu = view.cpus[c];
      const TaskView* curr = cfs::find(view, cpu.curr);
      if (!cpu.curr.idle() && curr == nullptr && cpu.curr != exited_) {
        return at("ghost_current", cpu.curr, c, "is current but not alive");
      }
      if (curr != nullptr && curr->state == TaskState::queued) {
        return at("current_queued", cpu.curr, c, "is current and queued at once");
      }
      for (const TaskId id : cpu.queue) {
        const TaskView* task = cfs::find(view, id);
        if (task == nullptr) return at("ghost_queued", id, c, "is queued but not alive");
        if (task->state != TaskState::queued)
          return at("queued", id, c, "is queued but not waiting");
        if (task->cpu.value != static_cast<std::int32_t>(c)) {
          return at("elsewhere", id, c, "is queued here but belongs to another CPU");
        }
        std::uint32_t& seen = seen_[static_cast<std::size_t>(task - view.tasks.data())];
        if (seen == round_) return at("twice", id, c, "is queued twice");
        seen = round_;
        ++waiting;
      }
    }
    return std::nullopt;
  }

  /// What a schedule pass has put on its CPU is awake and alive.
  static std::optional<Violation> picked(const Moment& m) {
    if (m.stimulus.kind != StimulusKind::schedule) return std::nullopt;
    const TaskId id = cfs::cpu_of(m.after, m.stimulus.cpu).curr;
    if (id.idle() || cfs::running_on(m.after, m.stimulus.cpu) != nullptr) return std::nullopt;
    return at("picked_gone",
              id,
              static_cast<std::size_t>(m.stimulus.cpu.value),
              "was picked but is asleep, gone or elsewhere");
  }

  std::optional<Violation> tasks(const View& view, std::size_t waiting) {
    std::size_t queued = 0;
    std::size_t active = 0;
    for (const TaskView& task : view.tasks) {
      queued += task.state == TaskState::queued;
      active += task.state != TaskState::blocked;
      if (task.state == TaskState::running && cfs::cpu_of(view, task.cpu).curr != task.id) {
        return at("not_current",
                  task.id,
                  static_cast<std::size_t>(task.cpu.value),
                  "runs but is not its CPU's current");
      }
    }
    if (active >= 2) reach();
    if (queued == waiting) return std::nullopt;
    return cfs::violation(
        "lost", idle_task, fmt::format("{} tasks wait, but the queues hold {}", queued, waiting));
  }

  /// Tasks come by fork or start and go by exit, and by nothing else.
  std::optional<Violation> ids(const Moment& m) const {
    const auto& old_tasks = m.before.tasks;
    const auto& new_tasks = m.after.tasks;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < old_tasks.size() || j < new_tasks.size()) {
      if (i < old_tasks.size() && j < new_tasks.size() && old_tasks[i].id == new_tasks[j].id) {
        ++i;
        ++j;
      } else if (j == new_tasks.size() ||
                 (i < old_tasks.size() && old_tasks[i].id < new_tasks[j].id)) {
        const TaskId gone = old_tasks[i++].id;
        if (gone != exited_) {
          return cfs::violation(
              "vanished", gone, fmt::format("task {} is gone without an exit", gone.value));
        }
      } else {
        const TaskId came = new_tasks[j++].id;
        if (!cfs::brings_task(m.stimulus.kind)) {
          return cfs::violation(
              "appeared", came, fmt::format("task {} appeared without a fork", came.value));
        }
      }
    }
    return std::nullopt;
  }

  static std::optional<Violation> at(const char* kind,
                                     TaskId id,
                                     std::size_t cpu,
                                     const char* what) {
    return cfs::violation(kind, id, fmt::format("task {} {} (CPU {})", id.value, what, cpu));
  }

  TaskId exited_;
  std::vector<std::uint32_t> seen_;  ///< by place in the View: the round it was last seen queued
  std::uint32_t round_ = 0;
};

}  // namespace

std::unique_ptr<Checker> make_task_conservation() { return std::make_unique<TaskConservation>(); }

}  // namespace fw::props
