// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "model/input/import_tasks.h"

namespace fw::input {
namespace {

bool is_kernel_thread(std::string_view name) {
  constexpr std::array<std::string_view, 14> begins = {"kworker/",
                                                       "ksoftirqd/",
                                                       "migration/",
                                                       "rcu_",
                                                       "rcuc/",
                                                       "watchdog/",
                                                       "kcompactd",
                                                       "kswapd",
                                                       "jbd2/",
                                                       "irq/",
                                                       "mmcqd/",
                                                       "cfinteractive",
                                                       "kinteractive",
                                                       "khugepaged"};
  return std::any_of(begins.begin(), begins.end(), [name](std::string_view begin) {
    return name.substr(0, begin.size()) == begin;
  });
}

/// Finds pids that ran on two CPUs at once for longer than clocks of CPUs may differ.
class OverlapFinder {
 public:
  OverlapFinder(TraceFacts& facts, const Trace& trace) : facts_(facts), trace_(trace) {}

  void saw(const TraceEvent& event) {
    const bool is_switch = event.kind == TraceEventKind::sched_switch;
    const auto [found, fresh] = cpus_.try_emplace(event.cpu);
    Stint& stint = found->second;
    if (fresh && event.kind != TraceEventKind::lost) {
      stint = {is_switch ? event.pid : event.context_pid, trace_.first, true};
    }
    if (!is_switch) return;
    if (stint.pid > 0 && stint.pid == event.pid) close(stint.pid, stint.from, event.t);
    stint = {event.other_pid, event.t, false};
  }
  void lost() {
    for (auto& [cpu, stint] : cpus_) stint.pid = -1;
  }
  /// CPUs that never switched: their task was there all the time.
  void finish() {
    for (const auto& [cpu, stint] : cpus_) {
      if (stint.whole && stint.pid > 0) close(stint.pid, stint.from, trace_.last);
    }
  }

 private:
  struct Stint {
    std::int32_t pid = -1;
    Instant from;
    bool whole = false;
  };
  /// Stints of one pid are closed in the order of their ends.
  void close(std::int32_t pid, Instant from, Instant to) {
    constexpr Duration skew{10'000};
    const auto [known, fresh] = last_.try_emplace(pid, to);
    if (fresh) return;
    if (known->second - from > skew && to - from > skew) facts_.pids[pid].placeholder = true;
    known->second = to;
  }

  TraceFacts& facts_;
  const Trace& trace_;
  std::map<std::int32_t, Stint> cpus_;
  std::map<std::int32_t, Instant> last_;
};

/// Counts, for each pair, wakeups in formats without flags and what the context task did next.
class PairCounter {
 public:
  explicit PairCounter(TraceFacts& facts) : facts_(facts) {}

  void saw(const TraceEvent& event) {
    if (event.kind == TraceEventKind::sched_switch) return switched(event);
    const bool wakes = event.kind == TraceEventKind::wakeup || event.kind == TraceEventKind::waking;
    if (!wakes || event.context != TraceContext::unknown || event.context_pid <= 0) return;
    PairFacts& pair = facts_.pairs[{event.context_pid, event.pid}];
    ++pair.wakeups;
    const auto blocked = blocked_.find(event.pid);
    if (blocked != blocked_.end() && event.t - blocked->second <= Duration{soon_ns}) {
      ++pair.short_sleeps;
    }
    // Beyond a few, the rest of a burst says nothing new.
    std::vector<Pending>& pending = pending_[event.context_pid];
    if (pending.size() < 64) pending.push_back({&pair, ran(event)});
  }

 private:
  static constexpr std::int64_t soon_ns = 50'000;
  struct Pending {
    PairFacts* pair = nullptr;
    std::int64_t ran_ns = 0;  ///< the context task's CPU time up to the wakeup
  };
  struct Stint {
    std::int32_t pid = -1;
    Instant from;
  };

  /// CPU time of the line's context task up to the line.
  std::int64_t ran(const TraceEvent& event) {
    const Stint& stint = cpus_[event.cpu];
    const bool here = stint.pid == event.context_pid;
    return facts_.pids[event.context_pid].on_cpu_ns + (here ? (event.t - stint.from).ns : 0);
  }

