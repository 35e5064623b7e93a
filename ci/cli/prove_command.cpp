// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "ci/cli/output.h"
#include "ci/cli/witness_run.h"
#include "model/input/casefile.h"
#include "props/properties/cfs_bounds.h"
#include "props/run/case_run.h"
#include "props/run/record.h"
#include "solver/check/verdict.h"
#include "solver/theorem/theorem.h"

namespace fw::cli {
namespace {

namespace fs = std::filesystem;
using theorem::Theorem;

/// A folder for query files that goes away with the object unless it was named by the user.
class QueryFolder {
 public:
  explicit QueryFolder(const std::string& kept) : kept_(!kept.empty()) {
    path_ = kept_ ? fs::path(kept)
                  : fs::temp_directory_path() / fmt::format("fairwitness-prove-{}", ::getpid());
  }
  ~QueryFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  QueryFolder(const QueryFolder&) = delete;
  QueryFolder& operator=(const QueryFolder&) = delete;
  std::string path() const { return path_.string(); }
  bool kept() const { return kept_; }

 private:
  bool kept_;
  fs::path path_;
};

struct Point {
  theorem::CfsLimits limits;
  theorem::CfsMix mix;
  std::string text;
};

/// The tunables of a spec on one CPU with tasks of these nice levels, as `check` holds runs to.
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

class Prove : public Command {
 public:
  explicit Prove(CLI::App& app) {
    app.add_option("what", words_, "obligations (see list obligations) and a spec; none: all")
        ->type_name("OBLIGATION|SPEC");
    app.add_flag("--all", all_, "every obligation; exit 0 when each has its expected verdict");
    app.add_option("--nice", nices_, "nice levels of the tasks that values are given for")
        ->delimiter(',')
        ->check(CLI::Range(-20, 19))
        ->capture_default_str();
    app.add_option("--jobs", jobs_, "solver processes at a time (default: all cores)")
        ->check(CLI::Range(1, 256));
    add_duration(app, "--limit", limit_, "for one query of one solver (default 10s)");
    app.add_option("--keep", keep_, "keep the SMT-LIB files and the witnesses in this folder")
        ->type_name("DIR");
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    const auto start = std::chrono::steady_clock::now();
    if (const auto error = choose(program)) return complain(*error);
    auto solvers = solver::find_solvers();
    if (!solvers) return complain(solvers.error());
    if (keep_.empty() && !output_.report.empty()) keep_ = output_.report + "/obligations";
    const QueryFolder folder(keep_);
    std::vector<std::pair<std::string, solver::Obligation>> obligations;
    for (const Theorem* row : rows_) obligations.emplace_back(row->name, row->obligation());
    ProgressLine progress(output_, "prove");
    solver::DischargeOptions options;
    options.jobs =
        jobs_ > 0 ? jobs_ : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    options.limit = limit_;
    options.folder = folder.path();
    const auto judgements =
        solver::discharge(obligations, *solvers, options, [&progress](double part) {
          progress.show(part, fmt::format("{:.0f} % of the queries", 100 * part));
        });
    if (!judgements) return complain(judgements.error());
    Result result;
    result.command = "prove";
    result.command_line = fmt::format("fairwitness {}", fmt::join(program.arguments, " "));
    result.policies = {spec_.text};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      ObligationResult out = describe(*rows_[i], obligations[i].second, (*judgements)[i]);
      out.engines = engines_of((*judgements)[i], *solvers);
      if (folder.kept()) out.certificate = folder.path() + "/" + out.name;
      if (out.status == "proved" || out.status == "refuted")
        replay(*rows_[i], program, folder, out, result);
      result.obligations.push_back(std::move(out));
    }
    weigh_needs(result);
    conclude(result);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return finish(result, output_);
  }

 private:
  /// Words are obligations or one spec. What a chosen theorem rests on is proved too.
  std::optional<Error> choose(const Program& program) {
    std::string spec = "cfs@2.6.36";
    std::vector<std::string_view> names;
    for (const Theorem& row : theorem::theorems()) names.push_back(row.name);
    bool spec_given = false;
    for (const std::string& word : words_) {
      if (const Theorem* row = theorem::find_theorem(word)) {
        add(*row);
        continue;
      }
      auto parsed = parse_spec(word, program.catalogue);
      if (!parsed && word.find('@') == std::string::npos) {
        return unknown_word("obligation", word, names);
      }
      if (!parsed) return parsed.error();
      if (spec_given) return Error{"two specs were given", "name one spec"};
      spec_given = true;
      spec = word;
    }
    auto parsed = parse_spec(spec, program.catalogue);
    if (!parsed) return parsed.error();
    spec_ = std::move(*parsed);
    named_ = !rows_.empty() && !all_;
    if (!named_) {
      for (const Theorem& row : theorem::theorems()) {
        if (row.policy == spec_.policy || !spec_given || all_) add(row);
      }
    }
    if (rows_.empty()) {
      return Error{fmt::format("there is no obligation for {} yet", spec_.policy),
                   "see 'fairwitness list obligations'"};
    }
    asked_ = rows_.size();
    for (std::size_t i = 0; i < asked_; ++i) {
      if (!rows_[i]->needs.empty()) add(*theorem::find_theorem(rows_[i]->needs));
    }
    return std::nullopt;
  }

