// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_lag_bound.h"

#include "props/properties/eevdf_closed.h"
#include "props/properties/tightest.h"

namespace fw::props {
namespace {

class LagBound final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const StimulusKind kind = m.stimulus.kind;
    if (kind != StimulusKind::tick && kind != StimulusKind::schedule) return std::nullopt;
    eevdf::Book& all = book(m.after, m.stimulus.cpu);
    if (all.entries.size() < 2) return std::nullopt;
    const std::uint64_t average = all.average();
    for (const eevdf::Entry& entry : all.entries) {
      const auto lag = static_cast<std::int64_t>(
          static_cast<eevdf::Exact>(exact::ahead(average, entry.vruntime)) *
          static_cast<eevdf::Exact>(entry.weight) / 1024);
      const eevdf::LagBounds bounds = eevdf::lag_bounds(rules(), all, entry);
      const std::int64_t size = lag < 0 ? -lag : lag;
      const std::int64_t bound = lag < 0 ? bounds.ahead : bounds.behind;
      reach();
      tightest_.note(size, bound);
      if (size <= bound) continue;
      return eevdf::violation(lag < 0 ? "ahead" : "behind",
                              entry.task->id,
                              fmt::format("task {} is {} ns {} its share of CPU {}; bound {}",
                                          entry.task->id.value,
                                          size,
                                          lag < 0 ? "ahead of" : "behind",
                                          m.stimulus.cpu.value,
                                          bound));
    }
    return std::nullopt;
  }

  std::optional<Extreme> extreme() const override { return tightest_.extreme("ns"); }

 private:
  bool in_scope(const Setup& setup) override { return eevdf::closed_sets(setup, rules()); }

  Tightest tightest_;
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_lag_bound() { return std::make_unique<LagBound>(); }

}  // namespace fw::props
