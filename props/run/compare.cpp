// SPDX-License-Identifier: Apache-2.0
#include "props/run/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>

#include "props/gen/generate.h"
#include "props/reduce/reduce.h"
#include "props/run/case_run.h"
#include "props/run/difference.h"

namespace fw::run {
namespace {

/// One contender running, read decision by decision.
class Stream {
 public:
  Stream(const Contender& who, const Setup& setup, Plant plant)
      : who_(who), setup_(setup), plant_(plant) {
    setup_.spec = who.spec;
    switch_fault();
    side_ = start();
  }

  /// The next decision; nothing at the run's end.
  const Decision* front() {
    if (pending_.empty()) {
      switch_fault();
      while (pending_.empty() && side_->advance()) {
        const auto taken = side_->decisions();
        pending_.assign(taken.begin(), taken.end());
      }
    }
    return pending_.empty() ? nullptr : &pending_.front();
  }
  void pop() { pending_.pop_front(); }

  const Side& side() const { return *side_; }
  const PolicySchema& schema() const { return who_.row->info->schema; }
  std::string sentence() { return front() ? describe(*front(), *side_, schema()) : "nothing more"; }

  /// The runnable tasks of a CPU with their integers, after the last stimulus of time `t`: of this
  /// run if it stands there, else of a second run that is taken so far.
  std::string keys(CpuId cpu, Instant t) {
    if (front() && front()->t == t) return keys_of(*side_, cpu);
    switch_fault();
    const auto again = start();
    View view;
    std::string out = keys_of(*again, cpu);
    while (const auto stimulus = again->advance()) {
      if (stimulus->t > t) break;
      out = keys_of(*again, cpu);
    }
    return out;
  }

 private:
  void switch_fault() const {
    if (plant_ != nullptr) plant_(who_.fault);
  }
  std::unique_ptr<Side> start() const {
    return who_.model ? who_.row->model(setup_) : who_.row->implementation(setup_);
  }

  std::string keys_of(const Side& side, CpuId cpu) const {
    View view;
    side.look(view);
    const std::size_t shown = schema().task_ints.empty() ? 0 : 1;
    std::optional<std::int64_t> lowest;
    for (const TaskView& task : view.tasks) {
      if (task.cpu != cpu || task.state == TaskState::blocked) continue;
      if (!lowest || task.ints[0] - *lowest < 0) lowest = task.ints[0];
    }
    std::string out;
    for (const TaskView& task : view.tasks) {
      if (task.cpu != cpu || task.state == TaskState::blocked) continue;
      if (!out.empty()) out += ", ";
      out += side.task_name(task.id);
      if (task.state == TaskState::running) out += " (running)";
      if (shown > 0) {
        out += fmt::format(" {} +{}", schema().task_ints[0], task.ints[0] - lowest.value_or(0));
      }
    }
    return out.empty() ? "nobody is runnable" : out;
  }

