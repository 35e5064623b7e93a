// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/witness.h"

#include <algorithm>
#include <array>

namespace fw::theorem {
namespace {

constexpr std::array<Witness, 3> rows = {{
    // The sleeper is picked and leaves without running; the waker, picked in the same instant,
    // wakes it against the stale minimum and runs on.
    {.name = "wake_in_the_gap",
     .spec = "cfs@2.6.36-WAKEUP_PREEMPT",
     .workload = R"({"tasks": {
  "waker": {"loop": $N, "resume": "sleeper", "run": 2000, "yield": ""},
  "sleeper": {"loop": -1, "suspend": "sleeper"}},
 "global": {"duration": 2}})",
     .measure = Measure::spread,
     .rounds = 20,
     .growth = 2'000'000},
    // The parent is leftmost and never charged; each child starts beside it, runs and exits, while
    // the waiter, ahead of both, is passed over.
    {.name = "endless_forks",
     .spec = "cfs@2.6.36-START_DEBIT",
     .workload = R"({"tasks": {
  "waiter": {"run": 50000},
  "parent": {"loop": $N, "fork": "child", "yield": ""},
  "child": {"instance": 0, "loop": 1, "run": 2000}},
 "global": {"duration": 4}})",
     .measure = Measure::wait,
     .task = "waiter-0",
     .rounds = 40,
     .growth = 2'000'000},
    // Two tasks stand level when one is picked just behind a tick: it runs its slice, less than a
    // tick's remainder beyond it, and a whole tick. Then an old sleeper wakes.
    {.name = "old_sleeper_wakes",
     .spec = "cfs@2.6.36",
     .workload = R"({"tasks": {
  "sleeper": {"sleep": 17000, "run": 1000},
  "runner": {"run": 50000},
  "level": {"delay": 10002, "phases": {
    "catch-up": {"run": 3000, "yield": ""},
    "go-on": {"run": 50000}}}},
 "global": {"duration": 1}})",
     .measure = Measure::spread},
}};

}  // namespace

std::span<const Witness> witnesses() { return rows; }

const Witness* find_witness(std::string_view name) {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [name](const Witness& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::string witness_workload(const Witness& witness, int rounds) {
  std::string out(witness.workload);
  const auto at = out.find("$N");
  if (at != std::string::npos) out.replace(at, 2, std::to_string(rounds));
  return out;
}

}  // namespace fw::theorem
