// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/input/import_programs.h"

namespace fw::input {
namespace {

/// Reads the events in order of time and keeps, for each CPU, who runs, and for each task, what it
/// has done. Times are counted from the trace's start.
class Walk : private Programs {
 public:
  Walk(const Trace& trace, const TraceFacts& facts, const ImportOptions& options)
      : Programs(facts), trace_(trace), options_(options) {}

  Drafts run(const std::vector<const TraceEvent*>& events) {
    out_.end = Instant{} + trace_.span();
    if (options_.max_time.ns > 0) out_.end = std::min(out_.end, Instant{} + options_.max_time);
    for (const TraceEvent* event : events) {
      line_ = event->line;
      now_ = Instant{} + (event->t - trace_.first);
      if (now_ > out_.end) break;
      if (steps_ > options_.max_ops) {
        out_.end = now_;
        note("the import stopped here: the programs hold as many events as allowed");
        break;
      }
      step(*event);
    }
    finish();
    return std::move(out_);
  }

 private:
  /// The task that made a wakeup or fork line, -1 when an interrupt, idle or nobody known did.
  std::int32_t maker(const TraceEvent& event, std::string_view& why) {
    why = "timed: woken by an interrupt";
    // The end of an interrupt wakes ksoftirqd after its flags are cleared.
    if (event.context == TraceContext::interrupt ||
        trace_.name(event.name).substr(0, 10) == "ksoftirqd/") {
      return -1;
    }
    Cpu& cpu = cpus_[event.cpu];
    if (event.context_pid == 0 || (cpu.known && cpu.task == idle)) {
      if (event.context == TraceContext::task) {
        why = "timed: woken from the idle task (an interrupt, or a remote wakeup: waker unknown)";
      }
      return -1;
    }
    why = "timed: the waker is not the task known to run there";
    if (!cpu.known || cpu.task < 0) return -1;
    if (facts_.heads_name_tasks && event.context_pid > 0 && event.context_pid != at(cpu.task).pid) {
      return -1;
    }
    why = "timed: woken by a stopper thread, which is left out";
    return at(cpu.task).stopper ? -1 : cpu.task;
  }

  /// Without flags an interrupt cannot be seen: the guess of import.h.
  bool guessed_interrupt(const TraceEvent& event, std::int32_t waker) const {
    if (event.context != TraceContext::unknown || waker < 0) return false;
    return facts_.looks_interrupted(out_.tasks[static_cast<std::size_t>(waker)].pid, event.pid);
  }

  void wakeup(const TraceEvent& event) {
    if (event.pid <= 0 || !event.success) return;
    const PidFacts* of = facts_of(event.pid);
    if (of != nullptr && of->placeholder) return;
    std::int32_t task = find(event.pid, event.cpu);
    if (task < 0) {
      task = create(event.pid, event.cpu, DraftState::queued);
      learn(task, event.name, event.prio);
      note("tasks first seen being woken start by themselves at that time");
      return;
    }
    if (at(task).state == DraftState::queued || at(task).state == DraftState::dead) return;
    std::string_view why;
    std::int32_t waker = maker(event, why);
    if (guessed_interrupt(event, waker)) {
      waker = -1;
      why = "guessed: no flags column; these wakeups look like an interrupt's and are timed";
    }
    if (at(task).state == DraftState::fresh) return ensure_up(task);
    if (at(task).stopper || waker == task) waker = -1;
    if (at(task).state == DraftState::running) {
      if (waker < 0) return;
      flush(waker, cpus_[event.cpu]);
      at(task).early_wake = {waker, push(waker, {StepKind::post, 0, task, false, {}})};
      return;
    }
    if (waker < 0) {
      if (!at(task).stopper) note(why);
      learn(task, event.name, TraceEvent::no_prio);
      return wake_timed(task);
    }
    flush(waker, cpus_[event.cpu]);
    push(waker, {StepKind::post, 0, task, true, {}});
    push(task, {StepKind::wait});
    note(event.context == TraceContext::unknown
             ? "causal, guessed (no flags column): woken by a running task"
             : "causal: woken by a running task");
    woken(task);
  }

