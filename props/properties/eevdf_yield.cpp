// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_yield.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfYield final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::yield) return std::nullopt;
    const TaskView* is = eevdf::find(m.after, m.stimulus.task);
    const TaskView* was = eevdf::find(m.before, m.stimulus.task);
    if (is == nullptr || was == nullptr) return std::nullopt;
    if (!eevdf::cpu_of(m.after, m.stimulus.cpu).marked) {
      return eevdf::violation("mark", is->id, "a yield does not mark its CPU");
    }
    eevdf::Book& all = book(m.before, m.stimulus.cpu);
    std::uint64_t vruntime = eevdf::get(*was, eevdf::vruntime);
    std::uint64_t deadline = eevdf::get(*was, eevdf::deadline);
    if (all.entries.size() >= 2) {
      reach();
      all.charge(rules(), clock_of(m));
      const eevdf::Entry& runs = *all.current();
      vruntime = runs.vruntime;
      deadline = runs.deadline;
      const bool pays = !rules().yield_forfeits || all.eligible(vruntime);
      if (pays && rules().yield_forfeits) vruntime = deadline;
      if (pays) deadline += rules().vdelta(runs.slice, eevdf::row_of(*is));
    }
    if (eevdf::get(*is, eevdf::vruntime) == vruntime &&
        eevdf::get(*is, eevdf::deadline) == deadline) {
      return std::nullopt;
    }
    return eevdf::violation(
        "yield",
        is->id,
        fmt::format("task {} yields and has v {}, deadline {}; the rule gives {} "
                    "and {}",
                    is->id.value,
                    is->ints[eevdf::vruntime],
                    is->ints[eevdf::deadline],
                    eevdf::wide(vruntime),
                    eevdf::wide(deadline)));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_yield() { return std::make_unique<EevdfYield>(); }

}  // namespace fw::props
