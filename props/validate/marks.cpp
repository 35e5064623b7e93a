// SPDX-License-Identifier: Apache-2.0
#include "props/validate/marks.h"

#include <fmt/format.h>

#include <algorithm>

namespace fw::validate {

void Marks::hide(Tally& tally, const std::string& cause) {
  for (const Expectation& each : expected_) tally.skip(each.rule, cause);
  expected_.clear();
}

bool Marks::take(Tally& tally, const input::TraceEvent& line) {
  if (line.need_resched == '?') {
    hide(tally, "the format has no flags");
    return false;
  }
  const bool shown = line.need_resched == 'y';
  const bool gone = !waiting() && seen && !shown;
  if (waiting()) outcome(tally, shown, line.hard_interrupt);
  marked = seen = shown;
  return gone;
}

void Marks::outcome(Tally& tally, bool mark, bool elsewhere) {
  const auto marking = std::count_if(
      expected_.begin(), expected_.end(), [](const Expectation& e) { return e.marked; });
  if (mark && marking > 1) return hide(tally, "two causes of one mark");
  if (mark && marking == 0 && elsewhere) {
    return hide(tally, "the next timer interrupt marked, perhaps for RCU");
  }
  for (const Expectation& each : expected_) {
    // A mark that another expectation explains says that this one, not marking, may hold.
    if (each.marked == mark || (mark && marking == 1)) {
      tally.explained(each.rule, each.contested);
      continue;
    }
    Miss miss;
    miss.rule = each.rule;
    miss.line = each.line;
    miss.t = each.t;
    miss.task = each.task;
    miss.reason = fmt::format(
        "{}; the kernel {} the running task", each.text, mark ? "marked" : "did not mark");
    tally.unexplained(std::move(miss), each.contested);
    break;
  }
  expected_.clear();
}

}  // namespace fw::validate
