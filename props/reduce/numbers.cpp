// SPDX-License-Identifier: Apache-2.0
// Steps that make what is left simpler: defaults and round numbers.
#include <algorithm>
#include <charconv>
#include <set>

#include "props/reduce/passes.h"

namespace fw::reduce {
namespace {

using Edit = Search::Edit;

template <class Value>
bool change(Value& value, const Value& wanted) {
  if (value == wanted) return false;
  value = wanted;
  return true;
}

template <class Map, class Access>
void erasures(std::vector<Edit>& edits, const Map& map, Access access) {
  for (const auto& entry : map) {
    if constexpr (requires { entry.first; }) {
      edits.push_back([=](Case& c) { return access(c).erase(entry.first) != 0; });
    } else {
      edits.push_back([=](Case& c) { return access(c).erase(entry) != 0; });
    }
  }
}

void task_edits(std::vector<Edit>& edits, const Case& best) {
  for (std::size_t t = 0; t < best.workload.tasks.size(); ++t) {
    const auto task = [t](Case& c) -> TaskDef& { return c.workload.tasks[t]; };
    edits.push_back([=](Case& c) { return change(task(c).nice, 0); });
    edits.push_back([=](Case& c) { return change(task(c).sched_class, SchedClass::normal); });
    edits.push_back([=](Case& c) { return change(task(c).cpus, {}); });
    edits.push_back([=](Case& c) { return change(task(c).delay, Duration{}); });
    edits.push_back([=](Case& c) { return change(task(c).slice, {}); });
    edits.push_back([=](Case& c) { return task(c).instances > 1 && change(task(c).instances, 1); });
    for (std::size_t p = 0; p < best.workload.tasks[t].phases.size(); ++p) {
      edits.push_back([=](Case& c) { return change(task(c).phases[p].nice, {}); });
      edits.push_back([=](Case& c) { return change(task(c).phases[p].cpus, {}); });
    }
  }
}

/// Timers to relative, name by name: all users of a timer share its mode.
void timer_edits(std::vector<Edit>& edits, const Case& best) {
  std::set<std::string> refs;
  for (const TaskDef& task : best.workload.tasks) {
    for (const Phase& phase : task.phases) {
      for (const Op& op : phase.ops) {
        if (op.absolute) refs.insert(op.ref);
      }
    }
  }
  for (const std::string& ref : refs) {
    edits.push_back([ref](Case& c) {
      bool any = false;
      for (TaskDef& task : c.workload.tasks) {
        for (Phase& phase : task.phases) {
          for (Op& op : phase.ops) any |= op.ref == ref && change(op.absolute, false);
        }
      }
      return any;
    });
  }
}

/// A place that holds a length of time.
using Place = std::function<Duration&(Case&)>;

std::vector<Place> amounts_of(const Case& best) {
  std::vector<Place> out;
  for (std::size_t t = 0; t < best.workload.tasks.size(); ++t) {
    if (best.workload.tasks[t].delay.ns != 0) {
      out.push_back([=](Case& c) -> Duration& { return c.workload.tasks[t].delay; });
    }
    for (std::size_t p = 0; p < best.workload.tasks[t].phases.size(); ++p) {
      for (std::size_t o = 0; o < best.workload.tasks[t].phases[p].ops.size(); ++o) {
        if (best.workload.tasks[t].phases[p].ops[o].amount.ns == 0) continue;
        out.push_back(
            [=](Case& c) -> Duration& { return c.workload.tasks[t].phases[p].ops[o].amount; });
      }
    }
  }
  return out;
}

constexpr std::int64_t ms = 1'000'000;

std::int64_t power_below(std::int64_t ns) {
  std::int64_t unit = 1;
  while (ns / unit >= 10) unit *= 10;
  return unit;
}

/// 1 ms is the simplest length; then fewer digits are simpler, then smaller ones. Every accepted
/// change of an amount lowers this, so that the steps come to an end.
std::int64_t complexity(std::int64_t ns) {
  if (ns == 0) return 0;
  if (ns == ms) return 1;
  std::int64_t digits = 1, rest = ns;
  while (rest % 10 == 0) rest /= 10;
  for (; rest >= 10; rest /= 10) ++digits;
  std::int64_t size = 0;
  for (std::int64_t unit = power_below(ns); unit >= 10; unit /= 10) ++size;
  return digits * 1'000 + size * 10 + ns / power_below(ns);
}

bool simplify(Duration& amount, std::int64_t wanted) {
  if (complexity(wanted) >= complexity(amount.ns)) return false;
  amount.ns = wanted;
  return true;
}

/// Looks for the simplest value between `good` (fails) and `goal` (tried first), halving the way.
template <class Set>
bool descend(Search& search, std::int64_t good, std::int64_t goal, Set set) {
  bool any = false;
  const auto passes = [&](std::int64_t value) {
    Case candidate = search.best();
    set(candidate, value);
    return search.attempt(std::move(candidate));
  };
  if (good == goal || search.fine_spent()) return false;
  if (passes(goal)) return true;
  while (!search.fine_spent()) {
    const std::int64_t middle = goal + (good - goal) / 2;
    if (middle == goal || middle == good) break;
    if (passes(middle)) {
      good = middle;
      any = true;
    } else {
      goal = middle;
    }
  }
  return any;
}

/// The one-digit lengths 1 ns, 2 ns, ..., 9 ns, 10 ns, ... by number from 0.
std::int64_t one_digit(std::int64_t number) {
  std::int64_t unit = 1;
  for (; number >= 9; number -= 9) unit *= 10;
  return (number + 1) * unit;
}
std::int64_t number_of(std::int64_t ns) {
  std::int64_t number = 0;
  while (one_digit(number + 1) <= ns && number < 160) ++number;
  return number;
}

bool tune_amounts(Search& search) {
  constexpr std::size_t most = 12;
  const std::vector<Place> places = amounts_of(search.best());
  if (places.size() > most) return false;
  bool any = false;
  for (const Place& place : places) {
    Case probe = search.best();
    const std::int64_t present = place(probe).ns;
    // 1 ms is simple enough; only what had to stay larger or odd is worth the calls.
    if (present <= ms) continue;
    any |= descend(search, number_of(present), number_of(ms), [&](Case& c, std::int64_t number) {
      place(c).ns = one_digit(number);
    });
  }
  return any;
}

bool tune_knobs(Search& search) {
  const PolicyInfo* info = search.options().info;
  if (info == nullptr) return false;
  bool any = false;
  const std::map<std::string, std::int64_t> knobs = search.best().spec.knobs;
  for (const auto& named : knobs) {
    const std::string& name = named.first;
    for (const KnobInfo& knob : info->knobs) {
      if (knob.name != name || knob.unit == KnobUnit::choice || knob.unit == KnobUnit::wide)
        continue;
      std::int64_t standard = 0;
      if (knob.unit == KnobUnit::duration) {
        const Outcome<Duration> read = parse_duration(knob.standard);
        if (!read) continue;
        standard = read->ns;
      } else {
        const char* end = knob.standard.data() + knob.standard.size();
        if (std::from_chars(knob.standard.data(), end, standard).ptr != end) continue;
      }
      // The default itself has been tried. A knob of few values (word) only knows its ends.
      if (name == "word") continue;
      if (knob.unit == KnobUnit::ticks && named.second < 0) continue;  // a time
      const bool time = knob.unit == KnobUnit::duration;
      const std::int64_t unit =
          time ? std::max<std::int64_t>(1, power_below(named.second) / 10) : 1;
      any |= descend(search, named.second / unit, standard / unit, [&](Case& c, std::int64_t v) {
        c.spec.knobs[name] = std::clamp(v * unit, knob.lowest, knob.highest);
      });
    }
  }
  return any;
}

}  // namespace

bool drop_deviations(Search& search) {
  const Case best = search.best();
  std::vector<Edit> edits;
  const auto workload = [](Case& c) -> Workload& { return c.workload; };
  erasures(
      edits, best.spec.features, [](Case & c) -> auto& { return c.spec.features; });
  erasures(
      edits, best.spec.knobs, [](Case & c) -> auto& { return c.spec.knobs; });
  erasures(
      edits, best.workload.threads, [=](Case & c) -> auto& { return workload(c).threads; });
  erasures(
      edits, best.workload.spinlocks, [=](Case & c) -> auto& { return workload(c).spinlocks; });
  erasures(
      edits, best.workload.labels, [=](Case & c) -> auto& { return workload(c).labels; });
  edits.push_back([](Case& c) { return change(c.balance, false); });
  edits.push_back([=](Case& c) { return change(workload(c).barging, false); });
  edits.push_back([=](Case& c) { return change(workload(c).hz, {}); });
  edits.push_back([=](Case& c) { return change(workload(c).costs.switch_cost, Duration{}); });
  edits.push_back([=](Case& c) { return change(workload(c).costs.cache_refill, Duration{}); });
  edits.push_back([=](Case& c) { return change(workload(c).costs.migration, Duration{}); });
  task_edits(edits, best);
  timer_edits(edits, best);
  return search.edit_most(edits);
}

bool round_amounts(Search& search) {
  bool any = false;
  for (int way = 0; way < 4; ++way) {
    std::vector<Edit> edits;
    for (const Place& place : amounts_of(search.best())) {
      edits.push_back([=](Case& c) {
        Duration& amount = place(c);
        const std::int64_t unit = power_below(amount.ns);
        const std::int64_t fine = std::max<std::int64_t>(1, unit / 10);
        switch (way) {
          case 0:
            return simplify(amount, ms);
          case 1:
            return simplify(amount, amount.ns / unit * unit);
          case 2:
            return simplify(amount, (amount.ns / unit + 1) * unit);
          default:
            return simplify(amount, amount.ns / fine * fine);
        }
      });
    }
    any |= search.edit_most(edits);
  }
  return any;
}

bool tune_numbers(Search& search) {
  bool any = false;
  for (std::size_t t = 0; t < search.best().workload.tasks.size(); ++t) {
    const TaskDef task = search.best().workload.tasks[t];
    any |= descend(search, task.nice, 0, [t](Case& c, std::int64_t value) {
      c.workload.tasks[t].nice = static_cast<int>(value);
    });
    for (std::size_t p = 0; p < task.phases.size(); ++p) {
      any |= descend(search, task.phases[p].nice.value_or(0), 0, [=](Case& c, std::int64_t value) {
        c.workload.tasks[t].phases[p].nice = static_cast<int>(value);
      });
    }
    if (task.instances < 2) continue;
    any |= descend(search, task.instances, 1, [t](Case& c, std::int64_t value) {
      c.workload.tasks[t].instances = static_cast<int>(value);
    });
  }
  any |= tune_amounts(search);
  return tune_knobs(search) || any;
}

}  // namespace fw::reduce
