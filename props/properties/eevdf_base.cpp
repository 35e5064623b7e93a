// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_base.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class EevdfBase final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    return rules().reference == eevdf::Reference::min ? minimum(m) : average(m);
  }

 private:
  std::optional<Violation> minimum(const Moment& m) {
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      const std::int64_t step = exact::ahead(eevdf::get(m.after.cpus[c], eevdf::base_vruntime),
                                             eevdf::get(m.before.cpus[c], eevdf::base_vruntime));
      if (step < 0) return told("back", c, m.after.cpus[c].ints[eevdf::base_vruntime], 0);
    }
    if (m.stimulus.kind != StimulusKind::tick && m.stimulus.kind != StimulusKind::block) {
      return std::nullopt;
    }
    eevdf::Book& all = charged_book(m, m.stimulus.cpu);
    std::uint64_t wanted = all.delta > 0 ? exact::later(all.base, least(all)) : all.base;
    const TaskView* left = eevdf::find(m.after, m.stimulus.task);
    if (m.stimulus.kind == StimulusKind::block && left != nullptr && !eevdf::is_delayed(*left)) {
      all.remove(m.stimulus.task);
      if (!all.entries.empty()) wanted = exact::later(wanted, least(all));
    }
    const eevdf::Entry* runs = all.current();
    if (runs != nullptr && exact::ahead(runs->vruntime, wanted) > 0) reach();
    return equal(m, m.stimulus.cpu, wanted);
  }

  std::optional<Violation> average(const Moment& m) {
    if (m.stimulus.kind == StimulusKind::tick) {
      return equal(m, m.stimulus.cpu, book(m.before, m.stimulus.cpu).base);
    }
    const TaskView* task = eevdf::joiner(m);
    if (task == nullptr || task->state != TaskState::queued) return std::nullopt;
    return equal(m, task->cpu, book(m.after, task->cpu).average());
  }

  static std::uint64_t least(const eevdf::Book& all) {
    std::uint64_t out = all.entries.empty() ? all.base : all.entries.front().vruntime;
    for (const eevdf::Entry& entry : all.entries) out = exact::earlier(out, entry.vruntime);
    return out;
  }

  static std::optional<Violation> equal(const Moment& m, CpuId cpu, std::uint64_t wanted) {
    const std::uint64_t is = eevdf::get(eevdf::cpu_of(m.after, cpu), eevdf::base_vruntime);
    if (is == wanted) return std::nullopt;
    return told("base", static_cast<std::size_t>(cpu.value), eevdf::wide(is), eevdf::wide(wanted));
  }

  static std::optional<Violation> told(const char* kind,
                                       std::size_t cpu,
                                       std::int64_t is,
                                       std::int64_t wanted) {
    return eevdf::violation(
        kind,
        idle_task,
        std::string(kind) == "back"
            ? fmt::format("the minimum of CPU {} went back to {}", cpu, is)
            : fmt::format("the base of CPU {} is {}; the rule gives {}", cpu, is, wanted));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_base() { return std::make_unique<EevdfBase>(); }

}  // namespace fw::props
