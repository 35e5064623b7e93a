// SPDX-License-Identifier: Apache-2.0
#include "props/properties/renice_keeps_vruntime.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class ReniceKeepsVruntime final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::renice) return std::nullopt;
    const TaskView* was = cfs::find(m.before, m.stimulus.task);
    const TaskView* is = cfs::find(m.after, m.stimulus.task);
    if (was == nullptr || is == nullptr || was->state != TaskState::running) return std::nullopt;
    reach();
    // Charged at the old weight, and otherwise left where it was.
    const cfs::Charge charge = cfs::charge_of(m.before, was->cpu, rules().clock_at(m.stimulus.t));
    if (charge.task != was) return std::nullopt;
    if (is->state != TaskState::running || is->cpu != was->cpu) {
      return cfs::violation("state", is->id, fmt::format("renice moved task {}", is->id.value));
    }
    const std::int64_t moved = exact::ahead(cfs::vr(*is), charge.vruntime);
    if (moved == 0) return std::nullopt;
    return cfs::violation("vruntime",
                          is->id,
                          fmt::format("renice of task {} from {} to {} moved its vruntime by {}",
                                      is->id.value,
                                      was->nice,
                                      is->nice,
                                      moved));
  }
};

}  // namespace

std::unique_ptr<Checker> make_renice_keeps_vruntime() {
  return std::make_unique<ReniceKeepsVruntime>();
}

}  // namespace fw::props
