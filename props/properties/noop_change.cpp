// SPDX-License-Identifier: Apache-2.0
#include "props/properties/noop_change.h"

#include <algorithm>

#include "props/properties/same_decisions.h"

namespace fw::props {
namespace {

/// Sets attributes to the value they have: a phase's priority to the task's nice, and its mask to
/// the task's mask, in tasks that never change them.
class NoopChange final : public SameDecisions {
 public:
  std::optional<Setup> variant(const Setup& setup, std::uint64_t salt) override {
    (void)salt;
    Setup out = setup;
    bool changed = false;
    for (TaskDef& task : out.workload.tasks) {
      const bool renices = std::any_of(task.phases.begin(), task.phases.end(), [](const Phase& p) {
        return p.nice.has_value();
      });
      const bool moves = std::any_of(task.phases.begin(), task.phases.end(), [](const Phase& p) {
        return p.cpus.has_value();
      });
      for (Phase& phase : task.phases) {
        if (!renices) phase.nice = task.nice;
        if (!moves && task.cpus) phase.cpus = task.cpus;
        changed = changed || !renices;
      }
    }
    if (!changed) return std::nullopt;
    return out;
  }
};

}  // namespace

std::unique_ptr<Relation> make_noop_change() { return std::make_unique<NoopChange>(); }

}  // namespace fw::props
