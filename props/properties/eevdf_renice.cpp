// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_renice.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfRenice final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::renice) return std::nullopt;
    const TaskView* was = eevdf::find(m.before, m.stimulus.task);
    const TaskView* is = eevdf::find(m.after, m.stimulus.task);
    if (was == nullptr || is == nullptr) return std::nullopt;
    eevdf::Book& all = charged_book(m, m.stimulus.cpu);
    const eevdf::Entry* found = all.find(was->id);
    if (found == nullptr) return std::nullopt;
    const eevdf::Entry old = *found;
    const std::int64_t lag = all.clamped_lag(rules(), old);
    const std::int64_t scaled = eevdf::rescaled(lag, was->weight, is->weight);
    std::uint64_t place = base_when_alone(all, old);
    all.remove(was->id);
    if (!all.entries.empty()) {
      if (lag != 0 && was->weight != is->weight) reach();
      place = all.average();
      if (rules().place_lag) {
        place -= static_cast<std::uint64_t>(
            eevdf::rescaled(scaled, all.weight() + is->weight, all.weight()));
      }
    }
    const std::uint64_t due = place + span(old, *was, *is);
    if (is->ints[eevdf::vlag] == scaled && eevdf::get(*is, eevdf::vruntime) == place &&
        eevdf::get(*is, eevdf::deadline) == due) {
      return std::nullopt;
    }
    return eevdf::violation(
        "reweight",
        is->id,
        fmt::format("task {} goes from weight {} to {}: lag {}, v {}, deadline {}; "
                    "the rule gives {}, {}, {}",
                    is->id.value,
                    was->weight,
                    is->weight,
                    is->ints[eevdf::vlag],
                    is->ints[eevdf::vruntime],
                    is->ints[eevdf::deadline],
                    scaled,
                    eevdf::wide(place),
                    eevdf::wide(due)));
  }

 private:
  /// V of the queue that is left when nobody else is on it.
  std::uint64_t base_when_alone(const eevdf::Book& all, const eevdf::Entry& entry) const {
    if (rules().reference == eevdf::Reference::zero_at_use) return entry.vruntime;
    if (rules().reference == eevdf::Reference::zero || all.delta == 0) return all.base;
    return exact::later(all.base, entry.vruntime);
  }

  std::uint64_t span(const eevdf::Entry& old, const TaskView& was, const TaskView& is) const {
    const std::int64_t rest = exact::ahead(old.deadline, old.vruntime);
    if (rules().reweight == eevdf::Reweight::e66 || !rules().place_rel_deadline) {
      return rules().vdelta(old.slice, eevdf::row_of(is));
    }
    if (rules().reweight == eevdf::Reweight::e612) return static_cast<std::uint64_t>(rest);
    return static_cast<std::uint64_t>(eevdf::rescaled(rest, was.weight, is.weight));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_renice() { return std::make_unique<EevdfRenice>(); }

}  // namespace fw::props
