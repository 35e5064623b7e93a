// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_pick.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfPick final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::schedule) return std::nullopt;
    const Decision* pick = eevdf::decision(m, DecisionKind::pick);
    if (pick == nullptr) {
      return eevdf::violation("no_pick", idle_task, "a schedule pass without a pick");
    }
    const CpuView& before = eevdf::cpu_of(m.before, m.stimulus.cpu);
    eevdf::Book& all = charged_book(m, m.stimulus.cpu);
    int delayed = 0;
    int runnable = 0;
    for (const eevdf::Entry& entry : all.entries) ++(entry.delayed ? delayed : runnable);
    const TaskId hint{static_cast<std::int32_t>(before.ints[eevdf::next])};
    int dropped = 0;
    eevdf::Choice choice = all.choose(rules(), true, hint);
    for (;; ++dropped) {
      const TaskId sleeper = first_dropped(m, all, choice);
      if (sleeper.idle()) break;
      all.remove(sleeper);
      choice = all.choose(rules(), true, hint);
    }
    return judge(m, *pick, all, choice, delayed - dropped, runnable);
  }

 private:
  /// A delayed sleeper that the rule meets first and that has gone, as the View after shows.
  static TaskId first_dropped(const Moment& m,
                              const eevdf::Book& all,
                              const eevdf::Choice& choice) {
    if (choice.entry == nullptr) return idle_task;
    if (choice.entry->delayed && gone(m, choice.entry->task->id)) return choice.entry->task->id;
    if (choice.other == nullptr) return idle_task;
    for (const eevdf::Entry& entry : all.entries) {
      if (entry.delayed && entry.deadline == choice.entry->deadline &&
          all.eligible(entry.vruntime) && gone(m, entry.task->id)) {
        return entry.task->id;
      }
    }
    return idle_task;
  }

  static bool gone(const Moment& m, TaskId id) {
    const TaskView* task = eevdf::find(m.after, id);
    return task != nullptr && !eevdf::is_delayed(*task);
  }

  std::optional<Violation> judge(const Moment& m,
                                 const Decision& pick,
                                 const eevdf::Book& all,
                                 const eevdf::Choice& choice,
                                 int still_delayed,
                                 int runnable) {
    const TaskId wanted = choice.entry == nullptr ? idle_task : choice.entry->task->id;
    const Why why = runnable == 1 && !wanted.idle() ? Why::only : choice.why;
    for (const eevdf::Entry& entry : all.entries) {
      if (choice.entry != nullptr && exact::ahead(entry.deadline, choice.entry->deadline) < 0 &&
          !all.eligible(entry.vruntime)) {
        reach();
        break;
      }
    }
    int asleep = 0;
    for (const TaskView& task : m.after.tasks) {
      asleep += task.cpu == m.stimulus.cpu && eevdf::is_delayed(task) ? 1 : 0;
    }
    if (asleep != still_delayed) {
      return eevdf::violation("drop",
                              wanted,
                              fmt::format("CPU {} has {} delayed sleepers after its pick; the rule "
                                          "leaves {}",
                                          m.stimulus.cpu.value,
                                          asleep,
                                          still_delayed));
    }
    if (pick.task == wanted && pick.why == why &&
        eevdf::cpu_of(m.after, m.stimulus.cpu).curr == wanted) {
      return std::nullopt;
    }
    return eevdf::violation(pick.task == wanted ? "why" : "pick",
                            wanted,
                            fmt::format("CPU {} picked task {} ({}); the rule gives task {} ({})",
                                        m.stimulus.cpu.value,
                                        pick.task.value,
                                        why_name(pick.why),
                                        wanted.value,
                                        why_name(why)));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_pick() { return std::make_unique<EevdfPick>(); }

}  // namespace fw::props
