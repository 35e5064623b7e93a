// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "ci/cli/output.h"
#include "model/input/rtapp.h"

namespace fw::cli {
namespace {

class Import : public Command {
 public:
  explicit Import(CLI::App& app) {
    app.add_option(
           "TRACE", file_, "perf script, ftrace, trace-cmd report or SchedViz text; .gz too")
        ->required()
        ->type_name("");
    app.add_option("--output", output_, "the rt-app workload to write (default: stdout)")
        ->type_name("FILE");
  }

  Exit run(const Program&) override {
    auto loaded = load_trace_file(file_);
    if (!loaded) return complain(loaded.error());
    if (loaded->workload.topology.empty()) loaded->workload.topology = loaded->topology;
    for (const std::string& note : loaded->notes) fmt::print(stderr, "note: {}\n", note);
    const std::string text = input::write_rtapp(loaded->workload);
    if (output_.empty() || output_ == "-") {
      fmt::print("{}", text);
      return Exit::held;
    }
    const auto written = write_output(output_, text);
    if (!written) return complain(written.error());
    const std::size_t tasks = loaded->workload.tasks.size();
    fmt::print("{}: {} task{}\n", output_, tasks, tasks == 1 ? "" : "s");
    return Exit::held;
  }

 private:
  std::string file_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_import(CLI::App& app) { return std::make_unique<Import>(app); }

}  // namespace fw::cli
