// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/proof_parts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "props/properties/cfs_bounds.h"
#include "solver/exact/schedule.h"

namespace fw::cli {
namespace {

namespace fs = std::filesystem;
using theorem::Theorem;

std::string status_of(solver::Status status, theorem::Claim claim) {
  switch (status) {
    case solver::Status::proved:
      return claim == theorem::Claim::holds ? "proved" : "refuted";
    case solver::Status::unknown:
      return "unknown";
    case solver::Status::failed:
      return "failed";
  }
  return "";
}

std::string unit_of(const theorem::Witness& witness) {
  return witness.measure == theorem::Measure::spread ? "vns" : "ns";
}

}  // namespace

QueryFolder::QueryFolder(const std::string& kept) : kept_(!kept.empty()) {
  path_ = kept_ ? fs::path(kept)
                : fs::temp_directory_path() / fmt::format("fairwitness-prove-{}", ::getpid());
}
QueryFolder::~QueryFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_, ignored);
}

std::optional<Point> point_of(const PolicySpec& spec,
                              const std::vector<int>& nices,
                              const Theorem& row) {
  Setup setup;
  setup.spec = spec;
  std::string tasks;
  for (const int nice : nices) {
    TaskDef& task = setup.workload.tasks.emplace_back();
    task.nice = nice;
    tasks += (tasks.empty() ? "" : ", ") + std::to_string(nice);
  }
  const props::cfs::Tunables rules(setup);
  const auto inputs = props::cfs::bound_inputs(setup, rules);
  if (!inputs) return std::nullopt;
  Point out{inputs->limits, inputs->mix, ""};
  out.mix.open = row.forks;
  const bool buddies = row.buddies && (rules.last_buddy || rules.next_buddy);
  out.limits.granularity_ns = buddies ? static_cast<std::int64_t>(rules.wakeup_granularity_ns) : 0;
  out.text = fmt::format("{}, one CPU, {} nice {}",
                         spec.text,
                         row.forks ? "any number of tasks of" : "tasks of",
                         tasks);
  return out;
}

std::vector<ObligationResult::Engine> engines_of(const solver::Judgement& judgement,
                                                 const std::vector<solver::Solver>& solvers) {
  std::vector<ObligationResult::Engine> out;
  for (const solver::Solver& one : solvers) {
    ObligationResult::Engine engine{one.name, one.version, "", 0};
    int right = 0;
    int all = 0;
    for (const solver::Asked& asked : judgement.asked) {
      if (asked.solver != one.name) continue;
      const bool sat = asked.part == solver::Part::vacuity || asked.part == solver::Part::control;
      right += asked.answer == (sat ? solver::Answer::sat : solver::Answer::unsat) ? 1 : 0;
      ++all;
      engine.seconds += asked.seconds;
    }
    engine.verdict = fmt::format("{} of {}", right, all);
    out.push_back(std::move(engine));
  }
  return out;
}

ObligationResult describe(const Theorem& row,
                          const solver::Obligation& obligation,
                          const solver::Judgement& judgement,
                          const PolicySpec& spec,
                          const std::vector<int>& nices) {
  ObligationResult out;
  out.name = row.name;
  out.policy = row.policy;
  out.status = status_of(judgement.status, row.claim);
  out.expected = row.claim == theorem::Claim::holds ? "proved" : "refuted";
  out.reason = judgement.reason;
  out.about = row.about;
  out.scope = row.scope;
  out.formula = row.formula;
  out.unit = row.unit;
  out.negative_control = judgement.negative_control;
  out.vacuity = judgement.vacuity;
  for (const solver::Assumption& one : obligation.assumptions) {
    out.assumptions.push_back(one.name + ": " + one.words);
  }
  if (!row.needs.empty()) out.assumptions.push_back(fmt::format("rests on: {}", row.needs));
  if (row.value == nullptr || row.policy != spec.policy) return out;
  if (const auto point = point_of(spec, nices, row)) {
    out.bound = row.value(point->limits, point->mix);
    out.at = point->text;
    out.tightness = "slack";
    out.slack = "no witness is replayed for it yet";
  } else {
    out.at = fmt::format("no value: {} is outside the formula's scope", spec.text);
  }
  return out;
}

