// SPDX-License-Identifier: Apache-2.0
#include "props/validate/replay.h"

#include <fmt/format.h>

#include <algorithm>

namespace fw::validate {

using Kind = input::TraceEventKind;

Replay::Replay(const input::Trace& trace, const Settings& settings, Tally& tally)
    : trace_(trace), settings_(settings), tally_(tally), following_(trace.events.size()) {
  std::map<std::int32_t, std::size_t> ahead;
  for (std::size_t i = trace.events.size(); i-- > 0;) {
    const auto found = ahead.find(trace.events[i].cpu);
    following_[i] = found == ahead.end() ? trace.events.size() : found->second;
    ahead[trace.events[i].cpu] = i;
  }
}

void Replay::run() {
  auto yield = trace_.yields.begin();
  auto renice = trace_.renices.begin();
  for (std::size_t i = 0; i < trace_.events.size(); ++i) {
    const Event& event = trace_.events[i];
    for (; yield != trace_.yields.end() && yield->line < event.line; ++yield) yielded(*yield);
    for (; renice != trace_.renices.end() && renice->line < event.line; ++renice) announce(*renice);
    if (event.kind == Kind::lost) {
      lost(event);
      continue;
    }
    adopt_current(event);
    switch (event.kind) {
      case Kind::runtime:
        runtime(event, i);
        break;
      case Kind::wakeup:
        wakeup(event);
        break;
      case Kind::wakeup_new:
        wakeup_new(event);
        break;
      case Kind::fork:
        fork(event);
        break;
      case Kind::exit:
        resolve(cpu(event.cpu), event);
        entity(event.pid).exited = true;
        break;
      case Kind::migrate:
        migrate(event);
        break;
      case Kind::sched_switch:
        switched(event);
        break;
      default:  // waking: before anything happens; exec: nothing changes
        resolve(cpu(event.cpu), event);
        break;
    }
  }
  for (auto& [number, c] : cpus_) c->marks.hide(tally_, "the trace ends before it shows");
  for (auto& [pid, task] : entities_) settle_doubts(*task);
  tally_.sort();
}

Replay::Cpu& Replay::cpu(std::int32_t number) {
  std::unique_ptr<Cpu>& out = cpus_[number];
  if (!out) out = std::make_unique<Cpu>(settings_);
  return *out;
}

Entity& Replay::entity(std::int32_t pid) {
  std::unique_ptr<Entity>& out = entities_[pid];
  if (!out) {
    out = std::make_unique<Entity>();
    out->pid = pid;
  }
  return *out;
}

Entity& Replay::entity(std::int32_t pid, input::NameId name) {
  Entity& out = entity(pid);
  if (name != 0) out.name = trace_.name(name);
  return out;
}

void Replay::see_prio(Entity& task, std::int32_t prio) {
  if (!is_fair(prio)) return;
  task.prio = prio;
  task.nice_open = false;
  if (!task.announced.empty() && task.announced.back() == prio) task.announced.clear();
  task.load = load_of_prio(prio);
  settle_doubts(task);
}

void Replay::settle_doubts(Entity& task) {
  for (Doubt& doubt : task.doubts) {
    if (doubt.before + rules::cfs61::fair(doubt.delta, task.load) == doubt.after) {
      tally_.skip(doubt.miss.rule, "a nice change shows only at the next switch");
    } else {
      tally_.unexplained(std::move(doubt.miss), true);
    }
  }
  task.doubts.clear();
}

/// The first line of a CPU names who runs there.
void Replay::adopt_current(const Event& event) {
  Cpu& c = cpu(event.cpu);
  if (c.on_cpu >= 0 || event.context_pid < 0) return;
  c.on_cpu = event.context_pid;
  if (event.context_pid == 0) return;
  Entity& task = entity(event.context_pid, event.context_name);
  task.where = Entity::Where::running;
  task.cpu = event.cpu;
  c.fair = true;
  c.queue.curr = &task;
}

void Replay::resolve(Cpu& c, const Event& event) {
  if (c.marks.take(tally_, event)) check_kept(c, event);
}

void Replay::lost(const Event& event) {
  tally_.resynchronized("events were lost");
  for (auto& [number, c] : cpus_) {
    if (event.cpu >= 0 && event.cpu != number && cpus_.size() == 1) continue;
    c->marks.hide(tally_, "events were lost");
    c->queue.forget(event.t);
    c->on_cpu = -1;
    c->fair = c->marks.marked = c->marks.seen = c->yielded = false;
    c->arriving.clear();
  }
  for (auto& [pid, task] : entities_) {
    settle_doubts(*task);
    task->known = task->relative = false;
    task->where = Entity::Where::away;
    task->placement.reset();
    task->child.reset();
  }
}

/// A nice level that a task is about to get. It counts from the charge with which the task leaves the
/// queue for the change, in the caller's context.
void Replay::announce(const Event& event) {
  Entity& task = entity(event.pid);
  if (!is_fair(task.prio)) return;
  const std::int32_t last = task.announced.empty() ? task.prio : task.announced.back();
  if (event.prio != last) task.announced.push_back(event.prio);
}

void Replay::take_announced(Entity& task) {
  task.prio = task.announced.front();
  task.load = load_of_prio(task.prio);
  task.announced.pop_front();
}

/// The caller is passed over from now on, not from the switch on, which may never come: its own pick
/// may take it again.
void Replay::yielded(const Event& event) {
  Cpu& c = cpu(event.cpu);
  resolve(c, event);  // a mark that is gone led to a pick before this skip
  if (c.on_cpu != event.pid || !c.fair || c.queue.curr == nullptr) return;
  c.yielded = true;
  if (c.queue.nr_running() <= 1) return;
  c.queue.clear_buddies(*c.queue.curr);
  c.queue.skip = c.queue.curr;
}

std::string Replay::describe(const Entity& task) const {
  return fmt::format("{}-{}", task.name, task.pid);
}

std::string Replay::describe(const Queue& queue) const {
  std::string out = fmt::format(
      "nr {} min {}{}", queue.nr_running(), queue.min(), queue.min_sure() ? "" : " (unsure)");
  const auto add = [&](const char* role, const Entity* task) {
    if (task == nullptr) return;
    out += fmt::format(", {} {} v {}{}", role, describe(*task), task->v, task->known ? "" : "?");
  };
  add("running", queue.curr);
  add("leftmost", queue.tree.empty() ? nullptr : queue.tree.front());
  add("next", queue.next);
  add("last", queue.last);
  add("skip", queue.skip);
  return out;
}

Miss Replay::miss(Rule rule, const Event& event, const Entity& about, std::string reason) const {
  Miss out;
  out.rule = rule;
  out.line = event.line;
  out.t = event.t;
  out.task = describe(about);
  out.reason = std::move(reason);
  return out;
}

Outcome<Validation> validate(const input::Trace& trace, const Settings& settings) {
  const bool has_vruntime =
      std::any_of(trace.events.begin(), trace.events.end(), [](const input::TraceEvent& e) {
        return e.kind == Kind::runtime && e.vruntime_ns != -1;
      });
  if (!has_vruntime) {
    return Error{"no sched_stat_runtime line with a vruntime: this is no trace of CFS 6.1",
                 "record sched_switch, sched_wakeup, sched_wakeup_new, sched_process_fork,"
                 " sched_process_exit, sched_migrate_task and sched_stat_runtime on such a kernel",
                 trace.file};
  }
  Validation out;
  out.events = static_cast<std::int64_t>(trace.events.size());
  out.notes = settings.notes;
  Replay(trace, settings, out.tally).run();
  return out;
}

}  // namespace fw::validate
