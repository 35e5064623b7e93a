// SPDX-License-Identifier: Apache-2.0
#include "model/input/import.h"

#include <algorithm>

#include "model/input/import_tasks.h"

namespace fw::input {

Outcome<Imported> import_trace(const Trace& trace, const ImportOptions& options) {
  if (trace.switches == 0) {
    return Error{"no sched_switch event in " + std::to_string(trace.lines) + " lines",
                 "record sched:sched_switch (perf sched record does)",
                 trace.file};
  }
  std::vector<const TraceEvent*> events;
  events.reserve(trace.events.size());
  for (const TraceEvent& event : trace.events) events.push_back(&event);
  if (trace.steps_back > 0) {
    std::stable_sort(events.begin(), events.end(), [](const TraceEvent* a, const TraceEvent* b) {
      return a->t < b->t;
    });
  }
  const TraceFacts facts = gather_facts(events, trace);
  ImportOptions used = options;
  if (used.name.empty()) used.name = trace.file.substr(trace.file.rfind('/') + 1);
  Drafts drafts = walk_trace(events, trace, facts, used);
  Imported out = build_workload(drafts, trace, used);
  if (out.workload.tasks.empty()) {
    return Error{"no task of the trace can be imported: only idle and stopper threads ran",
                 "record a time in which ordinary tasks run",
                 trace.file};
  }
  return out;
}

}  // namespace fw::input
