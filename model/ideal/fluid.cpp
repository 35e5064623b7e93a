// SPDX-License-Identifier: Apache-2.0
#include "model/ideal/fluid.h"

#include "model/vocab/contract.h"

namespace fw::model {
namespace {
bool runnable(const TaskView& task) { return task.state != TaskState::blocked; }
}  // namespace

Fluid::Account& Fluid::account(TaskId task) {
  const auto at = static_cast<std::size_t>(task.value);
  if (at >= accounts_.size()) accounts_.resize(at + 1);
  return accounts_[at];
}

void Fluid::start(const View& view) {
  queues_.assign(view.cpus.size(), {});
  accounts_.clear();
  for (const TaskView& task : view.tasks) arrive(account(task.id), task);
}

void Fluid::arrive(Account& of, const TaskView& view) {
  of.runnable = runnable(view);
  of.cpu = static_cast<std::size_t>(view.cpu.value);
  of.weight = view.weight;
  if (of.runnable) of.at_arrival = queues_[of.cpu];
}

/// Ends the present stay: what it was worth goes to `earned`.
void Fluid::settle(Account& of) const {
  if (!of.runnable) return;
  auto old = of.at_arrival.begin();
  for (const auto& [load, total_ns] : queues_[of.cpu]) {
    while (old != of.at_arrival.end() && old->first < load) ++old;
    const bool known = old != of.at_arrival.end() && old->first == load;
    const std::int64_t ns = total_ns - (known ? old->second : 0);
    if (ns > 0) of.earned[load] += boost::multiprecision::cpp_int(of.weight) * ns;
  }
  of.runnable = false;
}

void Fluid::advance(const View& before, const View& after) {
  FW_EXPECT(before.cpus.size() == queues_.size());
  const std::int64_t passed_ns = (after.now - before.now).ns;
  if (passed_ns > 0) {
    for (std::size_t cpu = 0; cpu < queues_.size(); ++cpu) {
      if (before.cpus[cpu].load > 0) queues_[cpu][before.cpus[cpu].load] += passed_ns;
    }
    for (const TaskView& task : before.tasks) {
      if (task.state == TaskState::running) account(task.id).received_ns += passed_ns;
    }
  }
  // Both lists are in order of ids; tasks only in `before` have ended, only in `after` are new.
  auto old = before.tasks.begin();
  for (const TaskView& task : after.tasks) {
    for (; old != before.tasks.end() && old->id < task.id; ++old) settle(account(old->id));
    const bool known = old != before.tasks.end() && old->id == task.id;
    if (known && runnable(*old) == runnable(task) && old->cpu == task.cpu &&
        old->weight == task.weight) {
      ++old;
      continue;
    }
    if (known) ++old;
    Account& of = account(task.id);
    settle(of);
    arrive(of, task);
  }
  for (; old != before.tasks.end(); ++old) settle(account(old->id));
}

Rational Fluid::ideal_ns(TaskId task) const {
  const auto at = static_cast<std::size_t>(task.value);
  if (task.idle() || at >= accounts_.size()) return 0;
  Account now = accounts_[at];
  settle(now);
  Rational sum = 0;
  for (const auto& [load, weighted_ns] : now.earned) sum += Rational(weighted_ns, load);
  return sum;
}

std::int64_t Fluid::received_ns(TaskId task) const {
  const auto at = static_cast<std::size_t>(task.value);
  return task.idle() || at >= accounts_.size() ? 0 : accounts_[at].received_ns;
}

}  // namespace fw::model
