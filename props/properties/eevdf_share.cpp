// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_share.h"

#include "props/properties/eevdf_closed.h"
#include "props/properties/tightest.h"

namespace fw::props {
namespace {

class EevdfShare final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::tick) return std::nullopt;
    ++charges_;
    eevdf::Book& all = book(m.after, m.stimulus.cpu);
    if (all.entries.size() < 2) return std::nullopt;
    eevdf::Exact total = 0;
    for (const eevdf::Entry& entry : all.entries) {
      total += static_cast<eevdf::Exact>(entry.task->sum_exec_ns);
    }
    const auto weight = static_cast<eevdf::Exact>(all.weight());
    for (const eevdf::Entry& entry : all.entries) {
      const eevdf::Exact due = total * static_cast<eevdf::Exact>(entry.weight) / weight;
      const auto lead =
          static_cast<std::int64_t>(static_cast<eevdf::Exact>(entry.task->sum_exec_ns) - due);
      const eevdf::LagBounds bounds = eevdf::lag_bounds(rules(), all, entry);
      // Each charge rounds down by up to 1 vns, and the tables are off by up to 2^-16.
      const std::int64_t rounding =
          static_cast<std::int64_t>(total >> 15) +
          4 * charges_ * (1 + static_cast<std::int64_t>(entry.weight) / 1024);
      const std::int64_t bound = (lead < 0 ? bounds.behind : bounds.ahead) + rounding;
      const std::int64_t size = lead < 0 ? -lead : lead;
      reach();
      tightest_.note(size, bound);
      if (size <= bound) continue;
      return eevdf::violation(lead < 0 ? "less" : "more",
                              entry.task->id,
                              fmt::format("task {} has {} ns {} than its share of CPU {}; bound {}",
                                          entry.task->id.value,
                                          size,
                                          lead < 0 ? "less" : "more",
                                          m.stimulus.cpu.value,
                                          bound));
    }
    return std::nullopt;
  }

  std::optional<Extreme> extreme() const override { return tightest_.extreme("ns"); }

 private:
  bool in_scope(const Setup& setup) override { return eevdf::closed_sets(setup, rules()); }

  std::int64_t charges_ = 0;  // schedule passes between ticks charge at most once more each
  Tightest tightest_;
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_share() { return std::make_unique<EevdfShare>(); }

}  // namespace fw::props
