// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_place.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfPlace final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const TaskView* task = eevdf::joiner(m);
    if (task == nullptr) return std::nullopt;
    const exact::WeightRow& row = eevdf::row_of(*task);
    const std::uint64_t whole = rules().vdelta(eevdf::get(*task, eevdf::slice), row);
    std::uint64_t span = whole;
    if (m.stimulus.kind == StimulusKind::fork && rules().place_deadline_initial) span = whole / 2;
    if (m.stimulus.kind == StimulusKind::affinity && rules().place_rel_deadline) {
      const eevdf::Entry* left = charged_book(m, m.stimulus.cpu).find(task->id);
      if (left == nullptr) return std::nullopt;
      span = left->deadline - left->vruntime;
    }
    const eevdf::Book& others = charged_book(m, task->cpu);
    const std::int64_t stored = task->ints[eevdf::vlag];
    std::int64_t lag = 0;
    if (rules().place_lag && !others.entries.empty()) {
      lag = eevdf::rescaled(stored, others.weight() + row.weight, others.weight());
      if (stored > 0 && lag > stored) reach();
    }
    const std::uint64_t vruntime = others.average() - static_cast<std::uint64_t>(lag);
    const std::uint64_t is = eevdf::get(*task, eevdf::vruntime);
    const std::uint64_t due = eevdf::get(*task, eevdf::deadline);
    if (is == vruntime && due == vruntime + span) return std::nullopt;
    return eevdf::violation(is == vruntime ? "deadline" : "vruntime",
                            task->id,
                            fmt::format("task {} joins CPU {} with stored lag {} at v {}, deadline "
                                        "{}; the rule gives {} and {}",
                                        task->id.value,
                                        task->cpu.value,
                                        stored,
                                        eevdf::wide(is),
                                        eevdf::wide(due),
                                        eevdf::wide(vruntime),
                                        eevdf::wide(vruntime + span)));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_place() { return std::make_unique<EevdfPlace>(); }

}  // namespace fw::props
