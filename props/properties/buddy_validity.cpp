// SPDX-License-Identifier: Apache-2.0
#include "props/properties/buddy_validity.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class BuddyValidity final : public cfs::RulesChecker {
 public:
  bool applies(const Setup& setup) override {
    exact_ = cfs::RulesChecker::applies(setup);
    keeps_marks_ = setup.spec.version == "6.1";
    return true;
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    for (std::size_t c = 0; c < m.after.cpus.size(); ++c) {
      for (const cfs::CpuInt which : {cfs::next, cfs::last}) {
        const std::int64_t is = m.after.cpus[c].ints[which];
        const std::int64_t was = m.before.cpus[c].ints[which];
        if (is < 0 && was < 0) continue;
        if (is >= 0) {
          if (auto bad = valid(m, c, which, is)) return bad;
        }
        if (is < 0) {
          if (auto bad = lapsed(m, c, which, was)) return bad;
        }
      }
    }
    return exact_ && cfs::is_wakeup(m.stimulus.kind) ? nominated(m) : std::nullopt;
  }

 private:
  std::optional<Violation> valid(const Moment& m,
                                 std::size_t c,
                                 cfs::CpuInt which,
                                 std::int64_t is) {
    reach();
    const TaskId id{static_cast<std::int32_t>(is)};
    const TaskView* task = cfs::find(m.after, id);
    if (task == nullptr || !cfs::runnable(*task) || task->cpu.value != static_cast<int>(c)) {
      return told("not_here", id, c, which, "is not runnable on this queue");
    }
    if (task->sched_class == SchedClass::idle) {
      return told("idle_class", id, c, which, "is of the idle class");
    }
    const StimulusKind kind = m.stimulus.kind;
    const bool own = m.stimulus.cpu.value == static_cast<int>(c);
    if (kind == StimulusKind::schedule && own && m.after.cpus[c].curr == id &&
        !(keeps_marks_ && m.before.cpus[c].curr == id)) {
      return told("kept_when_picked", id, c, which, "was picked and stays nominated");
    }
    if (kind == StimulusKind::tick && own && m.after.cpus[c].curr == id && slice_used_up(m)) {
      return told("kept_at_expiry", id, c, which, "used up its slice and stays nominated");
    }
    if (kind == StimulusKind::yield && own && m.stimulus.task == id &&
        m.after.cpus[c].nr_running > 1) {
      return told("kept_at_yield", id, c, which, "yielded and stays nominated");
    }
    return std::nullopt;
  }

  /// Whether the tick must find the running task's slice used up. There is no record of it where
  /// the CPU was marked before, and only there can the running task be a buddy.
  bool slice_used_up(const Moment& m) const {
    if (!exact_) return false;
    const CpuView& cpu = cfs::cpu_of(m.before, m.stimulus.cpu);
    const cfs::Charge charge =
        cfs::charge_of(m.before, m.stimulus.cpu, rules().clock_at(m.stimulus.t));
    if (charge.task == nullptr || cpu.nr_running <= 1) return false;
    const std::uint64_t ran =
        charge.task->sum_exec_ns + charge.delta - cfs::get(*charge.task, cfs::prev_sum_exec);
    return ran > rules().slice(cpu.nr_running, cpu.load, cfs::row_of(*charge.task).weight);
  }

  /// A nomination ends only by a pick, a dequeue, a yield or a used-up slice of its own task.
  std::optional<Violation> lapsed(const Moment& m,
                                  std::size_t c,
                                  cfs::CpuInt which,
                                  std::int64_t was) const {
    const TaskId id{static_cast<std::int32_t>(was)};
    const TaskView* task = cfs::find(m.after, id);
    const TaskView* old = cfs::find(m.before, id);
    if (task == nullptr || old == nullptr || !cfs::runnable(*task) || !cfs::runnable(*old) ||
        task->cpu != old->cpu) {
      return std::nullopt;
    }
    for (const Decision& d : m.decisions) {
      if (d.task == id && d.kind != DecisionKind::preempt) return std::nullopt;
    }
    const bool current = m.before.cpus[c].curr == id;
    if (current && m.stimulus.kind != StimulusKind::schedule) {
      // Any tick may have ended its slice; a renice of the running task dequeues it.
      return std::nullopt;
    }
    return told("forgotten", id, c, which, "lost its nomination without being picked or dequeued");
  }

  /// Who a wakeup nominates.
  std::optional<Violation> nominated(const Moment& m) const {
    const TaskView* woken = cfs::find(m.after, m.stimulus.task);
    if (woken == nullptr || !cfs::runnable(*woken)) return std::nullopt;
    const auto c = static_cast<std::size_t>(woken->cpu.value);
    const CpuView& cpu = m.after.cpus[c];
    const CpuView& before = m.before.cpus[c];
    const bool big = cpu.nr_running >= rules().nr_latency;
    const TaskView* curr = cfs::find(m.after, before.curr);
    if (before.curr.idle() || curr == nullptr || curr->id == woken->id) return std::nullopt;
    const bool favour = rules().next_buddy && big && woken->sched_class != SchedClass::idle;
    const std::int64_t next = favour ? woken->id.value : before.ints[cfs::next];
    if (cpu.ints[cfs::next] != next) {
      return told("next_rule",
                  woken->id,
                  c,
                  cfs::next,
                  fmt::format("was woken: next must be {}, is {}", next, cpu.ints[cfs::next]));
    }
    const bool preempts = !before.marked && cpu.marked;
    const bool keep = preempts && rules().last_buddy && big && curr->state == TaskState::running &&
                      curr->sched_class != SchedClass::idle;
    const std::int64_t last = keep ? curr->id.value : before.ints[cfs::last];
    if (cpu.ints[cfs::last] != last) {
      return told(
          "last_rule",
          curr->id,
          c,
          cfs::last,
          fmt::format("ran at a wakeup: last must be {}, is {}", last, cpu.ints[cfs::last]));
    }
    return std::nullopt;
  }

  static std::optional<Violation> told(
      const char* kind, TaskId id, std::size_t cpu, cfs::CpuInt which, const std::string& what) {
    return cfs::violation(kind,
                          id,
                          fmt::format("task {} ({} buddy of CPU {}) {}",
                                      id.value,
                                      which == cfs::next ? "next" : "last",
                                      cpu,
                                      what));
  }

  bool exact_ = false;
  bool keeps_marks_ = false;  ///< 6.1: a task that is picked again stays nominated
};

}  // namespace

std::unique_ptr<Checker> make_buddy_validity() { return std::make_unique<BuddyValidity>(); }

}  // namespace fw::props
