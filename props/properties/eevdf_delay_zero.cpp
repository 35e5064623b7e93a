// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_delay_zero.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class DelayZero final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::wake) return std::nullopt;
    const TaskView* was = eevdf::find(m.before, m.stimulus.task);
    const TaskView* is = eevdf::find(m.after, m.stimulus.task);
    if (was == nullptr || is == nullptr || !eevdf::is_delayed(*was)) return std::nullopt;
    eevdf::Book& all = book(m.before, was->cpu);  // the running one is not charged for this
    const eevdf::Entry* entry = all.find(was->id);
    if (entry == nullptr) return std::nullopt;
    std::uint64_t vruntime = entry->vruntime;
    std::uint64_t deadline = entry->deadline;
    std::int64_t lag = was->ints[eevdf::vlag];
    if (rules().delay_zero) {
      lag = all.clamped_lag(rules(), *entry);
      if (lag > 0) {
        reach();
        lag = 0;
        all.remove(was->id);
        vruntime = all.average();
        deadline = vruntime + rules().vdelta(eevdf::get(*is, eevdf::slice), eevdf::row_of(*is));
      }
    }
    if (is->ints[eevdf::vlag] == lag && eevdf::get(*is, eevdf::vruntime) == vruntime &&
        eevdf::get(*is, eevdf::deadline) == deadline) {
      return std::nullopt;
    }
    return eevdf::violation(
        "wake",
        is->id,
        fmt::format("task {} wakes from being delayed with lag {}, v {}, deadline "
                    "{}; the rule gives {}, {}, {}",
                    is->id.value,
                    is->ints[eevdf::vlag],
                    is->ints[eevdf::vruntime],
                    is->ints[eevdf::deadline],
                    lag,
                    eevdf::wide(vruntime),
                    eevdf::wide(deadline)));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_delay_zero() { return std::make_unique<DelayZero>(); }

}  // namespace fw::props