void add_brute_force(const std::vector<exact::BruteForce>& seen,
                     ObligationResult& out,
                     reports::ProofFacts& facts) {
  for (const exact::BruteForce& one : seen) {
    facts.brute_force.push_back({one.instance,
                                 static_cast<std::int64_t>(one.states),
                                 one.worst,
                                 one.bound,
                                 one.unit,
                                 one.agrees()});
    if (one.agrees() || out.status == "failed") continue;
    out.status = one.complete ? "failed" : "unknown";
    out.reason = fmt::format("brute force contradicts, {}: {}", one.instance, one.words());
  }
}

void add_needs(const std::vector<solver::Need>& needs, reports::ProofFacts& facts) {
  for (const solver::Need& need : needs) {
    facts.needs.push_back(
        {need.assumption, solver::need_word(need.verdict), need.queries, need.lost});
  }
}

void judge_refutation(const theorem::Witness& witness,
                      const WitnessRun& seen,
                      ObligationResult& out) {
  const std::string unit = unit_of(witness);
  out.witness =
      fmt::format("{}: {} {} {} after {} rounds, {} after {}, on model and implementation alike",
                  witness.name,
                  witness.measure == theorem::Measure::spread ? "spread" : "wait",
                  seen.measured,
                  unit,
                  witness.rounds,
                  seen.doubled,
                  2 * witness.rounds);
  if (!seen.grows) {
    out.status = "unknown";
    out.reason = "the witness does not grow by what the proof says";
  }
}

void judge_tightness(const Theorem& row,
                     const theorem::Witness& witness,
                     const WitnessRun& seen,
                     const Program& program,
                     ObligationResult& out) {
  auto spec = parse_spec(witness.spec, program.catalogue);
  if (!spec) return;
  std::vector<int> nices;
  for (const TaskDef& task : seen.kase.workload.tasks) nices.push_back(task.nice);
  const auto point = point_of(*spec, nices, row);
  if (!point) return;
  const std::int64_t bound = row.value(point->limits, point->mix);
  out.witness = fmt::format("{}: {} of {} {} with {}, on model and implementation alike",
                            witness.name,
                            seen.measured,
                            bound,
                            unit_of(witness),
                            witness.spec);
  out.slack = fmt::format("{} {}", bound - seen.measured, unit_of(witness));
  if (seen.measured > bound) {
    out.status = "failed";
    out.reason = "a replayed run exceeds the proved bound";
  } else if (seen.measured == bound) {
    out.tightness = "exact";
  } else {
    // Start times are whole microseconds: a gap of a few is the witness's own grain.
    out.tightness = bound - seen.measured <= bound / 1000 ? "supremum" : "slack";
  }
}

namespace {

/// Two tasks of 2.6.36 with a latency of 6 ms and full sleeper credit, in ticks of 1 ms.
constexpr std::int64_t tick_vns = 1'000'000;
const exact::ExplicitQueue two_tasks{{4, 4}, 6, 0, true, true, true};
constexpr std::int64_t two_tasks_bound = 10;
constexpr int most_steps = 10;

/// A run that breaks the bound without an assumption, as far as the policies follow it.
std::string reached(const exact::Opinion& found, const Program& program) {
  exact::CfsInstance instance;
  instance.weights = {1024, 1024};
  instance.observed = found.run.front().task;
  const auto schedule = exact::schedule_of(instance, found.run, 1000);
  if (!schedule) return "not made a workload: " + schedule.error().text();
  theorem::Witness witness;
  witness.name = "counterexample";
  witness.spec = "cfs@2.6.36-WAKEUP_PREEMPT-GENTLE_FAIR_SLEEPERS,latency=6ms,min_granularity=2ms";
  witness.measure = theorem::Measure::spread;
  const WitnessRun run = run_witness(witness, program, [&](int) { return schedule->workload; });
  if (!run.agreed) return "not replayed: " + run.trouble;
  return run.measured > two_tasks_bound * tick_vns
             ? fmt::format("reachable: replayed on model and implementation, {} vns", run.measured)
             : fmt::format("in the transition system only: the policies reach {} vns",
                           run.measured);
}

void add_engine(const exact::Opinion& opinion, const std::string& version, ObligationResult& out) {
  out.engines.push_back(
      {opinion.engine, version, opinion.about + ": " + opinion.verdict, opinion.seconds});
}

}  // namespace

