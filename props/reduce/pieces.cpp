// SPDX-License-Identifier: Apache-2.0
// Steps that take pieces away: time, tasks, phases, events, rounds of loops, CPUs.
#include <algorithm>
#include <array>

#include "props/reduce/cuts.h"
#include "props/reduce/passes.h"

namespace fw::reduce {
namespace {

bool remove_units(Search& search, const std::vector<OpUnit>& units) {
  return search.apply_most(units.size(), [&](const Case& start, const std::vector<bool>& drop) {
    return without_units(start, units, drop);
  });
}

/// Writes one loop out and takes events away; kept only if that makes the case smaller.
bool unroll(Search& search, Case unrolled) {
  const Case kept = search.best();
  search.set_quiet(true);
  bool better = search.attempt(std::move(unrolled));
  if (better) {
    remove_units(search, op_units(search.best()));
    better = count_events(search.best()) <= count_events(kept);
    if (!better) search.restore(kept);
  }
  search.set_quiet(false);
  if (better) search.announce();
  return better;
}

bool unroll_loops(Search& search) {
  constexpr std::int64_t most_rounds = 4, most_events = 16;
  bool any = false;
  for (std::size_t t = 0; t < search.best().workload.tasks.size(); ++t) {
    for (std::size_t p = 0; p < search.best().workload.tasks[t].phases.size(); ++p) {
      const Phase& phase = search.best().workload.tasks[t].phases[p];
      const auto ops = static_cast<std::int64_t>(phase.ops.size());
      if (search.fine_spent()) return any;
      if (phase.loop < 2 || phase.loop > most_rounds || ops < 2) continue;
      if (ops * phase.loop > most_events) continue;
      if (unroll(search, unrolled_phase(search.best(), t, p))) return true;  // places have changed
    }
    const TaskDef& task = search.best().workload.tasks[t];
    std::int64_t ops = 0;
    for (const Phase& phase : task.phases) ops += static_cast<std::int64_t>(phase.ops.size());
    if (search.fine_spent()) return any;
    if (task.loop < 2 || task.loop > most_rounds || ops < 2) continue;
    if (ops * task.loop > most_events) continue;
    if (unroll(search, unrolled_task(search.best(), t))) return true;
  }
  return any;
}

}  // namespace

bool cut_horizon(Search& search) {
  const Case& best = search.best();
  const std::int64_t end = best.expected.t.ns + 1;
  if (best.expected.t == never || end <= 0) return false;
  if (best.horizon.ns != 0 && best.horizon.ns <= end && !best.workload.duration) return false;
  Case cut = best;
  cut.horizon = {end};
  cut.workload.duration.reset();
  return search.attempt(std::move(cut));
}

bool remove_pieces(Search& search) {
  bool any = false;
  // A single task cannot go: its removal is the removal of its events.
  const std::size_t tasks = search.best().workload.tasks.size();
  if (tasks > 1) any |= search.apply_most(tasks, without_tasks);
  any |= remove_units(search, ref_units(search.best()));
  any |= remove_units(search, phase_units(search.best()));
  any |= remove_units(search, op_units(search.best()));
  return any;
}

bool simplify_loops(Search& search) {
  static constexpr std::array<std::int64_t, 4> rounds = {1, 2, 3, 6};
  bool any = false;
  for (const std::int64_t count : rounds) {
    if (count > 1 && search.fine_spent()) break;
    std::vector<Search::Edit> edits;
    const std::vector<TaskDef>& tasks = search.best().workload.tasks;
    const auto lower = [count](std::int64_t& loop) {
      if (loop >= 0 && loop <= count) return false;
      loop = count;
      return true;
    };
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      edits.push_back([=](Case& c) { return lower(c.workload.tasks[t].loop); });
      for (std::size_t p = 0; p < tasks[t].phases.size(); ++p) {
        edits.push_back([=](Case& c) { return lower(c.workload.tasks[t].phases[p].loop); });
      }
    }
    any |= search.edit_most(edits);
  }
  return unroll_loops(search) || any;
}

bool shrink_topology(Search& search) {
  static constexpr std::array<const char*, 7> simple = {"1", "2", "3", "4", "2x2", "8", "2x2x2"};
  const int present = cpus_of(search.best().topology);
  for (const char* name : simple) {
    if (search.best().topology == name) return false;
    const int cpus = cpus_of(name);
    if (present != 0 && cpus > present) return false;
    Case candidate = search.best();
    candidate.topology = name;
    const auto clip = [cpus](std::optional<CpuSet>& set) {
      if (!set) return;
      CpuSet kept;
      for (const CpuId cpu : set->members()) {
        if (cpu.value < cpus) kept.insert(cpu);
      }
      if (kept.empty()) {
        set.reset();
      } else {
        set = kept;
      }
    };
    for (TaskDef& task : candidate.workload.tasks) {
      clip(task.cpus);
      for (Phase& phase : task.phases) clip(phase.cpus);
    }
    if (search.attempt(std::move(candidate))) return true;
  }
  return false;
}

}  // namespace fw::reduce
