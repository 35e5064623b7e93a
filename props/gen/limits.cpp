// SPDX-License-Identifier: Apache-2.0
// What keeps a random workload valid and a case small, whatever its profiles drew.
#include <algorithm>

#include "props/gen/ops.h"
#include "props/gen/profiles.h"

namespace fw::gen {
namespace {

/// One round of a program: the least time it takes (waits for others count as none), and its
/// events.
struct Round {
  std::int64_t ns = 0;
  std::int64_t cpu_ns = 0;
  std::int64_t ops = 0;
};

Round round_of(const TaskDef& task) {
  Round out;
  for (const Phase& phase : task.phases) {
    const std::int64_t times = std::max<std::int64_t>(1, phase.loop);
    for (const Op& op : phase.ops) {
      out.ops += times;
      if (op.kind == OpKind::run || op.kind == OpKind::runtime) out.cpu_ns += times * op.amount.ns;
      if (op.kind == OpKind::run || op.kind == OpKind::runtime || op.kind == OpKind::sleep) {
        out.ns += times * op.amount.ns;
      }
    }
  }
  return out;
}

}  // namespace

void dress(Draft& draft, TaskDef& task) {
  Draw& draw = draft.draw;
  const Shape& shape = draft.shape;
  task.nice = draw_nice(draw, shape);
  if (draw.percent(shape.class_percent)) {
    task.sched_class = draw.percent(60) ? SchedClass::batch : SchedClass::idle;
  }
  if (draw.percent(shape.pin_percent)) task.cpus = draw_cpus(draw, shape);
  if (draw.percent(shape.delay_percent)) {
    task.delay = draw_amount(
        draw, shape, 1, std::max<std::int64_t>(1, shape.horizon_ns / draw.between(1, 8)));
  }
  if (shape.slice_percent > 0 && draw.percent(shape.slice_percent)) {
    task.slice = draw_amount(draw, shape, 50'000, 200'000'000);
  }
  if (draw.percent(shape.many_percent)) task.instances = draw.length(1, 4);
}

void limit_rate(Draft& draft, TaskDef& task, std::int64_t events) {
  Round round = round_of(task);
  if (round.cpu_ns == 0) {
    task.phases.back().ops.push_back(run(draft.brief()));
    round = round_of(task);
  }
  const std::int64_t copies = std::max(1, task.instances);
  const std::int64_t rounds = std::max<std::int64_t>(1, events / (copies * round.ops));
  if (task.loop >= 0) {
    task.loop = std::min(task.loop, rounds);
    return;
  }
  if (draft.shape.horizon_ns / std::max<std::int64_t>(1, round.ns) <= rounds) return;
  if (draft.draw.percent(25)) {  // a burst at full speed, then the end
    task.loop = rounds;
    return;
  }
  const Duration rest = {std::max(draft.shape.grain_ns, draft.shape.horizon_ns / rounds)};
  const Duration grained = rest - Duration{rest.ns % draft.shape.grain_ns};
  std::vector<Op>& ops = task.phases.back().ops;
  const auto last_run = std::find_if(ops.rbegin(), ops.rend(), [](const Op& op) {
    return op.kind == OpKind::run || op.kind == OpKind::sleep;
  });
  if (last_run != ops.rend() && draft.draw.percent(60)) {
    last_run->amount = grained;
  } else {
    ops.push_back(draft.draw.percent(70) ? sleep(grained) : run(grained));
  }
}

void limit_forks(Workload& workload) {
  constexpr std::int64_t most = 40;
  for (TaskDef& task : workload.tasks) {
    std::int64_t forks = 0;
    for (const Phase& phase : task.phases) {
      for (const Op& op : phase.ops) {
        if (op.kind == OpKind::fork) forks += std::max<std::int64_t>(1, phase.loop);
      }
    }
    if (forks == 0) continue;
    // A child's own forks multiply with its parent's.
    const std::int64_t allowed = task.instances == 0 ? 2 : most / std::max(1, task.instances);
    const std::int64_t rounds = std::max<std::int64_t>(1, allowed / forks);
    task.loop = task.loop < 0 ? rounds : std::min(task.loop, rounds);
  }
}

}  // namespace fw::gen
