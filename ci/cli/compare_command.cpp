// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "ci/cli/output.h"
#include "model/input/casefile.h"
#include "model/input/topology.h"
#include "props/gen/jitter.h"
#include "props/reduce/reduce.h"
#include "props/run/case_run.h"
#include "props/run/compare.h"
#include "props/run/record.h"
#include "reports/comparison.h"

namespace fw::cli {
namespace {

class Compare : public Command {
 public:
  explicit Compare(CLI::App& app) {
    app.add_option("BASE", base_, "policy spec to compare with")->required()->type_name("");
    app.add_option("PATCHED", patched_, "policy spec that is judged")->required()->type_name("");
    workload_.add_to(app, false);
    add_choice(app,
               "--side",
               side_,
               {"impl", "model"},
               "which writing of the policies runs: impl "
               "(default) or model")
        ->type_name("SIDE");
    add_count(
        app,
        "--seeds",
        seeds_,
        1,
        1'000,
        "runs of the metric table, each with other start times (default 10; seed 0 has none)");
    add_duration(
        app, "--jitter", jitter_, "latest start put off in the seeds (default 4ms)", {1'000});
    add_seed(app, seed_, "of the random workloads (default 1)");
    add_count(app,
              "--cases",
              cases_,
              1,
              1'000'000,
              "random workloads to try without --workload (default 2000)");
    add_duration(app, "--time", time_, "time for trying them (default 10s)", {1'000'000});
    add_duration(app, "--budget", budget_, "time for shrinking (default 20s)");
    app.add_option("--output", target_, "the smallest workload (default: compare.case.json)")
        ->type_name("FILE");
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    Result result;
    result.command = "compare";
    result.seed = seed_;
    const auto base = contender(base_, program, result);
    if (!base) return complain(base.error());
    const auto patched = contender(patched_, program, result);
    if (!patched) return complain(patched.error());
    result.policies = {base->spec.text, patched->spec.text};
    result.command_line = fmt::format("{} compare {} {}", program.name, base_, patched_);
    ComparisonResult comparison;
    comparison.base = base->spec.text;
    comparison.patched = patched->spec.text;
    const auto failed = workload_.file.empty()
                            ? search(*base, *patched, comparison)
                            : follow(*base, *patched, program, comparison, result);
    if (failed) return complain(*failed);
    result.cases = comparison.cases;
    result.events = comparison.decisions;
    if (!output_.json && !output_.quiet) fmt::print("{}", reports::comparison_text(comparison));
    result.all_statuses = {comparison.first ? Exit::falsified : Exit::held};
    result.comparisons.push_back(std::move(comparison));
    return finish(result, output_, Verdict::reports_only);
  }

 private:
  Outcome<run::Contender> contender(const std::string& text,
                                    const Program& program,
                                    Result& result) {
    auto spec = load_spec(text, "", program, result.notes);
    if (!spec) return spec.error();
    const PolicyRow& row = row_of(program, *spec);
    return run::Contender{&row, std::move(*spec), side_ == "model"};
  }

  std::optional<Error> follow(const run::Contender& base,
                              const run::Contender& patched,
                              const Program& program,
                              ComparisonResult& out,
                              Result& result) {
    auto c = load_case(base_, "", workload_, program, result.notes);
    if (!c) return c.error();
    auto setup = run::setup_of(*c);
    if (!setup) return setup.error();
    result.command_line += " --workload " + workload_.file;
    out.workload = workload_.file;
    out.cases = 1;
    auto first = run::first_difference(base, patched, *setup);
    if (!first) return first.error();
    out.first = std::move(*first);
    return measure(base, patched, *setup, out, result);
  }

  std::optional<Error> search(const run::Contender& base,
                              const run::Contender& patched,
                              ComparisonResult& out) {
    run::SearchOptions options;
    options.seed = seed_;
    options.cases = cases_;
    options.time = time_;
    options.shrink_time = budget_;
    if (!workload_.topology.empty()) {
      const auto topology = input::read_topology(workload_.topology);
      if (!topology) return topology.error();
      options.topology = workload_.topology;
      options.cpus = topology->cpus;
    }
    ProgressLine progress(output_, "compare");
    const auto found = run::search_difference(
        base, patched, options, [&](const std::string& text) { progress.show(-1, text); });
    out.workload = fmt::format("random workloads, seed {}", seed_);
    out.cases = found.cases;
    out.decisions = found.events;
    if (!found.smallest) return std::nullopt;
    out.first = found.difference;
    out.shrink_runs = found.shrink_runs;
    out.original_events = found.original_events;
    out.events = reduce::count_events(*found.smallest);
    out.tasks = static_cast<std::int64_t>(found.smallest->workload.tasks.size());
    const auto written = write_output(target_, input::write_case(*found.smallest));
    if (!written) return written.error();
    out.case_file = target_;
    auto setup = run::setup_of(*found.smallest);
    if (!setup) return setup.error();
    Result unused;
    return measure(base, patched, *setup, out, unused);
  }

  std::optional<Error> measure(const run::Contender& base,
                               const run::Contender& patched,
                               const Setup& setup,
                               ComparisonResult& out,
                               Result& result) {
    ProgressLine progress(output_, "measure");
    std::vector<std::pair<Recording, Recording>> runs;
    for (int seed = 0; seed < seeds_; ++seed) {
      Setup one = setup;
      one.workload = gen::jitter(setup.workload, static_cast<std::uint64_t>(seed), jitter_);
      auto in_base = record_of(base, one);
      if (!in_base) return in_base.error();
      auto in_patched = record_of(patched, one);
      if (!in_patched) return in_patched.error();
      if (seed == 0) result.recordings = {*in_base, *in_patched};
      runs.emplace_back(std::move(*in_base), std::move(*in_patched));
      progress.show(static_cast<double>(seed + 1) / seeds_, fmt::format("seed {}", seed));
    }
    out.seeds = seeds_;
    out.metrics = reports::compare_metrics(runs);
    return std::nullopt;
  }

  static Outcome<Recording> record_of(const run::Contender& who, Setup setup) {
    setup.spec = who.spec;
    run::RecordOptions options;
    options.model = who.model;
    return run::record(*who.row, setup, options);
  }

  std::string base_, patched_;
  std::string side_ = "impl";
  std::string target_ = "compare.case.json";
  int seeds_ = 10;
  Duration jitter_{4'000'000};
  std::uint64_t seed_ = 1;
  std::int64_t cases_ = 2'000;
  Duration time_{10'000'000'000};
  Duration budget_{20'000'000'000};
  WorkloadOptions workload_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_compare(CLI::App& app) { return std::make_unique<Compare>(app); }

}  // namespace fw::cli