  // --- creation and exit -----------------------------------------------------------------------

  void forked(const TraceEvent& event) {
    if (event.pid <= 0) return;
    const std::int32_t child = create(event.pid, event.cpu, DraftState::fresh);
    learn(child, event.name, TraceEvent::no_prio);
    Cpu& cpu = cpus_[event.cpu];
    if (!cpu.known || cpu.task < 0 || at(cpu.task).stopper) return;
    if (event.other_pid > 0 && at(cpu.task).pid != event.other_pid) return;
    flush(cpu.task, cpu);
    at(child).fork_slot = {cpu.task, push(cpu.task, {StepKind::fork, 0, child, false, {}})};
  }

  void wakeup_new(const TraceEvent& event) {
    if (event.pid <= 0) return;
    std::int32_t child = find(event.pid, event.cpu);
    // A pid that comes back belongs to a new task.
    if (child < 0 || at(child).state != DraftState::fresh) {
      child = create(event.pid, event.cpu, DraftState::fresh);
    }
    learn(child, event.name, event.prio);
    Draft& draft = at(child);
    draft.state = DraftState::queued;
    draft.start = draft.last_block = now_;
    std::string_view why;
    const std::int32_t parent = maker(event, why);
    if (parent >= 0 && parent != child) {
      flush(parent, cpus_[event.cpu]);
      push(parent, {StepKind::fork, 0, child, true, {}});
      draft.forked = true;
    } else if (draft.fork_slot.task >= 0) {
      revive(draft.fork_slot);
      draft.forked = true;
    } else {
      note("guessed: new tasks without a known parent start by themselves");
    }
  }

  // --- switches --------------------------------------------------------------------------------

  /// What runs on a CPU is no longer known: its stint's end is unknown, so the stint is left out.
  void forget(Cpu& cpu, std::string_view why) {
    if (cpu.known && cpu.task >= 0) {
      Draft& draft = at(cpu.task);
      draft.dropped_ns += (now_ - cpu.since).ns;
      if (!draft.stopper) note(why, (now_ - cpu.since).ns);
      if (draft.state == DraftState::running) draft.state = DraftState::queued;
    }
    cpu.known = false;
    cpu.task = idle;
  }

  /// A task runs on one CPU only.
  void leave_others(std::int32_t task, const Cpu& cpu) {
    for (auto& [number, other] : cpus_) {
      if (&other != &cpu && other.known && other.task == task) {
        note("switch lines are missing: a task appears on a second CPU");
        forget(other, "dropped: CPU time up to a missing switch line, in ns");
      }
    }
  }

  void switched_out(const TraceEvent& event, Cpu& cpu) {
    std::int32_t task = find(event.pid, event.cpu);
    if (task < 0) {
      task = create(event.pid, event.cpu, DraftState::queued);
      at(task).ran = true;
    }
    const bool ours = cpu.known && cpu.task == task;
    if (cpu.known && !ours) {
      note("switch lines are missing: the task switched out is not the one switched in");
      forget(cpu, "dropped: CPU time up to a missing switch line, in ns");
    }
    if (!ours) {
      leave_others(task, cpu);
      ensure_up(task);
    }
    learn(task, event.name, event.prio);
    Draft& draft = at(task);
    draft.ran = true;
    draft.last_out = now_;
    if (ours) draft.burst_ns += (now_ - cpu.since).ns;
    if (event.prev_state == 'R' || event.prev_state == '?') {
      if (event.prev_state == '?') note("guessed: unknown prev_state taken as still runnable");
      draft.state = DraftState::queued;
      draft.early_wake = {};
      return;
    }
    if (draft.burst_ns > 0) push(task, {StepKind::run, draft.burst_ns});
    draft.burst_ns = 0;
    draft.blocked_at = now_;
    const bool dead = event.prev_state == 'X' || event.prev_state == 'Z' || event.prev_state == 'x';
    draft.state = dead ? DraftState::dead : DraftState::blocked;
  }

