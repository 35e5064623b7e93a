// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_tick.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfTick final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::tick) return std::nullopt;
    const eevdf::Book& all = charged_book(m, m.stimulus.cpu);
    const bool was = eevdf::cpu_of(m.before, m.stimulus.cpu).marked;
    const bool is = eevdf::cpu_of(m.after, m.stimulus.cpu).marked;
    if (all.asks && !all.expired && !was) reach();
    if (is != (was || all.asks)) {
      return eevdf::violation(is ? "marked" : "not_marked",
                              idle_task,
                              fmt::format("the tick of CPU {} {}; {} entities are queued and {}",
                                          m.stimulus.cpu.value,
                                          is ? "marks" : "does not mark",
                                          all.entries.size(),
                                          all.expired ? "the slice is used up"
                                          : all.asks  ? "the protection has ended"
                                                      : "neither slice nor protection has ended"));
    }
    const Decision* preempt = eevdf::decision(m, DecisionKind::preempt);
    const Why why = was || !all.asks ? Why::none : all.expired ? Why::deadline : Why::protection;
    if ((preempt == nullptr ? Why::none : preempt->why) == why) return std::nullopt;
    return eevdf::violation("why",
                            idle_task,
                            fmt::format("the tick of CPU {} says `{}`; the rule gives `{}`",
                                        m.stimulus.cpu.value,
                                        why_name(preempt == nullptr ? Why::none : preempt->why),
                                        why_name(why)));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_tick() { return std::make_unique<EevdfTick>(); }

}  // namespace fw::props
