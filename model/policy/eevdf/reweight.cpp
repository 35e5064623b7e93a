// SPDX-License-Identifier: Apache-2.0
// Section 5, path (b): the weight of a queued entity changes in place.
#include "model/policy/eevdf/work.h"

namespace fw::model::eevdf {

namespace re = rules::eevdf;
using rules::s64;
using rules::u64;

void Work::reweight(Task& p, re::Weight weight) {
  FW_EXPECT(p.on_rq);
  Queue& q = queue(p.cpu);
  const bool runs = q.curr == p.id;
  if (runs) charge(q);
  const auto scaled = [old = p.weight.weight, now = weight.weight](s64 distance) {
    return static_cast<s64>(re::rescaled<Exact>(distance, old, now));
  };
  const auto from = [](u64 origin, s64 distance) { return origin + static_cast<u64>(distance); };
  const auto since = [](u64 value, u64 origin) { return static_cast<s64>(value - origin); };
  const bool moves_protection =
      config_.vprot_scaled && config_.since(Profile::e618) && runs && is_protected(p);
  const u64 old_v = p.vruntime;
  const u64 old_protection = p.protection;

  const u64 middle = average(q, totals(state_, q));
  if (!runs) remove(q, p.id);
  count_out(q, p);
  const s64 relative = since(p.deadline, p.vruntime);
  if (config_.reweight == Reweight::e66) {
    p.deadline = from(p.vruntime, scaled(relative));
    p.weight = weight;
  } else if (config_.reweight != Reweight::e618) {
    const s64 lag = clamped_lag(q, p, middle);
    if (config_.reweight == Reweight::e71) p.vlag = scaled(lag);
    p.vruntime = middle - static_cast<u64>(scaled(lag));
    p.deadline = from(middle, scaled(since(p.deadline, middle)));
    if (moves_protection && config_.reweight == Reweight::e71) {
      p.protection = from(middle, scaled(since(old_protection, middle)));
    }
    p.weight = weight;
  } else {
    const s64 lag = clamped_lag(q, p, middle);
    p.vlag = scaled(lag);
    p.deadline = static_cast<u64>(scaled(relative));
    p.relative = true;
    p.weight = weight;
    // Quirk: a running one is still counted, with its old v and new weight.
    p.on_rq = runs;
    place(q, p, false);
    p.on_rq = false;
  }
  if (moves_protection && config_.reweight != Reweight::e71) {
    p.protection = from(p.vruntime, scaled(since(old_protection, old_v)));
  }
  count_in(q, p);
  if (!runs) insert(q, p);
  follow_least(q);
}

State reweighted(const Config& config, State&& state, TaskId task, re::Weight weight, Instant now) {
  State out = std::move(state);
  out.now = now;
  Event event;
  event.t = now;
  std::vector<Decision> log;
  Work work(config, out, event, log);
  work.reweight(out.tasks[index_of(out, task)], weight);
  return out;
}

}  // namespace fw::model::eevdf