  void switched_in(const TraceEvent& event, Cpu& cpu) {
    cpu.known = event.other_pid >= 0;
    cpu.task = idle;
    cpu.since = now_;
    if (event.other_pid <= 0) return;
    std::int32_t task = find(event.other_pid, event.cpu);
    if (task < 0) {
      task = create(event.other_pid, event.cpu, DraftState::queued);
      // Nothing woke it since the start: it was waiting there, if wakeups are recorded at all.
      if (facts_.has_wakeups && !at(task).placeholder) at(task).start = at(task).last_block = {};
    }
    leave_others(task, cpu);
    ensure_up(task);
    learn(task, event.other_name, event.other_prio);
    at(task).state = DraftState::running;
    at(task).ran = true;
    cpu.task = task;
  }

  /// The first line of a CPU shows who runs there since the start.
  void first_line(const TraceEvent& event, Cpu& cpu) {
    cpu.seen = true;
    const bool is_switch = event.kind == TraceEventKind::sched_switch;
    const std::int32_t pid = is_switch ? event.pid : event.context_pid;
    if (event.kind == TraceEventKind::lost || pid < 0 || (!is_switch && !facts_.heads_name_tasks)) {
      return;
    }
    cpu.known = true;
    cpu.task = idle;
    if (pid == 0) return;
    std::int32_t task = find(pid, event.cpu);
    if (task < 0) {
      task = create(pid, event.cpu, DraftState::queued);
      at(task).start = at(task).last_block = {};
      cpu.since = {};
    } else {
      leave_others(task, cpu);
      ensure_up(task);
      cpu.since = std::max({at(task).last_block, at(task).start, at(task).last_out});
    }
    at(task).state = DraftState::running;
    at(task).ran = true;
    cpu.task = task;
  }

  void step(const TraceEvent& event) {
    if (event.kind == TraceEventKind::lost) {
      for (auto& [number, cpu] : cpus_) {
        if (event.cpu >= 0 && number != event.cpu) continue;
        forget(cpu, "dropped: CPU time up to lost events, in ns");
      }
      if (event.cpu >= 0) cpus_[event.cpu].seen = true;
      return;
    }
    Cpu& cpu = cpus_[event.cpu];
    if (!cpu.seen) first_line(event, cpu);
    switch (event.kind) {
      case TraceEventKind::sched_switch:
        if (event.pid > 0) {
          switched_out(event, cpu);
        } else if (cpu.known && cpu.task != idle) {
          note("switch lines are missing: the task switched out is not the one switched in");
          forget(cpu, "dropped: CPU time up to a missing switch line, in ns");
        }
        switched_in(event, cpu);
        break;
      case TraceEventKind::waking:
      case TraceEventKind::wakeup:
        wakeup(event);
        break;
      case TraceEventKind::wakeup_new:
        wakeup_new(event);
        break;
      case TraceEventKind::fork:
        forked(event);
        break;
      case TraceEventKind::migrate:
        note("not reproduced: migrations; the policy places tasks");
        break;
      default:
        break;
    }
  }

  void finish() {
    now_ = out_.end;
    for (auto& [number, cpu] : cpus_) {
      if (cpu.known && cpu.task >= 0 && cpu.since <= now_) flush(cpu.task, cpu);
    }
    for (std::size_t i = 0; i < out_.tasks.size(); ++i) {
      if (out_.tasks[i].burst_ns == 0) continue;
      push(static_cast<std::int32_t>(i), {StepKind::run, out_.tasks[i].burst_ns});
      out_.tasks[i].burst_ns = 0;
    }
  }

  const Trace& trace_;
  const ImportOptions& options_;
  std::map<std::int32_t, Cpu> cpus_;
};

}  // namespace

Drafts walk_trace(const std::vector<const TraceEvent*>& events,
                  const Trace& trace,
                  const TraceFacts& facts,
                  const ImportOptions& options) {
  return Walk(trace, facts, options).run(events);
}

}  // namespace fw::input
