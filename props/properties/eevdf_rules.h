// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/vocab/side.h"
#include "props/properties/exact.h"

/// EEVDF for the checkers, stated a third time from the specification so that a slip of the model
/// or of the implementation cannot hide here.  Source:  the EEVDF dossier, sections 1 to 5b, and
/// the page of choices in model/policy/eevdf. Times in ns, vruntimes and deadlines in virtual ns.
namespace fw::props::eevdf {

__extension__ typedef __int128 Exact;

enum class Profile { e66, e612, e618, e618s, e618l };  // in the knob's order
enum class Reference { min, zero, zero_at_use };
enum class Reweight { e66, e612, e618, e71 };

/// The numbers and switches of a run, worked out from the spec.
struct Tunables {
  explicit Tunables(const Setup& setup);

  Profile profile = Profile::e618;
  Reference reference = Reference::min;
  Reweight reweight = Reweight::e618;
  bool yield_forfeits = false;
  bool lag_limit_new = false;
  bool vprot_at_pick_only = false;
  bool vdelta_divides = false;

  bool place_lag = true;
  bool place_deadline_initial = true;
  bool place_rel_deadline = true;
  bool run_to_parity = true;
  bool preempt_short = true;
  bool delay_dequeue = true;
  bool delay_zero = true;
  bool wakeup_preemption = true;
  bool next_buddy = false;
  bool pick_buddy = true;

  std::uint64_t base_slice_ns = 0;
  std::uint64_t unscaled_slice_ns = 0;
  std::uint64_t tick_ns = 0;          ///< to the nearest ns, as the rules use it
  std::uint64_t longest_tick_ns = 0;  ///< most between two ticks
  std::uint64_t clock_base = 0;

  bool since(Profile first) const { return profile >= first; }
  std::uint64_t clock_at(Instant t) const { return clock_base + static_cast<std::uint64_t>(t.ns); }
  /// Virtual time of `delta` ns. Rounds down.
  std::uint64_t vdelta(std::uint64_t delta, const exact::WeightRow& row) const;
  /// A requested slice as granted; 0: the base slice.
  std::uint64_t granted(std::int64_t request_ns) const;
  /// Bound of a stored lag, virtual ns.
  std::int64_t lag_limit(std::uint64_t own_slice,
                         std::uint64_t greatest_slice,
                         const exact::WeightRow& row) const;

 private:
  void read_knobs(const Setup& setup);
  void read_features(const PolicySpec& spec);
};

/// Rounds towards zero.
inline std::int64_t rescaled(std::int64_t distance, std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(static_cast<Exact>(distance) * static_cast<Exact>(from) /
                                   static_cast<Exact>(to));
}

/// A queued entity: the running one, a waiting one or a delayed sleeper.
struct Entry {
  const TaskView* task = nullptr;
  std::uint64_t vruntime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t slice = 0;
  std::uint64_t weight = 0;
  std::uint64_t protection = 0;
  bool current = false;
  bool delayed = false;
};

/// What the pick rule gives; `other` is not null when the order of two equals cannot be seen.
struct Choice {
  const Entry* entry = nullptr;
  Why why = Why::idle;
  const Entry* other = nullptr;
};

/// The queued entities of one CPU, from a View; all sums by recount.
class Book {
 public:
  /// Reads the CPU's entities as they stand: waiting ones in the queue's order, then the rest.
  void open(const View& view, CpuId cpu);
  /// Charges the running one up to `clock`.
  void charge(const Tunables& rules, std::uint64_t clock);
  void add(const Entry& entry) { entries.push_back(entry); }
  void remove(TaskId task);
  Entry* find(TaskId task);
  Entry* current();

  std::uint64_t weight() const;
  Exact sum() const;              ///< of weight * (v - base)
  std::uint64_t average() const;  ///< V; the base if nothing is queued
  bool eligible(std::uint64_t vruntime) const;
  std::uint64_t least_slice() const;     ///< all ones if nothing is queued
  std::uint64_t greatest_slice() const;  ///< 0 if nothing is queued
  std::int64_t clamped_lag(const Tunables& rules, const Entry& entry) const;
  bool is_protected(const Tunables& rules, const Entry& entry) const;
  /// The pick rule over all entities; `hint` may be idle_task.
  Choice choose(const Tunables& rules, bool protect, TaskId hint) const;

  std::vector<Entry> entries;
  std::uint64_t base = 0;
  // What charge() found.
  std::uint64_t delta = 0;
  bool expired = false;  ///< a new deadline was given
  bool asks = false;     ///< the charge marks for a reschedule

 private:
  const Entry* earliest(const Tunables& rules, const Entry* current, const Entry** other) const;
};

inline const exact::WeightRow& row_of(const TaskView& task) {
  return exact::weight_row(task.nice, task.sched_class == SchedClass::idle);
}

}  // namespace fw::props::eevdf
