// SPDX-License-Identifier: Apache-2.0
#include "props/properties/bfs_pick.h"

#include "props/properties/bfs_view.h"
#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class BfsPick final : public Checker {
 public:
  explicit BfsPick(bool count_expired) : count_expired_(count_expired) {}

  bool applies(const Setup& setup) override {
    setup_ = setup;
    tunables_.emplace(setup_);
    return !bfs::has_masks(setup) && (!count_expired_ || tunables_->gen_j);
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::schedule) return std::nullopt;
    const TaskView* former = cfs::running_on(m.before, m.stimulus.cpu);
    std::vector<const TaskView*> queue = bfs::queue_of(m.before);
    const TaskId is = cfs::cpu_of(m.after, m.stimulus.cpu).curr;
    TaskId wanted;
    if (former != nullptr && queue.empty()) {
      wanted = former->id;
    } else {
      if (former != nullptr) queue.push_back(former);
      wanted = scan(m, queue);
    }
    if (is == wanted) return std::nullopt;
    return cfs::violation(
        "pick",
        wanted,
        fmt::format("task {} was picked; a scan of the queue gives {}", is.value, wanted.value));
  }

 private:
  TaskId scan(const Moment& m, const std::vector<const TaskView*>& queue) {
    TaskId best;
    std::int64_t best_prio = 0, best_deadline = 0;
    const std::int64_t now = tunables_->jiffies(m.stimulus.t);
    if (queue.size() >= 2 && !count_expired_) reach();
    bool expired = false;
    for (const TaskView* old : queue) {
      // The pass may have renewed the deadline of the former task.
      const TaskView* task = cfs::find(m.after, old->id);
      if (task == nullptr) continue;
      const std::int64_t prio = bfs::get(*task, bfs::prio);
      if (!best.idle() && (prio > best_prio || (prio == best_prio && expired))) continue;
      const std::int64_t deadline =
          bfs::get(*task, bfs::deadline) +
          tunables_->distance(old->cpu.value, m.stimulus.cpu.value, task->nice);
      const bool better_class = !best.idle() && prio < best_prio;
      const bool passed = tunables_->gen_j && deadline < now;
      if (!best.idle() && !better_class && !passed && deadline >= best_deadline) continue;
      best = task->id;
      best_prio = prio;
      best_deadline = deadline;
      expired = passed;
    }
    if (count_expired_ && expired && queue.size() >= 2) reach();
    return best;
  }

  Setup setup_;
  std::optional<bfs::Tunables> tunables_;
  const bool count_expired_;
};

}  // namespace

std::unique_ptr<Checker> make_bfs_pick() { return std::make_unique<BfsPick>(false); }
std::unique_ptr<Checker> make_bfs_pick_expired() { return std::make_unique<BfsPick>(true); }

}  // namespace fw::props
