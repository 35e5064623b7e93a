// SPDX-License-Identifier: Apache-2.0
#include "props/properties/buddy_pick.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class BuddyPick final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::schedule) return std::nullopt;
    const CpuView& cpu = cfs::cpu_of(m.after, m.stimulus.cpu);
    const TaskView* picked = cfs::find(m.after, cpu.curr);
    if (picked == nullptr || cpu.queue.empty()) return std::nullopt;
    const TaskView* left = cfs::find(m.after, cpu.queue.front());
    if (left == nullptr) return std::nullopt;
    const std::int64_t lead = exact::ahead(cfs::vr(*picked), cfs::vr(*left));
    if (lead <= 0) return std::nullopt;
    reach();
    const auto allowed = static_cast<std::int64_t>(rules().granularity(cfs::row_of(*left)));
    if (lead > worst_) worst_ = lead;
    if (allowed > bound_) bound_ = allowed;
    if (lead <= allowed) return std::nullopt;
    return cfs::violation("lead",
                          left->id,
                          fmt::format("task {} was picked {} vns ahead of leftmost task {}, more "
                                      "than the granularity {}",
                                      picked->id.value,
                                      lead,
                                      left->id.value,
                                      allowed));
  }

  std::optional<Extreme> extreme() const override {
    if (bound_ == 0) return std::nullopt;
    return Extreme{static_cast<double>(worst_), static_cast<double>(bound_), "vns"};
  }

 private:
  std::int64_t worst_ = 0;
  std::int64_t bound_ = 0;
};

}  // namespace

std::unique_ptr<Checker> make_buddy_pick() { return std::make_unique<BuddyPick>(); }

}  // namespace fw::props
