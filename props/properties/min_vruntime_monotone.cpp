// SPDX-License-Identifier: Apache-2.0
#include "props/properties/min_vruntime_monotone.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// What min_vruntime becomes when a queue is updated with these two in place.
std::uint64_t updated(
    const View& view, const CpuView& cpu, bool has_curr, std::uint64_t curr, std::uint64_t old) {
  const TaskView* left = cpu.queue.empty() ? nullptr : cfs::find(view, cpu.queue.front());
  if (!has_curr && left == nullptr) return old;
  std::uint64_t floor = has_curr ? curr : cfs::vr(*left);
  if (has_curr && left != nullptr) floor = exact::earlier(floor, cfs::vr(*left));
  return exact::later(old, floor);
}

class MinVruntimeMonotone final : public cfs::RulesChecker {
 public:
  bool applies(const Setup& setup) override {
    exact_ = cfs::RulesChecker::applies(setup);
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      const std::uint64_t was = cfs::min_of(m.before.cpus[c]);
      const std::uint64_t is = cfs::min_of(m.after.cpus[c]);
      const CpuId id{static_cast<std::int32_t>(c)};
      if (exact::ahead(is, was) < 0) {
        return told("back", m, c, fmt::format("went back by {} vns", exact::ahead(was, is)));
      }
      if (is != was) reach();
      if (!exact_ || (is == was && id != m.stimulus.cpu)) continue;
      if (auto bad = by_definition(m, id, was, is)) return bad;
    }
    return std::nullopt;
  }

 private:
  std::optional<Violation> by_definition(const Moment& m,
                                         CpuId id,
                                         std::uint64_t was,
                                         std::uint64_t is) const {
    const CpuView& before = cfs::cpu_of(m.before, id);
    const CpuView& after = cfs::cpu_of(m.after, id);
    const cfs::Charge charge = cfs::charge_of(m.before, id, rules().clock_at(m.stimulus.t));
    // Removing a waiting task updates the minimum once more, with what is left.
    const bool has_curr = charge.task != nullptr || after.curr == before.curr;
    const TaskView* curr = cfs::find(m.before, before.curr);
    const std::uint64_t curr_v =
        charge.task != nullptr ? charge.vruntime : (curr != nullptr ? cfs::vr(*curr) : 0);
    const std::uint64_t removed =
        updated(m.after, after, has_curr && curr != nullptr, curr_v, charge.min);
    const std::uint64_t put_back = updated(m.after, after, false, 0, charge.min);
    // A departing current still counts at its own dequeue, even without a charge.
    const std::uint64_t left = updated(m.before, before, curr != nullptr, curr_v, charge.min);
    const StimulusKind kind = m.stimulus.kind;
    const bool only_charged = id == m.stimulus.cpu && kind == StimulusKind::tick;
    const bool departed =
        id == m.stimulus.cpu && (kind == StimulusKind::block || kind == StimulusKind::exit);
    const bool right =
        only_charged ? is == charge.min
        : departed   ? is == left
                   : is == was || is == charge.min || is == removed || is == put_back || is == left;
    if (right || pulled_empty(m, before, id, is)) return std::nullopt;
    return told("definition",
                m,
                static_cast<std::size_t>(id.value),
                fmt::format("moved by {} vns; by its definition it moves by {}",
                            exact::ahead(is, was),
                            exact::ahead(departed ? left : charge.min, was)));
  }

  /// Several tasks pulled one after the other: the minimum stops at one that then left, too.
  static bool pulled_empty(const Moment& m, const CpuView& before, CpuId id, std::uint64_t is) {
    int pulls = 0;
    for (const Decision& d : m.decisions) pulls += d.kind == DecisionKind::migrate && d.from == id;
    if (pulls < 2) return false;
    for (const TaskId task : before.queue) {
      const TaskView* waiting = cfs::find(m.before, task);
      if (waiting != nullptr && cfs::vr(*waiting) == is) return true;
    }
    return false;
  }

  static std::optional<Violation> told(const char* kind,
                                       const Moment& m,
                                       std::size_t cpu,
                                       const std::string& what) {
    return cfs::violation(
        kind, m.stimulus.task, fmt::format("min_vruntime of CPU {} {}", cpu, what));
  }

  bool exact_ = false;
};

}  // namespace

std::unique_ptr<Checker> make_min_vruntime_monotone() {
  return std::make_unique<MinVruntimeMonotone>();
}

}  // namespace fw::props
