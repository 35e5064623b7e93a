// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "ci/cli/decision_file.h"
#include "ci/cli/output.h"
#include "props/run/failure.h"
#include "props/run/record.h"
#include "props/run/summary.h"

namespace fw::cli {
namespace {

class Replay : public Command {
 public:
  explicit Replay(CLI::App& app) {
    app.add_option("CASE", file_, "a case file")->required()->type_name("");
    app.add_option("--decisions", decisions_, "write the decision log (JSON Lines)")
        ->type_name("FILE");
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    auto c = load_case_file(file_, program);
    if (!c) return complain(c.error());
    if (const auto error = plant_for(*c, program)) return complain(*error);
    auto setup = run::setup_of(*c);
    if (!setup) return complain(setup.error());
    const PolicyRow& row = row_of(program, c->spec);
    if (decisions_ == "-") return complain(decisions_to_stdout());
    if (!decisions_.empty()) {
      const auto written = write_decisions(row, *setup, false, decisions_);
      if (!written) return complain(written.error());
    }
    Result result;
    result.command = "replay";
    result.command_line = fmt::format("{} replay {}", program.name, file_);
    result.seed = c->seed;
    run::CampaignOptions one;
    one.cases = 1;
    const auto totals = run::run_campaign(
        row, [&c](std::int64_t) { return *c; }, one, run::OnProgress{});
    if (totals.discards > 0) return complain({totals.a_discard, "correct the case", file_});
    if (totals.found) {
      add_failure(row, *c, totals.found->failure, result);
    } else if (auto recording = run::record(row, *setup, {false, 200'000})) {
      result.recordings.push_back(std::move(*recording));
    }
    result.seconds = totals.seconds;
    run::add_to_result(result, row, c->spec.text, totals);
    run::conclude(result, false);
    judge_expectation(*c, totals, result);
    return finish(result, output_);
  }

 private:
  void add_failure(const PolicyRow& row,
                   const Case& c,
                   const run::CaseFailure& found,
                   Result& result) const {
    Failure failure = run::describe_failure(row, c, found);
    failure.case_file = file_;
    failure.reproduce = result.command_line;
    if (auto recording = run::record_failure(row, failure)) {
      result.recordings.push_back(std::move(*recording));
    }
    result.failures.push_back(std::move(failure));
  }

  /// A case says what it is expected to do; one that does something else is stale.
  static void judge_expectation(const Case& c, const run::CampaignTotals& totals, Result& result) {
    if (c.property.empty()) return;
    if (!totals.found) {
      result.notes.push_back(fmt::format(
          "the case expects {} to fail, but everything holds: fixed since, or stale", c.property));
      result.all_statuses.push_back(Exit::stale);
    } else if (!c.signature.empty() && totals.found->failure.signature != c.signature) {
      result.notes.push_back(
          fmt::format("the case expects failure {} of {}, but fails with {} of {}",
                      c.signature,
                      c.property,
                      totals.found->failure.signature,
                      totals.found->failure.property));
      result.all_statuses.push_back(Exit::stale);
    }
  }

  std::string file_;
  std::string decisions_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_replay(CLI::App& app) { return std::make_unique<Replay>(app); }

}  // namespace fw::cli
