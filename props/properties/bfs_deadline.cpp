// SPDX-License-Identifier: Apache-2.0
#include "props/properties/bfs_deadline.h"

#include "props/properties/bfs_view.h"
#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class BfsDeadline final : public Checker {
 public:
  bool applies(const Setup& setup) override {
    tunables_.emplace(setup);
    tunables_->topology = nullptr;
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    for (const TaskView& task : m.after.tasks) {
      const TaskView* old = cfs::find(m.before, task.id);
      if (old == nullptr) {
        if (auto bad = born(m, task)) return bad;
        continue;
      }
      const bool same = bfs::get(*old, bfs::deadline) == bfs::get(task, bfs::deadline);
      if (!same && cfs::is_wakeup(m.stimulus.kind)) {
        return cfs::violation(
            "woken",
            task.id,
            fmt::format("a wakeup changed the deadline of task {}", task.id.value));
      }
      if (same && bfs::get(*old, bfs::time_slice) >= bfs::get(task, bfs::time_slice)) continue;
      // Generation J: a parent gets back what its child has left.
      if (same && m.stimulus.kind == StimulusKind::exit && tunables_->gen_j) continue;
      if (auto bad = renewed(m, task)) return bad;
    }
    return std::nullopt;
  }

 private:
  std::optional<Violation> born(const Moment& m, const TaskView& child) {
    const Decision* fork = cfs::decision(m, DecisionKind::fork);
    if (fork == nullptr || fork->task != child.id) return std::nullopt;
    const TaskView* parent = cfs::find(m.before, fork->other);
    if (parent == nullptr) return std::nullopt;
    if (bfs::get(child, bfs::deadline) != bfs::get(*parent, bfs::deadline))
      return renewed(m, child);
    const std::int64_t whole = bfs::get(*parent, bfs::time_slice);
    const std::int64_t half = tunables_->gen_j ? (whole + 1) / 2 : whole / 2;
    if (bfs::get(child, bfs::time_slice) == half) return std::nullopt;
    if (bfs::get(child, bfs::time_slice) == tunables_->full_slice()) return renewed(m, child);
    return cfs::violation("half",
                          child.id,
                          fmt::format("task {} was born with a slice of {}, not {}",
                                      child.id.value,
                                      bfs::get(child, bfs::time_slice),
                                      half));
  }

  std::optional<Violation> renewed(const Moment& m, const TaskView& task) {
    const std::int64_t wanted =
        tunables_->deadline_at(m.stimulus.t, task.nice, bfs::get(task, bfs::depth));
    reach();
    if (bfs::get(task, bfs::deadline) == wanted &&
        bfs::get(task, bfs::time_slice) == tunables_->full_slice()) {
      return std::nullopt;
    }
    return cfs::violation("deadline",
                          task.id,
                          fmt::format("task {} has deadline {} and slice {}, not {} and {}",
                                      task.id.value,
                                      bfs::get(task, bfs::deadline),
                                      bfs::get(task, bfs::time_slice),
                                      wanted,
                                      tunables_->full_slice()));
  }

  std::optional<bfs::Tunables> tunables_;
};

}  // namespace

std::unique_ptr<Checker> make_bfs_deadline() { return std::make_unique<BfsDeadline>(); }

}  // namespace fw::props
