// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_preemption.h"

#include <algorithm>

namespace fw::props::eevdf {
namespace {

/// Puts waiting entities into the order that the queue has afterwards, the rest behind them.
void sort_as_queued(Book& book, const CpuView& queue) {
  const auto place = [&queue](const Entry& entry) {
    return std::find(queue.queue.begin(), queue.queue.end(), entry.task->id) - queue.queue.begin();
  };
  std::stable_sort(book.entries.begin(),
                   book.entries.end(),
                   [&place](const Entry& a, const Entry& b) { return place(a) < place(b); });
}

Entry entry_of(const TaskView& task, bool current) {
  return {&task,
          get(task, vruntime),
          get(task, deadline),
          get(task, slice),
          task.weight,
          get(task, protection),
          current,
          false};
}

/// Section 5's comparison itself. `hint` as it stands after the wakeup.
void compare(PreemptionTest& out, const Tunables& rules, Book& book, TaskId hint) {
  Entry& runs = *book.current();
  const Entry& woken = *book.find(out.woken->id);
  const bool shorter = rules.preempt_short && woken.slice < runs.slice;
  const bool was_protected = book.is_protected(rules, runs) && book.eligible(runs.vruntime);
  const bool late = rules.since(Profile::e618);
  if (!late && shorter && book.eligible(woken.vruntime) &&
      (exact::ahead(woken.deadline, runs.deadline) < 0 || !book.eligible(runs.vruntime)) &&
      runs.protection == runs.deadline) {
    ++runs.protection;
  }
  const Choice choice = book.choose(rules, !late || !shorter, hint);
  out.decided = choice.other == nullptr;
  const bool first = choice.entry == &woken;
  if (late && shorter && first && book.is_protected(rules, runs)) {
    runs.protection = runs.vruntime;
  } else if (late && shorter && !first) {
    runs.protection = exact::earlier(
        runs.protection, runs.vruntime + rules.vdelta(book.least_slice(), row_of(*runs.task)));
  }
  out.protection = runs.protection;
  out.mark = out.mark || first;
  out.broken = first && shorter && was_protected && choice.why != Why::next;
}

}  // namespace

PreemptionTest preemption_test(const Moment& m, const Tunables& rules, Book& book) {
  PreemptionTest out;
  const TaskView* came = joiner(m);
  const bool joined = came != nullptr;
  if (!joined && is_wakeup(m.stimulus.kind)) came = find(m.after, m.stimulus.task);
  if (came == nullptr) return out;
  out.made = out.decided = true;
  out.woken = came;
  out.cpu = came->cpu;
  const CpuView& queue = cpu_of(m.before, came->cpu);
  const std::uint64_t now = rules.clock_at(m.stimulus.t);
  out.was_marked = out.mark = queue.marked;
  book.open(m.before, came->cpu);
  if (joined) {
    book.charge(rules, now);
    out.mark = out.mark || book.asks;
  } else {
    book.remove(came->id);
  }
  book.add(entry_of(*came, queue.curr == came->id));
  sort_as_queued(book, cpu_of(m.after, came->cpu));
  if (queue.curr.idle()) {
    out.mark = true;
    return out;
  }
  if (queue.curr == came->id) return out;
  const bool fork = m.stimulus.kind == StimulusKind::fork;
  TaskId hint{static_cast<std::int32_t>(queue.ints[next])};
  if (rules.next_buddy && !fork && !idle_policy(*came)) hint = came->id;
  Entry* runs = book.current();
  if (runs == nullptr || runs->delayed) return out;  // it has just left; that marked
  out.tested = runs->task->id;
  out.protection = runs->protection;
  if (out.mark) return out;
  if (idle_policy(*runs->task) && !idle_policy(*came)) {
    if (rules.since(Profile::e618) && book.is_protected(rules, *runs)) {
      out.protection = runs->vruntime;
    }
    out.mark = true;
    return out;
  }
  if (came->sched_class != SchedClass::normal || !rules.wakeup_preemption) return out;
  if (!joined) {
    book.charge(rules, now);
    out.mark = book.asks;
  }
  compare(out, rules, book, hint);
  return out;
}

}  // namespace fw::props::eevdf
