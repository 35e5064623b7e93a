// SPDX-License-Identifier: Apache-2.0
#include "props/properties/charge.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

/// Also keeps the account of each CPU: time with a current task = time charged + time yet to be
/// charged. Its own clock is the stimuli's time, not the CPUs'.
class ChargeExact final : public Checker {
 public:
  bool applies(const Setup& setup) override {
    const cfs::Tunables rules(setup);
    exact_ = rules.restated;
    clock_base_ = rules.clock_base;
    compat_yield_ = rules.compat_yield;
    swaps_ = rules.child_runs_first;
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    const std::uint64_t now = clock_base_ + static_cast<std::uint64_t>(m.stimulus.t.ns);
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    if (busy_.empty()) busy_.resize(m.before.cpus.size());
    const std::int64_t passed = m.stimulus.t.ns - last_.ns;
    last_ = m.stimulus.t;
    for (std::size_t c = 0; c < m.before.cpus.size(); ++c) {
      const CpuId id{static_cast<std::int32_t>(c)};
      const TaskView* ran = cfs::running_on(m.before, id);
      if (ran != nullptr) busy_[c] += static_cast<std::uint64_t>(passed);
      if (auto bad = one_cpu(m, id, ran, now)) return bad;
    }
    return others(m);
  }

 private:
  std::optional<Violation> one_cpu(const Moment& m,
                                   CpuId id,
                                   const TaskView* ran,
                                   std::uint64_t now) {
    const auto c = static_cast<std::size_t>(id.value);
    const std::uint64_t spent =
        cfs::get(m.after.cpus[c], cfs::exec_clock) - cfs::get(m.before.cpus[c], cfs::exec_clock);
    if (ran == nullptr) {
      if (spent == 0) return std::nullopt;
      return told("idle_charged", idle_task, "an idle CPU charged", spent, 0);
    }
    const std::uint64_t open = now - cfs::get(*ran, cfs::exec_start);
    if (busy_[c] != open) return told("wall_time", ran->id, "open time", open, busy_[c]);
    if (spent != 0 && spent != open) {
      return told("elapsed", ran->id, "the queue's execution clock grew by", spent, open);
    }
    const TaskView* is = cfs::find(m.after, ran->id);
    if (spent == open) busy_[c] = 0;
    const StimulusKind kind = m.stimulus.kind;
    const bool here = m.stimulus.cpu == id;
    if (here && open != 0 && spent == 0 &&
        (kind == StimulusKind::tick || kind == StimulusKind::block || kind == StimulusKind::exit ||
         kind == StimulusKind::renice)) {
      return told("not_charged", ran->id, "charged", 0, open);
    }
    if (is == nullptr) return std::nullopt;
    const std::uint64_t gained = is->sum_exec_ns - ran->sum_exec_ns;
    if (gained != spent) return told("sum_exec", ran->id, "its total grew by", gained, spent);
    if (spent != 0) reach();
    return exact_ ? virtual_time(m, *ran, *is, spent) : std::nullopt;
  }

  /// While it stays on its queue, a running task's vruntime moves by its charge only.
  std::optional<Violation> virtual_time(const Moment& m,
                                        const TaskView& ran,
                                        const TaskView& is,
                                        std::uint64_t spent) const {
    const StimulusKind kind = m.stimulus.kind;
    if (is.cpu != ran.cpu || (kind == StimulusKind::fork && swaps_)) return std::nullopt;
    if (kind == StimulusKind::wake && m.stimulus.task == ran.id) return std::nullopt;
    const std::uint64_t gained = cfs::vr(is) - cfs::vr(ran);
    const bool set_back = kind == StimulusKind::yield && m.stimulus.task == ran.id &&
                          (compat_yield_ || ran.sched_class == SchedClass::batch);
    const std::uint64_t wanted =
        set_back ? yielded(m.before, ran) : exact::fair(spent, cfs::row_of(ran));
    if (gained == wanted) return std::nullopt;
    return told("vruntime", ran.id, "its vruntime moved by", gained, wanted);
  }

  /// How far the yield of batch tasks and of compat_yield moves: just behind the rightmost waiter.
  static std::uint64_t yielded(const View& before, const TaskView& ran) {
    const CpuView& cpu = cfs::cpu_of(before, ran.cpu);
    if (cpu.queue.empty()) return 0;
    const TaskView* right = cfs::find(before, cpu.queue.back());
    if (right == nullptr || exact::ahead(cfs::vr(*right), cfs::vr(ran)) < 0) return 0;
    return cfs::vr(*right) + 1 - cfs::vr(ran);
  }

  /// Only a current task's total can grow.
  static std::optional<Violation> others(const Moment& m) {
    std::size_t i = 0;
    for (const TaskView& is : m.after.tasks) {
      while (i < m.before.tasks.size() && m.before.tasks[i].id < is.id) ++i;
      if (i == m.before.tasks.size()) break;
      const TaskView& was = m.before.tasks[i];
      if (was.id != is.id || was.sum_exec_ns == is.sum_exec_ns) continue;
      if (was.state == TaskState::running) continue;
      return told(
          "not_running", is.id, "charged while not running:", is.sum_exec_ns - was.sum_exec_ns, 0);
    }
    return std::nullopt;
  }

  static std::optional<Violation> told(
      const char* kind, TaskId task, const char* what, std::uint64_t is, std::uint64_t wanted) {
    return cfs::violation(
        kind, task, fmt::format("task {}: {} {}, the rule gives {}", task.value, what, is, wanted));
  }

  bool exact_ = false;
  bool compat_yield_ = false;
  bool swaps_ = false;
  std::uint64_t clock_base_ = 0;
  Instant last_{0};
  std::vector<std::uint64_t> busy_;  ///< ns with a current task that nobody has been charged for
};

}  // namespace

std::unique_ptr<Checker> make_charge() { return std::make_unique<ChargeExact>(); }

}  // namespace fw::props
