// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_lag_kept.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class LagKept final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const TaskView* task = eevdf::joiner(m);
    if (task == nullptr || !rules().place_lag) return std::nullopt;
    const eevdf::Book& all = book(m.after, task->cpu);
    if (all.entries.size() < 2) return std::nullopt;
    const std::int64_t stored = task->ints[eevdf::vlag];
    const std::int64_t lag = exact::ahead(all.average(), eevdf::get(*task, eevdf::vruntime));
    if (stored < 0) reach();
    if (lag - stored < -2 || lag - stored > 2) {
      return eevdf::violation(
          "lag",
          task->id,
          fmt::format(
              "task {} left with lag {} and comes back with {}", task->id.value, stored, lag));
    }
    const bool eligible = all.eligible(eevdf::get(*task, eevdf::vruntime));
    if (stored < -2 && eligible) {
      return eevdf::violation(
          "forgiven", task->id, fmt::format("task {} owes and is eligible", task->id.value));
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_lag_kept() { return std::make_unique<LagKept>(); }

}  // namespace fw::props
