// SPDX-License-Identifier: Apache-2.0
#include "props/properties/o1_slice.h"

#include "props/properties/cfs_checker.h"
#include "props/properties/o1_view.h"

namespace fw::props {
namespace {

class O1Slice final : public Checker {
 public:
  bool applies(const Setup& setup) override {
    tunables_.emplace(setup);
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    switch (m.stimulus.kind) {
      case StimulusKind::tick:
        return ticked(m);
      case StimulusKind::fork:
        return forked(m);
      case StimulusKind::exit:
        return exited(m);
      case StimulusKind::start:
      case StimulusKind::wake:
        return others(m, m.stimulus.task, true);
      default:
        return others(m, idle_task, false);
    }
  }

 private:
  static std::optional<Violation> differs(const char* kind,
                                          TaskId id,
                                          std::int64_t is,
                                          std::int64_t should_be) {
    if (is == should_be) return std::nullopt;
    return cfs::violation(
        kind, id, fmt::format("{} of task {} is {}, not {}", kind, id.value, is, should_be));
  }

  /// Nobody else's figures change. `slept`: only the sleep average of `except` may.
  static std::optional<Violation> others(const Moment& m, TaskId except, bool slept) {
    for (const TaskView& task : m.after.tasks) {
      const TaskView* old = cfs::find(m.before, task.id);
      if (old == nullptr || (task.id == except && !slept)) continue;
      const auto is = [&](o1::TaskInt which) { return o1::get(task, which); };
      if (auto bad = differs("slice", task.id, is(o1::time_slice), o1::get(*old, o1::time_slice)))
        return bad;
      if (task.id == except) continue;
      if (auto bad = differs("sleep_avg", task.id, is(o1::sleep_avg), o1::get(*old, o1::sleep_avg)))
        return bad;
    }
    return std::nullopt;
  }

  std::optional<Violation> ticked(const Moment& m) {
    const TaskView* old = o1::ticking(m.before, m.stimulus.cpu);
    if (old == nullptr) return others(m, idle_task, false);
    if (auto bad = others(m, old->id, false)) return bad;
    const TaskView& task = *cfs::find(m.after, old->id);
    const std::int64_t sleep = std::max<std::int64_t>(0, o1::get(*old, o1::sleep_avg) - 1);
    if (auto bad = differs("sleep_avg", task.id, o1::get(task, o1::sleep_avg), sleep)) return bad;
    const std::int64_t left = o1::get(*old, o1::time_slice) - 1;
    const bool renewed = left == 0;
    if (renewed) reach();
    const std::int64_t slice = renewed ? tunables_->slice_of(task.nice) : left;
    if (auto bad = differs("slice", task.id, o1::get(task, o1::time_slice), slice)) return bad;
    const std::int64_t prio =
        renewed ? tunables_->prio_of(task.nice, sleep) : o1::get(*old, o1::prio);
    if (auto bad = differs("prio", task.id, o1::get(task, o1::prio), prio)) return bad;
    const std::int64_t first = renewed ? 0 : o1::get(*old, o1::first_time_slice);
    return differs("first_time_slice", task.id, o1::get(task, o1::first_time_slice), first);
  }

  std::optional<Violation> forked(const Moment& m) {
    const Decision* fork = cfs::decision(m, DecisionKind::fork);
    if (fork == nullptr) return std::nullopt;
    const TaskView* old = cfs::find(m.before, fork->other);
    const TaskView* parent = cfs::find(m.after, fork->other);
    const TaskView* child = cfs::find(m.after, fork->task);
    if (old == nullptr || parent == nullptr || child == nullptr) return std::nullopt;
    if (auto bad = others(m, parent->id, false)) return bad;
    const std::int64_t before = o1::get(*old, o1::time_slice);
    const std::int64_t sleep = o1::get(*old, o1::sleep_avg);
    if (auto bad = differs("slice", child->id, o1::get(*child, o1::time_slice), (before + 1) / 2)) {
      return bad;
    }
    const std::int64_t childs = sleep * tunables_->child_penalty / 100;
    if (auto bad = differs("sleep_avg", child->id, o1::get(*child, o1::sleep_avg), childs)) {
      return bad;
    }
    // A parent left with nothing is ticked at once, if it is in the active array.
    const bool forced = before / 2 == 0 && o1::get(*old, o1::array) == o1::active;
    const std::int64_t slice = forced            ? tunables_->slice_of(parent->nice)
                               : before / 2 == 0 ? 1
                                                 : before / 2;
    if (auto bad = differs("slice", parent->id, o1::get(*parent, o1::time_slice), slice))
      return bad;
    const std::int64_t paid = forced ? std::max<std::int64_t>(0, sleep - 1) : sleep;
    return differs("sleep_avg",
                   parent->id,
                   o1::get(*parent, o1::sleep_avg),
                   paid * tunables_->parent_penalty / 100);
  }

  /// One task at most, the parent, gets something back.
  std::optional<Violation> exited(const Moment& m) {
    const TaskView* child = cfs::find(m.before, m.stimulus.task);
    TaskId parent;
    for (const TaskView& task : m.after.tasks) {
      const TaskView* old = cfs::find(m.before, task.id);
      if (old == nullptr || child == nullptr) continue;
      const std::int64_t was = o1::get(*old, o1::time_slice), is = o1::get(task, o1::time_slice);
      const std::int64_t slept = o1::get(*old, o1::sleep_avg);
      if (was == is && slept == o1::get(task, o1::sleep_avg)) continue;
      if (!parent.idle()) {
        return cfs::violation("two_parents", task.id, "an exit changed the figures of two tasks");
      }
      parent = task.id;
      const std::int64_t given =
          o1::get(*child, o1::first_time_slice) == 0
              ? was
              : std::min(was + o1::get(*child, o1::time_slice), tunables_->max_slice);
      if (auto bad = differs("slice", task.id, is, given)) return bad;
      const std::int64_t childs = o1::get(*child, o1::sleep_avg);
      const std::int64_t weight = tunables_->exit_weight;
      const std::int64_t mean = childs < slept ? (slept * weight + childs) / (weight + 1) : slept;
      if (auto bad = differs("sleep_avg", task.id, o1::get(task, o1::sleep_avg), mean)) return bad;
    }
    return std::nullopt;
  }

  std::optional<o1::Tunables> tunables_;
};

}  // namespace

std::unique_ptr<Checker> make_o1_slice() { return std::make_unique<O1Slice>(); }

}  // namespace fw::props
