// SPDX-License-Identifier: Apache-2.0
#include "props/run/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace fw::run {
namespace {

std::string figure(double value, const std::string& unit) {
  if (unit == "ns") return format_duration({static_cast<std::int64_t>(value)});
  return fmt::format("{:.0f} {}", value, unit);
}

PropertyResult row_for(const props::Property& property,
                       const std::string& spec,
                       const Tally& tally,
                       std::int64_t discards) {
  PropertyResult out;
  out.name = property.id;
  out.policy = spec;
  out.cases = tally.checked;
  out.discards = discards;
  out.not_applicable = tally.not_applicable;
  out.verdict = tally.checked > 0 ? (tally.reached > 0 ? "held" : "vacuous") : "not-applicable";
  if (tally.tightest) {
    out.worst = figure(tally.tightest->worst, tally.tightest->unit);
    out.bound = figure(tally.tightest->bound, tally.tightest->unit);
    out.slack = figure(tally.tightest->bound - tally.tightest->worst, tally.tightest->unit);
  }
  return out;
}

/// Three ways to fail are not a property's: the run hangs, dies, or does not repeat.
Exit status_of(const std::string& property) {
  if (property == "no_hang") return Exit::deadline;
  if (property == "no_crash") return Exit::internal;
  if (property == "determinism") return Exit::nondeterminism;
  return Exit::falsified;
}

}  // namespace

void add_to_result(Result& result,
                   const PolicyRow& row,
                   const std::string& spec,
                   const CampaignTotals& totals) {
  result.cases += totals.cases;
  result.events += totals.events;
  result.discards += totals.discards;
  result.policies.push_back(spec);
  const double work = totals.generate_seconds + totals.run_seconds;
  if (work > 0) {
    result.generate_share = totals.generate_seconds / work;
    result.run_share = totals.run_seconds / work;
  }
  if (totals.discards > 0) {
    result.notes.push_back(fmt::format("{}: {} of {} cases discarded, for instance: {}",
                                       spec,
                                       totals.discards,
                                       totals.cases,
                                       totals.a_discard));
  }
  const auto all = props::all_properties();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!applies_to(all[i], row)) continue;
    Tally tally = totals.tallies[i];
    if (all[i].checker == nullptr && all[i].relation == nullptr) {
      // Lockstep is the run itself: checked in every case, reached by every compared stimulus.
      tally.checked = totals.cases - totals.discards;
      tally.reached = totals.stimuli;
    }
    PropertyResult property = row_for(all[i], spec, tally, totals.discards);
    if (totals.found && totals.found->failure.property == property.name) {
      property.verdict = "falsified";
    }
    result.properties.push_back(std::move(property));
    auto required =
        std::find_if(result.required.begin(), result.required.end(), [&](const RequiredResult& r) {
          return r.situation == all[i].situation;
        });
    if (required == result.required.end()) {
      result.required.push_back({std::string(all[i].situation), 0});
      required = result.required.end() - 1;
    }
    required->reached += tally.reached;
  }
}

void conclude(Result& result, bool must_reach) {
  result.all_statuses.push_back(Exit::held);
  for (const Failure& failure : result.failures) {
    result.all_statuses.push_back(status_of(failure.property));
  }
  const std::int64_t ran = result.cases - result.discards;
  if (result.failures.empty() && (ran == 0 || result.events == 0)) {
    result.notes.push_back("nothing was checked: no case ran to an event");
    result.all_statuses.push_back(Exit::vacuous);
  } else if (static_cast<double>(result.discards) >
             largest_discard_share * static_cast<double>(result.cases)) {
    result.notes.push_back(fmt::format("{} of {} cases were discarded; at most {:.0f} % may be",
                                       result.discards,
                                       result.cases,
                                       100 * largest_discard_share));
    result.all_statuses.push_back(Exit::vacuous);
  }
  if (must_reach && result.failures.empty() &&
      std::any_of(result.required.begin(), result.required.end(), [](const RequiredResult& r) {
        return r.reached == 0;
      })) {
    result.all_statuses.push_back(Exit::vacuous);
  }
}

}  // namespace fw::run
