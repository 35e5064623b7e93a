// SPDX-License-Identifier: Apache-2.0
#include "props/reduce/passes.h"

namespace fw::reduce {
namespace {

/// Whether the case still fails with each of the changes, each for itself.
bool all_fail(Search& search, const std::vector<Search::Edit>& changes) {
  for (const Search::Edit& edit : changes) {
    Case candidate = search.best();
    if (!edit(candidate)) return false;
    if (search.options().info != nullptr) {
      candidate.spec.text = spec_text(candidate.spec, *search.options().info);
    }
    if (!search.fails(candidate)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> irrelevance_notes(Search& search) {
  std::vector<std::string> out;
  const std::int64_t limit = search.calls() + search.options().note_calls;
  const auto room = [&](std::int64_t calls) {
    return !search.spent() && search.calls() + calls <= limit;
  };
  const Case best = search.best();
  for (std::size_t t = 0; t < best.workload.tasks.size(); ++t) {
    const auto nice = [t](int value) {
      return [=](Case& c) {
        c.workload.tasks[t].nice = value;
        return true;
      };
    };
    if (!room(2)) return out;
    if (all_fail(search, {nice(-20), nice(19)})) {
      out.push_back("nice of " + best.workload.tasks[t].name +
                    " does not matter: it fails with -20 and with 19, too");
    }
  }
  const auto hz = [](std::int64_t value) {
    return [=](Case& c) {
      c.spec.knobs["hz"] = value;
      return true;
    };
  };
  bool has_hz = false;
  if (search.options().info != nullptr) {
    for (const KnobInfo& knob : search.options().info->knobs) has_hz |= knob.name == "hz";
  }
  if (has_hz && room(2) && all_fail(search, {hz(100), hz(250)})) {
    out.push_back("the tick rate does not matter: it fails with hz=100 and hz=250, too");
  }
  for (std::size_t t = 0; t < best.workload.tasks.size(); ++t) {
    for (std::size_t p = 0; p < best.workload.tasks[t].phases.size(); ++p) {
      const std::vector<Op>& ops = best.workload.tasks[t].phases[p].ops;
      for (std::size_t o = 0; o < ops.size(); ++o) {
        if (ops[o].amount.ns < 2) continue;
        if (!room(2)) return out;
        const auto length = [=](std::int64_t ns) {
          return [=](Case& c) {
            c.workload.tasks[t].phases[p].ops[o].amount.ns = ns;
            return true;
          };
        };
        const std::int64_t ns = ops[o].amount.ns;
        if (!all_fail(search, {length(ns / 2), length(ns * 2)})) continue;
        out.push_back("the length of " + std::string(op_name(ops[o].kind)) + " (event " +
                      std::to_string(o + 1) + " of " + best.workload.tasks[t].name +
                      ") does not matter: it fails with half and with twice " +
                      format_duration(ops[o].amount) + ", too");
      }
    }
  }
  return out;
}

}  // namespace fw::reduce
