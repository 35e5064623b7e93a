// SPDX-License-Identifier: Apache-2.0
#include "model/input/import_programs.h"

#include <algorithm>

namespace fw::input {

const PidFacts* Programs::facts_of(std::int32_t pid) const {
  const auto known = facts_.pids.find(pid);
  return known == facts_.pids.end() ? nullptr : &known->second;
}

std::int64_t Programs::key_of(std::int32_t pid, std::int32_t cpu) const {
  const PidFacts* of = facts_of(pid);
  const bool split = of != nullptr && of->placeholder;
  return (split ? (static_cast<std::int64_t>(cpu) + 1) << 32 : 0) + pid;
}

std::int32_t Programs::create(std::int32_t pid, std::int32_t cpu, DraftState state) {
  Draft draft;
  draft.pid = pid;
  draft.state = state;
  draft.start = draft.last_block = now_;
  if (const PidFacts* of = facts_of(pid)) {
    draft.stopper = of->stopper;
    draft.placeholder = of->placeholder;
    if (of->placeholder) draft.cpu = cpu;
  }
  const auto id = static_cast<std::int32_t>(out_.tasks.size());
  out_.tasks.push_back(std::move(draft));
  ids_[key_of(pid, cpu)] = id;
  return id;
}

std::int32_t Programs::find(std::int32_t pid, std::int32_t cpu) const {
  const auto known = ids_.find(key_of(pid, cpu));
  return known == ids_.end() ? -1 : known->second;
}

void Programs::learn(std::int32_t task, NameId name, std::int32_t prio) {
  Draft& draft = at(task);
  if (name != 0) draft.name = name;
  if (prio == TraceEvent::no_prio) return;
  draft.approximated = draft.approximated || prio < 100;
  if (draft.prio == TraceEvent::no_prio) {
    draft.first_nice = nice_of(prio);
  } else if (nice_of(draft.prio) != nice_of(prio) && !draft.placeholder) {
    // The change acts from the beginning of what is not in a step yet of this stint.
    if (draft.burst_ns > 0) push(task, {StepKind::run, draft.burst_ns});
    draft.burst_ns = 0;
    push(task, {StepKind::nice, nice_of(prio)});
    note(
        "changes of nice or class have no line of their own and act from the stint that shows "
        "them");
  }
  draft.prio = prio;
}

std::size_t Programs::push(std::int32_t task, Step step) {
  at(task).steps.push_back(step);
  ++steps_;
  return at(task).steps.size() - 1;
}

void Programs::flush(std::int32_t task, Cpu& cpu) {
  Draft& draft = at(task);
  draft.burst_ns += (now_ - cpu.since).ns;
  cpu.since = now_;
  draft.ran = true;
  if (draft.burst_ns == 0) return;
  push(task, {StepKind::run, draft.burst_ns});
  draft.burst_ns = 0;
}

void Programs::woken(std::int32_t task) {
  Draft& draft = at(task);
  draft.state = DraftState::queued;
  draft.last_block = now_;
  draft.early_wake = {};
}

void Programs::wake_timed(std::int32_t task) {
  Draft& draft = at(task);
  // A sleep of 0 would not block at all.
  const std::int64_t length = std::max<std::int64_t>((now_ - draft.blocked_at).ns, 1);
  push(task, {StepKind::sleep, length, -1, true, now_});
  woken(task);
}

void Programs::ensure_up(std::int32_t task) {
  Draft& draft = at(task);
  if (draft.state == DraftState::fresh) {
    draft.start = draft.last_block = now_;
    if (draft.fork_slot.task >= 0) {
      revive(draft.fork_slot);
      draft.forked = true;
    }
    draft.state = DraftState::queued;
  } else if (draft.state == DraftState::blocked || draft.state == DraftState::dead) {
    if (draft.early_wake.task >= 0) {
      revive(draft.early_wake);
      push(task, {StepKind::wait});
      note("wakeups recorded just before the block they end were kept as such");
      woken(task);
      return;
    }
    if (!draft.placeholder) {
      note(facts_.has_wakeups
               ? "guessed: the task ran again without a wakeup line; the sleep ends where it ran"
               : "guessed: the trace has no wakeup lines; each sleep ends where the task ran");
    }
    wake_timed(task);
  }
}

}  // namespace fw::input
