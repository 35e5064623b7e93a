// SPDX-License-Identifier: Apache-2.0
#include "props/properties/pick_rule.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

struct Choice {
  const TaskView* task = nullptr;
  Why why = Why::idle;
};

class PickRule final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::schedule) return std::nullopt;
    const Decision* pick = cfs::decision(m, DecisionKind::pick);
    if (pick == nullptr) {
      return cfs::violation("no_pick", idle_task, "a schedule pass without a pick");
    }
    // A new-idle pull changes the queue in the middle of the pass.
    if (cfs::decision(m, DecisionKind::migrate) != nullptr) return std::nullopt;
    const Choice choice = by_hand(m);
    const TaskId wanted = choice.task == nullptr ? idle_task : choice.task->id;
    if (pick->task == wanted && pick->why == choice.why &&
        cfs::cpu_of(m.after, m.stimulus.cpu).curr == wanted) {
      return std::nullopt;
    }
    return cfs::violation(pick->task == wanted ? "why" : "pick",
                          wanted,
                          fmt::format("CPU {} picked task {} ({}); the rule gives task {} ({})",
                                      m.stimulus.cpu.value,
                                      pick->task.value,
                                      why_name(pick->why),
                                      wanted.value,
                                      why_name(choice.why)));
  }

 private:
  /// Every candidate is looked at, in the queue's order; the leaving task stands behind its equals.
  Choice by_hand(const Moment& m) {
    const CpuView& cpu = cfs::cpu_of(m.before, m.stimulus.cpu);
    const cfs::Charge prev =
        cfs::charge_of(m.before, m.stimulus.cpu, rules().clock_at(m.stimulus.t));
    Choice out;
    std::uint64_t left_v = 0;
    const auto consider = [&out, &left_v](const TaskView* task, std::uint64_t v) {
      if (task == nullptr) return;
      if (out.task == nullptr || exact::ahead(v, left_v) < 0) {
        out.task = task;
        left_v = v;
      }
    };
    for (const TaskId id : cpu.queue) {
      const TaskView* task = cfs::find(m.before, id);
      if (task != nullptr) consider(task, cfs::vr(*task));
    }
    consider(prev.task, prev.vruntime);
    if (out.task == nullptr) return out;
    const std::size_t count = cpu.queue.size() + (prev.task != nullptr ? 1 : 0);
    if (count >= 2) reach();
    const auto granularity = static_cast<std::int64_t>(rules().granularity(cfs::row_of(*out.task)));
    out.why = Why::leftmost;
    const std::uint64_t left = left_v;
    for (const cfs::CpuInt which : {cfs::next, cfs::last}) {
      const TaskView* buddy =
          cfs::find(m.before, TaskId{static_cast<std::int32_t>(cpu.ints[which])});
      if (buddy == nullptr || !cfs::runnable(*buddy)) continue;
      const std::uint64_t v = buddy == prev.task ? prev.vruntime : cfs::vr(*buddy);
      if (exact::ahead(v, left) > granularity) continue;
      out.task = buddy;
      out.why = which == cfs::next ? Why::next : Why::last;
    }
    if (count == 1) out.why = Why::only;
    return out;
  }
};

}  // namespace

std::unique_ptr<Checker> make_pick_rule() { return std::make_unique<PickRule>(); }

}  // namespace fw::props
