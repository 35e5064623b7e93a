// SPDX-License-Identifier: Apache-2.0
#include "props/properties/proportional_share.h"

#include <algorithm>

#include "props/properties/cfs_bounds.h"
#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// Compares CPU time only, never vruntime: each hog's total, divided by its weight, is what a fluid
/// queue gives all of them alike. All hogs start together at time 0, so at every instant their
/// normalized totals differ by no more than the spread bound and the rounding of their charges.
class ProportionalShare final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick || left_scope()) return std::nullopt;
    if (!scope_.holds(m, rules())) {
      leave_scope();
      return std::nullopt;
    }
    count_charge(m);
    if (m.stimulus.kind != StimulusKind::tick) return std::nullopt;
    return compare(m.after);
  }

  std::optional<Extreme> extreme() const override {
    if (worst_bound_ == 0) return std::nullopt;
    return Extreme{static_cast<double>(worst_), static_cast<double>(worst_bound_), "ns at nice 0"};
  }

 private:
  bool in_scope(const Setup& setup) override {
    const auto inputs = cfs::bound_inputs(setup, rules());
    if (!inputs) return false;
    bound_ = theorem::cfs_spread_bound(inputs->limits, inputs->mix);
    std::int32_t id = 0;
    for (const TaskDef& task : setup.workload.tasks) {
      const bool hog = task.delay.ns == 0 && task.loop < 0 && only_runs(task);
      for (int i = 0; i < task.instances; ++i, ++id) {
        if (hog) hogs_.push_back(Hog{TaskId{id}, 0});
      }
    }
    return hogs_.size() >= 2;
  }

  static bool only_runs(const TaskDef& task) {
    bool runs = false;
    for (const Phase& phase : task.phases) {
      for (const Op& op : phase.ops) {
        if (op.kind == OpKind::run && op.amount.ns > 0) {
          runs = runs || phase.loop != 0;
        } else if (op.kind != OpKind::run) {
          return false;
        }
      }
    }
    return runs;
  }

  struct Hog {
    TaskId id;
    std::int64_t excess = 0;  ///< most that its charges can have been rounded, either way, vns
  };

  void count_charge(const Moment& m) {
    const TaskView* ran = cfs::running_on(m.before, CpuId{0});
    if (ran == nullptr) return;
    const TaskView* is = cfs::find(m.after, ran->id);
    if (is == nullptr || is->sum_exec_ns == ran->sum_exec_ns) return;
    for (Hog& hog : hogs_) {
      if (hog.id != ran->id) continue;
      hog.excess += theorem::cfs_charge_excess(
          cfs::row_of(*ran).weight, static_cast<std::int64_t>(is->sum_exec_ns - ran->sum_exec_ns));
      return;
    }
  }

  /// CPU time over weight, in virtual ns; whole seconds first, so that nothing overflows.
  static std::int64_t normalized(const TaskView& task) {
    const exact::WeightRow& row = cfs::row_of(task);
    const std::uint64_t step = std::uint64_t{1} << 22;
    return static_cast<std::int64_t>(task.sum_exec_ns / step * row.inverse +
                                     task.sum_exec_ns % step * row.inverse / step);
  }

  std::optional<Violation> compare(const View& view) {
    const Hog* least = nullptr;
    const Hog* most = nullptr;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::int64_t slack = 0;
    for (const Hog& hog : hogs_) {
      const TaskView* task = cfs::find(view, hog.id);
      // A hog that has not started yet, or was found blocked: another property's matter.
      if (task == nullptr || !cfs::runnable(*task)) return std::nullopt;
      const std::int64_t service = normalized(*task);
      slack = std::max(slack, hog.excess);
      if (least == nullptr || service < low) {
        least = &hog;
        low = service;
      }
      if (most == nullptr || service > high) {
        most = &hog;
        high = service;
      }
    }
    reach();
    const std::int64_t bound = bound_ + scope_.excess_vns() + 2 * slack + 2;
    if (high - low > worst_) worst_ = high - low;
    worst_bound_ = std::max(worst_bound_, bound);
    if (high - low <= bound) return std::nullopt;
    return cfs::violation(
        "share",
        least->id,
        fmt::format("task {} is {} ns (at nice 0) behind task {} in its share; bound "
                    "{}",
                    least->id.value,
                    high - low,
                    most->id.value,
                    bound));
  }

  cfs::ScopeWatch scope_;
  std::vector<Hog> hogs_;
  std::int64_t bound_ = 0;
  std::int64_t worst_ = 0;
  std::int64_t worst_bound_ = 0;
};

}  // namespace

std::unique_ptr<Checker> make_proportional_share() { return std::make_unique<ProportionalShare>(); }

}  // namespace fw::props