std::optional<Error> add_opinions(const Theorem& row,
                                  const std::vector<solver::Solver>& solvers,
                                  solver::DischargeOptions options,
                                  const Program& program,
                                  ObligationResult& out,
                                  std::vector<std::string>& notes) {
  if (row.name != "cfs_spread" || out.status != "proved") return std::nullopt;
  options.folder += "/" + out.name + "/engines";
  const std::string version = solvers.front().version;
  const auto spacer = exact::ask_spacer(two_tasks, two_tasks_bound, solvers, options);
  if (!spacer) return spacer.error();
  add_engine(*spacer, version, out);
  const auto attained = exact::ask_bmc(two_tasks, two_tasks_bound, most_steps, solvers, options);
  if (!attained) return attained.error();
  add_engine(*attained, version, out);
  struct Dropped {
    const char* assumption;
    bool exact::ExplicitQueue::*rule;
  };
  for (const Dropped& dropped : {Dropped{"gap", &exact::ExplicitQueue::gap_rule},
                                 Dropped{"budget", &exact::ExplicitQueue::budget_rule},
                                 Dropped{"pick", &exact::ExplicitQueue::pick_rule}}) {
    exact::ExplicitQueue queue = two_tasks;
    queue.*dropped.rule = false;
    const auto broken = exact::ask_bmc(queue, two_tasks_bound + 1, most_steps, solvers, options);
    if (!broken) return broken.error();
    std::string words = broken->verdict;
    if (broken->agrees) words += ", " + reached(*broken, program);
    notes.push_back(fmt::format("{} without '{}', two tasks, bound {}: {}",
                                out.name,
                                dropped.assumption,
                                two_tasks_bound,
                                words));
  }
  return std::nullopt;
}

std::optional<Lasso> replay_lasso(const Theorem& row, const Program& program) {
  if (row.name != "cfs_wait_forks_no_debit") return std::nullopt;
  const exact::CfsInstance instance = exact::starved_by_forks();
  const exact::CfsWorst worst = exact::explore_cfs(instance, 1'000'000);
  Lasso out;
  out.rounds = 20;
  if (!worst.complete || !worst.wait_unbounded) {
    out.run.trouble = "the graph holds no lasso";
    return out;
  }
  for (const exact::CfsEvent& event : worst.worst) {
    out.words += (out.words.empty() ? "" : ", ") + exact::event_text(event);
  }
  const auto schedule = [&](int rounds) {
    return exact::schedule_of(instance, exact::unrolled(worst, rounds), 1000);
  };
  const auto once = schedule(out.rounds);
  const auto twice = schedule(2 * out.rounds);
  if (!once || !twice) {
    out.run.trouble = (once ? twice : once).error().text();
    return out;
  }
  theorem::Witness witness;
  witness.name = "graph_lasso";
  witness.spec = "cfs@2.6.36-START_DEBIT";
  witness.measure = theorem::Measure::wait;
  witness.task = once->observed;
  witness.rounds = out.rounds;
  witness.growth = (twice->ticks - once->ticks) / out.rounds * 1'000'000;
  out.run = run_witness(witness, program, [&](int rounds) {
    return (rounds == out.rounds ? once : twice)->workload;
  });
  return out;
}

}  // namespace fw::cli
