// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "ci/cli/output.h"
#include "props/run/case_run.h"
#include "props/run/record.h"
#include "reports/exports/exporter.h"

namespace fw::cli {
namespace {

std::vector<std::string_view> names() {
  std::vector<std::string_view> out;
  for (const exports::Exporter& row : exports::exporters()) out.push_back(row.name);
  return out;
}

class Export : public Command {
 public:
  explicit Export(CLI::App& app) {
    app.add_option("CASE", workload_.file, "a case, a workload or a recorded trace")
        ->required()
        ->type_name("");
    std::string about = "format:";
    for (const exports::Exporter& row : exports::exporters()) {
      about += fmt::format("\n{}: {}", row.name, row.about);
    }
    add_choice(app, "--to", format_, names(), about)->required()->type_name("FORMAT");
    app.add_option("--spec", spec_, "policy that runs it; default: the case's own, else cfs")
        ->type_name("SPEC");
    app.add_option("--topology", workload_.topology, "default: the case's own")->type_name("T");
    add_duration(app, "--duration", workload_.duration, "end the run at this simulated time", {1});
    app.add_option("--output", target_, "file to write (default: stdout)")->type_name("FILE");
  }

  Exit run(const Program& program) override {
    std::vector<std::string> notes;
    auto c = load(program, notes);
    if (!c) return complain(c.error());
    const auto setup = run::setup_of(*c);
    if (!setup) return complain(setup.error());
    const auto recording = run::record(row_of(program, c->spec), *setup, {});
    if (!recording) return complain(recording.error());
    const exports::Exporter& exporter = *exports::find_exporter(format_);
    const exports::Exported exported = exporter.make(*c, *recording);
    for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
    for (const std::string& loss : exported.losses) fmt::print(stderr, "not kept: {}\n", loss);
    if (target_.empty()) {
      fmt::print("{}", exported.text);
    } else {
      const auto written = write_output(target_, exported.text);
      if (!written) return complain(written.error());
      fmt::print("{}: {}\n", target_, exporter.about);
    }
    return stdout_status(Exit::held);
  }

 private:
  Outcome<Case> load(const Program& program, std::vector<std::string>& notes) {
    if (!is_case_file(workload_.file)) return load_case(spec_, "", workload_, program, notes);
    auto c = load_case_file(workload_.file, program);
    if (!c) return c;
    if (const auto error = plant_for(*c, program)) return *error;
    if (!spec_.empty()) {
      auto spec = load_spec(spec_, "", program, notes);
      if (!spec) return spec.error();
      c->spec = std::move(*spec);
    }
    if (!workload_.topology.empty()) c->topology = workload_.topology;
    if (workload_.duration.ns > 0) c->horizon = workload_.duration;
    return c;
  }

  std::string format_;
  std::string spec_;
  std::string target_;
  WorkloadOptions workload_;
};

}  // namespace

std::unique_ptr<Command> make_export(CLI::App& app) { return std::make_unique<Export>(app); }

}  // namespace fw::cli
