// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/command.h"

#include <array>

#include "ci/cli/tune_points.h"

namespace fw::cli {

std::span<const CommandRow> commands() {
  static constexpr std::array<CommandRow, 15> rows = {{
      {"check",
       "lockstep and all properties on random, saved and given workloads",
       "fairwitness check cfs@2.6.36 --time 10s --seed 1",
       make_check},
      {"simulate",
       "run one policy on a workload and print what it did",
       "fairwitness simulate cfs@2.6.36 --workload model/input/testdata/pair.json --timeline",
       make_simulate},
      {"compare",
       "the first decision in which two policies part, why, and what it changes",
       "fairwitness compare cfs@2.6.36 cfs@2.6.36-START_DEBIT --time 10s --budget 5s",
       make_compare},
      {"minimize",
       "shrink a failing case, keeping the same failure",
       "fairwitness minimize ci/cli/testdata/seeded.case.json --budget 10s --output "
       "smaller.case.json",
       make_minimize},
      {"replay",
       "run a case again and exit by its verdict",
       "fairwitness replay ci/cli/testdata/seeded.case.json",
       make_replay},
      {"import",
       "turn a recorded trace into a workload",
       "fairwitness import model/input/testdata/traces/cfs_sleep_2hogs.ftrace.txt.gz "
       "--output sleep.json",
       make_import},
      {"export",
       "a case or workload in another tool's format",
       "fairwitness export model/input/testdata/pair.json --to perfetto --output pair.trace.json",
       make_export},
      {"inspect",
       "say what a workload, trace, topology, features or case file holds",
       "fairwitness inspect model/input/testdata/pair.json",
       make_inspect},
      {"explain",
       "why a task was late: the picks that passed it over",
       "fairwitness explain model/input/testdata/pair.json --task sleeper-1 --worst 3",
       make_explain},
      {"validate",
       "how much of a real kernel's recorded decisions the model explains",
       "fairwitness validate cfs@6.1 "
       "model/input/testdata/traces/cfs_sleep_2hogs.ftrace.txt.gz",
       make_validate},
      {"prove",
       "prove or refute bounds in two solvers, with formulas, values and witnesses",
       "fairwitness prove cfs_spread cfs@2.6.36,latency=12ms",
       make_prove},
      {"tune",
       "bounds and simulated figures over ranges of knobs; which settings are worth choosing",
       "fairwitness tune cfs@2.6.36 --knob latency=4ms..24ms --knob min_granularity=1ms..4ms "
       "--steps 3",
       make_tune},
      {"mutants",
       "the harness's own strength: seeded faults, found or not",
       "fairwitness mutants --only A03_unsigned_max_placement",
       make_mutants},
      {"bench",
       "speed of the implementation and of lockstep against bare structures",
       "fairwitness bench --time 2s",
       make_bench},
      {"list",
       "policies, features, knobs, properties, obligations or mutants, one line each",
       "fairwitness list knobs cfs",
       make_list},
  }};
  return rows;
}

}  // namespace fw::cli
