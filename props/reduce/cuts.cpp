// SPDX-License-Identifier: Apache-2.0
#include "props/reduce/cuts.h"

#include <algorithm>
#include <map>
#include <set>

#include "props/reduce/reduce.h"

namespace fw::reduce {
namespace {

template <class Visit>
void each_op(const Workload& workload, Visit visit) {
  for (std::size_t t = 0; t < workload.tasks.size(); ++t) {
    const std::vector<Phase>& phases = workload.tasks[t].phases;
    for (std::size_t p = 0; p < phases.size(); ++p) {
      for (std::size_t o = 0; o < phases[p].ops.size(); ++o) {
        visit(OpPlace{t, p, o}, phases[p].ops[o]);
      }
    }
  }
}

bool names_task(const Op& op) { return op.kind == OpKind::resume || op.kind == OpKind::fork; }

/// Removes tasks by place, what refers to them, then whatever became empty by that, until nothing
/// changes.
std::optional<Case> tidy(Case input, std::vector<bool> drop) {
  std::vector<TaskDef>& tasks = input.workload.tasks;
  while (true) {
    std::set<std::string> gone;
    std::vector<TaskDef> kept;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      std::vector<Phase>& phases = tasks[i].phases;
      phases.erase(
          std::remove_if(
              phases.begin(), phases.end(), [](const Phase& phase) { return phase.ops.empty(); }),
          phases.end());
      if ((i < drop.size() && drop[i]) || phases.empty()) {
        gone.insert(tasks[i].name);
      } else {
        kept.push_back(std::move(tasks[i]));
      }
    }
    tasks = std::move(kept);
    drop.clear();
    if (gone.empty()) break;
    for (const std::string& name : gone) {
      input.workload.threads.erase(name);
      input.workload.labels.erase(name);
    }
    for (TaskDef& task : tasks) {
      for (Phase& phase : task.phases) {
        phase.ops.erase(
            std::remove_if(phase.ops.begin(),
                           phase.ops.end(),
                           [&](const Op& op) { return names_task(op) && gone.count(op.ref) != 0; }),
            phase.ops.end());
      }
    }
  }
  const bool started = std::any_of(
      tasks.begin(), tasks.end(), [](const TaskDef& task) { return task.instances > 0; });
  if (!started) return std::nullopt;
  return input;
}

std::optional<Case> without_places(const Case& input, const std::set<OpPlace>& places) {
  Case out = input;
  // Descending, so that the places still to come stay true.
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    std::vector<Op>& ops = out.workload.tasks[place->task].phases[place->phase].ops;
    ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(place->op));
  }
  return tidy(std::move(out), {});
}

/// Least time of one round of the program, and its events; whether it waits for others.
struct Round {
  std::int64_t ns = 0, ops = 0;
  bool waits = false;
};

Round round_of(const TaskDef& task) {
  Round out;
  for (const Phase& phase : task.phases) {
    const std::int64_t times = std::clamp<std::int64_t>(phase.loop, 1, 1'000'000);
    for (const Op& op : phase.ops) {
      out.ops += times;
      switch (op.kind) {
        case OpKind::run:
        case OpKind::runtime:
        case OpKind::sleep:
          out.ns += times * std::min<std::int64_t>(op.amount.ns, 1'000'000'000'000);
          break;
        case OpKind::timer:
        case OpKind::wait:
        case OpKind::sync:
        case OpKind::barrier:
        case OpKind::suspend:
        case OpKind::sem_wait:
          out.waits = true;
          break;
        default:
          break;
      }
    }
  }
  return out;
}

/// Program events of a run, roughly; -1 for one that never ends.
std::int64_t cost_of(const Case& input) {
  std::int64_t out = 0;
  const std::int64_t horizon = input.horizon.ns > 0 ? input.horizon.ns : 1'000'000'000;
  for (const TaskDef& task : input.workload.tasks) {
    const bool endless = task.loop < 0 || std::any_of(task.phases.begin(),
                                                      task.phases.end(),
                                                      [](const Phase& p) { return p.loop < 0; });
    const Round round = round_of(task);
    if (endless && round.ns == 0 && !round.waits) return -1;
    const std::int64_t most = round.ns == 0 ? 1'000 : horizon / round.ns + 1;
    const std::int64_t rounds =
        endless ? most : std::min(most, std::max<std::int64_t>(1, task.loop));
    out += rounds * round.ops * std::max(1, task.instances);
  }
  return out;
}

}  // namespace

