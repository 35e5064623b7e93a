// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_closed.h"

#include <algorithm>

namespace fw::props::eevdf {

bool closed_sets(const Setup& setup, const Tunables& rules) {
  if (rules.next_buddy) return false;
  for (const TaskDef& task : setup.workload.tasks) {
    if (task.instances == 0) continue;  // only a fork would start it
    if (task.delay.ns != 0 || task.loop >= 0) return false;
    bool runs = false;
    for (const Phase& phase : task.phases) {
      if (phase.nice || phase.cpus) return false;
      for (const Op& op : phase.ops) {
        if (op.kind != OpKind::run) return false;
        runs = runs || (op.amount.ns > 0 && phase.loop != 0);
      }
    }
    if (!runs) return false;
  }
  return true;
}

LagBounds lag_bounds(const Tunables& rules, const Book& book, const Entry& entry) {
  const auto slice = static_cast<Exact>(entry.slice);
  const auto tick = static_cast<Exact>(rules.longest_tick_ns);
  const auto count = static_cast<Exact>(book.entries.size());
  const auto all = static_cast<Exact>(book.weight());
  const auto own = static_cast<Exact>(entry.weight);
  const bool shortest = rules.since(Profile::e618) && rules.run_to_parity;
  const auto run = static_cast<Exact>(shortest ? book.least_slice() : book.greatest_slice());
  const Exact mixed = ((all - own) * slice + own * (run + count * tick) + all - 1) / all;
  const Exact behind = std::max(slice, mixed);
  const Exact ahead = slice + tick;
  const auto with_error = [&](Exact bound) {
    return static_cast<std::int64_t>(bound + (bound >> 16) + count + 2);
  };
  return {with_error(behind), with_error(ahead)};
}

}  // namespace fw::props::eevdf
