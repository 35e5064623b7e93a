// SPDX-License-Identifier: Apache-2.0
#include "props/properties/wait_bounded.h"

#include "props/properties/cfs_bounds.h"
#include "props/properties/cfs_checker.h"
#include "props/properties/tightest.h"

namespace fw::props {
namespace {

class WaitBounded final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (left_scope()) return std::nullopt;
    if (!scope_.holds(m, rules()) || !scope_.charges_count()) {
      leave_scope();
      return std::nullopt;
    }
    const std::int64_t now = m.stimulus.t.ns;
    for (const TaskView& task : m.after.tasks) {
      const auto id = static_cast<std::size_t>(task.id.value);
      if (id >= since_.size()) continue;
      if (task.state != TaskState::queued) {
        since_[id] = -1;
        continue;
      }
      // Off the queue and on again within one stimulus: picked and preempted, or newly queued.
      if (since_[id] < 0) {
        since_[id] = now;
        reach();
      }
      if (auto bad = judge(task.id, id, now)) return bad;
    }
    return std::nullopt;
  }

  std::optional<Extreme> extreme() const override { return tightest_.extreme("ns"); }

 private:
  bool in_scope(const Setup& setup) override {
    const auto inputs = cfs::bound_inputs(setup, rules());
    if (!inputs || inputs->mix.open) return false;
    const std::size_t tasks = inputs->mix.weights.size();
    bounds_.resize(tasks);
    rates_.resize(tasks);
    std::uint64_t load = 0;
    for (const std::uint64_t weight : inputs->mix.weights) load += weight;
    for (std::size_t b = 0; b < tasks; ++b) {
      const std::uint64_t own = inputs->mix.weights[b];
      // Of equal tasks one formula does.
      const auto same = std::find(inputs->mix.weights.begin(), inputs->mix.weights.end(), own) -
                        inputs->mix.weights.begin();
      const auto first = static_cast<std::size_t>(same);
      bounds_[b] =
          first < b ? bounds_[first] : theorem::cfs_wait_bound(inputs->limits, inputs->mix, b);
      rates_[b] = static_cast<std::int64_t>((load - own) * 2 * 8 / (1024 * 7) + 1);
    }
    since_.assign(tasks, -1);
    return true;
  }

  std::optional<Violation> judge(TaskId task, std::size_t id, std::int64_t now) {
    const std::int64_t wait = now - since_[id];
    // What single charges rounded up widens the budgets on both sides of the wait.
    const std::int64_t bound = bounds_[id] + scope_.excess_vns() * rates_[id];
    tightest_.note(wait, bound);
    if (wait <= bound) return std::nullopt;
    return cfs::violation(
        "starved",
        task,
        fmt::format("task {} has waited {} ns; proved bound {}", task.value, wait, bound));
  }

  cfs::ScopeWatch scope_;
  std::vector<std::int64_t> bounds_;  ///< by task id, ns
  std::vector<std::int64_t> rates_;   ///< ns of wait per vns of rounding excess
  std::vector<std::int64_t> since_;   ///< queued since, ns; -1: not queued
  Tightest tightest_;
};

}  // namespace

std::unique_ptr<Checker> make_wait_bounded() { return std::make_unique<WaitBounded>(); }

}  // namespace fw::props
