// SPDX-License-Identifier: Apache-2.0
#include "props/properties/vruntime_spread_bounded.h"

#include "props/properties/cfs_bounds.h"
#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class VruntimeSpreadBounded final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick || left_scope()) return std::nullopt;
    if (!scope_.holds(m, rules())) {
      leave_scope();
      return std::nullopt;
    }
    if (m.after.cpus.front().nr_running < 2) return std::nullopt;
    reach();
    const TaskView* lowest = nullptr;
    const TaskView* highest = nullptr;
    for (const TaskView& task : m.after.tasks) {
      if (!cfs::runnable(task)) continue;
      if (lowest == nullptr || exact::ahead(cfs::vr(task), cfs::vr(*lowest)) < 0) lowest = &task;
      if (highest == nullptr || exact::ahead(cfs::vr(task), cfs::vr(*highest)) > 0) {
        highest = &task;
      }
    }
    if (lowest == nullptr) return std::nullopt;
    const std::int64_t spread = exact::ahead(cfs::vr(*highest), cfs::vr(*lowest));
    if (spread > worst_) worst_ = spread;
    const std::int64_t bound = bound_ + scope_.excess_vns();
    if (spread <= bound) return std::nullopt;
    return cfs::violation(
        "spread",
        lowest->id,
        fmt::format("vruntimes of tasks {} and {} lie {} vns apart; proved bound {}",
                    lowest->id.value,
                    highest->id.value,
                    spread,
                    bound));
  }

  std::optional<Extreme> extreme() const override {
    return Extreme{
        static_cast<double>(worst_), static_cast<double>(bound_ + scope_.excess_vns()), "vns"};
  }

 private:
  bool in_scope(const Setup& setup) override {
    const auto inputs = cfs::bound_inputs(setup, rules());
    if (inputs) bound_ = theorem::cfs_spread_bound(inputs->limits, inputs->mix);
    return inputs.has_value();
  }

  cfs::ScopeWatch scope_;
  std::int64_t bound_ = 0;
  std::int64_t worst_ = 0;
};

}  // namespace

std::unique_ptr<Checker> make_vruntime_spread_bounded() {
  return std::make_unique<VruntimeSpreadBounded>();
}

}  // namespace fw::props
