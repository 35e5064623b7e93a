// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_delayed.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class Delayed final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    for (const TaskView& is : m.after.tasks) {
      const TaskView* was = eevdf::find(m.before, is.id);
      if (eevdf::is_delayed(is) && cfs::runnable(is)) {
        return told("runnable", is, "is asleep and runnable at once");
      }
      const bool before = was != nullptr && eevdf::is_delayed(*was);
      if (before) {
        if (auto bad = still(m, *was, is)) return bad;
      } else if (eevdf::is_delayed(is) &&
                 (m.stimulus.kind != StimulusKind::block || m.stimulus.task != is.id)) {
        return told("came", is, "is delayed without having gone to sleep");
      }
    }
    return m.stimulus.kind == StimulusKind::block ? blocked(m) : std::nullopt;
  }

 private:
  std::optional<Violation> still(const Moment& m, const TaskView& was, const TaskView& is) {
    const bool woken = eevdf::is_wakeup(m.stimulus.kind) && m.stimulus.task == is.id;
    if (woken) {
      reach();
      if (!cfs::runnable(is) || is.cpu != was.cpu) return told("wake", is, "was woken elsewhere");
      return std::nullopt;
    }
    if (!eevdf::is_delayed(is)) {
      if (m.stimulus.kind == StimulusKind::schedule && m.stimulus.cpu == was.cpu) {
        return std::nullopt;
      }
      return told("went", is, "left its queue without being picked or woken");
    }
    if (was.ints == is.ints && was.weight == is.weight && was.cpu == is.cpu) return std::nullopt;
    return told("moved", is, "changed while delayed");
  }

  std::optional<Violation> blocked(const Moment& m) {
    const TaskView* is = eevdf::find(m.after, m.stimulus.task);
    if (is == nullptr) return std::nullopt;
    eevdf::Book& all = charged_book(m, m.stimulus.cpu);
    const eevdf::Entry* entry = all.find(is->id);
    if (entry == nullptr) return std::nullopt;
    const bool owes = !all.eligible(entry->vruntime);
    if (eevdf::is_delayed(*is) == (rules().delay_dequeue && owes)) return std::nullopt;
    return told("delay", *is, owes ? "owes and leaves" : "owes nothing and is delayed");
  }

  static std::optional<Violation> told(const char* kind, const TaskView& task, const char* what) {
    return eevdf::violation(kind, task.id, fmt::format("task {} {}", task.id.value, what));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_delayed() { return std::make_unique<Delayed>(); }

}  // namespace fw::props
