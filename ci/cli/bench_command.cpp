// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "ci/cli/output.h"
#include "props/run/bench.h"

namespace fw::cli {
namespace {

class Bench : public Command {
 public:
  explicit Bench(CLI::App& app) {
    add_duration(app, "--time", time_, "time for each row (default 2s)", {1'000'000});
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    Result result;
    result.command = "bench";
    result.command_line = "fairwitness bench --time " + format_duration(time_);
    ProgressLine progress(output_, "bench");
    progress.show(-1, "measuring");
    result.benchmarks = run::bench(program.rows, program.bench_driver, time_);
    result.all_statuses = {Exit::held};
    return finish(result, output_);
  }

 private:
  Duration time_{2'000'000'000};
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_bench(CLI::App& app) { return std::make_unique<Bench>(app); }

}  // namespace fw::cli
