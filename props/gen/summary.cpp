// SPDX-License-Identifier: Apache-2.0
#include "props/gen/summary.h"

#include <algorithm>
#include <type_traits>

namespace fw::gen {
namespace {
template <class Key>
std::string counts(const std::map<Key, std::int64_t>& map) {
  std::string out;
  for (const auto& [key, count] : map) {
    if constexpr (std::is_same_v<Key, std::string>) {
      out += " " + key;
    } else {
      out += " " + std::to_string(key);
    }
    out += ":" + std::to_string(count);
  }
  return out + "\n";
}
}  // namespace

void Summary::add(const Case& input) {
  ++cases;
  bool pin = false, kind = false, nice = false, late = false, forks = false;
  for (const TaskDef& task : input.workload.tasks) {
    ++tasks;
    instances += task.instances;
    pin |= task.cpus.has_value();
    kind |= task.sched_class != SchedClass::normal;
    nice |= task.nice != 0;
    late |= task.delay.ns != 0;
    for (const Phase& phase : task.phases) {
      events += static_cast<std::int64_t>(phase.ops.size());
      pin |= phase.cpus.has_value();
      nice |= phase.nice.has_value();
      for (const Op& op : phase.ops) {
        ++ops[static_cast<std::size_t>(op.kind)];
        forks |= op.kind == OpKind::fork;
      }
    }
  }
  pinned += pin;
  classes += kind;
  niced += nice;
  delayed += late;
  forked += forks;
  balanced += input.balance;
  ++cases_by_tasks[static_cast<int>(input.workload.tasks.size())];
  ++cases_by_topology[input.topology];
  ++cases_by_version[input.spec.version];
  for (const auto& [name, on] : input.spec.features) ++features[name];
  for (const auto& [name, value] : input.spec.knobs) ++knobs[name];
  horizon_ms += input.horizon.ns / 1'000'000;
  longest_ms = std::max(longest_ms, input.horizon.ns / 1'000'000);
}

std::string Summary::text() const {
  const std::int64_t n = std::max<std::int64_t>(1, cases);
  std::string out = "cases " + std::to_string(cases) + ", events per case " +
                    std::to_string(events / n) + ", mean horizon " +
                    std::to_string(horizon_ms / n) + " ms, longest " + std::to_string(longest_ms) +
                    " ms\n";
  out += "tasks per case" + counts(cases_by_tasks);
  out += "topology" + counts(cases_by_topology);
  out += "version" + counts(cases_by_version);
  out += "features" + counts(features);
  out += "knobs" + counts(knobs);
  out += "events";
  for (int kind = 0; kind < op_kinds; ++kind) {
    out += " " + std::string(op_name(static_cast<OpKind>(kind))) + ":" +
           std::to_string(ops[static_cast<std::size_t>(kind)]);
  }
  out += "\ncases with balancing " + std::to_string(balanced) + ", affinity " +
         std::to_string(pinned) + ", classes " + std::to_string(classes) + ", nice " +
         std::to_string(niced) + ", delays " + std::to_string(delayed) + ", forks " +
         std::to_string(forked) + "\n";
  return out;
}

}  // namespace fw::gen
