// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "ci/cli/output.h"
#include "model/input/casefile.h"
#include "props/run/campaign.h"
#include "props/run/failure.h"
#include "props/run/summary.h"

namespace fw::cli {
namespace {

class Minimize : public Command {
 public:
  explicit Minimize(CLI::App& app) {
    app.add_option("CASE", file_, "a failing case")->required()->type_name("");
    add_duration(app, "--budget", budget_, "time for shrinking (default 30s)");
    app.add_option(
           "--output", target_, "the shrunk case (default: CASE with .min before .case.json)")
        ->type_name("FILE");
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    auto c = load_case_file(file_, program);
    if (!c) return complain(c.error());
    if (const auto error = plant_for(*c, program)) return complain(*error);
    const PolicyRow& row = row_of(program, c->spec);
    run::CampaignOptions one;
    one.cases = 1;
    const auto totals = run::run_campaign(
        row, [&c](std::int64_t) { return *c; }, one, run::OnProgress{});
    if (totals.discards > 0) return complain({totals.a_discard, "correct the case", file_});
    Result result;
    result.command = "minimize";
    result.command_line = fmt::format("{} minimize {}", program.name, file_);
    if (!totals.found) {
      result.notes.push_back(
          "everything holds: there is no failure to keep, and nothing is written");
      run::add_to_result(result, row, c->spec.text, totals);
      run::conclude(result, false);
      result.all_statuses.push_back(Exit::stale);
      return finish(result, output_);
    }
    run::InvestigateOptions options;
    options.budget = budget_;
    options.program = program.name;
    ProgressLine progress(output_, "shrinking " + totals.found->failure.property);
    options.on_progress = [&progress](const std::string& text) { progress.show(-1, text); };
    Failure failure = run::investigate(row, *c, totals.found->failure, options);
    const std::string path = target_.empty() ? beside(file_) : target_;
    const auto written = write_output(path, input::write_case(failure.minimized));
    if (!written) return complain(written.error());
    failure.case_file = path;
    failure.reproduce = fmt::format("{} replay {}", program.name, path);
    if (auto recording = run::record_failure(row, failure)) {
      result.recordings.push_back(std::move(*recording));
    }
    result.failures.push_back(std::move(failure));
    run::add_to_result(result, row, c->spec.text, totals);
    run::conclude(result, false);
    return finish(result, output_);
  }

 private:
  static std::string beside(const std::string& path) {
    const std::string tail = ".case.json";
    const bool has_tail = path.size() > tail.size() &&
                          path.compare(path.size() - tail.size(), tail.size(), tail) == 0;
    return (has_tail ? path.substr(0, path.size() - tail.size()) : path) + ".min.case.json";
  }

  std::string file_;
  std::string target_;
  Duration budget_{30'000'000'000};
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_minimize(CLI::App& app) { return std::make_unique<Minimize>(app); }

}  // namespace fw::cli
