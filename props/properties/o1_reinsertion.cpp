// SPDX-License-Identifier: Apache-2.0
#include "props/properties/o1_reinsertion.h"

#include "props/properties/cfs_checker.h"
#include "props/properties/o1_view.h"

namespace fw::props {
namespace {

class O1Reinsertion final : public Checker {
 public:
  explicit O1Reinsertion(bool count_starving) : count_starving_(count_starving) {}

  bool applies(const Setup& setup) override {
    tunables_.emplace(setup);
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::tick) return std::nullopt;
    const TaskView* old = o1::ticking(m.before, m.stimulus.cpu);
    if (old == nullptr || o1::get(*old, o1::time_slice) != 1) return std::nullopt;
    const CpuView& before = cfs::cpu_of(m.before, m.stimulus.cpu);
    const CpuView& after = cfs::cpu_of(m.after, m.stimulus.cpu);
    const TaskView& task = *cfs::find(m.after, old->id);
    const std::int64_t now = tunables_->jiffies(m.stimulus.t);
    const std::int64_t since = o1::get(before, o1::expired_timestamp);
    const std::int64_t prio =
        tunables_->prio_of(task.nice, std::max<std::int64_t>(0, o1::get(*old, o1::sleep_avg) - 1));
    const bool interactive = tunables_->interactive(task.nice, prio);
    const bool starving = tunables_->starving(since, now, before.nr_running);
    const bool stays = interactive && !starving;
    if (count_starving_ ? interactive && starving : stays) reach();
    const std::int64_t array = stays ? o1::active : o1::expired;
    if (o1::get(task, o1::array) != array) {
      return cfs::violation(
          stays ? "expired" : "reinserted",
          task.id,
          fmt::format("task {} of prio {} went to the {} array: interactive {}, starving {}",
                      task.id.value,
                      prio,
                      stays ? "expired" : "active",
                      interactive,
                      starving));
    }
    const std::int64_t stamp = stays || since != 0 ? since : now;
    if (o1::get(after, o1::expired_timestamp) == stamp) return std::nullopt;
    return cfs::violation(
        "timestamp",
        task.id,
        fmt::format(
            "expired_timestamp is {}, not {}", o1::get(after, o1::expired_timestamp), stamp));
  }

 private:
  std::optional<o1::Tunables> tunables_;
  const bool count_starving_;
};

}  // namespace

std::unique_ptr<Checker> make_o1_reinsertion() { return std::make_unique<O1Reinsertion>(false); }
std::unique_ptr<Checker> make_o1_reinsertion_starving() {
  return std::make_unique<O1Reinsertion>(true);
}

}  // namespace fw::props
