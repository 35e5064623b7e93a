// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "props/properties/cfs_checker.h"
#include "props/properties/eevdf_rules.h"
#include "props/properties/eevdf_view.h"

namespace fw::props::eevdf {

/// A checker that restates eevdf rules in numbers.
class RulesChecker : public Checker {
 public:
  bool applies(const Setup& setup) override {
    rules_.emplace(setup);
    return in_scope(setup);
  }

 protected:
  virtual bool in_scope(const Setup& setup) {
    (void)setup;
    return true;
  }
  const Tunables& rules() const { return *rules_; }
  std::uint64_t clock_of(const Moment& m) const { return rules().clock_at(m.stimulus.t); }
  /// The entities of `cpu`. There is one book: the next call overwrites it.
  Book& book(const View& view, CpuId cpu) {
    book_.open(view, cpu);
    return book_;
  }
  /// Those before the stimulus, the running one charged up to now.
  Book& charged_book(const Moment& m, CpuId cpu) {
    book(m.before, cpu).charge(rules(), clock_of(m));
    return book_;
  }

 private:
  std::optional<Tunables> rules_;
  Book book_;
};

using cfs::brings_task;
using cfs::cpu_of;
using cfs::decision;
using cfs::find;
using cfs::is_wakeup;
using cfs::violation;

/// A task that enters a queue from outside at this stimulus: started, woken, forked, or moved by a
/// change of its mask; nullptr when none does (a delayed sleeper that wakes stays where it is).
inline const TaskView* joiner(const Moment& m) {
  const StimulusKind kind = m.stimulus.kind;
  if (!brings_task(kind) && kind != StimulusKind::affinity) return nullptr;
  const TaskView* now = find(m.after, m.stimulus.task);
  if (now == nullptr || !is_queued(*now)) return nullptr;
  const TaskView* was = find(m.before, now->id);
  if (kind == StimulusKind::affinity) return was != nullptr && was->cpu != now->cpu ? now : nullptr;
  return was != nullptr && is_queued(*was) ? nullptr : now;
}

inline std::int64_t wide(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace fw::props::eevdf
