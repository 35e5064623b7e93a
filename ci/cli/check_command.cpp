// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "ci/cli/decision_file.h"
#include "ci/cli/output.h"
#include "ci/cli/saved_cases.h"
#include "model/input/topology.h"
#include "props/gen/generate.h"
#include "props/mutants/registry.h"
#include "props/run/campaign.h"
#include "props/run/failure.h"
#include "props/run/record.h"
#include "props/run/summary.h"

namespace fw::cli {
namespace {

/// A campaign of this size must reach every required situation (product.md, exit status 5).
constexpr Duration long_time{30'000'000'000};
constexpr std::int64_t many_cases = 20'000;

class Check : public Command {
 public:
  explicit Check(CLI::App& app) {
    app.add_option("SPEC", specs_, "policy specs; default: every built-in policy")->type_name("");
    workload_.add_to(app, false);
    add_seed(app, seed_, "the campaign's seed (default 1)");
    add_count(app, "--cases", cases_, 1, INT64_MAX, "random cases to run at most");
    add_duration(app, "--time", time_, "wall-clock budget of the random part (default 60s)", {1});
    add_count(app, "--jobs", jobs_, 1, 256, "worker processes (default: all cores)");
    app.add_option("--features-file", features_, "a sched/features line as the spec's features")
        ->type_name("FILE");
    app.add_option("--property", property_, "check only this property (see list properties)")
        ->type_name("ID");
    app.add_flag("--no-lockstep", no_lockstep_, "properties only, on the implementation alone");
    app.add_flag("--exact", exact_, "only the features and knobs of the spec, none varied");
    app.add_option("--store", store_, "where failing cases are kept (default .fairwitness)")
        ->type_name("DIR");
    app.add_option("--decisions", decisions_, "with --workload: write the decision log")
        ->type_name("FILE");
    add_duration(app, "--budget", budget_, "time for shrinking a failure (default 30s)");
    add_duration(app,
                 "--case-limit",
                 case_limit_,
                 "a random case that takes longer hangs (default 20s)",
                 {1'000'000});
    app.add_option("--mutant", mutant_, "plant this seeded fault (see list mutants)")
        ->type_name("ID");
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    if (const auto error = prepare(program)) return complain(*error);
    Result result;
    result.command = "check";
    result.seed = seed_;
    result.command_line = command_line(program);
    std::vector<PolicySpec> specs;
    for (const std::string& text : specs_) {
      auto spec = load_spec(text, features_, program, result.notes);
      if (!spec) return complain(spec.error());
      specs.push_back(std::move(*spec));
    }
    if (!workload_.file.empty()) return check_workload(program, result);
    if (!output_.json && !output_.quiet) fmt::print(stderr, "{}\n", result.command_line);
    SavedCases saved(store_, program, mutant_);
    if (const auto error = saved.open()) return complain(*error);
    saved.replay(result, specs, checks(), case_limit_);
    const Duration each{time_.ns /
                        static_cast<std::int64_t>(std::max<std::size_t>(1, specs.size()))};
    for (const PolicySpec& spec : specs) check_random(program, spec, each, saved, result);
    const bool directed = !property_.empty() || no_lockstep_ || !workload_.topology.empty();
    const bool default_campaign = !directed &&
                                  (time_given_or_default() >= long_time || asked_for_many_cases());
    run::conclude(result, default_campaign);
    return finish(result, output_);
  }

 private:
  std::optional<Error> prepare(const Program& program) {
    if (auto error = plant(program)) return error;
    if (!property_.empty()) {
      std::vector<std::string_view> ids;
      for (const props::Property& property : props::all_properties()) ids.push_back(property.id);
      if (std::find(ids.begin(), ids.end(), property_) == ids.end()) {
        return unknown_word("property", property_, ids);
      }
    }
    if (specs_.empty()) {
      for (const PolicyInfo* info : program.catalogue) specs_.emplace_back(info->name);
    }
    if (!workload_.topology.empty()) {
      const auto topology = input::read_topology(workload_.topology);
      if (!topology) return topology.error();
      cpus_ = topology->cpus;
    }
    if (jobs_ == 0) jobs_ = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    return decisions_.empty() ? std::nullopt : refuse_decisions();
  }

  std::optional<Error> plant(const Program& program) const {
    if (mutant_.empty()) return std::nullopt;
    const auto harness = mutants::harness_faults();
    if (mutants::find_mutant(mutant_) == nullptr &&
        std::find(harness.begin(), harness.end(), mutant_) == harness.end()) {
      std::vector<std::string_view> ids;
      for (const mutants::Mutant& mutant : mutants::all_mutants()) ids.push_back(mutant.id);
      return unknown_word("mutant", mutant_, ids);
    }
    if (program.plant(mutant_)) return std::nullopt;
    return hand_over(program);
  }

  std::optional<Error> refuse_decisions() const {
    if (workload_.file.empty()) {
      return Error{"random cases write no decision log",
                   "give the workload to follow: --workload FILE",
                   "--decisions"};
    }
    if (decisions_ == "-") return decisions_to_stdout();
    if (specs_.size() > 1) {
      return Error{"one decision log cannot hold the runs of several specs",
                   "give one SPEC at a time",
                   "--decisions"};
    }
    return std::nullopt;
  }

  Duration time_given_or_default() const {
    if (time_.ns > 0) return time_;
    return cases_ != INT64_MAX ? Duration{0} : Duration{60'000'000'000};
  }

  bool asked_for_many_cases() const { return cases_ != INT64_MAX && cases_ >= many_cases; }

  std::string command_line(const Program& program) const {
    std::string out = std::string(program.name) + " check";
    for (const std::string& spec : specs_) out += " " + spec;
    out += fmt::format(" --seed {}", seed_);
    if (cases_ != INT64_MAX) out += fmt::format(" --cases {}", cases_);
    if (workload_.file.empty() && time_given_or_default().ns > 0) {
      out += " --time " + format_duration(time_given_or_default());
    }
    if (!features_.empty()) out += " --features-file " + features_;
    if (!workload_.file.empty()) out += " --workload " + workload_.file;
    if (!workload_.topology.empty()) out += " --topology " + workload_.topology;
    if (workload_.no_balance) out += " --no-balance";
    if (workload_.approximate) out += " --approximate";
    if (workload_.duration.ns > 0) out += " --duration " + format_duration(workload_.duration);
    if (!property_.empty()) out += " --property " + property_;
    if (no_lockstep_) out += " --no-lockstep";
    if (exact_) out += " --exact";
    if (!mutant_.empty()) out += " --mutant " + mutant_;
    return out;
  }

  run::CaseOptions checks() const {
    run::CaseOptions out;
    out.lockstep = !no_lockstep_ && (property_.empty() || property_ == "lockstep");
    out.only = property_;
    return out;
  }

  run::InvestigateOptions investigate_options(const Program& program,
                                              const SavedCases& saved) const {
    run::InvestigateOptions out;
    out.budget = budget_;
    out.checks = checks();
    out.hang_limit = case_limit_;
    out.directory = saved.working_folder();
    out.program = program.name;
    return out;
  }

  void check_random(const Program& program,
                    const PolicySpec& spec,
                    Duration each,
                    SavedCases& saved,
                    Result& result) {
    const PolicyRow& row = row_of(program, spec);
    const gen::GenOptions options = generator_options(spec);
    const run::MakeCase make_case = [&](std::int64_t index) {
      Case c = gen::generate(*row.info, seed_, static_cast<std::uint64_t>(index), options);
      c.mutant = mutant_;
      return c;
    };
    run::CampaignOptions campaign;
    campaign.cases = cases_;
    campaign.time = time_.ns > 0 ? each : time_given_or_default();
    campaign.jobs = jobs_;
    campaign.checks = checks();
    campaign.case_limit = case_limit_;
    campaign.directory = saved.working_folder();
    ProgressLine progress(output_, "check " + spec.text);
    const auto totals = run::run_campaign(row, make_case, campaign, [&](const run::Progress& p) {
      const double part = campaign.time.ns > 0
                              ? p.seconds * 1e9 / static_cast<double>(campaign.time.ns)
                              : static_cast<double>(p.cases) / static_cast<double>(cases_);
      progress.show(part,
                    fmt::format("{} cases, {} events, {:.0f} events/s",
                                p.cases,
                                p.events,
                                p.seconds > 0 ? static_cast<double>(p.events) / p.seconds : 0));
    });
    if (totals.found) {
      add_failure(
          program, row, make_case(totals.found->index), totals.found->failure, saved, result);
    }
    result.seconds += totals.seconds;
    run::add_to_result(result, row, spec.text, totals);
  }

  gen::GenOptions generator_options(const PolicySpec& spec) const {
    gen::GenOptions out;
    out.spec = spec;
    out.slices = gen::takes_slices(spec);
    out.vary_features = !exact_;
    out.vary_knobs = !exact_;
    out.grain = {1'000};  // rt-app's unit: every case can be written as an rt-app file
    if (!workload_.topology.empty()) {
      out.topology = gen::TopologyChoice{workload_.topology, cpus_};
    }
    if (workload_.no_balance) out.balance = false;
    return out;
  }

  void add_failure(const Program& program,
                   const PolicyRow& row,
                   const Case& c,
                   const run::CaseFailure& found,
                   SavedCases& saved,
                   Result& result) {
    ProgressLine progress(output_, "shrinking " + found.property);
    run::InvestigateOptions options = investigate_options(program, saved);
    options.on_progress = [&progress](const std::string& text) { progress.show(-1, text); };
    Failure failure = run::investigate(row, c, found, options);
    saved.keep(failure, result);
    if (failure.case_file.empty()) failure.reproduce = result.command_line;
    if (auto recording = run::record_failure(row, failure)) {
      result.recordings.push_back(std::move(*recording));
    }
    result.failures.push_back(std::move(failure));
  }

  Exit check_workload(const Program& program, Result& result) {
    for (const std::string& text : specs_) {
      auto c = load_case(text, features_, workload_, program, result.notes);
      if (!c) return complain(c.error());
      c->seed = seed_;
      c->mutant = mutant_;
      auto setup = run::setup_of(*c);
      if (!setup) return complain(setup.error());
      const PolicyRow& row = row_of(program, c->spec);
      if (!decisions_.empty()) {
        const auto written = write_decisions(row, *setup, false, decisions_);
        if (!written) return complain(written.error());
      }
      SavedCases saved(store_, program, mutant_);
      if (const auto error = saved.open()) return complain(*error);
      run::CampaignOptions one;
      one.cases = 1;
      one.checks = checks();
      one.case_limit = {600'000'000'000};
      one.directory = saved.working_folder();
      ProgressLine progress(output_, "check " + c->workload.name);
      const auto totals = run::run_campaign(
          row,
          [&](std::int64_t) { return *c; },
          one,
          [&](const run::Progress& p) { progress.show(-1, fmt::format("{:.0f} s", p.seconds)); });
      if (totals.discards > 0) {
        return complain({totals.a_discard, "correct the workload", workload_.file});
      }
      if (totals.found) add_failure(program, row, *c, totals.found->failure, saved, result);
      result.seconds += totals.seconds;
      run::add_to_result(result, row, c->spec.text, totals);
      if (!totals.found) {
        if (auto recording = run::record(row, *setup, {false, 200'000})) {
          run::add_spread_bound(*recording, row, *c);
          result.recordings.push_back(std::move(*recording));
        }
      }
    }
    run::conclude(result, false);
    return finish(result, output_);
  }

  std::vector<std::string> specs_;
  WorkloadOptions workload_;
  std::uint64_t seed_ = 1;
  std::int64_t cases_ = INT64_MAX;
  Duration time_;
  int jobs_ = 0;
  int cpus_ = 1;  ///< of --topology
  std::string features_;
  std::string property_;
  bool no_lockstep_ = false;
  bool exact_ = false;
  std::string store_ = ".fairwitness";
  std::string decisions_;
  Duration budget_{30'000'000'000};
  Duration case_limit_{20'000'000'000};
  std::string mutant_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_check(CLI::App& app) { return std::make_unique<Check>(app); }

}  // namespace fw::cli
