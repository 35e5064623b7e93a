// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_parity.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class Parity final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::schedule) return std::nullopt;
    const CpuView& queue = eevdf::cpu_of(m.before, m.stimulus.cpu);
    if (queue.ints[eevdf::next] >= 0) return std::nullopt;  // the hint comes first
    eevdf::Book& all = charged_book(m, m.stimulus.cpu);
    const eevdf::Entry* runs = all.current();
    if (runs == nullptr || runs->delayed || !all.eligible(runs->vruntime)) return std::nullopt;
    bool earlier = false;
    bool asleep = false;
    for (const eevdf::Entry& entry : all.entries) {
      earlier = earlier ||
                (exact::ahead(entry.deadline, runs->deadline) < 0 && all.eligible(entry.vruntime));
      asleep = asleep || entry.delayed;
    }
    if (!earlier) return std::nullopt;
    const TaskId picked = eevdf::cpu_of(m.after, m.stimulus.cpu).curr;
    const bool kept = picked == runs->task->id;
    if (all.is_protected(rules(), *runs)) {
      reach();
      if (kept) return std::nullopt;
      return eevdf::violation(
          "taken",
          runs->task->id,
          fmt::format("task {} lost the CPU to task {} within its protection (v {}, until {})",
                      runs->task->id.value,
                      picked.value,
                      eevdf::wide(runs->vruntime),
                      eevdf::wide(runs->protection)));
    }
    // A delayed sleeper that goes may take the others' eligibility with it.
    if (!kept || asleep) return std::nullopt;
    return eevdf::violation(
        "kept",
        picked,
        fmt::format("task {} keeps the CPU without protection before an earlier "
                    "eligible deadline",
                    picked.value));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_parity() { return std::make_unique<Parity>(); }

}  // namespace fw::props