  void switched(const TraceEvent& event) {
    Stint& stint = cpus_[event.cpu];
    if (stint.pid > 0 && stint.pid == event.pid) {
      facts_.pids[event.pid].on_cpu_ns += (event.t - stint.from).ns;
    }
    stint = {event.other_pid, event.t};
    if (event.prev_state == 'R' || event.prev_state == '?') return;
    blocked_[event.pid] = event.t;
    const auto waiting = pending_.find(event.pid);
    if (waiting == pending_.end()) return;
    const std::int64_t ran_ns = facts_.pids[event.pid].on_cpu_ns;
    for (const Pending& wakeup : waiting->second) {
      if (ran_ns - wakeup.ran_ns <= soon_ns) ++wakeup.pair->soon_blocked;
    }
    pending_.erase(waiting);
  }

  TraceFacts& facts_;
  std::map<std::int32_t, Stint> cpus_;
  std::map<std::int32_t, std::vector<Pending>> pending_;
  std::map<std::int32_t, Instant> blocked_;
};

}  // namespace

bool TraceFacts::looks_interrupted(std::int32_t context, std::int32_t wakee) const {
  const auto by = pids.find(context);
  const auto of = pids.find(wakee);
  const auto pair = pairs.find({context, wakee});
  if (by == pids.end() || of == pids.end() || pair == pairs.end()) return false;
  if (of->second.kernel_thread || !by->second.blocks) return true;
  if (of->second.wakeups_from_idle * 4 >= of->second.wakeups) return true;
  const PairFacts& count = pair->second;
  if ((count.soon_blocked + count.short_sleeps) * 2 >= count.wakeups) return false;
  // An interrupt meets a task as often as that task runs while the sleeper does not.
  const std::int64_t others = std::max<std::int64_t>(span.ns - of->second.on_cpu_ns, 1);
  const double share =
      std::min(static_cast<double>(by->second.on_cpu_ns) / static_cast<double>(others), 1.0);
  return static_cast<double>(count.wakeups) <= 2 * share * static_cast<double>(of->second.wakeups);
}

TraceFacts gather_facts(const std::vector<const TraceEvent*>& events, const Trace& trace) {
  TraceFacts facts;
  facts.span = trace.span();
  OverlapFinder overlaps(facts, trace);
  PairCounter pairs(facts);
  std::int64_t switches = 0, foreign_heads = 0;
  const auto name = [&facts, &trace](std::int32_t pid, NameId id, std::int32_t prio) {
    if (pid <= 0) return;
    PidFacts& of = facts.pids[pid];
    const std::string_view text = trace.name(id);
    of.kernel_thread = of.kernel_thread || is_kernel_thread(text);
    of.stopper = of.stopper || (prio == 0 && text.substr(0, 10) == "migration/");
  };
  for (const TraceEvent* event : events) {
    overlaps.saw(*event);
    pairs.saw(*event);
    switch (event->kind) {
      case TraceEventKind::sched_switch:
        ++switches;
        if (event->context_pid >= 0 && event->context_pid != event->pid) ++foreign_heads;
        if (event->pid > 0 && event->prev_state != 'R' && event->prev_state != '?') {
          facts.pids[event->pid].blocks = true;
        }
        name(event->pid, event->name, event->prio);
        name(event->other_pid, event->other_name, event->other_prio);
        break;
      case TraceEventKind::waking:
      case TraceEventKind::wakeup:
      case TraceEventKind::wakeup_new:
        facts.has_wakeups = true;
        name(event->pid, event->name, event->prio);
        if (event->pid > 0 && event->kind != TraceEventKind::wakeup_new) {
          ++facts.pids[event->pid].wakeups;
          if (event->context_pid == 0) ++facts.pids[event->pid].wakeups_from_idle;
        }
        break;
      case TraceEventKind::lost:
        overlaps.lost();
        break;
      default:
        break;
    }
  }
  overlaps.finish();
  facts.heads_name_tasks = foreign_heads * 20 <= switches;
  return facts;
}

int nice_of(std::int32_t prio) {
  if (prio == TraceEvent::no_prio) return 0;
  return prio < 100 ? -20 : std::min(prio - 120, 19);
}

void Drafts::note(std::string_view text, std::int64_t line, std::int64_t count) {
  auto known = notes.find(text);
  if (known == notes.end()) {
    known = notes.emplace(std::string(text), TraceNote{std::string(text), 0, line}).first;
  }
  known->second.count += count;
}

}  // namespace fw::input
