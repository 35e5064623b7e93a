// SPDX-License-Identifier: Apache-2.0
// One runqueue: charging, lag, placement, enqueue and dequeue, becoming current (sections 3 to 5).
#include <algorithm>

#include "model/policy/eevdf/work.h"

namespace fw::model::eevdf {

namespace re = rules::eevdf;
using rules::s64;
using rules::u64;

Task* Work::current(const Queue& q) {
  if (q.curr.idle()) return nullptr;
  Task& c = task(q.curr);
  return c.queued() ? &c : nullptr;
}

u64 Work::vdelta(u64 delta, const Task& p) const {
  return config_.vdelta_divides ? re::vdelta_divided(delta, p.weight) : re::vdelta(delta, p.weight);
}

/// Of the tree and `among`.
u64 Work::least_slice(const Queue& q, u64 among) const {
  for (const Waiting& entry : q.tree) among = std::min(among, entry.slice);
  return among;
}

bool Work::eligible(const Queue& q, const Totals& all, u64 vruntime) const {
  const auto key = static_cast<s64>(vruntime - q.base);
  return re::eligible<Exact>(all.sum, all.weight, key);
}

bool Work::is_protected(const Task& c) const {
  if (config_.since(Profile::e618)) return re::within(c.vruntime, c.protection);
  return config_.run_to_parity && c.protection == c.deadline;
}

/// CHOICE 8.
Why Work::charge(Queue& q) {
  Task* c = current(q);
  if (c == nullptr || !c->on_rq) return Why::none;
  const u64 delta = clock_ - c->exec_start;
  if (delta == 0) return Why::none;
  c->exec_start = clock_;
  c->sum_exec += delta;
  c->vruntime += vdelta(delta, *c);
  const bool expired = re::expired(c->vruntime, c->deadline);
  if (expired) {
    c->slice = own_slice(*c);
    c->deadline = c->vruntime + vdelta(c->slice, *c);
  }
  follow_least(q);
  if (q.tree.empty()) return Why::none;
  bool unprotected = false;
  if (config_.since(Profile::e618)) {
    unprotected = !re::within(c->vruntime, c->protection);
  } else if (config_.preempt_short && c->protection != c->deadline) {
    unprotected = !eligible(q, *c);
  }
  if (!expired && !unprotected) return Why::none;
  q.marked = true;
  clear_hint(q, c->id);
  return expired ? Why::deadline : Why::protection;
}

/// CHOICE 9, min_vruntime.
void Work::follow_least(Queue& q) {
  if (config_.reference != Reference::min) return;
  const Task* c = current(q);
  if (c == nullptr && q.tree.empty()) return;
  u64 least = c != nullptr ? c->vruntime : q.tree.front().vruntime;
  for (const Waiting& entry : q.tree) least = rules::cfs::earlier_of(least, entry.vruntime);
  q.base = re::moved_base(q.base, least);
}

/// CHOICE 9, zero_vruntime.
void Work::follow_average(Queue& q) {
  if (config_.reference != Reference::min) q.base = average(q, totals(state_, q));
}

s64 Work::clamped_lag(const Queue& q, const Task& p, u64 average) {
  u64 span = re::lag_span(p.slice, config_.tick_ns);
  if (config_.lag_limit_new) {
    const Task* c = current(q);
    u64 greatest = std::max(p.slice, c == nullptr ? 0 : c->slice);
    for (const Waiting& entry : q.tree) greatest = std::max(greatest, entry.slice);
    span = re::lag_span_later(greatest, config_.tick_ns);
  }
  const Exact lag = static_cast<s64>(average - p.vruntime);
  return static_cast<s64>(re::clamped<Exact>(lag, vdelta(span, p)));
}

/// CHOICE 10; the entity is still counted.
void Work::store_lag(Queue& q, Task& p) {
  const u64 middle = average(q, totals(state_, q));
  if (config_.reference == Reference::zero_at_use) q.base = middle;
  p.vlag = clamped_lag(q, p, middle);
}

void Work::count_in(Queue& q, Task& p) {
  p.on_rq = true;
  ++q.nr_running;
  q.load += p.weight.weight;
}

void Work::count_out(Queue& q, Task& p) {
  p.on_rq = false;
  --q.nr_running;
  q.load -= p.weight.weight;
}

/// A runnable entity that is current leaves its queue; not as a delayed one.
void Work::take_off(Queue& q, Task& p, bool sleep) {
  store_lag(q, p);
  if (!sleep && config_.place_rel_deadline) {
    p.deadline -= p.vruntime;
    p.relative = true;
  }
  count_out(q, p);
  follow_least(q);
}

/// CHOICE 15: a delayed sleeper goes for good.
void Work::drop_delayed(Queue& q, Task& p) {
  store_lag(q, p);
  if (config_.delay_zero) p.vlag = std::min<s64>(p.vlag, 0);
  p.delayed = false;
  if (q.curr != p.id) remove(q, p.id);
  follow_least(q);
}

/// Section 5; the entity is not counted.
void Work::place(Queue& q, Task& p, bool initial) {
  const Totals others = totals(state_, q);
  p.slice = own_slice(p);
  Exact lag = 0;
  if (config_.place_lag && others.count > 0) {
    lag = re::inflated<Exact>(p.vlag, others.weight, p.weight.weight);
  }
  p.vruntime = average(q, others) - static_cast<u64>(lag);
  if (p.relative) {
    p.deadline += p.vruntime;
    p.relative = false;
    return;
  }
  const u64 whole = vdelta(p.slice, p);
  p.deadline = p.vruntime + (initial && config_.place_deadline_initial ? whole / 2 : whole);
}

void Work::enqueue(Task& p, bool initial) {
  Queue& q = queue(p.cpu);
  charge(q);
  place(q, p, initial);
  count_in(q, p);
  if (q.curr != p.id) insert(q, p);
}

/// CHOICE 11: behind all entries whose key is not larger.
void Work::insert(Queue& q, const Task& p) {
  const bool by_deadline = config_.since(Profile::e612);
  auto at = q.tree.end();
  while (at != q.tree.begin()) {
    const Waiting& before = *(at - 1);
    if (!(by_deadline ? rules::later(before.deadline, p.deadline)
                      : rules::later(before.vruntime, p.vruntime))) {
      break;
    }
    --at;
  }
  q.tree.insert(at, {p.vruntime, p.deadline, p.slice, p.weight.weight, p.id});
  follow_average(q);
}

void Work::remove(Queue& q, TaskId id) {
  q.tree.erase(std::find_if(
      q.tree.begin(), q.tree.end(), [&](const Waiting& entry) { return entry.task == id; }));
  follow_average(q);
}

/// The queue has no current afterwards.
void Work::put_current(Queue& q) {
  const Task* c = current(q);
  q.curr = idle_task;
  if (c != nullptr) insert(q, *c);
}

/// CHOICE 16; the entity has left the tree.
void Work::set_current(Queue& q, Task& p, bool picked) {
  q.curr = p.id;
  p.exec_start = clock_;
  p.prev_sum_exec = p.sum_exec;
  clear_hint(q, p.id);
  if (picked || !config_.vprot_at_pick_only) protect(q, p);
}

void Work::protect(const Queue& q, Task& p) {
  p.protection = p.deadline;
  if (!config_.since(Profile::e618)) return;
  const u64 span = config_.run_to_parity ? least_slice(q, p.slice)
                                         : std::min(config_.unscaled_slice_ns, p.slice);
  p.protection = re::protected_until(p.vruntime, p.deadline, p.slice, span, vdelta(span, p));
}

void Work::clear_hint(Queue& q, TaskId id) {
  if (q.next == id) q.next = idle_task;
}

}  // namespace fw::model::eevdf
