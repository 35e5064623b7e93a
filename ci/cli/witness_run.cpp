// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/witness_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "ci/cli/options.h"
#include "model/input/rtapp.h"
#include "props/run/case_run.h"
#include "props/run/explain.h"
#include "props/run/record.h"

namespace fw::cli {
namespace {

Outcome<Case> case_of(const theorem::Witness& witness,
                      const std::string& text,
                      const Program& program) {
  auto reading = input::load_rtapp(text, std::string(witness.name), {});
  if (!reading) return reading.error();
  std::vector<std::string> notes;
  auto spec = load_spec(std::string(witness.spec), "", program, notes);
  if (!spec) return spec.error();
  Case out;
  out.spec = std::move(*spec);
  out.workload = std::move(reading->workload);
  out.workload.name = std::string(witness.name);
  return out;
}

/// What one side's run shows; -1 when the recording lacks it.
std::int64_t measure(const Recording& recording, const theorem::Witness& witness) {
  std::int64_t worst = -1;
  if (witness.measure == theorem::Measure::spread) {
    for (const Recording::Series& series : recording.series) {
      if (series.name != "spread") continue;
      for (const auto& point : series.points) {
        worst = std::max(worst, static_cast<std::int64_t>(point.second));
      }
    }
    return worst;
  }
  const TaskId task = run::task_named(recording, witness.task);
  if (task.idle()) return -1;
  for (const run::Wait& wait : run::waits_of(recording, task)) {
    worst = std::max(worst, wait.length().ns);
  }
  return worst;
}

/// The measure, the same on both sides, of a run in which they never differ.
Outcome<std::int64_t> replay(const Case& c,
                             const theorem::Witness& witness,
                             const Program& program) {
  const PolicyRow& row = row_of(program, c.spec);
  auto setup = run::setup_of(c);
  if (!setup) return setup.error();
  run::CaseOptions options;
  options.checkers = false;
  options.relations = false;
  const run::CaseRun lockstep = run::run_case(row, c, *setup, options);
  if (!lockstep.discard.empty()) return Error{lockstep.discard};
  if (lockstep.failure)
    return Error{"model and implementation differ: " + lockstep.failure->message};
  std::int64_t values[2] = {-1, -1};
  for (const bool model : {false, true}) {
    auto recording = run::record(row, *setup, {.model = model});
    if (!recording) return recording.error();
    values[model ? 1 : 0] = measure(*recording, witness);
  }
  if (values[0] != values[1] || values[0] < 0) {
    return Error{
        fmt::format("measured {} on the implementation, {} on the model", values[0], values[1])};
  }
  return values[0];
}

}  // namespace

WitnessRun run_witness(const theorem::Witness& witness,
                       const Program& program,
                       const std::function<std::string(int)>& workload) {
  WitnessRun out;
  for (const int factor : {1, 2}) {
    if (factor == 2 && witness.growth == 0) break;
    const int rounds = witness.rounds * factor;
    auto c = case_of(
        witness, workload ? workload(rounds) : theorem::witness_workload(witness, rounds), program);
    if (!c) {
      out.trouble = c.error().text();
      return out;
    }
    const auto value = replay(*c, witness, program);
    if (!value) {
      out.trouble = value.error().text();
      return out;
    }
    (factor == 1 ? out.measured : out.doubled) = *value;
    if (factor == 1) out.kase = std::move(*c);
  }
  out.agreed = true;
  out.grows = witness.growth > 0 && out.doubled - out.measured == witness.growth * witness.rounds;
  return out;
}

}  // namespace fw::cli
