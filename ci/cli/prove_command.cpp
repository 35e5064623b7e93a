// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "ci/cli/extra_output.h"
#include "ci/cli/proof_parts.h"
#include "ci/cli/questions.h"
#include "model/input/casefile.h"
#include "props/run/case_run.h"
#include "props/run/record.h"
#include "solver/check/certificate.h"

namespace fw::cli {
namespace {

using theorem::Theorem;

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
    app.add_flag("!--no-minimize", minimize_, "do not ask which assumptions are needed");
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
    Outcome<std::vector<std::vector<solver::Need>>> needs(std::vector<std::vector<solver::Need>>{});
    if (minimize_) {
      progress.show(1, "which assumptions are needed");
      options.limit = std::min(limit_, Duration{3'000'000'000});
      needs = solver::minimize_assumptions(obligations, *solvers, options);
      if (!needs) return complain(needs.error());
    }
    const std::vector<exact::BruteForce> small = exact::brute_force();
    Result result;
    reports::Extra extra;
    result.command = "prove";
    result.command_line = fmt::format("fairwitness {}", fmt::join(program.arguments, " "));
    result.policies = {spec_.text};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      ObligationResult out =
          describe(*rows_[i], obligations[i].second, (*judgements)[i], spec_, nices_);
      out.engines = engines_of((*judgements)[i], *solvers);
      if (out.status == "proved" || out.status == "refuted") {
        replay(*rows_[i], program, folder, out, result);
        add_lasso(*rows_[i], program, folder, out, result);
      }
      reports::ProofFacts facts;
      add_brute_force(exact::of_theorem(small, out.name), out, facts);
      if (minimize_) {
        add_needs((*needs)[i], facts);
        const auto trouble = add_opinions(*rows_[i], *solvers, options, program, out, result.notes);
        if (trouble) return complain(*trouble);
      }
      place_on_page(out, facts);
      extra.proofs.push_back(std::move(facts));
      if (folder.kept()) {
        out.certificate = folder.path() + "/" + out.name;
        const auto written = solver::write_certificate(out.certificate,
                                                       out.name,
                                                       out.status,
                                                       obligations[i].second,
                                                       (*judgements)[i],
                                                       *solvers);
        if (!written) return complain(written.error());
      }
      result.obligations.push_back(std::move(out));
    }
    weigh_needs(result);
    if (!named_) extra.answers = answers_of(result);
    conclude(result);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return finish_with(result, extra, output_);
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
    if (!seen.agreed) {
      out.status = row.claim == theorem::Claim::refuted ? "unknown" : out.status;
      out.reason = fmt::format("the witness {} does not replay: {}", witness.name, seen.trouble);
      return;
    }
    if (row.claim == theorem::Claim::refuted) {
      judge_refutation(witness, seen, out);
    } else {
      judge_tightness(row, witness, seen, program, out);
    }
    keep(std::string(witness.name), seen, program, folder, out, result);
  }

  /// The graph's own lasso, beside the hand-made family.
  void add_lasso(const Theorem& row,
                 const Program& program,
                 const QueryFolder& folder,
                 ObligationResult& out,
                 Result& result) const {
    const auto lasso = replay_lasso(row, program);
    if (!lasso) return;
    if (!lasso->run.agreed || !lasso->run.grows) {
      out.status = "unknown";
      out.reason = fmt::format("the graph's lasso does not replay: {}",
                               lasso->run.agreed ? "the wait does not grow" : lasso->run.trouble);
      return;
    }
    out.witness +=
        fmt::format("{}lasso of all runs of 3 tasks ({}): wait {} ns after {} rounds, {} after {}",
                    out.witness.empty() ? "" : "; ",
                    lasso->words,
                    lasso->run.measured,
                    lasso->rounds,
                    lasso->run.doubled,
                    2 * lasso->rounds);
    keep("graph_lasso", lasso->run, program, folder, out, result);
  }

  void keep(const std::string& name,
            const WitnessRun& seen,
            const Program& program,
            const QueryFolder& folder,
            ObligationResult& out,
            Result& result) const {
    if (!folder.kept()) return;
    const std::string file = fmt::format("{}/{}.case.json", folder.path(), name);
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
    recording->title = fmt::format("{} ({})", name, out.name);
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
  bool minimize_ = true;
  OutputOptions output_;

  PolicySpec spec_;
  std::vector<const Theorem*> rows_;
  std::size_t asked_ = 0;
  bool named_ = false;
};

}  // namespace

std::unique_ptr<Command> make_prove(CLI::App& app) { return std::make_unique<Prove>(app); }

}  // namespace fw::cli