std::vector<OpUnit> op_units(const Case& input) {
  std::vector<OpUnit> out;
  std::map<std::string, std::size_t> open;  // lock -> its unit
  std::size_t task = SIZE_MAX;
  each_op(input.workload, [&](OpPlace place, const Op& op) {
    if (place.task != task) open.clear();
    task = place.task;
    const bool waits = op.kind == OpKind::wait || op.kind == OpKind::sync;
    const auto held = open.find(waits ? op.mutex : op.ref);
    if (held != open.end() && (waits || op.kind == OpKind::unlock)) {
      out[held->second].push_back(place);
      // A wait is also a unit of its own: it can go while the lock stays.
      if (waits) out.push_back({place});
      if (op.kind == OpKind::unlock) open.erase(held);
      return;
    }
    if (op.kind == OpKind::lock) open[op.ref] = out.size();
    out.push_back({place});
  });
  return out;
}

std::vector<OpUnit> ref_units(const Case& input) {
  std::map<std::string, OpUnit> by_ref;
  each_op(input.workload, [&](OpPlace place, const Op& op) {
    if (names_task(op)) return;
    if (!op.ref.empty()) by_ref[op.ref].push_back(place);
    if (!op.mutex.empty() && op.mutex != op.ref) by_ref[op.mutex].push_back(place);
  });
  std::vector<OpUnit> out;
  for (auto& [ref, unit] : by_ref) {
    if (unit.size() > 1) out.push_back(std::move(unit));
  }
  return out;
}

std::vector<OpUnit> phase_units(const Case& input) {
  std::vector<OpUnit> out;
  std::size_t task = SIZE_MAX, phase = SIZE_MAX;
  each_op(input.workload, [&](OpPlace place, const Op&) {
    if (input.workload.tasks[place.task].phases.size() < 2) return;
    if (place.task != task || place.phase != phase) out.emplace_back();
    task = place.task;
    phase = place.phase;
    out.back().push_back(place);
  });
  return out;
}

std::optional<Case> without_tasks(const Case& input, const std::vector<bool>& drop) {
  return tidy(input, drop);
}

std::optional<Case> without_units(const Case& input,
                                  const std::vector<OpUnit>& units,
                                  const std::vector<bool>& drop) {
  std::set<OpPlace> places;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (drop[i]) places.insert(units[i].begin(), units[i].end());
  }
  return without_places(input, places);
}

bool explodes(const Case& input, const Case& original) {
  constexpr std::int64_t always_fine = 20'000;
  const std::int64_t cost = cost_of(input), before = cost_of(original);
  if (cost < 0) return before >= 0;
  return cost > std::max(always_fine, 4 * before);
}

Case unrolled_phase(Case input, std::size_t task, std::size_t phase) {
  Phase& target = input.workload.tasks[task].phases[phase];
  const std::vector<Op> once = target.ops;
  for (; target.loop > 1; --target.loop) {
    target.ops.insert(target.ops.end(), once.begin(), once.end());
  }
  return input;
}

Case unrolled_task(Case input, std::size_t task) {
  TaskDef& target = input.workload.tasks[task];
  const std::vector<Phase> once = target.phases;
  std::size_t number = once.size();
  for (; target.loop > 1; --target.loop) {
    if (once.size() == 1 && once[0].loop == 1 && !once[0].nice && !once[0].cpus) {
      std::vector<Op>& ops = target.phases[0].ops;
      ops.insert(ops.end(), once[0].ops.begin(), once[0].ops.end());
      continue;
    }
    for (Phase copy : once) {
      copy.name += "_" + std::to_string(number++);
      target.phases.push_back(std::move(copy));
    }
  }
  return input;
}

int cpus_of(const std::string& topology) {
  if (topology == "numaq") return 16;
  int out = 1, number = 0;
  for (const char c : topology + "x") {
    if (c == 'x' && number > 0) {
      out *= number;
      number = 0;
    } else if (c >= '0' && c <= '9' && number < 1000 && out < 100'000) {
      number = number * 10 + (c - '0');
    } else {
      return 0;
    }
  }
  return out;
}

}  // namespace fw::reduce
