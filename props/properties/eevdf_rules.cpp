// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_rules.h"

#include <algorithm>

#include "props/properties/eevdf_view.h"

namespace fw::props::eevdf {
namespace {

template <class Enum>
void set_choice(const PolicySpec& spec, const char* name, Enum& value) {
  const auto found = spec.knobs.find(name);
  if (found != spec.knobs.end()) value = static_cast<Enum>(found->second);
}

std::uint64_t cpu_factor(int cpus) {
  std::uint64_t factor = 1;
  for (int n = std::min(cpus, 8); n > 1; n /= 2) ++factor;
  return factor;
}

}  // namespace

Tunables::Tunables(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  if (spec.version == "6.6") profile = Profile::e66;
  if (spec.version == "6.12") profile = Profile::e612;
  set_choice(spec, "profile", profile);
  read_knobs(setup);
  read_features(spec);
}

void Tunables::read_knobs(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  const std::uint64_t factor = cpu_factor(setup.topology.cpus);
  base_slice_ns = (since(Profile::e618) ? 700'000u : 750'000u) * factor;
  std::int64_t hz = setup.workload.hz.value_or(1000);
  reference = since(Profile::e618l)   ? Reference::zero_at_use
              : since(Profile::e618s) ? Reference::zero
                                      : Reference::min;
  reweight = since(Profile::e618)   ? Reweight::e618
             : since(Profile::e612) ? Reweight::e612
                                    : Reweight::e66;
  yield_forfeits = since(Profile::e618s);
  lag_limit_new = vprot_at_pick_only = since(Profile::e618l);
  set_choice(spec, "reference", reference);
  set_choice(spec, "reweight", reweight);
  set_choice(spec, "yield", yield_forfeits);
  set_choice(spec, "lag_limit", lag_limit_new);
  set_choice(spec, "vprot_set", vprot_at_pick_only);
  set_choice(spec, "vdelta_kind", vdelta_divides);
  set_choice(spec, "base_slice", base_slice_ns);
  set_choice(spec, "clock_base", clock_base);
  set_choice(spec, "hz", hz);
  unscaled_slice_ns = base_slice_ns / factor;
  const auto ticks = static_cast<std::uint64_t>(std::max<std::int64_t>(1, hz));
  tick_ns = (1'000'000'000 + ticks / 2) / ticks;
  longest_tick_ns = (1'000'000'000 + ticks - 1) / ticks;
}

void Tunables::read_features(const PolicySpec& spec) {
  const auto feature = [&spec](const char* name, bool known, bool standard) {
    const auto found = spec.features.find(name);
    return known && (found == spec.features.end() ? standard : found->second);
  };
  const bool late = since(Profile::e612);
  place_lag = feature("PLACE_LAG", true, true);
  place_deadline_initial = feature("PLACE_DEADLINE_INITIAL", late, true);
  place_rel_deadline = feature("PLACE_REL_DEADLINE", late, true);
  run_to_parity = feature("RUN_TO_PARITY", true, true);
  preempt_short = feature("PREEMPT_SHORT", late, true);
  delay_dequeue = feature("DELAY_DEQUEUE", late, true);
  delay_zero = feature("DELAY_ZERO", late, true);
  wakeup_preemption = feature("WAKEUP_PREEMPTION", true, true);
  next_buddy = feature("NEXT_BUDDY", true, false);
  pick_buddy = since(Profile::e618) ? feature("PICK_BUDDY", true, true) : next_buddy;
}

std::uint64_t Tunables::vdelta(std::uint64_t delta, const exact::WeightRow& row) const {
  __extension__ using Product = unsigned __int128;
  if (vdelta_divides) {
    return static_cast<std::uint64_t>(static_cast<Product>(delta) * 1024 / row.weight);
  }
  if (row.weight == 1024) return delta;
  std::uint64_t factor = 1024 * row.inverse;
  int shift = 32;
  for (; factor >= std::uint64_t{1} << 32; factor /= 2) --shift;
  return static_cast<std::uint64_t>((static_cast<Product>(delta) * factor) >> shift);
}

std::uint64_t Tunables::granted(std::int64_t request_ns) const {
  if (request_ns <= 0 || !since(Profile::e612)) return base_slice_ns;
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(request_ns, 100'000, 100'000'000));
}

std::int64_t Tunables::lag_limit(std::uint64_t own_slice,
                                 std::uint64_t greatest_slice,
                                 const exact::WeightRow& row) const {
  const std::uint64_t span =
      lag_limit_new ? greatest_slice + tick_ns : std::max(2 * own_slice, tick_ns);
  return static_cast<std::int64_t>(vdelta(span, row));
}

void Book::open(const View& view, CpuId cpu) {
  entries.clear();
  delta = 0;
  expired = asks = false;
  const CpuView& queue = view.cpus[static_cast<std::size_t>(cpu.value)];
  base = get(queue, base_vruntime);
  const auto entry_of = [&queue](const TaskView& task) {
    return Entry{&task,
                 get(task, vruntime),
                 get(task, eevdf::deadline),
                 get(task, slice),
                 task.weight,
                 get(task, protection),
                 queue.curr == task.id,
                 is_delayed(task)};
  };
  for (const TaskId id : queue.queue) {
    if (const TaskView* task = cfs::find(view, id)) entries.push_back(entry_of(*task));
  }
  for (const TaskView& task : view.tasks) {
    if (task.cpu != cpu || !is_queued(task)) continue;
    const Entry entry = entry_of(task);
    if (entry.current || entry.delayed) entries.push_back(entry);
  }
}

void Book::charge(const Tunables& rules, std::uint64_t now) {
  Entry* entry = current();
  if (entry == nullptr || entry->delayed) return;
  delta = now - get(*entry->task, exec_start);
  if (delta == 0) return;
  const exact::WeightRow& row = row_of(*entry->task);
  entry->vruntime += rules.vdelta(delta, row);
  expired = exact::ahead(entry->vruntime, entry->deadline) >= 0;
  if (expired) entry->deadline = entry->vruntime + rules.vdelta(entry->slice, row);
  if (entries.size() < 2) return;
  asks = expired;
  if (rules.since(Profile::e618)) {
    asks = asks || exact::ahead(entry->vruntime, entry->protection) >= 0;
  } else if (rules.preempt_short) {
    asks = asks || (entry->protection != entry->deadline && !eligible(entry->vruntime));
  }
}

void Book::remove(TaskId task) {
  const auto at = std::find_if(
      entries.begin(), entries.end(), [task](const Entry& e) { return e.task->id == task; });
  if (at != entries.end()) entries.erase(at);
}

Entry* Book::find(TaskId task) {
  for (Entry& entry : entries) {
    if (entry.task->id == task) return &entry;
  }
  return nullptr;
}

Entry* Book::current() {
  for (Entry& entry : entries) {
    if (entry.current) return &entry;
  }
  return nullptr;
}

std::uint64_t Book::weight() const {
  std::uint64_t out = 0;
  for (const Entry& entry : entries) out += entry.weight;
  return out;
}

Exact Book::sum() const {
  Exact out = 0;
  for (const Entry& entry : entries) {
    out +=
        static_cast<Exact>(exact::ahead(entry.vruntime, base)) * static_cast<Exact>(entry.weight);
  }
  return out;
}

std::uint64_t Book::average() const {
  if (entries.empty()) return base;
  const Exact total = sum();
  const auto load = static_cast<Exact>(weight());
  Exact quotient = total / load;
  if (total % load < 0) --quotient;
  return base + static_cast<std::uint64_t>(quotient);
}

bool Book::eligible(std::uint64_t vruntime) const {
  return sum() >= static_cast<Exact>(exact::ahead(vruntime, base)) * static_cast<Exact>(weight());
}

std::uint64_t Book::least_slice() const {
  std::uint64_t out = ~std::uint64_t{0};
  for (const Entry& entry : entries) out = std::min(out, entry.slice);
  return out;
}

std::uint64_t Book::greatest_slice() const {
  std::uint64_t out = 0;
  for (const Entry& entry : entries) out = std::max(out, entry.slice);
  return out;
}

std::int64_t Book::clamped_lag(const Tunables& rules, const Entry& entry) const {
  const std::int64_t limit =
      rules.lag_limit(entry.slice, std::max(entry.slice, greatest_slice()), row_of(*entry.task));
  return std::clamp(exact::ahead(average(), entry.vruntime), -limit, limit);
}

bool Book::is_protected(const Tunables& rules, const Entry& entry) const {
  if (rules.since(Profile::e618)) return exact::ahead(entry.vruntime, entry.protection) < 0;
  return rules.run_to_parity && entry.protection == entry.deadline;
}

Choice Book::choose(const Tunables& rules, bool protect, TaskId hint) const {
  if (entries.empty()) return {};
  if (rules.since(Profile::e612) && entries.size() == 1) {
    return {&entries.front(), Why::earliest_deadline};
  }
  const Entry* runs = nullptr;
  for (const Entry& entry : entries) {
    if (rules.pick_buddy && entry.task->id == hint && eligible(entry.vruntime)) {
      return {&entry, Why::next};
    }
    if (entry.current && eligible(entry.vruntime)) runs = &entry;
  }
  if (runs != nullptr && protect && is_protected(rules, *runs)) return {runs, Why::protected_};
  Choice out;
  out.entry = earliest(rules, runs, &out.other);
  out.why = Why::earliest_deadline;
  return out;
}

/// `current` is the running one if it is eligible. A delayed entity's place among waiting ones of
/// the same deadline cannot be seen: then the first of each kind is given.
const Entry* Book::earliest(const Tunables& rules,
                            const Entry* current,
                            const Entry** other) const {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    if (entry.current || !eligible(entry.vruntime)) continue;
    const std::int64_t gap = best == nullptr ? -1 : exact::ahead(entry.deadline, best->deadline);
    if (gap < 0) {
      best = &entry;
      *other = nullptr;
    } else if (gap == 0 && entry.delayed) {
      *other = &entry;
    }
  }
  if (current == nullptr) return best;
  const std::int64_t lead = best == nullptr ? -1 : exact::ahead(current->deadline, best->deadline);
  if (lead < 0 || (lead == 0 && !rules.since(Profile::e612))) {
    *other = nullptr;
    return current;
  }
  return best;
}

}  // namespace fw::props::eevdf