  const Contender& who_;
  Setup setup_;
  Plant plant_;
  std::unique_ptr<Side> side_;
  std::deque<Decision> pending_;
};

bool decides_alike(const Decision& a, const Decision& b) {
  return a.t == b.t && a.cpu == b.cpu && a.kind == b.kind && a.task == b.task &&
         a.other == b.other && a.from == b.from && a.preempt == b.preempt && a.nice == b.nice &&
         a.cpus == b.cpus;
}

std::string kind_of(const Decision* decision) {
  return decision == nullptr ? "end" : std::string(decision_name(decision->kind));
}

DecisionDifference parted(Stream& base, Stream& patched, std::int64_t decided_alike) {
  const Decision* a = base.front();
  const Decision* b = patched.front();
  const Decision& first = a != nullptr && (b == nullptr || a->t <= b->t) ? *a : *b;
  DecisionDifference out;
  out.t = first.t;
  out.cpu = first.cpu;
  out.decided_alike = decided_alike;
  out.kind = kind_of(a) + " against " + kind_of(b);
  out.base = base.sentence();
  out.patched = patched.sentence();
  const CpuId cpu = first.cpu;
  const Instant t = first.t;
  out.base_keys = base.keys(cpu, t);
  out.patched_keys = patched.keys(cpu, t);
  return out;
}

/// Whether two contenders keep the same integers, so that their values can be compared.
bool same_integers(const Contender& a, const Contender& b) { return a.row == b.row; }

struct Compared {
  std::optional<DecisionDifference> difference;
  std::int64_t decisions = 0;
};

Outcome<Compared> run_both(const Contender& base,
                           const Contender& patched,
                           const Setup& setup,
                           Plant plant) {
  Stream a(base, setup, plant);
  Stream b(patched, setup, plant);
  Compared out;
  std::string first_state;
  for (;; ++out.decisions) {
    const Decision* in_base = a.front();
    const Decision* in_patched = b.front();
    if (in_base == nullptr && in_patched == nullptr) break;
    if (in_base == nullptr || in_patched == nullptr || !decides_alike(*in_base, *in_patched)) {
      out.difference = parted(a, b, out.decisions);
      out.difference->first_state = first_state;
      break;
    }
    if (first_state.empty() && same_integers(base, patched) &&
        in_base->state != in_patched->state) {
      first_state = fmt::format("{} | {}", a.sentence(), b.sentence());
    }
    a.pop();
    b.pop();
  }
  for (const Stream* stream : {&a, &b}) {
    if (!stream->side().fault().empty()) return Error{stream->side().fault()};
  }
  return out;
}

Case case_for(const Contender& base, Case c) {
  c.spec = base.spec;
  c.property.clear();
  c.mutant.clear();
  return c;
}

}  // namespace

Outcome<std::optional<DecisionDifference>> first_difference(const Contender& base,
                                                            const Contender& patched,
                                                            const Setup& setup,
                                                            Plant plant) {
  auto compared = run_both(base, patched, setup, plant);
  if (!compared) return compared.error();
  return std::move(compared->difference);
}

SearchResult search_difference(const Contender& base,
                               const Contender& patched,
                               const SearchOptions& options,
                               Plant plant,
                               const std::function<void(const std::string&)>& on_progress) {
  using Clock = std::chrono::steady_clock;
  gen::GenOptions fixed;
  fixed.spec = base.spec;
  fixed.vary_features = false;
  fixed.vary_knobs = false;
  fixed.grain = {1'000};
  if (!options.topology.empty()) fixed.topology = {options.topology, options.cpus};
  const auto compare = [&](const Case& c) -> Outcome<Compared> {
    const auto setup = setup_of(c);
    if (!setup) return setup.error();
    return run_both(base, patched, *setup, plant);
  };

  SearchResult out;
  const auto deadline = Clock::now() + std::chrono::nanoseconds(options.time.ns);
  std::optional<Case> found;
  for (; out.cases < options.cases && Clock::now() < deadline && !found; ++out.cases) {
    const Case c = case_for(
        base,
        gen::generate(*base.row->info, options.seed, static_cast<std::uint64_t>(out.cases), fixed));
    const auto compared = compare(c);
    if (!compared) continue;
    out.events += compared->decisions;
    out.difference = compared->difference;
    if (out.difference) found = c;
    if (on_progress) on_progress(fmt::format("{} workloads tried", out.cases + 1));
  }
  if (!found) return out;

  const std::string kind = out.difference->kind;
  const reduce::Oracle oracle = [&](const Case& candidate) -> reduce::OracleAnswer {
    const auto compared = compare(candidate);
    if (!compared || !compared->difference) return {};
    return {signature_of("compare", compared->difference->kind),
            {-1, compared->difference->t, compared->difference->kind}};
  };
  found->signature = signature_of("compare", kind);
  reduce::Budget budget;
  budget.deadline = Clock::now() + std::chrono::nanoseconds(options.shrink_time.ns);
  const auto show = [&](const Case& better, const reduce::Statistics& statistics) {
    if (on_progress) {
      on_progress(fmt::format(
          "shrinking: {} runs, {} events left", statistics.calls, reduce::count_events(better)));
    }
  };
  const auto reduced = reduce::reduce(*found, oracle, budget, show, {});
  out.original_events = reduce::count_events(*found);
  out.smallest = reduced ? reduced->best : *found;
  out.smallest->spec = base.spec;  // it is what is compared, not what is shrunk
  if (reduced) out.shrink_runs = reduced->statistics.calls;
  if (const auto compared = compare(*out.smallest); compared && compared->difference) {
    out.difference = compared->difference;
  }
  return out;
}

}  // namespace fw::run
