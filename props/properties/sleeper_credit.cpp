// SPDX-License-Identifier: Apache-2.0
#include "props/properties/sleeper_credit.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class SleeperCredit final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (!cfs::is_wakeup(m.stimulus.kind)) return std::nullopt;
    const TaskView* slept = cfs::find(m.before, m.stimulus.task);
    const TaskView* woken = cfs::find(m.after, m.stimulus.task);
    if (slept == nullptr || woken == nullptr || slept->state != TaskState::blocked) {
      return std::nullopt;
    }
    // Woken at the instant at which it fell asleep, before its CPU has switched.
    if (cfs::cpu_of(m.before, slept->cpu).curr == slept->id) return std::nullopt;
    const std::uint64_t carried = cfs::vr(*slept) - cfs::min_of(cfs::cpu_of(m.before, slept->cpu)) +
                                  cfs::min_of(cfs::cpu_of(m.before, woken->cpu));
    const cfs::Charge charge = cfs::charge_of(m.before, woken->cpu, rules().clock_at(m.stimulus.t));
    const std::uint64_t floor = charge.min - rules().credit_ns();
    const std::uint64_t wanted = exact::later(carried, floor);
    if (wanted != carried) reach();
    const std::uint64_t is = cfs::vr(*woken);
    if (is == wanted) return std::nullopt;
    const bool back = exact::ahead(is, carried) < 0;
    const bool rich = exact::ahead(is, floor) < 0;
    return cfs::violation(back   ? "moved_back"
                          : rich ? "credit"
                                 : "placement",
                          woken->id,
                          fmt::format("wakeup of task {}: placed {} vns from the queue's minimum, "
                                      "the rule gives {} (slept at {}, credit {})",
                                      woken->id.value,
                                      exact::ahead(is, charge.min),
                                      exact::ahead(wanted, charge.min),
                                      exact::ahead(carried, charge.min),
                                      rules().credit_ns()));
  }
};

}  // namespace

std::unique_ptr<Checker> make_sleeper_credit() { return std::make_unique<SleeperCredit>(); }

}  // namespace fw::props
