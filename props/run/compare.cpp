// SPDX-License-Identifier: Apache-2.0
#include "props/run/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>

#include "props/gen/generate.h"
#include "props/reduce/reduce.h"
#include "props/run/case_run.h"
#include "props/run/difference.h"

namespace fw::run {
namespace {

std::unique_ptr<Side> start(const Contender& who, Setup setup) {
  setup.spec = who.spec;
  return who.model ? who.row->model(setup) : who.row->implementation(setup);
}

/// One contender running, read decision by decision.
class Stream {
 public:
  Stream(const Contender& who, const Setup& setup)
      : schema_(who.row->info->schema), side_(start(who, setup)) {}

  /// The next decision; nothing at the run's end.
  const Decision* front() {
    while (pending_.empty() && side_->advance()) {
      const auto taken = side_->decisions();
      pending_.assign(taken.begin(), taken.end());
    }
    return pending_.empty() ? nullptr : &pending_.front();
  }
  void pop() { pending_.pop_front(); }

  std::string fault() const { return side_->fault(); }
  std::string sentence() {
    return front() != nullptr ? describe(*front(), *side_, schema_) : "nothing more";
  }

 private:
  const PolicySchema& schema_;
  std::unique_ptr<Side> side_;
  std::deque<Decision> pending_;
};

/// A CPU's runnable tasks with their first integer, relative to the lowest of them.
std::string keys_of(const View& view, CpuId cpu, const Side& side, const PolicySchema& schema) {
  std::vector<const TaskView*> runnable;
  for (const TaskView& task : view.tasks) {
    if (task.cpu == cpu && task.state != TaskState::blocked) runnable.push_back(&task);
  }
  if (runnable.empty()) return "nobody is runnable";
  std::int64_t lowest = runnable.front()->ints[0];
  for (const TaskView* task : runnable) {
    if (task->ints[0] - lowest < 0) lowest = task->ints[0];
  }
  std::string out;
  for (const TaskView* task : runnable) {
    if (!out.empty()) out += ", ";
    out += side.task_name(task->id);
    if (task->state == TaskState::running) out += " (running)";
    if (!schema.task_ints.empty()) {
      out += fmt::format(" {} +{}", schema.task_ints[0], task->ints[0] - lowest);
    }
  }
  return out;
}

/// The same after the last stimulus of time `t`, in a run of its own.
std::string keys_at(const Contender& who, const Setup& setup, CpuId cpu, Instant t) {
  const auto side = start(who, setup);
  View before;
  View after;
  side->look(before);
  for (auto stimulus = side->advance(); stimulus && stimulus->t <= t; stimulus = side->advance()) {
    side->look(after);
    std::swap(before, after);
  }
  return keys_of(before, cpu, *side, who.row->info->schema);
}

bool decides_alike(const Decision& a, const Decision& b) {
  return a.t == b.t && a.cpu == b.cpu && a.kind == b.kind && a.task == b.task &&
         a.other == b.other && a.from == b.from && a.preempt == b.preempt && a.nice == b.nice &&
         a.cpus == b.cpus;
}

std::string kind_of(const Decision* decision) {
  return decision == nullptr ? "end" : std::string(decision_name(decision->kind));
}

/// The difference without the keys, which cost a run each.
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
  return out;
}

struct Compared {
  std::optional<DecisionDifference> difference;
  std::int64_t decisions = 0;
};

Outcome<Compared> run_both(const Contender& base, const Contender& patched, const Setup& setup) {
  Stream a(base, setup);
  Stream b(patched, setup);
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
    const bool same_integers = base.row == patched.row;
    if (first_state.empty() && same_integers && in_base->state != in_patched->state) {
      first_state = fmt::format("{} | {}", a.sentence(), b.sentence());
    }
    a.pop();
    b.pop();
  }
  for (const Stream* stream : {&a, &b}) {
    if (!stream->fault().empty()) return Error{stream->fault()};
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
                                                            const Setup& setup) {
  auto compared = run_both(base, patched, setup);
  if (!compared) return compared.error();
  std::optional<DecisionDifference>& out = compared->difference;
  if (out) {
    out->base_keys = keys_at(base, setup, out->cpu, out->t);
    out->patched_keys = keys_at(patched, setup, out->cpu, out->t);
  }
  return std::move(out);
}

SearchResult search_difference(const Contender& base,
                               const Contender& patched,
                               const SearchOptions& options,
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
    return run_both(base, patched, *setup);
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
  const auto setup = setup_of(*out.smallest);
  FW_EXPECT(setup.ok());  // it has run
  auto shown = first_difference(base, patched, *setup);
  FW_EXPECT(shown.ok());
  out.difference = std::move(*shown);
  return out;
}

}  // namespace fw::run
