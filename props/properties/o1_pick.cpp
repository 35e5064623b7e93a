// SPDX-License-Identifier: Apache-2.0
#include "props/properties/o1_pick.h"

#include "props/properties/cfs_checker.h"
#include "props/properties/o1_view.h"

namespace fw::props {
namespace {

class O1Pick final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::schedule) return std::nullopt;
    if (cfs::decision(m, DecisionKind::migrate) != nullptr) return std::nullopt;
    const CpuView& before = cfs::cpu_of(m.before, m.stimulus.cpu);
    const CpuView& after = cfs::cpu_of(m.after, m.stimulus.cpu);
    const std::int64_t stamp = o1::get(after, o1::expired_timestamp);
    if (before.nr_running == 0) {
      if (after.curr.idle() && stamp == 0) return std::nullopt;
      return cfs::violation(
          "idle", after.curr, "an empty queue gave a pick or kept its time stamp");
    }
    const bool switches = o1::get(before, o1::nr_active) == 0;
    if (switches) reach();
    if (stamp != (switches ? 0 : o1::get(before, o1::expired_timestamp))) {
      return cfs::violation("timestamp", after.curr, fmt::format("expired_timestamp is {}", stamp));
    }
    const std::int64_t expired = switches ? 0 : o1::get(before, o1::nr_expired);
    if (o1::get(after, o1::nr_expired) != expired) {
      return cfs::violation("switch",
                            after.curr,
                            fmt::format("{} tasks are expired after the pass, not {}",
                                        o1::get(after, o1::nr_expired),
                                        expired));
    }
    return picked(m, before, after, switches ? o1::expired : o1::active);
  }

 private:
  static std::optional<Violation> picked(const Moment& m,
                                         const CpuView& before,
                                         const CpuView& after,
                                         std::int64_t from) {
    // The former current is in its list, too, but the View does not tell where.
    const TaskView* former = cfs::find(m.before, before.curr);
    if (former != nullptr && (former->cpu != m.stimulus.cpu || o1::get(*former, o1::array) != from))
      former = nullptr;
    const TaskView* first = nullptr;
    for (const TaskId id : before.queue) {
      const TaskView* task = cfs::find(m.before, id);
      if (task == nullptr || o1::get(*task, o1::array) != from) continue;
      if (first == nullptr || o1::get(*task, o1::prio) < o1::get(*first, o1::prio)) first = task;
    }
    const auto prio = [](const TaskView* task) {
      return task == nullptr ? std::int64_t{1000} : o1::get(*task, o1::prio);
    };
    const bool may_be_first = first != nullptr && prio(first) <= prio(former);
    const bool may_be_former = former != nullptr && prio(former) <= prio(first);
    if (may_be_first && after.curr == first->id) return std::nullopt;
    if (may_be_former && after.curr == former->id) return std::nullopt;
    return cfs::violation("pick",
                          after.curr,
                          fmt::format("task {} was picked; the best waiting one is {} of prio {}",
                                      after.curr.value,
                                      first == nullptr ? -1 : first->id.value,
                                      prio(first)));
  }
};

}  // namespace

std::unique_ptr<Checker> make_o1_pick() { return std::make_unique<O1Pick>(); }

}  // namespace fw::props
