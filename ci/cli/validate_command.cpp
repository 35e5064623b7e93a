// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "ci/cli/output.h"
#include "model/input/features.h"
#include "model/input/file.h"
#include "props/validate/validate.h"

namespace fw::cli {
namespace {

class Validate : public Command {
 public:
  explicit Validate(CLI::App& app) {
    app.add_option("spec", spec_, "the recorded kernel's policy: cfs@6.1, eevdf@6.12")->required();
    app.add_option("trace", trace_, "ftrace text, gzip or not, with sched_stat_runtime")
        ->required();
    app.add_option("--features-file", features_, "sched/features of the machine, pasted");
    app.add_option("--show", show_, "unexplained decisions to print")
        ->check(CLI::Range(0, 1'000'000));
    output_.add_to(app);
  }

  Exit run(const Program&) override {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::string> notes;
    auto spec = read_spec(notes);
    if (!spec) return complain(spec.error());
    auto text = input::read_file(trace_);
    if (!text) return complain(text.error());
    auto trace = input::read_trace(*text, trace_);
    if (!trace) return complain(trace.error());
    auto seen = validate::validate(*trace, *spec);
    if (!seen) return complain(seen.error());
    Result result = result_of(*spec, *seen);
    for (const std::string& note : notes) result.notes.push_back(note);
    for (const input::TraceNote& note : trace->notes) {
      result.notes.push_back(input::note_text(note));
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!output_.json && !output_.quiet) print(*spec, *seen, result);
    return finish(result, output_, Verdict::reports_only);
  }

 private:
  Outcome<PolicySpec> read_spec(std::vector<std::string>& notes) const {
    auto spec = parse_spec(spec_, validate::catalogue());
    if (!spec || features_.empty()) return spec;
    auto text = input::read_file(features_);
    if (!text) return text.error();
    const PolicyInfo* info = nullptr;
    for (const PolicyInfo* each : validate::catalogue()) {
      if (each->name == spec->policy) info = each;
    }
    auto reading = input::read_features(*text, features_, *info);
    if (!reading) return reading.error();
    input::apply_features(*reading, *info, *spec);
    for (const std::string& name : reading->without_effect) {
      notes.push_back("feature without effect here: " + name);
    }
    return spec;
  }

  static Result result_of(const PolicySpec& spec, const validate::Validation& seen) {
    Result out;
    out.command = "validate";
    out.policies = {spec.text};
    out.cases = 1;
    out.events = seen.events;
    out.notes = seen.notes;
    for (const validate::Rule rule : validate::rules_of(spec.policy)) {
      const validate::RuleTally& tally = seen.tally.of(rule);
      RuleResult& row = out.rules.emplace_back();
      row.rule = validate::rule_name(rule);
      row.policy = spec.text;
      row.checked = tally.checked;
      row.explained = tally.explained;
      row.contested = tally.contested;
      row.skipped = tally.skipped;
      for (const validate::Miss& miss : seen.tally.misses()) {
        if (miss.rule == rule) row.misses.push_back({miss.line, miss.t, miss.task, miss.reason});
      }
    }
    for (const auto& [cause, count] : seen.tally.resyncs()) {
      out.notes.push_back(fmt::format("resynchronised: {} ({})", cause, count));
    }
    out.status = seen.tally.unexplained() > 0 ? Exit::falsified
                 : seen.tally.checked() == 0  ? Exit::vacuous
                                              : Exit::held;
    return out;
  }

  void print(const PolicySpec& spec, const validate::Validation& seen, const Result& result) const {
    fmt::print("{} against {}: {} scheduler events\n\n", spec.text, trace_, seen.events);
    fmt::print("{:<20}{:>10}{:>11}{:>11}{:>13}{:>10}\n",
               "rule",
               "checked",
               "explained",
               "contested",
               "unexplained",
               "share");
    for (const RuleResult& row : result.rules) {
      const std::string share = row.checked == 0
                                    ? "-"
                                    : fmt::format("{:.3f} %",
                                                  100.0 * static_cast<double>(row.explained) /
                                                      static_cast<double>(row.checked));
      fmt::print("{:<20}{:>10}{:>11}{:>11}{:>13}{:>10}\n",
                 row.rule,
                 row.checked,
                 row.explained,
                 row.contested,
                 row.checked - row.explained,
                 share);
    }
    fmt::print("\nskipped, because the trace does not decide them:\n");
    for (const RuleResult& row : result.rules) {
      for (const auto& [cause, count] : row.skipped) {
        fmt::print("  {:<20}{:>8}  {}\n", row.rule, count, cause);
      }
    }
    for (const std::string& note : result.notes) fmt::print("note: {}\n", note);
    int left = show_;
    for (const validate::Miss& miss : seen.tally.misses()) {
      if (left-- <= 0) break;
      fmt::print("{}:{}: {} of {} at {}.{:09} s: {}\n",
                 trace_,
                 miss.line,
                 validate::rule_name(miss.rule),
                 miss.task,
                 miss.t.ns / 1'000'000'000,
                 miss.t.ns % 1'000'000'000,
                 miss.reason);
    }
    const auto all = static_cast<std::int64_t>(seen.tally.misses().size());
    if (all > show_) fmt::print("... and {} more (--show {})\n", all - show_, all);
  }

  std::string spec_;
  std::string trace_;
  std::string features_;
  int show_ = 50;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_validate(CLI::App& app) { return std::make_unique<Validate>(app); }

}  // namespace fw::cli
