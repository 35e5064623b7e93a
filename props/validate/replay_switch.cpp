// SPDX-License-Identifier: Apache-2.0
// sched_switch: picks.
#include <fmt/format.h>

#include "props/validate/replay.h"

namespace fw::validate {

using Where = Entity::Where;

void Replay::check_pick(Cpu& c, const Event& event, Entity* prev, Entity* taken) {
  Queue& queue = c.queue;
  const bool among = taken == prev || taken->where == Where::queued;
  if (!among || taken->cpu != event.cpu) {
    tally_.resynchronized("a task runs that was not known to be runnable");
    c.queue.doubtful(event.t);
    return tally_.skip(Rule::pick, "unknown history");
  }
  if (queue.may_hide_tasks(event.t)) return tally_.skip(Rule::pick, "unknown history");
  const bool contested = queue.tree.size() + (prev != nullptr ? 1 : 0) > 1;
  for (const Entity* task : queue.tree) {
    if (!task->known && contested) return tally_.skip(Rule::pick, "unknown history");
  }
  if (prev != nullptr && !prev->known) return tally_.skip(Rule::pick, "unknown history");
  const Choice choice = queue.pick(prev);
  if (choice.entity == taken) return tally_.explained(Rule::pick, contested);
  tally_.unexplained(miss(Rule::pick,
                          event,
                          *taken,
                          fmt::format("the model picks {} ({}, v {}); the kernel took {} v {}; {}",
                                      choice.entity == nullptr ? "idle" : describe(*choice.entity),
                                      choice.why,
                                      choice.entity == nullptr ? 0 : choice.entity->v,
                                      describe(*taken),
                                      taken->v,
                                      describe(queue))),
                     contested);
}

/// The mark went without a switch: schedule() took the running task again.
void Replay::check_kept(Cpu& c, const Event& event) {
  Entity* const curr = c.queue.curr;
  if (!c.fair || curr == nullptr) return;
  check_pick(c, event, curr, curr);
}

/// A runnable task gives the CPU up without a mark: by sched_yield, on one CPU.
bool Replay::is_unseen_yield(const Cpu& c, const Event& event) const {
  return event.prev_state == 'R' && !event.preempted && trace_.yields.empty() && c.fair &&
         cpus_.size() == 1 && !c.marks.marked && event.need_resched != '?';
}

void Replay::switched(const Event& event) {
  Cpu& c = cpu(event.cpu);
  Queue& queue = c.queue;
  const bool stays = event.prev_state == 'R';
  const bool unseen_yield = is_unseen_yield(c, event);
  if (unseen_yield) c.yielded = true;
  if (stays && !c.yielded) {
    c.marks.outcome(tally_, true, false);
  } else {
    c.marks.hide(tally_, stays ? "a yield hides it" : "a block hides it");
  }
  if (!c.arriving.empty()) arrive(c);
  Entity* prev = nullptr;
  if (event.pid != 0 && is_fair(event.prio)) {
    prev = &entity(event.pid, event.name);
    if (c.on_cpu != event.pid) {
      tally_.resynchronized("a switch is missing");
      queue.remove(*prev);
      queue.curr = prev;
    }
    see_prio(*prev, event.prio);
    prev->where = stays ? Where::running : Where::away;
    prev->cut_in_kernel = event.preempted;
    prev->cpu = event.cpu;
    if (unseen_yield && queue.nr_running() > 1) {
      queue.clear_buddies(*prev);
      queue.skip = prev;
    }
    if (!stays) {
      if (!FW_FAULT(V13_sleeper_stays_buddy)) queue.clear_buddies(*prev);
      queue.update_min(event.t);
    }
  } else {
    queue.curr = nullptr;
  }
  Entity* const waiting = stays ? prev : nullptr;
  Entity* taken = nullptr;
  if (event.other_pid == 0) {
    if (!queue.tree.empty() || waiting != nullptr) {
      tally_.resynchronized("the CPU goes idle although a task should be runnable");
      for (Entity* task : queue.tree) {
        task->known = false;
        task->where = Where::away;
      }
      queue.tree.clear();
    }
  } else if (!is_fair(event.other_prio)) {
    tally_.skip(Rule::pick, "another class");
  } else {
    taken = &entity(event.other_pid, event.other_name);
    see_prio(*taken, event.other_prio);
    if (unseen_yield) {
      tally_.skip(Rule::pick, "a yield that was not traced");
    } else {
      check_pick(c, event, waiting, taken);
    }
  }
  queue.curr = nullptr;
  if (waiting != nullptr) {
    waiting->where = Where::queued;
    queue.insert(*waiting);
  }
  if (taken != nullptr) {
    queue.remove(*taken);
    if (!FW_FAULT(V14_picked_stays_buddy)) queue.clear_buddies(*taken);
    taken->where = Where::running;
    taken->cpu = event.cpu;
    taken->ran = 0;
    queue.curr = taken;
    taken->child.reset();
    // A fork that was cut short has charged and placed already, on a queue that is gone.
    if (queue.started() && !taken->cut_in_kernel) remember_fork_base(c, event);
  }
  c.on_cpu = event.other_pid;
  c.fair = taken != nullptr;
  c.marks.marked = c.marks.seen = c.yielded = false;
}

}  // namespace fw::validate
