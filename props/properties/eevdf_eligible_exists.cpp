// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_eligible_exists.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EligibleExists final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::schedule) {
      if (auto bad = picked(m)) return bad;
    }
    const CpuId cpu = m.stimulus.cpu;
    const eevdf::Book& all = book(m.after, cpu);
    if (all.entries.empty()) return std::nullopt;
    const std::uint64_t average = eevdf::get(eevdf::cpu_of(m.after, cpu), eevdf::avg_vruntime);
    for (const eevdf::Entry& entry : all.entries) {
      if (exact::ahead(average, entry.vruntime) >= 0) return std::nullopt;
    }
    return eevdf::violation("none",
                            idle_task,
                            fmt::format("CPU {} has {} entities and V before all of them: nobody "
                                        "is eligible",
                                        cpu.value,
                                        all.entries.size()));
  }

 private:
  std::optional<Violation> picked(const Moment& m) {
    const CpuId cpu = m.stimulus.cpu;
    int runnable = 0;
    for (const TaskView& task : m.before.tasks) {
      runnable += task.cpu == cpu && cfs::runnable(task) ? 1 : 0;
    }
    if (runnable >= 2) reach();
    if (runnable == 0) return std::nullopt;
    const TaskView* runs = cfs::running_on(m.after, cpu);
    if (runs != nullptr) return std::nullopt;
    return eevdf::violation(
        "no_pick",
        idle_task,
        fmt::format("CPU {} picked nothing to run though {} tasks wait", cpu.value, runnable));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_eligible_exists() { return std::make_unique<EligibleExists>(); }

}  // namespace fw::props