  void add(const Theorem& row) {
    if (std::find(rows_.begin(), rows_.end(), &row) == rows_.end()) rows_.push_back(&row);
  }

  ObligationResult describe(const Theorem& row,
                            const solver::Obligation& obligation,
                            const solver::Judgement& judgement) const {
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
    if (row.value == nullptr || row.policy != spec_.policy) return out;
    if (const auto point = point_of(spec_, nices_, row)) {
      out.bound = row.value(point->limits, point->mix);
      out.at = point->text;
      out.tightness = "slack";
      out.slack = "no witness is replayed for it yet";
    } else {
      out.at = fmt::format("no value: {} is outside the formula's scope", spec_.text);
    }
    return out;
  }

  /// A refutation stands only with a run that both sides agree on; a bound is as tight as its
  /// witness shows.
  void replay(const Theorem& row,
              const Program& program,
              const QueryFolder& folder,
              ObligationResult& out,
              Result& result) const {
    if (row.witness.empty()) return;
    const theorem::Witness& witness = *theorem::find_witness(row.witness);
    const WitnessRun seen = run_witness(witness, program);
    const std::string unit = witness.measure == theorem::Measure::spread ? "vns" : "ns";
    if (!seen.agreed) {
      out.status = row.claim == theorem::Claim::refuted ? "unknown" : out.status;
      out.reason = fmt::format("the witness {} does not replay: {}", witness.name, seen.trouble);
      return;
    }
    if (row.claim == theorem::Claim::refuted) {
      out.witness = fmt::format(
          "{}: {} {} {} after {} rounds, {} after {}, on model and implementation alike",
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
    } else {
      judge_tightness(row, witness, seen, unit, program, out);
    }
    keep(witness, seen, program, folder, out, result);
  }

  void judge_tightness(const Theorem& row,
                       const theorem::Witness& witness,
                       const WitnessRun& seen,
                       const std::string& unit,
                       const Program& program,
                       ObligationResult& out) const {
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
                              unit,
                              witness.spec);
    out.slack = fmt::format("{} {}", bound - seen.measured, unit);
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

  void keep(const theorem::Witness& witness,
            const WitnessRun& seen,
            const Program& program,
            const QueryFolder& folder,
            ObligationResult& out,
            Result& result) const {
    if (!folder.kept()) return;
    const std::string file = fmt::format("{}/{}.case.json", folder.path(), witness.name);
    const auto written = write_output(file, input::write_case(seen.kase));
    if (!written) {
      result.notes.push_back(written.error().text());
      return;
    }
    out.witness += "; " + file;
    auto setup = run::setup_of(seen.kase);
    if (!setup || output_.report.empty()) return;
    auto recording = run::record(row_of(program, seen.kase.spec), *setup, {});
    if (!recording) return;
    recording->title = fmt::format("{} ({})", witness.name, out.name);
    result.recordings.push_back(std::move(*recording));
  }

  /// A theorem is no better than the lemma it rests on.
  void weigh_needs(Result& result) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i]->needs.empty()) continue;
      ObligationResult& out = result.obligations[i];
      for (const ObligationResult& lemma : result.obligations) {
        if (lemma.name != rows_[i]->needs || lemma.status == "proved") continue;
        if (out.status == "proved") out.status = lemma.status;
        if (out.reason.empty()) {
          out.reason = fmt::format("rests on {}, which is {}", lemma.name, lemma.status);
        }
      }
    }
  }

  void conclude(Result& result) const {
    result.all_statuses = {Exit::held};
    for (std::size_t i = 0; i < result.obligations.size(); ++i) {
      const ObligationResult& out = result.obligations[i];
      if (out.status == "failed") result.all_statuses.push_back(Exit::proof_failed);
      if (out.status == "unknown") result.all_statuses.push_back(Exit::unknown);
      // Of a named obligation the verdict itself is asked for; of all, the expected ones.
      if (named_ && i < asked_ && out.status == "refuted") {
        result.all_statuses.push_back(Exit::falsified);
      }
    }
  }

  std::vector<std::string> words_;
  std::vector<int> nices_ = {0, 0, 0};
  bool all_ = false;
  int jobs_ = 0;
  Duration limit_{10'000'000'000};
  std::string keep_;
  OutputOptions output_;

  PolicySpec spec_;
  std::vector<const Theorem*> rows_;
  std::size_t asked_ = 0;
  bool named_ = false;
};

}  // namespace

std::unique_ptr<Command> make_prove(CLI::App& app) { return std::make_unique<Prove>(app); }

}  // namespace fw::cli
