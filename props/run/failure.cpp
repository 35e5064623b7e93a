// SPDX-License-Identifier: Apache-2.0
#include "props/run/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "model/input/casefile.h"
#include "props/reduce/reduce.h"
#include "props/run/child.h"
#include "props/run/explain.h"
#include "props/run/record.h"
#include "props/store/store.h"

namespace fw::run {
namespace {

using Json = nlohmann::json;

/// Grace after the reducer's own deadline, for the candidate it is running.
constexpr Duration grace{20'000'000'000};

/// How long a candidate may take while a hang is being shrunk: cases take milliseconds, and a hang
/// costs the whole limit each time. The case that is kept has to outlast the limit of the search.
constexpr Duration candidate_limit{2'000'000'000};

/// Failures that are not a property's: nothing to focus on, to record or to blame a side for.
bool ends_the_process(const std::string& property) {
  return property == "no_crash" || property == "no_hang";
}
bool does_not_repeat(const std::string& property) { return property == "determinism"; }

/// Checks of a candidate: only the property at stake, so that it is quick and cannot be masked.
CaseOptions focused(const CaseOptions& checks, const std::string& property) {
  CaseOptions out = checks;
  out.relations = true;
  if (ends_the_process(property)) return out;
  out.only = property;
  out.lockstep = property == "lockstep";
  return out;
}

reduce::OracleAnswer answer_of(const CaseRun& run) {
  if (!run.failure) return {};
  return {run.failure->signature, run.failure->divergence};
}

/// Runs the case twice on the implementation alone; a fixed signature when the decisions differ.
reduce::OracleAnswer repeat_answer(const PolicyRow& row, const Case& c) {
  CaseOptions plain;
  plain.lockstep = false;
  plain.checkers = false;
  plain.relations = false;
  if (run_case(row, c, plain).log_hash == run_case(row, c, plain).log_hash) return {};
  return {signature_of("determinism", "log"), {}};
}

/// Runs a candidate in a process of its own: for failures that kill the process that runs them.
reduce::OracleAnswer isolated_answer(const PolicyRow& row,
                                     const Case& c,
                                     const CaseOptions& checks,
                                     Duration limit) {
  const ChildEnd end = run_in_child(
      [&] {
        const auto answer = answer_of(run_case(row, c, checks));
        return answer.signature + " " + std::to_string(answer.first.event) + " " +
               std::to_string(answer.first.t.ns);
      },
      limit);
  if (end.finished) {
    reduce::OracleAnswer answer;
    const auto space = end.output.find(' ');
    answer.signature = end.output.substr(0, space);
    return answer;
  }
  const std::string how = end.timed_out ? "took longer than the limit"
                          : end.signal != 0
                              ? fmt::format("ended its process with signal {}", end.signal)
                              : fmt::format("ended its process with status {}", end.status);
  return {signature_of(end.timed_out ? "no_hang" : "no_crash", how), {}};
}

/// What the reducing process sends back.
struct ReduceReport {
  bool ok = false;
  Case best;
  reduce::Statistics statistics;
  bool one_minimal = false;
  bool out_of_budget = false;
  std::vector<std::string> others;
};

std::string pack(const reduce::Reduced& reduced) {
  Json out = {{"case", input::write_case(reduced.best)},
              {"calls", reduced.statistics.calls},
              {"original_events", reduced.statistics.original_events},
              {"events", reduced.statistics.events},
              {"tasks", reduced.statistics.tasks},
              {"one_minimal", reduced.one_minimal},
              {"out_of_budget", reduced.out_of_budget},
              {"others", Json::array()}};
  for (const reduce::Other& other : reduced.others) out["others"].push_back(other.signature);
  return out.dump();
}

ReduceReport unpack(const std::string& text, const PolicyRow& row) {
  ReduceReport out;
  const Json in = Json::parse(text, nullptr, false);
  if (in.is_discarded() || !in.is_object()) return out;
  const std::array<const PolicyInfo*, 1> catalogue = {row.info};
  auto best = input::read_case(in["case"].get<std::string>(), "shrunk case", catalogue);
  if (!best) return out;
  out.ok = true;
  out.best = std::move(*best);
  out.statistics.calls = in["calls"];
  out.statistics.original_events = in["original_events"];
  out.statistics.events = in["events"];
  out.statistics.tasks = in["tasks"];
  out.one_minimal = in["one_minimal"];
  out.out_of_budget = in["out_of_budget"];
  out.others = in["others"].get<std::vector<std::string>>();
  return out;
}

/// Shrinks in a child process, so that a candidate that crashes takes nothing with it.
ReduceReport shrink(const PolicyRow& row,
                    const Case& original,
                    const CaseFailure& failure,
                    const InvestigateOptions& options,
                    const std::string& file,
                    bool isolated) {
  const CaseOptions checks = focused(options.checks, failure.property);
  const reduce::Oracle oracle = [&](const Case& candidate) {
    if (does_not_repeat(failure.property)) return repeat_answer(row, candidate);
    return isolated ? isolated_answer(
                          row, candidate, checks, std::min(candidate_limit, options.hang_limit))
                    : answer_of(run_case(row, candidate, checks));
  };
  const reduce::Progress on_better = [&](const Case& better, const reduce::Statistics& statistics) {
    if (!file.empty()) (void)store::write_case_atomically(file, input::write_case(better));
    if (options.on_progress) {
      options.on_progress(
          fmt::format("{} runs, {} events left", statistics.calls, reduce::count_events(better)));
    }
  };
  const ChildEnd end = run_in_child(
      [&]() -> std::string {
        reduce::Budget budget;
        budget.deadline =
            std::chrono::steady_clock::now() + std::chrono::nanoseconds(options.budget.ns);
        reduce::Options fine;
        fine.info = row.info;
        auto reduced = reduce::reduce(original, oracle, budget, on_better, fine);
        return reduced ? pack(*reduced) : Json{{"error", reduced.error().text()}}.dump();
      },
      options.budget + grace);
  return end.finished ? unpack(end.output, row) : ReduceReport{};
}

/// The chain of picks during the victim's last wait before the failure.
std::vector<PassedOver> chain_of(const PolicyRow& row, const Case& c, const CaseFailure& failure) {
  if (!failure.task) return {};
  const auto setup = setup_of(c);
  if (!setup) return {};
  auto recording = record(row, *setup, {});
  if (!recording) return {};
  std::vector<PassedOver> chain;
  for (Wait& wait : waits_of(*recording, *failure.task)) {
    if (wait.from <= failure.divergence.t) chain = std::move(wait.chain);
  }
  chain.erase(std::remove_if(chain.begin(),
                             chain.end(),
                             [&](const PassedOver& p) { return p.t > failure.divergence.t; }),
              chain.end());
  return chain;
}

}  // namespace

std::string blame_of(const PolicyRow& row, const Case& c, const std::string& property) {
  if (ends_the_process(property)) return "code flaw: the process running the case does not survive";
  if (does_not_repeat(property)) return "code flaw: the implementation does not repeat itself";
  CaseOptions on_model;
  on_model.on_model = true;
  on_model.lockstep = false;
  CaseOptions on_impl;
  on_impl.lockstep = false;
  if (property != "lockstep") {
    on_model.only = property;
    const bool model_fails = run_case(row, c, on_model).failure.has_value();
    return model_fails ? "policy flaw: the model breaks the property too"
                       : "code flaw: the implementation breaks the property, the model keeps it";
  }
  const auto model = run_case(row, c, on_model).failure;
  const auto implementation = run_case(row, c, on_impl).failure;
  if (model && !implementation) {
    return fmt::format("model flaw: only the model breaks {}", model->property);
  }
  if (implementation && !model) {
    return fmt::format("code flaw: only the implementation breaks {}", implementation->property);
  }
  if (implementation && model) return "policy flaw: both sides break a property, and they differ";
  return "the sides differ; no property says which one is wrong";
}

Failure describe_failure(const PolicyRow& row, const Case& c, const CaseFailure& failure) {
  Failure out;
  out.property = failure.property;
  out.policy = c.spec.text;
  out.signature = failure.signature;
  out.message = failure.message;
  out.divergence = failure.divergence;
  out.minimized = c;
  out.minimized.property = failure.property;
  out.minimized.signature = failure.signature;
  out.minimized.expected = failure.divergence;
  out.events = out.original_events = reduce::count_events(c);
  out.tasks = static_cast<std::int64_t>(c.workload.tasks.size());
  out.notes = c.notes;
  if (!ends_the_process(failure.property)) {
    const ChildEnd blame = run_in_child([&] { return blame_of(row, c, failure.property); }, grace);
    out.blame = blame.finished ? blame.output : "unknown: looking for it " + blame.text();
    out.chain = chain_of(row, c, failure);
  } else {
    out.blame = blame_of(row, c, failure.property);
  }
  return out;
}

Failure investigate(const PolicyRow& row,
                    Case found,
                    const CaseFailure& failure,
                    const InvestigateOptions& options) {
  found.property = failure.property;
  found.signature = failure.signature;
  found.expected = failure.divergence;
  std::string file;
  if (!options.directory.empty()) {
    file =
        fmt::format("{}/{}{}-{}.case.json",
                    options.directory,
                    options.file_prefix,
                    failure.property,
                    failure.signature);
    (void)store::write_case_atomically(file, input::write_case(found));
  }
  ReduceReport report =
      shrink(row, found, failure, options, file, ends_the_process(failure.property));
  if (!report.ok && !ends_the_process(failure.property)) {
    report = shrink(row, found, failure, options, file, true);  // a candidate crashed
  }
  if (report.ok && failure.property == "no_hang") {
    const CaseOptions checks = focused(options.checks, failure.property);
    const auto whole = isolated_answer(row, report.best, checks, options.hang_limit);
    report.ok = whole.signature == failure.signature;
  }
  const Case minimal = report.ok ? report.best : found;
  CaseFailure last = failure;
  if (!ends_the_process(failure.property) && !does_not_repeat(failure.property)) {
    const CaseRun again = run_case(row, minimal, focused(options.checks, failure.property));
    if (again.failure) last = *again.failure;
  }
  Failure out = describe_failure(row, minimal, last);
  out.original_events = reduce::count_events(found);
  out.oracle_calls = report.statistics.calls;
  out.budget_hit = report.out_of_budget;
  if (!report.ok) out.notes.push_back("the case could not be shrunk; this is the one found");
  if (report.ok && report.one_minimal) {
    out.notes.push_back("1-minimal: no task, phase, event or deviation from a default can go");
  }
  for (const std::string& other : report.others) {
    out.notes.push_back("while shrinking, another failure was seen: signature " + other);
  }
  out.case_file = file;
  out.reproduce = fmt::format("{} replay {}", options.program, file);
  if (!file.empty()) (void)store::write_case_atomically(file, input::write_case(out.minimized));
  return out;
}

Outcome<Recording> record_failure(const PolicyRow& row, const Failure& failure) {
  if (ends_the_process(failure.property)) return Error{"a crashing case is not recorded"};
  const auto setup = setup_of(failure.minimized);
  if (!setup) return setup.error();
  auto recording = record(row, *setup, {false, 200'000});
  if (!recording) return recording;
  recording->failure = failure.signature;
  add_spread_bound(*recording, row, failure.minimized);
  return recording;
}

}  // namespace fw::run
