// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

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

}  // namespace

TraceFacts gather_facts(const std::vector<const TraceEvent*>& events, const Trace& trace) {
  TraceFacts facts;
  OverlapFinder overlaps(facts, trace);
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
