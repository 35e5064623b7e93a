// SPDX-License-Identifier: Apache-2.0
#include "props/properties/migration_relative.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class MigrationRelative final : public cfs::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    switch (m.stimulus.kind) {
      case StimulusKind::balance:
      case StimulusKind::schedule:
      case StimulusKind::affinity:
        break;
      default:
        return std::nullopt;
    }
    for (const Decision& d : m.decisions) {
      if (d.kind != DecisionKind::migrate) continue;
      if (auto bad = moved(m, d)) return bad;
    }
    return std::nullopt;
  }

 private:
  bool in_scope(const Setup& setup) override { return setup.topology.cpus > 1; }

  std::optional<Violation> moved(const Moment& m, const Decision& d) {
    const TaskView* was = cfs::find(m.before, d.task);
    const TaskView* is = cfs::find(m.after, d.task);
    if (was == nullptr || is == nullptr || was->cpu != d.from || is->cpu != d.cpu) {
      return std::nullopt;
    }
    // A task that has been picked since may have been charged already; not at the same instant.
    reach();
    const cfs::Charge charge = cfs::charge_of(m.before, d.from, rules().clock_at(m.stimulus.t));
    const std::uint64_t v = charge.task == was ? charge.vruntime : cfs::vr(*was);
    // Taken off relative to a minimum between that before and after the stimulus, and put on
    // likewise; of a single move the exact values are known.
    const std::uint64_t off_low = charge.min;
    const std::uint64_t off_high = cfs::min_of(cfs::cpu_of(m.after, d.from));
    const std::uint64_t on_low = cfs::min_of(cfs::cpu_of(m.before, d.cpu));
    const std::uint64_t on_high = cfs::min_of(cfs::cpu_of(m.after, d.cpu));
    const bool single = moves_between(m, d) == 1;
    const std::uint64_t least = v - off_high + on_low;
    const std::uint64_t most = single ? least : v - off_low + on_high;
    const std::uint64_t got = cfs::vr(*is);
    if (exact::ahead(got, least) >= 0 && exact::ahead(most, got) >= 0) return std::nullopt;
    return cfs::violation(
        std::string(why_name(d.why)),
        d.task,
        fmt::format("task {} went from CPU {} to {}: {} vns from the minimum there, {} here",
                    d.task.value,
                    d.from.value,
                    d.cpu.value,
                    exact::ahead(v, off_high),
                    exact::ahead(got, on_low)));
  }

  /// Moves of this stimulus that touch either of its two queues.
  static int moves_between(const Moment& m, const Decision& d) {
    int count = 0;
    for (const Decision& other : m.decisions) {
      if (other.kind != DecisionKind::migrate) continue;
      count +=
          other.from == d.from || other.cpu == d.cpu || other.from == d.cpu || other.cpu == d.from;
    }
    return count;
  }
};

}  // namespace

std::unique_ptr<Checker> make_migration_relative() { return std::make_unique<MigrationRelative>(); }

}  // namespace fw::props
