// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_stored_lag.h"

#include <algorithm>

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class StoredLag final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const StimulusKind kind = m.stimulus.kind;
    if (kind == StimulusKind::block || kind == StimulusKind::affinity) {
      const TaskView* was = eevdf::find(m.before, m.stimulus.task);
      const TaskView* is = eevdf::find(m.after, m.stimulus.task);
      if (was == nullptr || is == nullptr) return std::nullopt;
      const bool left = kind == StimulusKind::block ? !eevdf::is_delayed(*is) : is->cpu != was->cpu;
      return left ? judge(m, *is, false) : std::nullopt;
    }
    if (kind != StimulusKind::schedule) return std::nullopt;
    const TaskView* dropped = nullptr;
    int count = 0;
    for (const TaskView& was : m.before.tasks) {
      if (!eevdf::is_delayed(was) || was.cpu != m.stimulus.cpu) continue;
      const TaskView* is = eevdf::find(m.after, was.id);
      if (is == nullptr || eevdf::is_delayed(*is)) continue;
      dropped = is;
      ++count;
    }
    // Of several the order, and so V at each, cannot be seen.
    return count == 1 ? judge(m, *dropped, rules().delay_zero) : std::nullopt;
  }

 private:
  std::optional<Violation> judge(const Moment& m, const TaskView& task, bool no_credit) {
    eevdf::Book& all = charged_book(m, m.stimulus.cpu);
    const eevdf::Entry* entry = all.find(task.id);
    if (entry == nullptr) return std::nullopt;
    std::int64_t lag = all.clamped_lag(rules(), *entry);
    if (lag != exact::ahead(all.average(), entry->vruntime)) reach();
    if (no_credit) lag = std::min<std::int64_t>(lag, 0);
    if (task.ints[eevdf::vlag] == lag) return std::nullopt;
    return eevdf::violation(
        "lag",
        task.id,
        fmt::format("task {} leaves with a stored lag of {}; V, itself counted, "
                    "and the limit give {}",
                    task.id.value,
                    task.ints[eevdf::vlag],
                    lag));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_stored_lag() { return std::make_unique<StoredLag>(); }

}  // namespace fw::props
