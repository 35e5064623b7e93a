// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ci/cli/output.h"
#include "model/input/file.h"
#include "model/input/trace.h"
#include "props/run/case_run.h"
#include "props/run/explain.h"
#include "props/run/record.h"
#include "props/run/trace_recording.h"
#include "reports/words.h"

namespace fw::cli {
namespace {

class Explain : public Command {
 public:
  explicit Explain(CLI::App& app) {
    app.add_option("FILE", workload_.file, "a case, a workload or a recorded trace")
        ->required()
        ->type_name("");
    app.add_option("--task", task_, "the task's name, as the decision log has it: NAME-INDEX")
        ->required()
        ->type_name("TASK");
    app.add_option("--spec",
                   spec_,
                   "policy spec; default: the file's own, else cfs; a trace without it is "
                   "explained as recorded")
        ->type_name("SPEC");
    add_count(app, "--worst", worst_, 1, 1000, "so many of the longest waits (default 5)");
    add_duration(app, "--at", at_, "the wait at this moment of the run instead")
        ->each([this](const auto&) { at_given_ = true; });
    app.add_option("--topology", workload_.topology, "as for check")->type_name("T");
    app.add_flag("--no-balance", workload_.no_balance, "turn load balancing off");
    app.add_flag("--approximate", workload_.approximate, "as for check");
    add_duration(app, "--duration", workload_.duration, "end the run at this simulated time", {1});
  }

  Exit run(const Program& program) override {
    if (spec_.empty()) {
      auto text = input::read_file(workload_.file);
      if (text && input::looks_like_trace(*text)) return explain_recorded(*text);
    }
    std::vector<std::string> notes;
    auto c = load(program, notes);
    if (!c) return complain(c.error());
    if (const auto error = plant_for(*c, program)) return complain(*error);
    auto setup = run::setup_of(*c);
    if (!setup) return complain(setup.error());
    auto recording = run::record(row_of(program, c->spec), *setup, {});
    if (!recording) return complain(recording.error());
    const TaskId task = run::task_named(*recording, task_);
    if (task.idle()) return complain(unknown_task(*recording));
    std::vector<run::Wait> waits = run::waits_of(*recording, task);
    for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
    const auto waited = std::count_if(
        waits.begin(), waits.end(), [](const run::Wait& w) { return w.length().ns > 0; });
    fmt::print("{} on {}: {} became runnable {} time{} and waited {} time{}\n",
               c->spec.text,
               c->workload.name,
               task_,
               waits.size(),
               waits.size() == 1 ? "" : "s",
               waited,
               waited == 1 ? "" : "s");
    choose(waits);
    if (waits.empty() && at_given_) {
      fmt::print("\n{} was not waiting at {}\n", task_, format_duration(at_));
    }
    for (const run::Wait& wait : waits) fmt::print("\n{}", run::explain_wait(wait, *recording));
    print_bound(row_of(program, c->spec), *c, *setup);
    return Exit::held;
  }

 private:
  /// A recorded trace without a policy: what the kernel itself did.
  Exit explain_recorded(const std::string& text) const {
    auto trace = input::read_trace(text, workload_.file);
    if (!trace) return complain(trace.error());
    const Recording recording = run::recording_of(*trace);
    const TaskId task = run::task_named(recording, task_);
    if (task.idle()) return complain(unknown_task(recording));
    std::vector<run::Wait> waits = run::waits_of(recording, task);
    fmt::print(
        "recorded in {}: {} became runnable {} times\n", workload_.file, task_, waits.size());
    choose(waits);
    if (waits.empty()) fmt::print("\n{} did not wait\n", task_);
    for (const run::Wait& wait : waits) fmt::print("\n{}", run::explain_wait(wait, recording));
    fmt::print(
        "\nbound: none is known for a recorded kernel; --spec SPEC replays it on a policy\n");
    return Exit::held;
  }

  Outcome<Case> load(const Program& program, std::vector<std::string>& notes) const {
    if (spec_.empty() && is_case_file(workload_.file)) {
      return load_case_file(workload_.file, program);
    }
    return load_case(spec_, "", workload_, program, notes);
  }

  /// The wait bound that `check` holds the run against, beside the worst wait of any task.
  static void print_bound(const PolicyRow& row, const Case& c, const Setup& setup) {
    run::CaseOptions only_waits;
    only_waits.only = "wait_bounded";
    only_waits.lockstep = false;
    const run::CaseRun seen = run::run_case(row, c, setup, only_waits);
    for (const run::PropertyTally& tally : seen.tallies) {
      if (!tally.extreme) continue;
      fmt::print("\nbound: no task may wait longer than {}; the worst of this run waited {}\n",
                 reports::readable_ns(tally.extreme->bound),
                 reports::readable_ns(tally.extreme->worst));
      return;
    }
    fmt::print("\nbound: none applies to this run (the theorem's assumptions do not hold)\n");
  }

  Error unknown_task(const Recording& recording) const {
    std::vector<std::string_view> names(recording.task_names.begin(), recording.task_names.end());
    std::string some;
    for (std::size_t i = 0; i < names.size() && i < 12; ++i) {
      some += (i > 0 ? ", " : "") + std::string(names[i]);
    }
    return Error{fmt::format("no task '{}' ran", task_),
                 names.empty() ? "no task ran at all"
                               : fmt::format("did you mean '{}'? the run has {}{}",
                                             nearest(task_, names),
                                             some,
                                             names.size() > 12 ? ", ..." : ""),
                 workload_.file};
  }

  void choose(std::vector<run::Wait>& waits) const {
    if (at_given_) {
      const Instant at = Instant{} + at_;
      waits.erase(std::remove_if(waits.begin(),
                                 waits.end(),
                                 [at](const run::Wait& w) { return at < w.from || w.to <= at; }),
                  waits.end());
      return;
    }
    waits.erase(
        std::remove_if(
            waits.begin(), waits.end(), [](const run::Wait& w) { return w.length().ns == 0; }),
        waits.end());
    std::stable_sort(waits.begin(), waits.end(), [](const run::Wait& a, const run::Wait& b) {
      return a.length() > b.length();
    });
    waits.resize(std::min(waits.size(), static_cast<std::size_t>(worst_)));
  }

  std::string task_;
  std::string spec_;
  int worst_ = 5;
  Duration at_;
  bool at_given_ = false;
  WorkloadOptions workload_;
};

}  // namespace

std::unique_ptr<Command> make_explain(CLI::App& app) { return std::make_unique<Explain>(app); }

}  // namespace fw::cli
