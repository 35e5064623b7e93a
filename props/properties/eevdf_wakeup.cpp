// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_wakeup.h"

#include "props/properties/eevdf_preemption.h"

namespace fw::props {
namespace {

class EevdfWakeup final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const eevdf::PreemptionTest test = eevdf::preemption_test(m, rules(), book_);
    if (!test.made || !test.decided) return std::nullopt;
    if (test.mark && !test.was_marked && !eevdf::cpu_of(m.before, test.cpu).curr.idle()) reach();
    const bool is = eevdf::cpu_of(m.after, test.cpu).marked;
    if (is == test.mark) return std::nullopt;
    return eevdf::violation(is ? "marked" : "not_marked",
                            test.woken->id,
                            fmt::format("task {} {} CPU {}; the preemption test says it {}",
                                        test.woken->id.value,
                                        is ? "marks" : "does not mark",
                                        test.cpu.value,
                                        test.mark ? "does" : "does not"));
  }

 private:
  eevdf::Book book_;
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_wakeup() { return std::make_unique<EevdfWakeup>(); }

}  // namespace fw::props
