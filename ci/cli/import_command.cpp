// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "ci/cli/output.h"
#include "model/input/rtapp.h"
#include "reports/write.h"

namespace fw::cli {
namespace {

class Import : public Command {
 public:
  explicit Import(CLI::App& app) {
    app.add_option(
           "trace", file_, "perf script, ftrace, trace-cmd report or SchedViz text; .gz too")
        ->required();
    app.add_option("--output", output_, "the rt-app workload to write (default: stdout)")
        ->type_name("FILE");
  }

  Exit run(const Program& program) override {
    auto loaded = load_workload(file_, false, program);
    if (!loaded) return complain(loaded.error());
    if (loaded->workload.topology.empty()) loaded->workload.topology = loaded->topology;
    for (const std::string& note : loaded->notes) fmt::print(stderr, "note: {}\n", note);
    const std::string text = input::write_rtapp(loaded->workload);
    if (output_.empty() || output_ == "-") {
      fmt::print("{}", text);
      return Exit::held;
    }
    const auto written = reports::write_file(output_, text);
    if (!written) return complain(written.error());
    fmt::print("{}: {} tasks\n", output_, loaded->workload.tasks.size());
    return Exit::held;
  }

 private:
  std::string file_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_import(CLI::App& app) { return std::make_unique<Import>(app); }

}  // namespace fw::cli
