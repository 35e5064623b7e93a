// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "ci/cli/extra_output.h"
#include "ci/cli/tune_points.h"
#include "props/gen/generate.h"

namespace fw::cli {
namespace {

/// More than a person can read, and a minute's work.
constexpr std::size_t most_points = 1'000;

class Tune : public Command {
 public:
  explicit Tune(CLI::App& app) {
    app.add_option("SPEC", spec_, "policy spec that the knobs are changed of")
        ->required()
        ->type_name("");
    app.add_option("--knob", knobs_, "a knob and its range; several: every combination")
        ->required()
        ->take_all()
        ->type_name("KNOB=LOWEST..HIGHEST");
    add_count(
        app, "--steps", steps_, 2, 100, "values of each knob, both ends included (default 5)");
    app.add_option("--nice", nices_, "nice levels of the tasks that bounds are given for")
        ->delimiter(',')
        ->check(CLI::Range(-20, 19))
        ->capture_default_str();
    add_count(app,
              "--cases",
              cases_,
              1,
              10'000,
              "random workloads simulated at every point (default 10)");
    add_seed(app, seed_, "of the random workloads (default 1)");
    workload_.add_to(app, false);
    output_.add_to(app);
  }

  Exit run(const Program& program) override {
    const auto start = std::chrono::steady_clock::now();
    Result result;
    reports::Extra extra;
    reports::TuneResult& tune = extra.tune;
    result.command = "tune";
    result.command_line = fmt::format("fairwitness {}", fmt::join(program.arguments, " "));
    result.seed = seed_;
    auto spec = load_spec(spec_, "", program, result.notes);
    if (!spec) return complain(spec.error());
    result.policies = {spec->text};
    const PolicyRow& row = row_of(program, *spec);
    std::vector<KnobRange> ranges;
    std::size_t points = 1;
    for (const std::string& knob : knobs_) {
      auto range = read_range(knob, *spec, *row.info, program, steps_);
      if (!range) return complain(range.error());
      const bool again = std::any_of(ranges.begin(), ranges.end(), [&](const KnobRange& other) {
        return other.name == range->name;
      });
      if (again) {
        return complain(Error{fmt::format("the knob {} is given twice", range->name),
                              "give each knob one range",
                              "--knob"});
      }
      points *= range->values.size();
      tune.knobs.push_back(range->name);
      ranges.push_back(std::move(*range));
    }
    if (points > most_points) {
      return complain(Error{fmt::format("{} points are more than {}", points, most_points),
                            "take fewer --steps or knobs"});
    }
    auto cases = workloads(*spec, row, program, result);
    if (!cases) return complain(cases.error());
    if (const auto error = visit(grid(*spec, ranges, *row.info), row, *cases, tune)) {
      return complain(*error);
    }
    tune.objectives = mark_pareto(tune.points);
    tune.valid_region = valid_region(tune.points);
    result.cases = static_cast<std::int64_t>(points * cases->size());
    result.all_statuses = {Exit::held};
    for (const TunePoint& point : tune.points) {
      if (!point.failure.empty()) result.all_statuses.push_back(Exit::falsified);
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return finish_with(result, extra, output_);
  }

 private:
  /// The user's workload, or random ones of one CPU: the same at every point.
  Outcome<std::vector<Case>> workloads(const PolicySpec& spec,
                                       const PolicyRow& row,
                                       const Program& program,
                                       Result& result) const {
    std::vector<Case> out;
    if (!workload_.file.empty()) {
      auto c = load_case(spec.text, "", workload_, program, result.notes);
      if (!c) return c.error();
      out.push_back(std::move(*c));
      return out;
    }
    gen::GenOptions options;
    options.spec = spec;
    options.vary_features = false;
    options.vary_knobs = false;
    options.topology = gen::TopologyChoice{"1", 1};
    for (int i = 0; i < cases_; ++i) {
      out.push_back(gen::generate(*row.info, seed_, static_cast<std::uint64_t>(i), options));
    }
    return out;
  }

  std::optional<Error> visit(const std::vector<PolicySpec>& specs,
                             const PolicyRow& row,
                             const std::vector<Case>& cases,
                             reports::TuneResult& tune) const {
    ProgressLine progress(output_, "tune");
    for (const PolicySpec& spec : specs) {
      TunePoint point;
      point.spec = spec.text;
      for (const std::string& knob : tune.knobs) {
        point.knobs.push_back(value_text(*row.info, knob, spec.knobs.at(knob)));
      }
      add_bounds(spec, nices_, point);
      const auto done = add_metrics(row, cases, spec, point);
      if (!done) return done.error();
      tune.points.push_back(std::move(point));
      progress.show(static_cast<double>(tune.points.size()) / static_cast<double>(specs.size()),
                    fmt::format("{} of {} points", tune.points.size(), specs.size()));
    }
    return std::nullopt;
  }

  static std::string value_text(const PolicyInfo& info,
                                const std::string& knob,
                                std::int64_t value) {
    for (const KnobInfo& one : info.knobs) {
      if (one.name != knob) continue;
      if (one.unit == KnobUnit::duration) return format_duration({value});
      if (one.unit == KnobUnit::choice)
        return std::string(one.choices[static_cast<std::size_t>(value)]);
    }
    return std::to_string(value);
  }

  std::string spec_;
  std::vector<std::string> knobs_;
  int steps_ = 5;
  std::vector<int> nices_ = {0, 0, 0};
  int cases_ = 10;
  std::uint64_t seed_ = 1;
  WorkloadOptions workload_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_tune(CLI::App& app) { return std::make_unique<Tune>(app); }

}  // namespace fw::cli
