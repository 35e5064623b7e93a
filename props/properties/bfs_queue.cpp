// SPDX-License-Identifier: Apache-2.0
#include "props/properties/bfs_queue.h"

#include "props/properties/bfs_view.h"
#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class BfsQueue final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    std::int64_t waiting = 0;
    for (const TaskView& task : m.after.tasks) {
      const bool queued = bfs::get(task, bfs::place) > 0;
      waiting += queued;
      if (queued == (task.state == TaskState::queued)) continue;
      return cfs::violation(
          "place",
          task.id,
          fmt::format("task {} is {}in the global queue", task.id.value, queued ? "" : "not "));
    }
    for (const CpuView& cpu : m.after.cpus) {
      if (bfs::get(cpu, bfs::qnr) == waiting) continue;
      return cfs::violation(
          "qnr",
          cpu.curr,
          fmt::format("qnr is {}, but {} tasks wait", bfs::get(cpu, bfs::qnr), waiting));
    }
    if (waiting >= 2) reach();
    return order(m);
  }

 private:
  static std::optional<Violation> order(const Moment& m) {
    const TaskView* previous = nullptr;
    std::int64_t place = 0;
    for (const TaskView* task : bfs::queue_of(m.after)) {
      if (bfs::get(*task, bfs::place) != ++place) {
        return cfs::violation(
            "twice", task->id, fmt::format("place {} of the queue is not held once", place));
      }
      if (previous != nullptr && bfs::get(*previous, bfs::prio) > bfs::get(*task, bfs::prio)) {
        return cfs::violation(
            "class", task->id, fmt::format("task {} waits behind a worse class", task->id.value));
      }
      if (previous != nullptr && bfs::get(*previous, bfs::prio) == bfs::get(*task, bfs::prio) &&
          before(m, *task) < before(m, *previous)) {
        return cfs::violation("fifo",
                              previous->id,
                              fmt::format("task {} stands before task {}, which waited longer",
                                          previous->id.value,
                                          task->id.value));
      }
      previous = task;
    }
    return std::nullopt;
  }

  /// A task's place before; who did not wait then counts as last.
  static std::int64_t before(const Moment& m, const TaskView& task) {
    const TaskView* old = cfs::find(m.before, task.id);
    const std::int64_t place = old == nullptr ? 0 : bfs::get(*old, bfs::place);
    return place == 0 ? std::int64_t{1} << 40 : place;
  }
};

}  // namespace

std::unique_ptr<Checker> make_bfs_queue() { return std::make_unique<BfsQueue>(); }

}  // namespace fw::props
