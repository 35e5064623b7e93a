// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_preempt_short.h"

#include "props/properties/eevdf_preemption.h"

namespace fw::props {
namespace {

class PreemptShort final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const eevdf::PreemptionTest test = eevdf::preemption_test(m, rules(), book_);
    if (!test.made || !test.decided || test.tested.idle()) return std::nullopt;
    if (test.broken) reach();
    const TaskView* tested = eevdf::find(m.after, test.tested);
    if (tested == nullptr) return std::nullopt;
    if (test.broken && !eevdf::cpu_of(m.after, test.cpu).marked) {
      return eevdf::violation(
          "waits",
          test.woken->id,
          fmt::format(
              "task {} has the shorter slice and the pick, and waits for task {}'s protection",
              test.woken->id.value,
              tested->id.value));
    }
    if (eevdf::get(*tested, eevdf::protection) == test.protection) return std::nullopt;
    return eevdf::violation(
        "protection",
        tested->id,
        fmt::format("the test of task {} leaves task {} protected until {}; the "
                    "rule gives {}",
                    test.woken->id.value,
                    tested->id.value,
                    tested->ints[eevdf::protection],
                    eevdf::wide(test.protection)));
  }

 private:
  eevdf::Book book_;
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_preempt_short() { return std::make_unique<PreemptShort>(); }

}  // namespace fw::props
