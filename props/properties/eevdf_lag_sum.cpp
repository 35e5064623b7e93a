// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_lag_sum.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class LagSum final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      const CpuId cpu{static_cast<std::int32_t>(c)};
      if (cpu != m.stimulus.cpu && m.before.cpus[c] == m.after.cpus[c]) continue;
      if (auto bad = recount(m.after, cpu)) return bad;
    }
    return std::nullopt;
  }

  std::optional<Extreme> extreme() const override {
    if (worst_weight_ == 0) return std::nullopt;
    return Extreme{worst_, static_cast<double>(worst_weight_), "weight x vns"};
  }

 private:
  std::optional<Violation> recount(const View& view, CpuId cpu) {
    const CpuView& queue = eevdf::cpu_of(view, cpu);
    const eevdf::Book& all = book(view, cpu);
    const std::uint64_t weight = all.weight();
    if (eevdf::get(queue, eevdf::nr_queued) != all.entries.size()) {
      return told("count", cpu, eevdf::get(queue, eevdf::nr_queued), all.entries.size());
    }
    if (eevdf::get(queue, eevdf::avg_load) != weight) {
      return told("weight", cpu, eevdf::get(queue, eevdf::avg_load), weight);
    }
    const auto sum = static_cast<std::uint64_t>(all.sum());
    if (eevdf::get(queue, eevdf::weighted_sum) != sum) {
      return told("sum", cpu, eevdf::get(queue, eevdf::weighted_sum), sum);
    }
    const std::uint64_t average = eevdf::get(queue, eevdf::avg_vruntime);
    if (all.entries.empty()) {
      return average == all.base ? std::nullopt : told("empty", cpu, average, all.base);
    }
    eevdf::Exact lags = 0;
    for (const eevdf::Entry& entry : all.entries) {
      lags += static_cast<eevdf::Exact>(exact::ahead(average, entry.vruntime)) *
              static_cast<eevdf::Exact>(entry.weight);
    }
    if (all.entries.size() >= 3) reach();
    const double size = static_cast<double>(lags < 0 ? -lags : lags);
    if (worst_weight_ == 0 ||
        size / static_cast<double>(weight) > worst_ / static_cast<double>(worst_weight_)) {
      worst_ = size;
      worst_weight_ = weight;
    }
    if (lags <= 0 && lags > -static_cast<eevdf::Exact>(weight)) return std::nullopt;
    return eevdf::violation("lags",
                            idle_task,
                            fmt::format("the weighted lags of CPU {} sum to {:.0f}; rounding "
                                        "allows more than {} and at most 0",
                                        cpu.value,
                                        static_cast<double>(lags),
                                        -static_cast<std::int64_t>(weight)));
  }

  static std::optional<Violation> told(const char* what,
                                       CpuId cpu,
                                       std::uint64_t kept,
                                       std::uint64_t counted) {
    return eevdf::violation(what,
                            idle_task,
                            fmt::format("CPU {} keeps {} as its {}; a recount gives {}",
                                        cpu.value,
                                        eevdf::wide(kept),
                                        what,
                                        eevdf::wide(counted)));
  }

  double worst_ = 0;
  std::uint64_t worst_weight_ = 0;
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_lag_sum() { return std::make_unique<LagSum>(); }

}  // namespace fw::props
