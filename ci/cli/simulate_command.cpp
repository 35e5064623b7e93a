// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "ci/cli/decision_file.h"
#include "ci/cli/output.h"
#include "props/run/case_run.h"
#include "props/run/record.h"
#include "reports/metrics.h"
#include "reports/text.h"

namespace fw::cli {
namespace {

class Simulate : public Command {
 public:
  explicit Simulate(CLI::App& app) {
    app.add_option(
           "SPEC", spec_, "policy spec, such as cfs@2.6.36-LAST_BUDDY,latency=18ms; default: cfs")
        ->type_name("");
    workload_.add_to(app, true);
    app.add_option("--features-file", features_, "a sched/features line as the spec's features")
        ->type_name("FILE");
    app.add_option("--decisions", decisions_, "write the decision log (JSON Lines; - for stdout)")
        ->type_name("FILE");
    add_choice(app,
               "--side",
               side_,
               {"impl", "model"},
               "which writing of the policy runs: impl (default) or model")
        ->type_name("SIDE");
    app.add_flag("--timeline", timeline_, "draw who ran when");
    add_count(app, "--width", width_, 40, 400, "columns of the timeline (default 100)");
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    Result result;
    result.command = "simulate";
    auto c = load_case(spec_, features_, workload_, program, result.notes);
    if (!c) return complain(c.error());
    auto setup = run::setup_of(*c);
    if (!setup) return complain(setup.error());
    const PolicyRow& row = row_of(program, c->spec);
    if (!decisions_.empty()) {
      const auto written = write_decisions(row, *setup, side_ == "model", decisions_);
      if (!written) return complain(written.error());
      result.events = *written;
      if (decisions_ == "-") return Exit::held;
    }
    auto recording = run::record(row, *setup, {side_ == "model"});
    if (!recording) return complain(recording.error());
    result.command_line =
        fmt::format("fairwitness simulate {} --workload {}", c->spec.text, workload_.file);
    result.policies = {c->spec.text};
    result.cases = 1;
    if (!output_.json && !output_.quiet) {
      fmt::print("{} on {} ({} CPU{}), {} simulated, {}\n\n",
                 c->spec.text,
                 c->workload.name,
                 recording->cpus,
                 recording->cpus == 1 ? "" : "s",
                 format_duration(recording->end - Instant{}),
                 side_);
      fmt::print("{}", reports::metrics_text(reports::measure(*recording)));
      if (timeline_) fmt::print("\n{}", reports::ascii_timeline(*recording, width_));
      for (const std::string& note : result.notes) fmt::print("note: {}\n", note);
    }
    result.recordings.push_back(std::move(*recording));
    result.all_statuses = {Exit::held};
    return finish(result, output_, Verdict::reports_only);
  }

 private:
  std::string spec_;
  std::string features_;
  std::string decisions_;
  std::string side_ = "impl";
  bool timeline_ = false;
  int width_ = 100;
  WorkloadOptions workload_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_simulate(CLI::App& app) { return std::make_unique<Simulate>(app); }

}  // namespace fw::cli
