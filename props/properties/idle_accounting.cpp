// SPDX-License-Identifier: Apache-2.0
#include "props/properties/idle_accounting.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class IdleAccounting final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const StimulusKind kind = m.stimulus.kind;
    if (kind == StimulusKind::tick || kind == StimulusKind::idle_tick) return std::nullopt;
    const TaskView* woken = cfs::is_wakeup(kind) ? cfs::find(m.after, m.stimulus.task) : nullptr;
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      const CpuView& was = m.before.cpus[c];
      const CpuView& is = m.after.cpus[c];
      const bool target = woken != nullptr && woken->cpu.value == static_cast<int>(c);
      const std::uint64_t stamp = cfs::get(was, cfs::idle_stamp);
      std::uint64_t average = cfs::get(was, cfs::avg_idle);
      std::uint64_t wanted_stamp = stamp;
      if (target && stamp != 0) {
        reach();
        average = ended(average, rules().clock_at(m.stimulus.t) - stamp);
        wanted_stamp = 0;
      }
      if (cfs::get(is, cfs::avg_idle) != average) {
        return told("avg_idle", c, cfs::get(is, cfs::avg_idle), average);
      }
      // A CPU that runs dry is stamped before it tries to pull; a pull takes the stamp back, and so
      // does an SMT level that finds the sibling busy (which the View does not show).
      if (kind == StimulusKind::schedule && m.stimulus.cpu.value == static_cast<int>(c) &&
          was.nr_running == 0) {
        wanted_stamp = is.curr.idle() ? rules().clock_at(m.stimulus.t) : 0;
      }
      const std::uint64_t got = cfs::get(is, cfs::idle_stamp);
      const bool taken_back = smt_ && kind == StimulusKind::schedule && got == 0;
      if (got != wanted_stamp && !taken_back) return told("idle_stamp", c, got, wanted_stamp);
    }
    return std::nullopt;
  }

 private:
  bool in_scope(const Setup& setup) override {
    for (const TopologyLevel& level : setup.topology.levels) {
      smt_ = smt_ || level.kind == LevelKind::smt;
    }
    return setup.topology.cpus > 1 && setup.balance && rules().migration_cost_ns >= 0;
  }

  /// The average after an idle period of that length, capped at twice the migration cost.
  std::uint64_t ended(std::uint64_t average, std::uint64_t length) const {
    const std::uint64_t cap = 2 * static_cast<std::uint64_t>(rules().migration_cost_ns);
    if (static_cast<std::int64_t>(length) > static_cast<std::int64_t>(cap)) return cap;
    return average + static_cast<std::uint64_t>(exact::ahead(length, average) >> 3);
  }

  bool smt_ = false;  ///< some core has several hardware threads

  static std::optional<Violation> told(const char* kind,
                                       std::size_t cpu,
                                       std::uint64_t is,
                                       std::uint64_t wanted) {
    return cfs::violation(
        kind,
        idle_task,
        fmt::format("{} of CPU {} is {}, the rule gives {}", kind, cpu, is, wanted));
  }
};

}  // namespace

std::unique_ptr<Checker> make_idle_accounting() { return std::make_unique<IdleAccounting>(); }

}  // namespace fw::props
